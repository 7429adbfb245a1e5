"""Figure `scaling`: the same four scores at growing d, not divided and divided by √d."""

import math
from typing import NamedTuple

from attention import text
from attention.core import Floats
from attention.core import softmax
from attention.example import DEFAULT_POWER
from attention.example import DIMENSIONS
from attention.example import SPREAD_SCORES
from attention.figures.figure import Control
from attention.figures.figure import Figure
from attention.figures.figure import Tree
from attention.figures.figure import tree
from attention.figures.verdict import NEARLY_ALL
from attention.figures.verdict import TIE

D = Control("d", tuple(str(power) for power in range(len(DIMENSIONS))), str(DEFAULT_POWER))
NAMED = {"one": "d=0"}


class Side(NamedTuple):
    """One way to treat the scores at one d."""

    scores: list[float]  # [4]
    weights: list[float]  # [4]

    @property
    def sensitivity(self) -> float:
        """How much the top weight still moves with its own score: w(1 - w).

        It is the derivative of softmax in its own score, so it is what training can feel.
        The 1 - w is added up from the other weights: subtracting would lose its digits.
        """
        return max(self.weights) * self.rest

    @property
    def rest(self) -> float:
        """The weight that the other three get together."""
        return math.fsum(sorted(self.weights)[:-1])


def side(scores: Floats) -> Side:  # [4]
    """Keep scores with their weights."""
    return Side(scores.tolist(), softmax(scores).tolist())


def sides(d: int) -> tuple[Side, Side]:
    """Return the scores spread by √d, as at dimension d: not divided, and divided by √d."""
    spread = SPREAD_SCORES * math.sqrt(d)  # [4]
    return side(spread), side(spread / math.sqrt(d))


def top(made: Side) -> str:
    """Print the top weight w with as many decimals as w(1 - w) takes to be redone from it."""
    right, w = text.two_digits(made.sensitivity), max(made.weights)
    return next(
        text.fixed(w, digits)
        for digits in range(3, 17)
        if text.two_digits((kept := round(w, digits)) * (1 - kept) or 1) == right
    )


def verdict(d: int) -> str:
    """Say what the two sides show: the same, nearly all on one, or how the top weight grew."""
    undivided, divided = sides(d)
    top, kept = max(undivided.weights), text.weight(max(divided.weights))
    shown, rest = text.weight(top), text.weight(undivided.rest)
    if abs(top - max(divided.weights)) < TIE:
        return f"At this d there is nothing to undo: both top weights are {shown}."
    if top >= NEARLY_ALL:
        return f"Not divided, nearly all goes to one token, {shown}; divided, it keeps {kept}."
    return (
        f"Not divided, the top weight grows to {shown}, and the others share {rest}; "
        f"divided, it stays {kept}."
    )


def build() -> Figure:
    """Compute every slot and length at every d."""
    at = {power: sides(DIMENSIONS[int(power)]) for power in D.values}
    # A whole root shows no decimal.
    root = {
        power: text.fixed(math.sqrt(d), 0 if math.isqrt(d) ** 2 == d else 1)
        for power, d in zip(D.values, DIMENSIONS, strict=True)
    }
    slots: dict[str, Tree] = {
        "d": tree((D,), lambda power: text.whole(DIMENSIONS[int(power)])),
        "root": tree((D,), root.__getitem__),
        "spoken": "d = {d}",
        "verdict": tree((D,), lambda power: verdict(DIMENSIONS[int(power)])),
    }
    lengths: dict[str, Tree] = {}
    for which, name in enumerate(("undivided", "divided")):
        sensitivities = {power: text.two_digits(at[power][which].sensitivity) for power in at}
        slots[f"{name}-sensitivity"] = tree((D,), sensitivities.__getitem__)
        tops = {power: top(at[power][which]) for power in at}
        slots[f"{name}-top"] = tree((D,), tops.__getitem__)
        for i in range(len(SPREAD_SCORES)):
            scores = {power: text.dot(at[power][which].scores[i]) for power in at}
            weights = {power: text.weight(at[power][which].weights[i]) for power in at}
            shares = {power: text.length(at[power][which].weights[i]) for power in at}
            slots[f"{name}-score-{i}"] = tree((D,), scores.__getitem__)
            slots[f"{name}-weight-{i}"] = tree((D,), weights.__getitem__)
            lengths[f"weight-{name}-{i}"] = tree((D,), shares.__getitem__)
    return Figure("scaling", (D,), slots, lengths, NAMED)
