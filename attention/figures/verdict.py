"""What a row of weights shows, in one sentence derived from the numbers.

`CLAIMS` is the table: each claim, its condition and its words, in order of rank. The first claim
that holds is the verdict. Weights that add to 1 exceed 1 only where another is negative, so
"above 1" is part of the words for "negative" and no claim of its own.
"""

import math
from collections.abc import Callable
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic
from typing import NamedTuple
from typing import TypeVar

from attention import text

R = TypeVar("R")  # what a figure knows of a row of weights

TIE = 1e-9  # two weights closer than this are the same: float64 rounding is far below it
NEARLY_ALL = 0.95  # from this share on, the other tokens hardly count


@dataclass(frozen=True)
class Row:
    """A row of weights and the words to speak of it."""

    weights: Sequence[float]  # [n]; nan where the scores have no shares
    tokens: tuple[str, ...]  # [n] names as a sentence uses them: "the animal"
    passed: str = "value"  # what the weights are multiplied with
    why: str = ""  # why the first of `ranked` is the largest; of a tie, what it would be otherwise

    @property
    def ranked(self) -> list[int]:
        """Indices of the tokens, the largest weight first; in sentence order where equal."""
        return sorted(range(len(self.weights)), key=lambda j: -self.weights[j])

    @property
    def tied(self) -> list[int]:
        """Indices of the tokens that share the largest weight."""
        ranked = self.ranked
        return [j for j in ranked if self.weights[ranked[0]] - self.weights[j] < TIE]

    def names(self, indices: list[int]) -> str:
        """List tokens by name."""
        return text.listed(self.tokens[j] for j in indices)


def _negative(row: Row) -> str:
    below = [j for j in range(len(row.weights)) if row.weights[j] < 0]
    shown = text.listed(text.weight(row.weights[j]) for j in below)
    words = f"{row.names(below)} gets the negative weight {shown}"
    if len(below) > 1:
        words = f"{row.names(below)} get the negative weights {shown}"
    above = [j for j in row.ranked if row.weights[j] > 1]
    if above:
        top = text.weight(row.weights[above[0]])
        words += f", and {row.names(above[:1])} more than the whole, {top}"
    return f"{words}: this is no average."


def _tie(row: Row) -> str:
    shown = text.weight(row.weights[row.tied[0]])
    if len(row.tied) == sum(weight != 0 for weight in row.weights):
        return f"Every visible token gets the same weight, {shown}: “it” cannot choose."
    aside = f" ({row.why})" if row.why else ""
    return (
        f"A tie: {row.names(row.tied)} get {shown} each{aside}, and “it” cannot tell which it "
        "stands for."
    )


def _largest(row: Row) -> str:
    top = row.ranked[0]
    share = text.share(row.weights[top])
    return f"“it” carries {share} of {row.tokens[top]}’s {row.passed}: {row.why}."


def _nearly_all(row: Row) -> str:
    top = row.ranked[0]
    shown = text.weight(row.weights[top])
    return f"Nearly all the weight, {shown}, is on {row.tokens[top]}: {row.why}."


class Claim(NamedTuple, Generic[R]):
    """Something a verdict can say of a row, whatever a figure's row holds."""

    name: str
    holds: Callable[[R], bool]
    words: Callable[[R], str]


def first(claims: Sequence[Claim[R]], row: R) -> Claim[R]:
    """Return the claim of the highest rank that holds."""
    return next(c for c in claims if c.holds(row))


CLAIMS: tuple[Claim[Row], ...] = (  # in order of rank
    Claim(
        "no weights",
        lambda row: any(map(math.isnan, row.weights)),
        lambda row: "No weights: the scores add to 0, and nothing can be divided by 0.",
    ),
    Claim("negative", lambda row: min(row.weights) < 0, _negative),
    Claim("tie", lambda row: len(row.tied) > 1, _tie),
    Claim("nearly all", lambda row: max(row.weights) >= NEARLY_ALL, _nearly_all),
    Claim("largest", lambda row: True, _largest),
)


def claim(row: Row) -> Claim[Row]:
    """Return the claim that a verdict makes of a row."""
    return first(CLAIMS, row)


def verdict(row: Row) -> str:
    """Say in one sentence what the weights show, its first letter a capital."""
    words = claim(row).words(row)
    return words[0].upper() + words[1:]
