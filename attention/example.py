"""Every number of the page that was chosen by hand, each with its why."""

from typing import NamedTuple

import numpy as np

# The sentence is the one of Google's article on the Transformer (`facts.TRANSFORMER_ARTICLE`): a
# pronoun with two nouns before it, and only the last word says which noun it stands for.
SENTENCE = "The animal didn’t cross the street because it was too tired."

# Four words carry the whole question: the two nouns, the pronoun, and the word that decides.
TOKENS = ("animal", "street", "it", "tired")  # in sentence order

# d = 2, so that a key is a point that can be drawn and every product can be checked by head.
ENTRIES = ("animate", "place")  # the entries of a query and a key
MARKS = ("animal", "street", "tired")  # the entries of a value

KEYS = np.array(  # [n, d] what each token offers
    [
        [2.0, 0.0],  # an animal is animate and no place; 2, so that one match stands out
        [0.0, 2.0],  # a street is a place; as long as "animal", so that neither noun is favoured
        [0.5, 0.5],  # "it" may stand for either, and says little by itself
        [0.0, 0.0],  # "tired" is neither: its score is 0 whatever the query asks
    ]
)

VALUES = np.array(  # [n, d_v] what each token passes on: three entries, one more than a key has
    [
        [1.0, 0.0, 0.0],  # each noun marks an entry of its own,
        [0.0, 1.0, 0.0],  # so that an output reads as its share of each token
        [0.0, 0.0, 0.0],  # "it" has nothing of its own to pass on
        [0.0, 0.0, 1.0],
    ]
)

ASKING = TOKENS.index("it")  # the token whose query the slider moves


class Stop(NamedTuple):
    """A named position of the query slider."""

    value: int
    label: str


# The query walks (2, -2) → (2, 0) → (0, 2) → (-2, 2) in steps of 0.2 on each leg. The inner leg
# goes from "something animate" to "a place". The outer legs reach mixed signs, and scores that
# cancel.
STOPS = np.array([[min(2.0, (20 - i) / 5), min(2.0, (i - 10) / 5)] for i in range(31)])  # [31, d]
LEG = 10  # stops on each leg
DEFAULT_STOP = 10  # (2, 0): "it" looks for something animate
NAMED_STOPS = (
    Stop(0, "animate, not place"),
    Stop(10, "animate"),
    Stop(15, "either"),
    Stop(20, "place"),
    Stop(30, "place, not animate"),
)

# Four scores as they would be at d = 1: one clear favourite, one runner-up, two below zero, and a
# spread near 1, as dot products of independent entries have there.
SPREAD_SCORES = np.array([1.2, -0.3, 0.5, -0.9])  # [4]
DIMENSIONS = tuple(2**power for power in range(9))  # 1, 2, 4 … 256
DEFAULT_POWER = 6  # d = 64, the size of a head in GPT-2 small
