"""Figure `matrices`: all four tokens attending at once, in two heads, with the causal mask."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from attention import text
from attention.core import Floats
from attention.core import Steps
from attention.core import attend
from attention.core import causal_mask
from attention.core import softmax
from attention.example import TOKENS
from attention.figures.figure import Control
from attention.figures.figure import Figure
from attention.figures.figure import Tree
from attention.figures.figure import tree
from attention.figures.verdict import NEARLY_ALL
from attention.figures.verdict import Claim
from attention.figures.verdict import first
from attention.projections import ASKS
from attention.projections import KEYS
from attention.projections import QUERIES
from attention.projections import VALUE_ENTRIES
from attention.projections import VALUES
from attention.projections import W_O
from attention.projections import join

HEAD = Control("head", ("1", "2"), "1")
ROW = Control("row", ("it", "animal", "street", "tired"), "it")
# "zero" and "late" are the two mistakes people make: a 0 in the place of -inf before softmax, and a
# 0 in the place of the weight after it, without dividing again.
MASK = Control("mask", ("off", "causal", "zero", "late"), "off")

# Settings that the text speaks of, by the name it uses.
NAMED = {
    "causal": "mask=causal",
    "first": "row=animal&mask=causal",
    "zero": "mask=zero",
    "zero_first": "row=animal&mask=zero",
    "late": "mask=late",
    "head_2": "head=2",
    "head_2_first": "head=2&row=animal",
}


def computed() -> dict[str, Steps]:
    """Attend with both heads in one call, for every mask; all arrays start with [h, n, …].

    The two mistakes are made here by hand: the core does not make them.
    """
    seen = causal_mask(len(TOKENS))  # [n, n]
    off = attend(QUERIES, KEYS, VALUES)
    zeroed = np.where(seen, off.scores, 0.0)  # [h, n, n]
    leaking = softmax(zeroed)  # [h, n, n]
    cut = np.where(seen, off.weights, 0.0)  # [h, n, n]
    return {
        "off": off,
        "causal": attend(QUERIES, KEYS, VALUES, mask=seen),
        "zero": Steps(off.dots, zeroed, leaking, leaking @ VALUES),
        "late": Steps(off.dots, off.scores, cut, cut @ VALUES),
    }


@dataclass(frozen=True)
class Row:
    """What a verdict speaks of: one row of weights, and the same row without a mask."""

    i: int  # the token that asks
    mask: str
    query: str
    scores: list[float]  # [n]
    weights: list[float]  # [n]
    full: list[float]  # [n] the weights without a mask

    @property
    def later(self) -> list[int]:
        """Indices of the tokens that the mask is to hide: none without a mask."""
        return [] if self.mask == "off" else list(range(self.i + 1, len(self.weights)))

    @property
    def top(self) -> int:
        """Index of the token with the largest weight."""
        return self.weights.index(max(self.weights))

    @property
    def hidden(self) -> str:
        """The tokens that the mask is to hide, as a sentence names them."""
        return quoted(*self.later)

    @property
    def kept(self) -> str:
        """The weights that the later tokens have."""
        return text.listed(text.weight(self.weights[j]) for j in self.later)

    @property
    def total(self) -> str:
        """What the row adds to."""
        return text.weight(math.fsum(self.weights))

    @property
    def had(self) -> str:
        """What the later tokens have in all without a mask."""
        return text.weight(math.fsum(self.full[j] for j in self.later))

    def plural(self, one: str, more: str) -> str:
        """Choose the word that fits the number of later tokens."""
        return more if len(self.later) > 1 else one


def quoted(*indices: int) -> str:
    """Name tokens as a sentence does: “it” and “tired”."""
    return text.listed(f"“{TOKENS[j]}”" for j in indices)


def shows(weight: float) -> bool:
    """Tell whether a weight is more than 0.000 to a reader."""
    return text.weight(weight) != text.weight(0)


WHOLE = text.weight(1)


def _largest(row: Row) -> str:
    share = "nearly all its weight" if row.weights[row.top] >= NEARLY_ALL else "the most weight"
    found, key = quoted(row.top), f"the key of {quoted(row.top)}"
    if row.top == row.i:
        found, key = "itself", "its own key"
    return (
        f"{quoted(row.i)} gives {share}, {text.weight(row.weights[row.top])}, to {found}: its "
        f"query {row.query} matches {key} best, with a score of {text.dot(row.scores[row.top])}."
    )


def _last(row: Row) -> str:
    return (
        f"No token comes after {quoted(row.i)}, so no mask changes its row: "
        f"{quoted(row.top)} keeps {text.weight(row.weights[row.top])}."
    )


def _lost(row: Row) -> str:
    return (
        f"The row of {quoted(row.i)} adds to {row.total} and not to {WHOLE}: the {row.had} of "
        f"{row.hidden} was cut after softmax, and the rest was not divided again."
    )


def _swamped(row: Row) -> str:
    score = text.dot(max(row.scores))
    return (
        f"The mistake does not show here: beside a score of {score}, a score of {text.dot(0)} "
        f"leaves {row.hidden} next to nothing."
    )


def _leaks(row: Row) -> str:
    return (
        f"{row.hidden} {row.plural('comes', 'come')} after {quoted(row.i)} and still "
        f"{row.plural('gets', 'get')} {row.kept}: e to the power 0 is 1, so that a score of "
        f"{text.dot(0)} hides nothing."
    )


def _only(row: Row) -> str:
    return (
        f"{quoted(row.i)} comes first and sees only itself, so that its weight is "
        f"{text.weight(row.weights[row.i])} and its output is its own value."
    )


def _moved(row: Row) -> str:
    return (
        f"{row.hidden} {row.plural('is', 'are')} hidden, and {row.plural('its', 'their')} "
        f"{row.had} goes to the rest in proportion: {quoted(row.top)} rises from "
        f"{text.weight(row.full[row.top])} to {text.weight(row.weights[row.top])}."
    )


def _uncut(row: Row) -> str:
    return f"The mistake does not show here: {row.hidden} had next to nothing to cut, {row.had}."


def _unmoved(row: Row) -> str:
    return (
        f"The mask changes nothing that shows: {row.hidden} had next to nothing, {row.had}, and "
        f"{quoted(row.top)} keeps {text.weight(row.weights[row.top])}."
    )


CLAIMS: tuple[Claim[Row], ...] = (  # in order of rank
    Claim("largest", lambda row: row.mask == "off", _largest),
    Claim("last", lambda row: not row.later, _last),
    Claim("lost", lambda row: row.total != WHOLE, _lost),
    Claim("leaks", lambda row: any(shows(row.weights[j]) for j in row.later), _leaks),
    Claim("swamped", lambda row: any(row.weights[j] for j in row.later), _swamped),
    Claim("only", lambda row: row.weights[row.i] == 1, _only),
    Claim("uncut", lambda row: row.mask == "late", _uncut),
    Claim("moved", lambda row: any(shows(row.full[j]) for j in row.later), _moved),
    Claim("unmoved", lambda row: True, _unmoved),
)


def claim(row: Row) -> Claim[Row]:
    """Return the claim of the highest rank that holds."""
    return first(CLAIMS, row)


def _rounded(weights: Floats) -> str:  # [n, n]
    """Say which rows, as the matrix prints them, do not add to what they are shown to add to."""
    sums = map(text.weight, weights.sum(axis=-1))
    printed = map(text.printed_sum, weights.tolist())
    off = [f"{t} {p}" for t, s, p in zip(TOKENS, sums, printed, strict=True) if s != p]
    if not off:
        return ""
    return (
        "The weights in the matrix are rounded. As printed there, they add to: "
        f"{text.listed(off)}. The sum above has enough decimals to add up."
    )


def _token_slots(r: int, steps: dict[str, Steps]) -> dict[str, Tree]:
    """Texts of one token: its row in every matrix, and what it asks for and offers."""

    def step(name: str, show: Callable[..., str], *columns: int) -> Tree:
        arrays = {mask: getattr(steps[mask], name) for mask in steps}  # each [h, n, …]
        return tree(
            (HEAD, MASK), lambda head, mask: show(arrays[mask][(int(head) - 1, r, *columns)])
        )

    def made(array: Floats) -> Tree:  # [h, n, d]
        return tree((HEAD,), lambda head: text.givens(array[int(head) - 1, r]))

    def was(c: int) -> Tree:
        """Show the weight without a mask where a mask is seen to change it."""

        def leaf(head: str, mask: str) -> str:
            now, before = (
                text.weight(steps[which].weights[int(head) - 1, r, c]) for which in (mask, "off")
            )
            return before if before != now else ""

        return tree((HEAD, MASK), leaf)

    joined = {mask: join(steps[mask].output)[r] for mask in steps}  # mask -> [h · d_v]
    token = TOKENS[r]
    slots = {
        f"query-{token}": made(QUERIES),
        f"key-{token}": made(KEYS),
        f"sum-{token}": step("weights", lambda row: text.weight(row.sum())),
        f"output-{token}": step("output", text.weights),
        f"joined-{token}": tree((MASK,), lambda mask: text.weights(joined[mask])),
        f"projected-{token}": tree((MASK,), lambda mask: text.weights(joined[mask] @ W_O)),
    }
    for c, asked in enumerate(TOKENS):
        slots[f"dot-{token}-{asked}"] = step("dots", text.dot, c)
        slots[f"score-{token}-{asked}"] = step("scores", text.dot, c)
        slots[f"weight-{token}-{asked}"] = step("weights", text.weight, c)
        slots[f"was-{token}-{asked}"] = was(c)
    return slots


def _token_lengths(r: int, steps: dict[str, Steps]) -> dict[str, Tree]:
    """Shades of one token's row of weights."""

    def shade(c: int) -> Tree:
        return tree(
            (HEAD, MASK),
            lambda head, mask: text.length(steps[mask].weights[int(head) - 1, r, c]),
        )

    return {f"weight-{TOKENS[r]}-{asked}": shade(c) for c, asked in enumerate(TOKENS)}


