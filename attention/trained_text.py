"""What the text around the trained heads says in numbers.

Most are computed from the stored heads; what needs the whole model was measured when they were
extracted, and is quoted.
"""

import base64
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from attention import text
from attention.core import attend
from attention.figures.trained import ANIMAL
from attention.figures.trained import ASKS
from attention.figures.trained import CLS
from attention.figures.trained import HEAD
from attention.figures.trained import IT
from attention.figures.trained import LAST
from attention.figures.trained import LEAST_SUM
from attention.figures.trained import STREET
from attention.figures.trained import at
from attention.figures.trained import computed
from attention.figures.trained import named
from attention.figures.trained import shown
from attention.figures.trained import stored
from attention.trained.heads import HEADS
from attention.trained.heads import LAYERS
from attention.trained.heads import UNITS
from attention.trained.heads import WORDS
from attention.trained.heads import D
from attention.trained.heads import Source

DID_NOT = slice(3, 6)  # places of the pieces of "didn't"


class Described(NamedTuple):
    """One of the ten heads, and where "it" looks in it."""

    name: str
    layer: str
    number: str  # in its layer
    does: str
    tops: tuple[tuple[str, str], ...]  # for each sentence: the token of the largest weight, and it


class Pattern(NamedTuple):
    """How many of all heads follow a pattern."""

    pattern: str  # previous, next, cls or end
    heads: str  # how many follow it
    closest: str  # the head that gives most of its weight to it
    share: str  # and how much


@dataclass(frozen=True)
class TrainedText:
    """What the text about the trained heads says in numbers. A comment says what each is."""

    source: Source  # model, package, version, licence, sha256: strings
    layers: str
    heads: str  # in a layer
    all_heads: str  # in the model
    d: str  # entries of a query and a key of a head
    tokens: tuple[str, ...]  # of the first sentence
    did_not: str  # the tokens that "didn't" becomes, listed
    indices: tuple[str, ...]  # 0 to 15, as the slots count the tokens
    layer_numbers: tuple[str, ...]  # 1 to 6
    head_numbers: tuple[str, ...]  # 1 to 12
    described: tuple[Described, ...]  # the ten heads
    described_count: str
    swap: tuple[tuple[str, tuple[str, ...]], ...]  # the query's sentence; weights for the keys'
    cls_wide: str  # L4H2, "it": the weight on [CLS]
    animal_tired: str  # and on "animal"
    animal_wide: str
    street_tired: str  # and on "street"
    street_wide: str
    no_scale: str  # L4H2, "it", tired: the weight on "animal" without √d
    no_query: str  # the weight on "it" with its own key as its query
    masked_animal: str  # the weight on "animal" with the causal mask
    masked_street: str  # and on "street"
    masked_away: str  # what the tokens it hides had in all
    no_softmax_sum: str  # what the scores of "it" add to
    no_softmax_low: str  # the smallest weight
    no_softmax_top: str  # the largest
    meaningless_sum: str  # what the scores of the last word add to
    meaningless_low: str  # the smallest weight it would give
    reads_tired: str  # L3H2: the weight of "it" on the adjective
    reads_wide: str
    reads_too_tired: str  # L3H9: the same
    reads_too_wide: str
    flip_tired: tuple[str, str]  # L5H1: the weights of "it" on "animal" and on "street"
    flip_wide: tuple[str, str]
    steady_tired: tuple[str, str]  # L2H4: the same
    steady_wide: tuple[str, str]
    noun_of_the: tuple[str, str]  # L3H9: "the" on "animal", "the" on "street"
    parked: str  # L5H6: the weight of "it" on [CLS]
    parked_value: str  # length of the value of [CLS] there, as a share of the others
    query_change: str  # L4H2, "it": how long the difference of its queries is, to that with "tired"
    key_change: str  # the same of the key of "animal"
    hidden_tired: str  # L4H2, "it" on "animal", no token reading the adjective in layers 1 to 3
    hidden_wide: str
    hidden_from_it_tired: str  # only "it" not reading it
    hidden_from_it_wide: str
    reading_layers: str  # how many layers stand below L4H2
    pairs: str  # pairs of sentences that the lean was tried on
    moved: str  # pairs in which it moves the right way
    accuracy: str  # share of the sentences in which the right noun gets more
    agreeing: str  # L2H4: sentences of ours in which a pronoun prefers the noun that agrees with it
    pronouns: str  # of how many
    flips_right: str  # heads in which "it" changes its noun the right way
    flips_wrong: str  # and the wrong way
    patterns: tuple[Pattern, ...]
    patternless: str  # heads that follow none of them
    general: str  # general sentences
    general_cls: str  # heads that give more than half of their weight to [CLS] there
    general_top: str  # the mean largest weight there
    general_undivided: str  # and without √d
    decimals: str  # of the stored vectors
    zero: str
    half: str
    one: str
    least_sum: str  # a row whose scores add to less has no weights without softmax
    atlas: str  # a picture of all heads, as an address that holds it
    atlas_size: tuple[str, str]  # its width and height in pixels


