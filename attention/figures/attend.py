"""Figure `attend`: one token, "it", attending, with parts that can be removed."""

from dataclasses import replace

import numpy as np

from attention import text
from attention.core import Floats
from attention.example import ENTRIES
from attention.example import KEYS
from attention.example import MARKS
from attention.example import TOKENS
from attention.example import VALUES
from attention.figures.figure import Figure
from attention.figures.figure import Tree
from attention.figures.figure import tree
from attention.figures.parts import EVERY
from attention.figures.parts import MASK
from attention.figures.parts import OWN_QUERY
from attention.figures.parts import OWN_VALUE
from attention.figures.parts import PARTS
from attention.figures.parts import QUERY
from attention.figures.parts import SCALE
from attention.figures.parts import SCORES
from attention.figures.parts import SOFTMAX
from attention.figures.parts import TOKEN
from attention.figures.parts import WEIGHING
from attention.figures.parts import at
from attention.figures.parts import cancels
from attention.figures.parts import full
from attention.figures.parts import query_of
from attention.figures.parts import setting
from attention.figures.sums import sums
from attention.figures.verdict import NEARLY_ALL
from attention.figures.verdict import TIE
from attention.figures.verdict import Row
from attention.figures.verdict import verdict

# Settings that the text speaks of, by the name it uses.
NAMED = {
    "place": "query=20",
    "either": "query=15",
    "negative": "query=5",
    "far": "query=0",
    "no_scores": "scores=off",
    "no_query": "own-query=off",
    "no_value": "own-value=off",
    "no_scale": "scale=off",
    "no_softmax": "softmax=off",
    "shares_negative": "query=5&softmax=off",
    "no_shares": "query=0&softmax=off",
    "masked": "mask=on",
}

SPOKEN_TOKENS = ("the animal", "the street", "“it”", "“tired”")
LOOKS_FOR = {"animate": "something animate", "place": "a place"}
NO_WEIGHTS = "no weights: the scores add to 0"


def _token_slots(j: int) -> dict[str, Tree]:
    """Texts of one token's row of the table."""

    def dot(scores: str, own_query: str, query: str) -> str:
        steps = at(scores, own_query, SCALE.default, SOFTMAX.default, MASK.default, query)
        return text.dot(steps.dots[j]) if scores == "on" else text.DASH

    def score(scores: str, own_query: str, scale: str, mask: str, query: str) -> str:
        shown = at(scores, own_query, scale, SOFTMAX.default, mask, query).scores[j]
        return text.dot(shown) if scores == "on" or shown == -np.inf else text.DASH

    def part(own_value: str, *state: str) -> str:
        share = at(*state).weights[j]
        if np.isnan(share):
            return text.DASH
        passed = VALUES[j] if own_value == "on" else KEYS[j]
        return text.vector(
            f"{{weight-{TOKENS[j]}}}" if x == 1 else text.weight(share * x) for x in passed
        )

    token = TOKENS[j]
    key = text.givens(KEYS[j])
    value = text.givens(VALUES[j])
    return {
        f"key-{token}": key,
        f"dot-{token}": tree((SCORES, OWN_QUERY, QUERY), dot),
        f"score-{token}": tree((SCORES, OWN_QUERY, SCALE, MASK, QUERY), score),
        f"weight-{token}": tree(WEIGHING, lambda *state: text.weight(at(*state).weights[j])),
        f"full-weight-{token}": tree((QUERY,), lambda query: text.weight(full(query)[j])),
        f"value-{token}": tree((OWN_VALUE,), lambda own: value if own == "on" else key),
        f"part-{token}": tree(EVERY, part),
    }


def _token_lengths(j: int) -> dict[str, Tree]:
    """Lengths of what shows one token's weight: shade, arcs, circle and bar.

    The weight above 0 and below it; 1 where it goes beyond 1 and beyond -1; with nothing removed.
    """

    def bar(sign: int) -> Tree:
        return tree(WEIGHING, lambda *state: text.length(sign * at(*state).weights[j]))

    def beyond(sign: int) -> Tree:
        return tree(WEIGHING, lambda *state: str(int(sign * at(*state).weights[j] > 1)))

    token = TOKENS[j]
    return {
        f"weight-{token}": bar(1),
        f"negative-{token}": bar(-1),
        f"over-{token}": beyond(1),
        f"under-{token}": beyond(-1),
        f"full-{token}": tree((QUERY,), lambda query: text.length(full(query)[j])),
    }


def _vector(own_value: str, *state: str) -> str:
    output = at(*state, own_value).output  # [d_v]
    return text.DASH if np.isnan(output).any() else text.weights(output)


def _output(*state: str) -> str:
    return NO_WEIGHTS if cancels(*state) else "{vector}"


def _sum(*state: str) -> str:
    return text.weight(at(*state).weights.sum())


def _printed_sum(*state: str) -> str:
    """Say what the printed weights add to where that is not 1.000."""
    printed = text.printed_sum(at(*state).weights)
    return "" if printed in (text.weight(1), text.DASH) else f"rounded: as printed, {printed}"


