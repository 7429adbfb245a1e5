"""The parts of attention that figure `attend` removes, and what is computed at every setting."""

from collections.abc import Sequence
from functools import cache
from functools import lru_cache

import numpy as np

from attention.core import Floats
from attention.core import Steps
from attention.core import attend
from attention.core import causal_mask
from attention.core import row_share
from attention.core import softmax
from attention.example import ASKING
from attention.example import DEFAULT_STOP
from attention.example import KEYS
from attention.example import STOPS
from attention.example import TOKENS
from attention.example import VALUES
from attention.figures.figure import ON_OFF
from attention.figures.figure import Control

QUERY = Control("query", tuple(str(i) for i in range(len(STOPS))), str(DEFAULT_STOP))
# Without scores every visible token weighs the same, whatever these say.
SCORES = Control(
    "scores", ON_OFF, "on", {"off": frozenset({"own-query", "scale", "softmax", "query"})}
)
# Without its own query "it" asks with its key, wherever the slider stands.
OWN_QUERY = Control("own-query", ON_OFF, "on", {"off": frozenset({"query"})})
OWN_VALUE = Control("own-value", ON_OFF, "on")
SCALE = Control("scale", ON_OFF, "on")
SOFTMAX = Control("softmax", ON_OFF, "on")
MASK = Control("mask", ON_OFF, "off")
TOKEN = Control("token", TOKENS, TOKENS[0])  # whose sums are written out
PARTS = (SCORES, OWN_QUERY, OWN_VALUE, SCALE, SOFTMAX, MASK)  # in the order of the switches

# In this order: a control that idles others must come before them, see `figure.tree`, wherever
# what they say should then have no effect.
WEIGHING = (SCORES, OWN_QUERY, SCALE, SOFTMAX, MASK, QUERY)  # all that the weights depend on
EVERY = (OWN_VALUE, *WEIGHING)
FULL = tuple(c.default for c in WEIGHING[:-1])  # nothing removed, whatever the query


def query_of(own_query: str, query: str) -> Floats:  # -> [d]
    """Return the query of "it": the slider's, or its own key where W_Q is removed."""
    return np.asarray(STOPS[int(query)] if own_query == "on" else KEYS[ASKING])


@lru_cache
def all_stops(
    scores: str, own_query: str, scale: str, softmax_: str, mask: str, own_value: str = "on"
) -> Steps:
    """Attend at all stops of the slider in one call; each array starts with [31, …]."""
    queries = STOPS if own_query == "on" else np.broadcast_to(KEYS[ASKING], STOPS.shape)
    plain = scores == "off"  # scores that are all 0 give every visible token the same weight
    return attend(
        queries,  # [31, d]
        KEYS,
        VALUES if own_value == "on" else KEYS,  # [n, d_v]
        mask=causal_mask(len(TOKENS))[ASKING] if mask == "on" else None,  # [n]
        scale=0.0 if plain else 1.0 if scale == "off" else None,
        normalise=softmax if plain or softmax_ == "on" else row_share,
    )


@cache
def at(
    scores: str,
    own_query: str,
    scale: str,
    softmax_: str,
    mask: str,
    query: str,
    own_value: str = "on",
) -> Steps:
    """Return the steps at one stop: dots, scores, weights [n], output [d_v]."""
    steps = all_stops(scores, own_query, scale, softmax_, mask, own_value)
    return Steps(*(step[int(query)] for step in steps))


def setting(control: Control, state: Sequence[str]) -> str:
    """Return the value of a control of `WEIGHING` from a state that lists them all."""
    return state[WEIGHING.index(control)]


def cancels(*state: str) -> bool:
    """Say whether the scores of a state cancel, so that it has no weights."""
    return bool(np.isnan(at(*state).weights).any())


def full(query: str) -> Floats:  # -> [n]
    """Return the weights with nothing removed, at one stop."""
    return at(*FULL, query).weights


def removed(part: Control) -> str:
    """Return the value of a switch that takes its part away (or, of the mask, puts it on)."""
    return "off" if part.default == "on" else "on"


def worst_stop(part: Control) -> int | None:
    """Find the stop where the figure without one part is furthest from the full one.

    The distance is the sum of all changes of weight; no weights at all is the furthest. None where
    the part changes no weight.
    """
    without = [removed(c) if c is part else c.default for c in WEIGHING[:-1]]
    change = np.abs(all_stops(*without).weights - all_stops(*FULL).weights).sum(axis=-1)  # [31]
    furthest = np.nan_to_num(change, nan=np.inf)
    return int(np.argmax(furthest)) if furthest.any() else None


def removals() -> list[tuple[str, str]]:
    """List the rows of the table of removals: the part removed, and the settings.

    Each part is removed at the default query, then at the stop where that breaks most.
    """
    rows = []
    for part in PARTS:
        settings = f"{part.name}={removed(part)}"
        rows.append((part.name, settings))
        if (worst := worst_stop(part)) not in (None, DEFAULT_STOP):
            rows.append((part.name, f"query={worst}&{settings}"))
    return rows
