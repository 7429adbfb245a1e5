"""Each number of the running text is the one that plain Python finds, as the string shown."""

import math
import re
from dataclasses import fields
from pathlib import Path

import pytest

from attention.prose import Prose
from attention.prose import prose
from tests import oracle
from tests.oracle import shown

TEXTS = prose()
TEMPLATES = Path(__file__).parents[1] / "templates"
ROOT_2 = math.sqrt(2)

PROMISED = {
    "d": "2",
    "d_v": "3",
    "share": "81%",
    "output_sum": "0.903",
    "default_dots": "4, 0, 1 and 0",
    "default_weights": "0.808, 0.048, 0.097 and 0.048",
    "printed_sum": "1.001",
    "no_query_dot": "1",
    "negated_query": "(−2, 0)",
    "negated_shares": "0.800, 0.000, 0.200 and 0.000",
    "default_shares": "0.800, 0.000, 0.200 and 0.000",
    "negated_animal": "0.023",
    "negated_street": "0.392",
    "cancelling_scores": "4, −4, 0 and 0",
    "negative_score": "−1.41",
    "negative_weight": "0.012",
    "spread": "1.2, −0.3, 0.5 and −0.9",
    "head_d": "64",
    "head_root": "8",
    "divided_by_d": "0.285",
    "equal_weight": "0.250",
    "sigmoid_weights": "0.944, 0.500, 0.670 and 0.500",
    "sigmoid_sum": "2.61",
    "wrong_d_v": "0.727",
    "wrong_n": "0.669",
    "biased_dots": "6, 2, 3 and 2",
    "biased_weights": "0.808, 0.048, 0.097 and 0.048",
    "query_bias_weights": "0.679, 0.165, 0.116 and 0.040",
    "zero_query_weight": "0.250",
    "it_to_animal": "0.313",
    "animal_to_it": "0.097",
    "it_to_it_dot": "0.5",
    "doubled_query": "(4, 0)",
    "reordered": "0.048, 0.808, 0.048 and 0.097",
    "reordered_tokens": "street, animal, tired and it",
    "moved_animal": "0.048",
    "animal_weight": "0.808",
    "it_weight": "0.097",
    "causal_weights": "0.848, 0.050, 0.102 and 0.000",
    "key_bias": "(1, 0)",
    "query_bias": "(0, 1)",
    "zero": "0",
    "one": "1",
    "gpt_heads": "12",
    "gpt_d": "64",
    "gpt_width": "768",
    "gpt_root": "8",
    "gpt_width_root": "27.7",
    "thin_pair": "98,304",
    "full_product": "589,824",
}


@pytest.mark.parametrize("name", PROMISED)
def test_a_number_of_the_text_is_the_one_promised(name: str) -> None:
    assert getattr(TEXTS, name) == PROMISED[name]


def test_every_number_of_the_text_is_promised_here() -> None:
    assert {field.name for field in fields(Prose)} == set(PROMISED)


def weights(query: tuple[float, float], scale: float = 1 / ROOT_2) -> list[float]:
    """Weigh the four tokens for a query."""
    return oracle.softmax([scale * score for score in dots(query)])


def dots(query: tuple[float, float]) -> list[float]:
    """Return the four dot products of a query."""
    return [query[0] * float(k[0]) + query[1] * float(k[1]) for k in oracle.KEYS]


def listed(numbers: list[float], digits: int = 3) -> str:
    """List numbers as a sentence does."""
    words = [shown(x, digits) for x in numbers]
    return ", ".join(words[:-1]) + f" and {words[-1]}"


def test_each_number_is_what_plain_python_calculates() -> None:
    default = weights((2, 0))
    sigmoid = [1 / (1 + math.exp(-x / ROOT_2)) for x in dots((2, 0))]
    assert listed(default) == TEXTS.default_weights
    assert listed(default) == TEXTS.biased_weights  # a bias of the keys changes nothing
    assert listed(dots((2, 0)), 0) == TEXTS.default_dots
    assert listed(sigmoid) == TEXTS.sigmoid_weights
    assert shown(math.fsum(sigmoid), 2) == TEXTS.sigmoid_sum
    assert shown(weights((-2, 0))[0], 3) == TEXTS.negated_animal
    assert shown(weights((-2, 0))[1], 3) == TEXTS.negated_street
    assert shown(weights((2, -1))[1], 3) == TEXTS.negative_weight
    assert listed(weights((2, 1))) == TEXTS.query_bias_weights
    assert shown(weights((2, 0), 1 / math.sqrt(3))[0], 3) == TEXTS.wrong_d_v
    assert shown(weights((2, 0), 1 / 2)[0], 3) == TEXTS.wrong_n
    assert shown(weights((0, 2))[0], 3) == TEXTS.moved_animal
    assert shown(weights((0.5, 0.5))[0], 3) == TEXTS.it_to_animal
    assert shown(weights((2, 0))[2], 3) == TEXTS.animal_to_it  # the key of "animal" is (2, 0)
    at_64 = oracle.softmax([score * 8 / 64 for score in oracle.SPREAD])
    assert shown(at_64[0], 3) == TEXTS.divided_by_d
    printed = math.fsum(float(shown(weight, 3)) for weight in default)
    assert shown(printed, 3) == TEXTS.printed_sum
    carried = math.fsum(w * sum(v) for w, v in zip(default, oracle.VALUES, strict=True))
    assert shown(carried, 3) == TEXTS.output_sum


def said(name: str) -> str:
    """Return the words of a section, without its markup."""
    source = (TEMPLATES / "sections" / f"{name}.html").read_text(encoding="utf-8")
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>|{%.*?%}", "", source))


