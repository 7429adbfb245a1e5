"""Measure in the whole model what ten stored heads cannot show, each with the rule it follows."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from typing import NamedTuple

import numpy as np

from attention.core import Booleans
from attention.core import Floats
from attention.core import attend
from attention.trained.encoder import Heads
from attention.trained.heads import LAYERS
from attention.trained.heads import WORDS

SENTENCE = "The animal didn't cross the street because it was too {}."
NOUNS = ("animal", "street")  # what "tired" speaks of, and what "wide" does

# Sentences of our own. They were written before a head was asked, and none was dropped after.
OTHERS = Path(__file__).parent / "sentences.json"

NOUN_HEAD = "L4H2"  # looks for the noun that "it" stands for
AGREEING_HEAD = "L2H4"  # looks for a noun that agrees with a pronoun
PARKING_HEAD = "L5H6"  # parks on [CLS]
READING_LAYERS = 3  # the layers below the noun head: there "it" can read the adjective
MOST = 0.5  # a head follows what gets more than this of its weight

Findings = dict[str, dict[str, Any]]


class Told(NamedTuple):
    """The tokens of a sentence and what all heads made of them."""

    tokens: list[str]
    heads: Heads


# Runs the model on a text; the mask, if any, says who may attend to whom: [6, n, n].
Run = Callable[[str, Booleans | None], Told]


def name(layer: int, head: int) -> str:
    """Name a head as people do.

    >>> name(3, 1)
    'L4H2'
    """
    return f"L{layer + 1}H{head + 1}"


def place(head: str) -> tuple[int, int]:
    """Give the layer and the number of a head, from 0.

    >>> place("L4H12")
    (3, 11)
    """
    layer, number = head[1:].split("H")
    return int(layer) - 1, int(number) - 1


def patterns(weights: Floats) -> Findings:  # [6, 12, n, n]
    """Measure how much of its weight each head gives to each pattern, and name who follows it."""
    followed = {  # [6, 12, rows] the weight of each row on the pattern's token
        "previous": ("the token before it", np.diagonal(weights, -1, axis1=-2, axis2=-1)),
        "next": ("the token after it", np.diagonal(weights, 1, axis1=-2, axis2=-1)),
        "cls": ("[CLS]", weights[..., 0]),
        "end": ("the full stop and [SEP]", weights[..., -2:].sum(axis=-1)),
    }
    found = {}
    for pattern, (what, rows) in followed.items():
        shares = rows.mean(axis=-1)  # [6, 12]
        found[pattern] = {
            "rule": f"a token gives more than half of its weight to {what}: the mean over all"
            " tokens of the sentence “tired” that have one",
            "shares": shares,
            "heads": [name(*at) for at in np.argwhere(shares > MOST).tolist()],
        }
    return found


def findings(ours: dict[str, Told], run: Run) -> Findings:
    """Measure everything else, on our two sentences and on others."""
    return {
        "adjective-hidden": hidden(ours, run, from_all=True),
        "adjective-hidden-from-it": hidden(ours, run, from_all=False),
        "query-and-key": changed(ours),
        "parked-value": parked(ours["tired"]),
        "flips": flips(ours),
        "general": general([run(text, None) for text in _others("general")]),
        "pairs": pairs(run),
        "pronouns": pronouns(run),
    }


def hidden(ours: dict[str, Told], run: Run, *, from_all: bool) -> dict[str, Any]:
    """Forbid the tokens to look at the adjective in the layers below the noun head."""
    who = "no other token may" if from_all else "“it” alone may not"
    found: dict[str, Any] = {
        "rule": f"{NOUN_HEAD}, weight of “it” on “animal”, when {who} look at the last"
        f" word in layers 1 to {READING_LAYERS}"
    }
    for word in WORDS:
        tokens = ours[word].tokens
        it, adjective = tokens.index("it"), tokens.index(word)
        mask = np.ones((LAYERS, len(tokens), len(tokens)), dtype=np.bool_)
        mask[:READING_LAYERS, slice(None) if from_all else it, adjective] = False
        mask[:, adjective, adjective] = True  # the adjective itself still sees itself
        heads = run(SENTENCE.format(word), mask).heads
        found[word] = heads.weights[*place(NOUN_HEAD), it, tokens.index(NOUNS[0])]
    return found


def changed(ours: dict[str, Told]) -> dict[str, Any]:
    """Compare the noun head's query of "it" and key of "animal" in the two sentences."""
    at = place(NOUN_HEAD)
    tired, wide = (ours[word] for word in WORDS)
    it, noun = tired.tokens.index("it"), tired.tokens.index(NOUNS[0])
    query, key = tired.heads.query[*at, it], tired.heads.key[*at, noun]  # [d]
    return {
        "rule": f"{NOUN_HEAD}, length of the difference between the two sentences, as a share of"
        " the length in “tired”: query of “it”, key of “animal”",
        "query": _length(query - wide.heads.query[*at, it]) / _length(query),
        "key": _length(key - wide.heads.key[*at, noun]) / _length(key),
    }