def _described() -> tuple[Described, ...]:
    """List the ten heads; "it" is where each is looked at."""
    tops = shown("none")[:, :, IT].argmax(axis=-1).tolist()  # [h, w]
    listed = []
    for h, head in enumerate(stored().heads.values()):
        found = [
            (named(stored().tokens[word])[top], text.weight(shown("none")[h, w, IT, top]))
            for w, (word, top) in enumerate(zip(WORDS, tops[h], strict=True))
        ]
        layer, number = text.whole(head.layer), text.whole(head.number)
        listed.append(Described(head.name, layer, number, head.does, tuple(found)))
    return tuple(listed)


def _patterns() -> tuple[Pattern, ...]:
    """Count the heads that follow each pattern."""
    counted = []
    for name, pattern in stored().patterns.items():
        layer, head = np.unravel_index(pattern.shares.argmax(), pattern.shares.shape)
        counted.append(
            Pattern(
                name,
                text.whole(len(pattern.heads)),
                f"L{layer + 1}H{head + 1}",
                text.weight(pattern.shares[layer, head]),
            )
        )
    return tuple(counted)


def trained_text() -> TrainedText:
    """Compute every number of `TrainedText`, or take it from what the extraction measured."""
    data = stored()
    steps = computed()

    def weights(head: str, *asked: int, asks: int = IT, removed: str = "none") -> list[list[str]]:
        """Show weights of a token on others: a list for each sentence."""
        rows = steps[removed].weights[HEAD.values.index(head), :, asks]  # [w, n]
        return [[text.weight(row[j]) for j in asked] for row in rows]

    def pair(row: list[str]) -> tuple[str, str]:
        first, second = row
        return first, second

    def found(finding: str, show: Callable[[float], str]) -> list[str]:
        return [show(number) for number in data.findings[finding].numbers.values()]

    def count(number: float) -> str:
        return text.whole(int(number))

    noun_head = data.heads["L4H2"]
    by_word = noun_head.by_word
    swapped = {
        (q, k): attend(by_word[q].query, by_word[k].key, by_word[k].value).weights[IT, ANIMAL]
        for q in WORDS
        for k in WORDS
    }
    tired, wide = weights("L4H2", ANIMAL, STREET, CLS)
    reads, reads_too = weights("L3H2", LAST), weights("L3H9", LAST)
    flip, steady = weights("L5H1", ANIMAL, STREET), weights("L2H4", ANIMAL, STREET)
    first_the, second_the = (j for j, token in enumerate(data.tokens["tired"]) if token == "the")
    bare = steps["softmax"]
    it_weights = bare.weights[*at("L4H2", "tired"), IT]  # [n]
    sums = bare.scores[at("L4H2", "tired")].sum(axis=-1)  # [n]
    hidden = found("adjective-hidden", text.weight)
    hidden_from_it = found("adjective-hidden-from-it", text.weight)
    query_change, key_change = found("query-and-key", text.share)
    general = data.findings["general"].numbers
    pairs = data.findings["pairs"].numbers
    pronouns = data.findings["pronouns"].numbers
    flips = found("flips", count)
    width, height = struct.unpack(">II", data.atlas[16:24])  # of its header, which comes first
    return TrainedText(
        source=data.source,
        layers=text.whole(LAYERS),
        heads=text.whole(HEADS),
        all_heads=text.whole(LAYERS * HEADS),
        d=text.whole(D),
        tokens=data.tokens["tired"],
        did_not=text.listed(f"“{token}”" for token in data.tokens["tired"][DID_NOT]),
        indices=ASKS.values,
        layer_numbers=tuple(text.whole(i + 1) for i in range(LAYERS)),
        head_numbers=tuple(text.whole(i + 1) for i in range(HEADS)),
        described=_described(),
        described_count=text.whole(len(data.heads)),
        swap=tuple((q, tuple(text.weight(swapped[q, k]) for k in WORDS)) for q in WORDS),
        cls_wide=wide[2],
        animal_tired=tired[0],
        animal_wide=wide[0],
        street_tired=tired[1],
        street_wide=wide[1],
        no_scale=weights("L4H2", ANIMAL, removed="scale")[0][0],
        no_query=weights("L4H2", IT, removed="own-query")[0][0],
        masked_animal=weights("L4H2", ANIMAL, removed="mask")[0][0],
        masked_street=weights("L4H2", STREET, removed="mask")[0][0],
        masked_away=text.weight(steps["none"].weights[*at("L4H2", "tired"), IT, IT + 1 :].sum()),
        no_softmax_sum=text.dot(sums[IT]),
        no_softmax_low=text.weight(it_weights.min()),
        no_softmax_top=text.weight(it_weights.max()),
        meaningless_sum=text.dot(sums[LAST]),
        meaningless_low=text.weight(bare.weights[*at("L4H2", "tired"), LAST].min()),
        reads_tired=reads[0][0],
        reads_wide=reads[1][0],
        reads_too_tired=reads_too[0][0],
        reads_too_wide=reads_too[1][0],
        flip_tired=pair(flip[0]),
        flip_wide=pair(flip[1]),
        steady_tired=pair(steady[0]),
        steady_wide=pair(steady[1]),
        noun_of_the=(
            weights("L3H9", ANIMAL, asks=first_the)[0][0],
            weights("L3H9", STREET, asks=second_the)[0][0],
        ),
        parked=weights("L5H6", CLS)[0][0],
        parked_value=text.two_digits(data.findings["parked-value"].numbers["share"]),
        query_change=query_change,
        key_change=key_change,
        hidden_tired=hidden[0],
        hidden_wide=hidden[1],
        hidden_from_it_tired=hidden_from_it[0],
        hidden_from_it_wide=hidden_from_it[1],
        reading_layers=text.whole(noun_head.layer - 1),
        pairs=count(pairs["pairs"]),
        moved=count(pairs["moved"]),
        accuracy=text.weight(pairs["accuracy"]),
        agreeing=count(pronouns["right"]),
        pronouns=count(pronouns["sentences"]),
        flips_right=flips[0],
        flips_wrong=flips[1],
        patterns=_patterns(),
        patternless=text.whole(len(data.patternless)),
        general=count(general["sentences"]),
        general_cls=count(general["cls"]),
        general_top=text.weight(general["top"]),
        general_undivided=text.weight(general["top-undivided"]),
        decimals=text.whole(round(math.log10(UNITS))),
        zero=text.whole(0),
        half=text.weight(0.5),
        one=text.whole(1),
        least_sum=text.whole(int(LEAST_SUM)),
        atlas=f"data:image/png;base64,{base64.b64encode(data.atlas).decode('ascii')}",
        atlas_size=(str(width), str(height)),
    )