def _why(query: Floats, top: int) -> str:  # [d]
    """Say why the largest weight is there: the entry in which query and key agree most."""
    entry = int(np.argmax(query * KEYS[top]))
    owner = SPOKEN_TOKENS[top]
    if query[entry] * KEYS[top][entry] <= 0:
        return "no other token matches its query better"
    asks = "asks above all for" if query.min() > 0 else "asks for"
    return f"its query {asks} {LOOKS_FOR[ENTRIES[entry]]}, and {owner}’s key offers it"


def _restored(state: tuple[str, ...]) -> str:
    """Say what the full version has and this state has not."""
    changed = [c for c in WEIGHING[:-1] if setting(c, state) != c.default]
    if MASK not in changed:
        return "with nothing removed"
    return "without the mask" if changed == [MASK] else "with nothing removed and no mask"


def _verdict(own_value: str, *state: str) -> str:
    query = state[-1]
    passed = "value" if own_value == "on" else "key"
    row = Row(at(*state).weights.tolist(), SPOKEN_TOKENS, passed)
    if cancels(*state):
        return verdict(row)
    top, tied = row.ranked[0], row.tied
    now, whole = row.weights[top], full(query)
    if len(tied) > 1:
        # Without its own query "it" asks the same at every stop, so no stop is spoken of.
        asks = setting(OWN_QUERY, state) == "on"
        as_well = asks and np.ptp(whole[tied]) < TIE < abs(whole[top] - now)
        why = f"{_restored(state)}, {text.weight(whole[top])}" if as_well else ""
    elif own_value == "off":
        why = "keys are passed on, and a key says animate or place, not which token it came from"
    elif abs(whole[top] - now) < TIE:
        why = _why(query_of(setting(OWN_QUERY, state), query), top)
    else:
        show = text.weight if now >= NEARLY_ALL else text.share
        why = f"{_restored(state)} it would be {show(whole[top])}"
    return verdict(replace(row, why=why))


def _spoken(own_query: str, scores: str, scale: str, softmax_: str, mask: str, query: str) -> str:
    """Say what the slider means now: the query, and the weight of the first token."""
    if own_query == "off":
        return "no effect: the query is the key of “it”, {query}"
    if cancels(scores, own_query, scale, softmax_, mask, query):
        return "query {query}: no weights"
    effect = "" if scores == "on" else ", no effect"
    return f"query {{query}}{effect}: {TOKENS[0]} {{weight-{TOKENS[0]}}}"


def _slider_note(own_query: str, scores: str, softmax_: str, mask: str, query: str) -> str:
    """Say where the slider changes nothing, and where it must move for a removal to show."""
    if own_query == "off":
        return "The slider has no effect now: the query is the key of “it”."
    if scores == "off":
        return "The slider has no effect now: without scores, no query, √d or softmax matters."
    weights = at(scores, own_query, SCALE.default, softmax_, mask, query).weights
    if softmax_ == "off" and (weights >= 0).all():
        return "Here the shares look fine without softmax. Drag the slider to an end."
    return ""


def _score_name(scores: str, scale: str) -> str:
    if scores == "off":
        return "removed"
    return "q · k ÷ √d" if scale == "on" else "not divided"


def _weight_name(scores: str, softmax_: str) -> str:
    if scores == "off":
        return "the same for each"
    return "softmax(score)" if softmax_ == "on" else "score ÷ row sum"


def _axis(entry: int) -> Tree:
    """Place the query on one axis of the key plane, which runs from -2 to 2."""
    return tree(
        (OWN_QUERY, QUERY),
        lambda own, query: text.length((query_of(own, query)[entry] + 2) / 4),
    )


def build() -> Figure:
    """Compute every slot and length at every setting: 31 stops × 64 switch states × 4 tokens."""
    slots: dict[str, Tree] = {
        "query": tree(
            (OWN_QUERY, QUERY), lambda own, stop: text.vector(map(text.entry, query_of(own, stop)))
        ),
        "vector": tree(EVERY, _vector),
        "output": tree(WEIGHING, _output),
        "sum": tree(WEIGHING, _sum),
        "printed-sum": tree(WEIGHING, _printed_sum),
        "verdict": tree(EVERY, _verdict),
        "value-names": tree(
            (OWN_VALUE,), lambda own: text.vector(MARKS if own == "on" else ENTRIES)
        ),
        "score-name": tree((SCORES, SCALE), _score_name),
        "weight-name": tree((SCORES, SOFTMAX), _weight_name),
        "passed": tree((OWN_VALUE,), lambda own: "value v" if own == "on" else "key k"),
        # What the slider says, the query first: it is the key of "it" even where no score is left.
        "spoken": tree((OWN_QUERY, SCORES, SCALE, SOFTMAX, MASK, QUERY), _spoken),
        "slider-note": tree((OWN_QUERY, SCORES, SOFTMAX, MASK, QUERY), _slider_note),
    }
    lengths: dict[str, Tree] = {"x-query": _axis(0), "y-query": _axis(1)}
    for j in range(len(TOKENS)):
        slots |= _token_slots(j)
        lengths |= _token_lengths(j)
    return Figure("attend", (QUERY, *PARTS, TOKEN), slots | sums(), lengths, NAMED)