# A claim in words, where it stands, and whether the numbers bear it out.
CLAIMS = [
    ("how", "The weights are positive and add to", all(w > 0 for w in weights((2, 0)))),
    ("how", "each is rounded", abs(math.fsum(weights((2, 0))) - 1) < 1e-12),
    ("why", "a tie", abs(weights((0.5, 0.5))[0] - weights((0.5, 0.5))[1]) < 1e-12),
    ("why", "it even looks fine", min(dots((2, 0))) >= 0),
    ("why", "leave nothing to divide by", sum(dots((2, -2))) == 0),
    ("why", "where signs mix", min(dots((2, -1))) < 0 < max(dots((2, -1)))),
    # The animal, whose score is the lowest, gets the largest share of (-2, 0).
    (
        "why",
        "the worst match wins",
        [x / sum(dots((-2, 0))) for x in dots((-2, 0))].index(0.8)
        == dots((-2, 0)).index(min(dots((-2, 0)))),
    ),
    (
        "why",
        "gives the same weights as its opposite",
        [x / sum(dots((-2, 0))) for x in dots((-2, 0))]
        == [x / sum(dots((2, 0))) for x in dots((2, 0))],
    ),
    (
        "why",
        "which the slider does not reach",
        all(list(oracle.query(stop)) != [-2, 0] for stop in range(31)),
    ),
    # At d = 2 the removal of √d moves the top weight less than at d = 64, and by less than 0.15.
    (
        "why",
        "the effect is small",
        weights((2, 0), 1)[0] - weights((2, 0))[0]
        < 0.15
        < oracle.softmax([8 * x for x in oracle.SPREAD])[0]
        - oracle.softmax(list(oracle.SPREAD))[0],
    ),
    (
        "why",
        "would do too much",
        max(oracle.softmax([x / 8 for x in oracle.SPREAD])) - 0.25 < 0.05,
    ),
    ("what", "most of its weight moves to", weights((0, 2))[1] > 0.5),
    (
        "questions",
        "and the weights {{ n.biased_weights }}, as before",
        oracle.softmax([x / ROOT_2 for x in (6, 2, 3, 2)])
        == pytest.approx(weights((2, 0)), abs=1e-12),
    ),
]


@pytest.mark.parametrize(("section", "words", "holds"), CLAIMS, ids=[c[1] for c in CLAIMS])
def test_a_claim_in_words_is_on_the_page_and_true(section: str, words: str, holds: bool) -> None:
    assert words in said(section)
    assert holds


PAGE = (TEMPLATES.parent / "site" / "index.html").read_text(encoding="utf-8")
READ = re.sub(r"\s+", " ", re.sub(r"<(script|style).*?</\1>|<[^>]*>", "", PAGE, flags=re.DOTALL))


@pytest.mark.parametrize(
    "sentence",
    [
        "Four steps to the new vector of “it”, with the query (2.0, 0.0)",
        "the number of entries in a query and a key: 2 here.",
        "most of its weight moves to “street”.",
        "A value may have another length: ours has 3 entries.",
        "The weights are positive and add to 1.000.",
        "As printed they add to 1.001, because each is rounded.",
        "The output is (0.808, 0.048, 0.048): “it” now carries 81% of the animal’s value.",
        "The entries add to 0.903, not to 1.000.",
        "The 0.097 that “it” gives itself adds nothing, because its value here is (0, 0, 0).",
        "“it” gets 0.250 of the animal and 0.250 of the street.",
        "Then q · k is 1 for animal and for street, and both weigh 0.313: a tie.",
        "“it” receives keys: (1.664, 0.144), two entries that say animate and place.",
        "it even looks fine: 0.800, 0.000, 0.200 and 0.000.",
        "4, −4, 0 and 0 leave nothing to divide by.",
        "the query (2.0, −1.0) gives the animal 1.600 and the street −0.800.",
        "The query (−2, 0), which the slider does not reach",
        "Softmax gives that query 0.023 for the animal and 0.392 for the street.",
        "variance d, and its standard deviation is √d: 8 at d = 64.",
        "At d = 2 the effect is small",
        "the animal’s weight goes from 0.808 to 0.920.",
        "It takes four scores, 1.2, −0.3, 0.5 and −0.9, as they would be at d = 1",
        "the top weight has sensitivity 0.25.",
        "0.0037 is left",
        "the top weight stays 0.543 at every d.",
        "at d = 64 the top weight would be 0.285, close to 0.250 each.",
        "98,304 numbers in a head of GPT-2 small, not 589,824.",
        "The sigmoid of our scores is 0.944, 0.500, 0.670 and 0.500, which adds to 2.61.",
        "√64 = 8, not by √768 = 27.7.",
        "by mistake gives 0.727; by the root of the number of tokens, 0.669.",
        "the animal’s weight goes from 0.808 to 0.048, and no parameter changed.",
        "in the order street, animal, tired and it the weights are 0.048, 0.808, 0.048 and 0.097.",
        "(1, 0) added to every key gives the dot products 6, 2, 3 and 2",
        "(0, 1) added to the query gives 0.679, 0.165, 0.116 and 0.040.",
        "A query of zeros gives 0.250 to each token.",
        "the dot product of “it” with itself is 0.5, and with the animal 1.",
        "“it” gives the animal 0.313 and the animal gives “it” 0.097.",
    ],
)
def test_a_sentence_stands_on_the_page_with_its_number(sentence: str) -> None:
    assert sentence in READ