def build() -> Figure:
    """Compute every slot and length: 2 heads × 4 rows × 4 masks."""
    steps = computed()

    def verdict(head: str, asker: str, mask: str) -> str:
        h, i = int(head) - 1, TOKENS.index(asker)
        row = Row(
            i,
            mask,
            text.givens(QUERIES[h, i]),
            steps[mask].scores[h, i].tolist(),
            steps[mask].weights[h, i].tolist(),
            steps["off"].weights[h, i].tolist(),
        )
        return claim(row).words(row)

    def asks(head: str, asker: str) -> str:
        h, i = int(head) - 1, TOKENS.index(asker)
        return f"{quoted(i)} asks with the query {text.givens(QUERIES[h, i])}. {ASKS[h][i]}"

    def adding(head: str, asker: str, mask: str) -> str:
        weights = steps[mask].weights[int(head) - 1, TOKENS.index(asker)]  # [n]
        return f"{asker}: {text.summed(weights.tolist())}"

    slots: dict[str, Tree] = {
        "verdict": tree((HEAD, ROW, MASK), verdict),
        "asks": tree((HEAD, ROW), asks),
        "adding": tree((HEAD, ROW, MASK), adding),
        "rounded": tree(
            (HEAD, MASK), lambda head, mask: _rounded(steps[mask].weights[int(head) - 1])
        ),
        "value-names": tree((HEAD,), lambda head: text.vector(VALUE_ENTRIES[int(head) - 1])),
    }
    lengths: dict[str, Tree] = {}
    for r in range(len(TOKENS)):
        slots |= _token_slots(r, steps)
        lengths |= _token_lengths(r, steps)
    return Figure("matrices", (HEAD, ROW, MASK), slots, lengths, NAMED)
