"""What the text of level 4 says in numbers, and its tables of matrices made by hand."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attention import text
from attention.core import Floats
from attention.core import attend
from attention.example import ASKING
from attention.example import TOKENS
from attention.facts import GPT_2_HEADS
from attention.figures.matrices import HEAD
from attention.figures.matrices import computed
from attention.projections import ASKS
from attention.projections import KEYS
from attention.projections import MATCH_ENTRIES
from attention.projections import QUERIES
from attention.projections import VALUE_ENTRIES
from attention.projections import VALUES
from attention.projections import W_K
from attention.projections import W_O
from attention.projections import W_Q
from attention.projections import W_V
from attention.projections import X_ENTRIES
from attention.projections import X
from attention.projections import join

# The drawing of a W_Q cut into strips: where the first starts and how far apart they are. By eye.
STRIPS_START = 76.0
STRIP = 23.5

COSTS = (len(TOKENS), 64, 1024, 16384)  # numbers of tokens: ours, a line, some pages, a thin book


class Matrix(NamedTuple):
    """A matrix made by hand, every row and column with its name."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]  # name, entries


class Token(NamedTuple):
    """What one head makes of a token, and why the token asks that."""

    name: str
    query: str
    key: str
    value: str
    why: str


class Projections(NamedTuple):
    """The three matrices of a head, and what they make of the tokens."""

    head: str  # its number
    match_entries: tuple[str, ...]  # names of the entries of a query and a key
    value_entries: tuple[str, ...]  # and of a value
    columns: tuple[str, ...]  # those of W_Q, W_K and W_V, side by side
    rows: tuple[tuple[str, tuple[tuple[str, ...], ...]], ...]  # name, its rows of W_Q, W_K, W_V
    tokens: tuple[Token, ...]


class Cost(NamedTuple):
    """How many scores so many tokens need in one head."""

    tokens: str
    scores: str


@dataclass(frozen=True)
class Practice:
    """What the text of level 4 says in numbers, and its tables. A comment says what each is."""

    x: Matrix  # the token vectors
    heads: tuple[Projections, ...]  # both heads
    w_o: Matrix  # what mixes the heads' outputs
    x_it: str  # the vector of "it"
    query_it: str  # its query in head 1, added up from the rows of W_Q that it uses
    found_it: str  # what attention finds for "it", no mask
    new_it: str  # the vector of "it" plus that
    found_animate: str  # the entry animate of what it finds
    d_v: str  # entries of a head's output
    joined: str  # entries of both heads' outputs, joined
    joined_names: str  # and what each is
    x_names: str  # what each entry of a token vector is
    width: str  # entries of a token vector here
    placeless: str  # head 2: any weight, once no vector says where its token stands
    columns: str  # head 1: what the columns of the weights add to
    own_key_columns: str  # the same where every query is the token's own key
    divided_late: str  # the row of "it" cut after softmax, then divided by what it adds to
    printed_late: str  # what that row adds to as printed, before it is divided
    strips: tuple[tuple[str, str], ...]  # a head of GPT-2 small: its number, where its strip starts
    costs: tuple[Cost, ...]


def _rows(matrix: Floats) -> tuple[tuple[str, ...], ...]:  # [r, c]
    """Show a matrix that was made by hand, row by row."""
    return tuple(tuple(map(text.given, row)) for row in matrix)


def _projections(h: int) -> Projections:
    """Collect the matrices of one head."""
    return Projections(
        head=HEAD.values[h],
        match_entries=MATCH_ENTRIES[h],
        value_entries=VALUE_ENTRIES[h],
        columns=(*MATCH_ENTRIES[h], *MATCH_ENTRIES[h], *VALUE_ENTRIES[h]),
        rows=tuple(
            (entry, (w_q, w_k, w_v))
            for entry, w_q, w_k, w_v in zip(
                X_ENTRIES, _rows(W_Q[h]), _rows(W_K[h]), _rows(W_V[h]), strict=True
            )
        ),
        tokens=tuple(
            Token(token, text.givens(q), text.givens(k), text.givens(v), why)
            for token, q, k, v, why in zip(
                TOKENS, QUERIES[h], KEYS[h], VALUES[h], ASKS[h], strict=True
            )
        ),
    )


def _added_up(x: Floats, matrix: Floats) -> str:  # [m], [m, d]
    """Write x times a matrix as the sum of the matrix's rows that x uses: all factors are 1."""
    used = [row for entry, row in zip(x, matrix, strict=True) if entry and row.any()]
    total = sum(used, np.zeros_like(matrix[0]))
    return f"{' + '.join(map(text.givens, used))} = {text.givens(total)}"


def practice() -> Practice:
    """Compute every number of `Practice`."""
    steps = computed()
    found = join(steps["off"].output)[ASKING] @ W_O  # [m]
    what = [name not in MATCH_ENTRIES[1] for name in X_ENTRIES]  # [m] the entries but the positions
    blind = attend(X * what @ W_Q[1], X * what @ W_K[1], VALUES[1]).weights  # [n, n]
    own_key = attend(KEYS[0], KEYS[0], VALUES[0]).weights  # [n, n]
    cut = steps["late"].weights[0, ASKING]  # [n]
    mixed = [f"head {h}, {e}" for h, es in zip(HEAD.values, VALUE_ENTRIES, strict=True) for e in es]

    def listed(weights: Floats) -> str:  # [n]
        return text.listed(map(text.weight, weights))

    return Practice(
        x=Matrix(X_ENTRIES, tuple(zip(TOKENS, _rows(X), strict=True))),
        heads=tuple(_projections(h) for h in range(len(HEAD.values))),
        w_o=Matrix(X_ENTRIES, tuple(zip(mixed, _rows(W_O), strict=True))),
        x_it=text.givens(X[ASKING]),
        query_it=_added_up(X[ASKING], W_Q[0]),
        found_it=text.weights(found),
        new_it=text.weights(X[ASKING] + found),
        found_animate=text.weight(found[X_ENTRIES.index("animate")]),
        d_v=text.whole(VALUES.shape[-1]),
        joined=text.whole(len(W_O)),
        joined_names=text.vector(e for entries in VALUE_ENTRIES for e in entries),
        x_names=text.vector(X_ENTRIES),
        width=text.whole(len(X_ENTRIES)),
        placeless=text.weight(blind[ASKING, 0]),
        columns=listed(steps["off"].weights[0].sum(axis=0)),
        own_key_columns=listed(own_key.sum(axis=0)),
        divided_late=listed(cut / cut.sum()),
        printed_late=text.printed_sum(cut),
        strips=tuple(
            (text.whole(head + 1), str(STRIPS_START + STRIP * head)) for head in range(GPT_2_HEADS)
        ),
        costs=tuple(Cost(text.whole(n), text.whole(n**2)) for n in COSTS),
    )
