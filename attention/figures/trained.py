"""Figure `trained`: heads of a trained encoder on the same sentence, computed by the same core."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from attention import text
from attention.core import Floats
from attention.core import Steps
from attention.core import attend
from attention.core import causal_mask
from attention.core import row_share
from attention.figures.figure import Control
from attention.figures.figure import Figure
from attention.figures.figure import Tree
from attention.figures.figure import tree
from attention.figures.verdict import NEARLY_ALL
from attention.figures.verdict import Claim
from attention.figures.verdict import first
from attention.trained.heads import DOES
from attention.trained.heads import WORDS
from attention.trained.heads import Trained
from attention.trained.heads import Vectors
from attention.trained.heads import load

N = 16  # tokens of either sentence
CLS, ANIMAL, STREET, IT, LAST = 0, 2, 8, 10, 13  # their places that the text speaks of

HEAD = Control("head", tuple(DOES), next(iter(DOES)))
WORD = Control("word", WORDS, WORDS[0])
# What is taken from the head; "mask" adds the causal mask, which an encoder does not have.
REMOVED = Control("removed", ("none", "scale", "own-query", "softmax", "mask"), "none")
ASKS = Control("asks", tuple(map(str, range(N))), str(IT))

# Settings that the text speaks of, by the name it uses. A head alone goes by its own name, the
# default one too.
NAMED = {
    "wide": "word=wide",
    "no_scale": "removed=scale",
    "no_query": "removed=own-query",
    "no_softmax": "removed=softmax",
    "meaningless": "removed=softmax&asks=13",
    "masked": "removed=mask",
    "reads_wide": "head=L3H2&word=wide",
    "flips_wide": "head=L5H1&word=wide",
} | {head: f"head={head}" for head in DOES}

# Divided by a sum of scores below this, weights would reach hundreds: such a row has none.
LEAST_SUM = 1.0
MOST = 0.5  # more than half
SHORT = 0.1  # a value that is not a tenth as long as the others passes next to nothing on
FLAT = 0.15  # an even share of 16 tokens is 0.0625: below this, none stands out
NOTICED = 0.1  # nouns that get less than this between them say nothing about "it"

SIGNS = {"'": "the apostrophe", ".": "the full stop"}  # tokens that a sentence cannot quote
ORDINALS = ("first", "second")


@cache
def stored() -> Trained:
    """Read the stored heads, once."""
    return load()


@cache
def computed() -> dict[str, Steps]:
    """Attend with all heads in both sentences at once, a call a part: arrays [h, w, n, n]."""
    heads = stored().heads.values()
    query, key, value = (
        np.stack([[getattr(head.by_word[word], part) for word in WORDS] for head in heads])
        for part in Vectors._fields
    )  # [h, w, n, d]
    return {
        "none": attend(query, key, value),
        "scale": attend(query, key, value, scale=1.0),
        "own-query": attend(key, key, value),
        "softmax": attend(query, key, value, normalise=row_share),
        "mask": attend(query, key, value, mask=causal_mask(N)),
    }


@cache
def shown(removed: str) -> Floats:  # -> [h, w, n, n]
    """Return the weights that the figure shows: nan in a row whose scores nearly cancel."""
    steps = computed()[removed]
    if removed != "softmax":
        return steps.weights
    sums = steps.scores.sum(axis=-1, keepdims=True)  # [h, w, n, 1]
    return np.where(np.abs(sums) < LEAST_SUM, np.nan, steps.weights)


def at(head: str, word: str) -> tuple[int, int]:
    """Give the place of a head and a sentence in the arrays."""
    return HEAD.values.index(head), WORD.values.index(word)


def named(tokens: Sequence[str]) -> list[str]:
    """Name each token as a sentence does: “it”, the first “the”, [CLS], the full stop."""
    names = []
    for j, token in enumerate(tokens):
        name = SIGNS.get(token, token if token.startswith("[") else f"“{token}”")
        if tokens.count(token) > 1:
            name = f"the {ORDINALS[tokens[:j].count(token)]} {name}"
        names.append(name)
    return names


# What a row shows


@dataclass(frozen=True)
class Row:
    """What a verdict speaks of: one row of weights, and how its head treats [CLS]."""

    i: int  # the token that asks
    weights: list[float]  # [n]; nan where they would say nothing
    ranked: list[int]  # [n] the tokens, the largest weight first
    total: float  # what the scores add to
    cls_value: float  # length of the value of [CLS], as a share of the mean of the others
    removed: str  # what is taken from the head

    @property
    def top(self) -> int:
        """Index of the token with the largest weight."""
        return self.ranked[0]

    @property
    def low(self) -> int:
        """Index of the token with the smallest weight."""
        return self.ranked[-1]

    @property
    def nouns(self) -> list[int]:
        """The two nouns, that of the larger weight first."""
        return sorted((ANIMAL, STREET), key=lambda j: -self.weights[j])

    @property
    def most(self) -> str:
        """How much of its weight the asking token gives to the top one, and to which."""
        share = self.weights[self.top]
        amount = (
            "Nearly all the weight"
            if share >= NEARLY_ALL
            else "Most of the weight"
            if share > MOST
            else "The largest weight"
        )
        return f"{amount} of {{asker}}, {weight(self.top)}, is on {self.name(self.top)}"

    def name(self, j: int) -> str:
        """Name a token as a sentence about this row does; the figure puts the words there."""
        return "itself" if j == self.i else f"{{named-{j}}}"


def weight(j: int) -> str:
    """Name the slot of a weight; the figure puts the number there."""
    return f"{{weight-{j}}}"


def _meaningless(row: Row) -> str:
    return (
        "Without softmax there are no weights here: the scores of {asker} nearly cancel and add to "
        f"{text.dot(row.total)}, and dividing by so small a sum says nothing."
    )


def _turned(row: Row) -> str:
    return (
        "Without softmax the scores of {asker} are divided by their sum, "
        f"{text.dot(row.total)}, which turns them round: the best match, {row.name(row.low)}, "
        f"gets the smallest weight, {weight(row.low)}."
    )


def _negative(row: Row) -> str:
    more = "more than the whole, " if row.weights[row.top] > 1 else ""
    return (
        f"Without softmax, {{asker}} gives {row.name(row.top)} {more}{weight(row.top)}, and "
        f"{row.name(row.low)} the negative weight {weight(row.low)}: this is no average."
    )


def _shared(row: Row) -> str:
    return (
        "Without softmax the scores of {asker} are divided by their sum, and no weight is negative "
        f"here: the largest, {weight(row.top)}, is on {row.name(row.top)}."
    )


def _only(row: Row) -> str:
    return f"With the causal mask {{asker}} sees only itself: its weight is {weight(row.i)}."


def _parked(row: Row) -> str:
    return (
        f"{row.most}, whose value is {text.two_digits(row.cls_value)} times as long as the "
        "others: next to nothing of that part is passed on."
    )


def _nouns(row: Row) -> str:
    more, less = row.nouns
    if row.top == more:
        return f"{row.most}; {row.name(less)} gets {weight(less)}."
    return (
        f"{row.most}; of the two nouns, {row.name(more)} gets more, {weight(more)} against "
        f"{weight(less)}."
    )


def _flat(row: Row) -> str:
    return (
        "No token stands out for {asker}: the largest weight, "
        f"{weight(row.top)}, is on {row.name(row.top)}."
    )


CLAIMS: tuple[Claim[Row], ...] = (  # in order of rank
    Claim("meaningless", lambda row: math.isnan(row.weights[0]), _meaningless),
    Claim("turned", lambda row: row.weights[row.low] < 0 and row.total < 0, _turned),
    Claim("negative", lambda row: row.weights[row.low] < 0, _negative),
    Claim("shared", lambda row: row.removed == "softmax", _shared),
    Claim("only", lambda row: row.removed == "mask" and row.i == 0, _only),
    Claim(
        "parked",
        lambda row: row.top == CLS != row.i and row.weights[CLS] > MOST and row.cls_value < SHORT,
        _parked,
    ),
    Claim(
        "nouns",
        lambda row: row.i == IT and row.weights[ANIMAL] + row.weights[STREET] >= NOTICED,
        _nouns,
    ),
    Claim("flat", lambda row: row.weights[row.top] < FLAT, _flat),
    Claim("nearly all", lambda row: row.weights[row.top] >= NEARLY_ALL, lambda row: f"{row.most}."),
    Claim(
        "largest",
        lambda row: True,
        lambda row: f"{row.most}; next comes {row.name(row.ranked[1])}, {weight(row.ranked[1])}.",
    ),
)


def claim(row: Row) -> Claim[Row]:
    """Return the claim of the highest rank that holds."""
    return first(CLAIMS, row)


def _verdict() -> Tree:
    """Say what each row shows: 10 heads × 2 sentences × 5 parts × 16 tokens that ask."""
    heads = [head.by_word for head in stored().heads.values()]
    lengths = np.linalg.norm([[by[w].value for w in WORDS] for by in heads], axis=-1)  # [h, w, n]
    cls_values = (lengths[..., CLS] / np.delete(lengths, CLS, axis=-1).mean(axis=-1)).tolist()
    weights = {removed: shown(removed).tolist() for removed in REMOVED.values}
    ranked = {removed: np.argsort(-shown(removed)).tolist() for removed in REMOVED.values}
    totals = {removed: computed()[removed].scores.sum(axis=-1).tolist() for removed in weights}

    def leaf(removed: str, head: str, word: str, asks: str) -> str:
        (h, w), i = at(head, word), int(asks)
        row = Row(
            i,
            weights[removed][h][w][i],
            ranked[removed][h][w][i],
            totals[removed][h][w][i],
            cls_values[h][w],
            removed,
        )
        return claim(row).words(row)

    return tree((REMOVED, HEAD, WORD, ASKS), leaf)


# The numbers. A matrix is one text, a line for each token that asks: 25,600 weights in 90 leaves.


def table(matrix: Floats, digits: Sequence[str]) -> str:  # [n, n], from 0 to 1
    """Write a matrix in steps; `digits` has the text of each step, from 0 to 1.

    >>> print(table(np.array([[0.0, 0.52], [1.0, 0.48]]), ["0", "half", "1"]))
    0 half
    1 half
    """
    steps = np.rint(matrix * (len(digits) - 1)).astype(int).tolist()
    return "\n".join(" ".join([digits[step] for step in row]) for row in steps)


def _weights() -> dict[str, Tree]:
    """Write all weights: of the full head, and with a part removed."""
    digits = [text.weight(step / 1000) for step in range(1001)]

    def full(head: str, word: str) -> str:
        return table(shown("none")[at(head, word)], digits)

    def weights(removed: str, head: str, word: str) -> str:
        if removed == "none":
            return "{full}"
        matrix = shown(removed)[at(head, word)]  # [n, n]
        if removed == "softmax":  # below 0, above 1, or nan
            return "\n".join(" ".join(map(text.weight, row)) for row in matrix.tolist())
        return table(matrix, digits)

    return {"full": tree((HEAD, WORD), full), "weights": tree((REMOVED, HEAD, WORD), weights)}


def _shades() -> dict[str, Tree]:
    """Write for the stylesheet how much of a cell is filled, and ringed where a share is negative.

    A weight of softmax says itself how much is filled.
    """
    digits = [text.length(step / 20) for step in range(21)]  # finer than the eye tells shades

    def shade(sign: int, otherwise: str) -> Tree:
        def leaf(removed: str, head: str, word: str) -> str:
            if removed != "softmax":
                return otherwise
            shares = np.nan_to_num(shown(removed)[at(head, word)])  # [n, n]
            return table(np.clip(sign * shares, 0, 1), digits)

        return tree((REMOVED, HEAD, WORD), leaf)

    return {
        "cell": shade(1, "{weights}"),
        "ring": shade(-1, "{nothing}"),
        "nothing": table(np.zeros((N, N)), digits),
    }


def build() -> Figure:
    """Compute every slot and length at every setting."""
    tokens, heads = stored().tokens, stored().heads
    names = {word: named(tokens[word]) for word in WORDS}
    slots: dict[str, Tree] = {
        **_weights(),
        **_shades(),
        "verdict": _verdict(),
        "title": "Head {head} of a trained model: {does}",
        "head": tree((HEAD,), str),
        "does": tree((HEAD,), lambda head: heads[head].does),
        "asker": tree((WORD, ASKS), lambda word, asks: names[word][int(asks)]),
    }
    lengths: dict[str, Tree] = {}
    for j in range(N):
        slots |= {
            f"token-{j}": tree((WORD,), lambda word, j=j: tokens[word][j]),
            f"named-{j}": tree((WORD,), lambda word, j=j: names[word][j]),
            f"weight-{j}": f"{{weights-asks-{j}}}",
            f"full-weight-{j}": f"{{full-asks-{j}}}",
        }
        lengths |= {
            f"weight-{j}": f"{{cell-asks-{j}}}",
            f"negative-{j}": f"{{ring-asks-{j}}}",
            f"asks-{j}": tree((ASKS,), lambda asks, j=j: text.length(asks == str(j))),
        }
    return Figure("trained", (HEAD, WORD, REMOVED, ASKS), slots, lengths, NAMED)