def parked(told: Told) -> dict[str, Any]:
    """Compare the length of the value that is parked on with that of the others."""
    lengths = _length(told.heads.value[place(PARKING_HEAD)])  # [n]
    return {
        "rule": f"{PARKING_HEAD}, “tired”: length of the value of [CLS] as a share of the mean"
        " length of the other values",
        "share": lengths[0] / lengths[1:].mean(),
    }


def flips(ours: dict[str, Told]) -> dict[str, Any]:
    """Count the heads in which "it" prefers one noun in one sentence and the other in the other."""
    tired, wide = (leans(ours[word], NOUNS) for word in WORDS)  # [6, 12]
    return {
        "rule": "of all heads, those in which the weight of “it” is larger on “animal” in one"
        " sentence and on “street” in the other; right: “animal” with “tired”",
        "right": int(np.sum((tired > 0) & (wide < 0))),
        "wrong": int(np.sum((tired < 0) & (wide > 0))),
    }


def leans(told: Told, nouns: tuple[str, str], asker: str = "it") -> Floats:  # -> [6, 12]
    """Measure how much more weight the asker gives to the first noun than to the second."""
    asks, first, second = (told.tokens.index(token) for token in (asker, *nouns))
    rows = told.heads.weights[..., asks, :]  # [6, 12, n]
    return rows[..., first] - rows[..., second]


def general(others: list[Told]) -> dict[str, Any]:
    """Measure how sharp the heads are on general sentences, and how many park on [CLS]."""
    heads = [told.heads for told in others]
    undivided = [attend(h.query, h.key, h.value, scale=1.0).weights for h in heads]
    on_cls = np.mean([h.weights[..., 0].mean(axis=-1) for h in heads], axis=0)  # [6, 12]
    return {
        "rule": "the sentences “general” of sentences.json. Largest weight of a row, and the same"
        " with each head's scores not divided by √d: the mean over rows, then heads, then"
        " sentences. Heads with more than half of their weight on [CLS], mean over rows, then"
        " sentences",
        "sentences": len(others),
        "top": np.mean([h.weights.max(axis=-1).mean() for h in heads]),
        "top-undivided": np.mean([weights.max(axis=-1).mean() for weights in undivided]),
        "cls": int(np.sum(on_cls > MOST)),
    }


def pairs(run: Run) -> dict[str, Any]:
    """Ask whether the noun head's lean follows the last word in pairs of sentences."""
    moved = right = 0
    others = _others("pairs")
    for text, first, fits_first, second, fits_second in others:
        lean, other = (
            leans(run(text.format(word), None), (first, second))[place(NOUN_HEAD)]
            for word in (fits_first, fits_second)
        )
        moved += bool(lean > other)
        right += bool(lean > 0) + bool(other < 0)
    return {
        "rule": f"{NOUN_HEAD}, the pairs of sentences.json: pairs in which the lean (weight of"
        " “it” on the first noun less that on the second) is larger with the word that fits the"
        " first noun; share of all sentences in which the noun that the word fits has more weight",
        "pairs": len(others),
        "moved": moved,
        "accuracy": right / (2 * len(others)),
    }


def pronouns(run: Run) -> dict[str, Any]:
    """Ask whether a pronoun gives more weight to the noun that agrees with it than to another."""
    given = []
    for text, one, other, ones, others in _others("pronouns"):
        for first, second in ((one, other), (other, one)):
            for pronoun, right, wrong in ((ones, one, other), (others, other, one)):
                told = run(text.format(first, second, pronoun), None)
                lean = leans(told, (right, wrong), pronoun)[place(AGREEING_HEAD)]
                given.append(bool(lean > 0))
    return {
        "rule": f"{AGREEING_HEAD}, the sentences “pronouns” of sentences.json, with either noun"
        " first and either pronoun: those in which the pronoun gives more weight to the noun that"
        " agrees with it than to the other",
        "sentences": len(given),
        "right": sum(given),
    }


def _others(kind: str) -> list[Any]:
    found: list[Any] = json.loads(OTHERS.read_text(encoding="utf-8"))[kind]
    return found


def _length(vectors: Floats) -> Floats:  # [..., d] -> [...]
    return np.asarray(np.linalg.norm(vectors, axis=-1))
