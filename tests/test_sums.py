"""The sums of figure `attend`: whoever redoes one from what is printed gets what is printed."""

import math
import re
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import pytest

from attention.example import TOKENS
from attention.figures import attend
from attention.figures.figure import State
from tests import oracle

FIGURE = attend.build()
STATES = [
    State(FIGURE, {**settings, "token": token})
    for settings, token in product(oracle.ATTEND_SETTINGS, TOKENS)
]
NUMBER = r"−?\d+(?:\.\d+)?"
SUMS = ("dot", "score", "weight", "part", "output")


class Vector(tuple[Fraction, ...]):
    """Entries that are added, and stretched by a number before them."""

    def __add__(self, other: Any) -> "Vector":
        """Add entry by entry."""
        return Vector(a + b for a, b in zip(self, other, strict=True))

    def __rmul__(self, factor: Any) -> "Vector":
        """Multiply each entry."""
        return Vector(factor * entry for entry in self)


def exact(number: str) -> Fraction:
    """Read a number as it is printed."""
    return Fraction(number.replace("−", "-"))


@cache
def redone(words: str) -> Any:
    """Redo a sum from its printed operands: with fractions, and `math` for √ and powers of e."""
    code = re.sub(rf"\(({NUMBER}(?:, {NUMBER})+)\)", r"Vector([\1])", words)
    code = code.replace("(−∞)", "(-math.inf)").replace("e^−∞", "Fraction(0)")
    code = re.sub(rf"e\^({NUMBER})", r"power(\1)", code)
    code = re.sub(r"√(\d+)", r"root(\1)", code)
    code = re.sub(rf"(?<![\d.])({NUMBER})", r"exact('\1')", code)
    code = code.replace("×", "*").replace("÷", "/")
    return eval(  # of numbers and signs that this test wrote itself
        code,
        {
            "Vector": Vector,
            "Fraction": Fraction,
            "exact": exact,
            "math": math,
            "power": lambda x: Fraction(math.exp(x)),
            "root": lambda x: Fraction(math.sqrt(x)),
        },
    )


def core_scores(settings: dict[str, str]) -> list[float]:
    """Return the scores that the token that asks may see."""
    root = math.sqrt(2) if settings["scale"] == "on" else 1.0
    return [float(x) / root for x in oracle.dots(settings)[: oracle.visible(settings)]]


def printed(number: Any, like: str) -> str:
    """Print what was redone as the result is printed: with its digits, as a vector if it is one."""
    if isinstance(number, Vector):
        return oracle.vector(
            [printed(entry, one) for entry, one in zip(number, like[1:-1].split(", "), strict=True)]
        )
    if number == -math.inf:
        return "−∞"
    digits = len(like.partition(".")[2])
    whole = round(Fraction(number) * 10**digits)  # to the last digit, and no tolerance
    return oracle.shown(float(Fraction(whole, 10**digits)), digits)


def cut(sum_: str) -> tuple[list[str], str]:
    """Cut a sum into what is computed, once or twice, and its result; leave out its remarks."""
    bare = sum_.replace(" (not divided)", "").replace(" visible tokens", "")
    *computed, result = bare.partition(":")[0].split(" = ")
    return computed, result


def test_every_sum_in_every_state_gives_its_result_to_the_last_digit() -> None:
    for state in STATES:
        for name in SUMS:
            computed, result = cut(state[f"sum-{name}"])
            if result == "–":
                assert redone(computed[0].split(" ÷ ", 1)[1]) == 0, (state.settings, name)
                continue
            for words in computed:
                assert printed(redone(words), result) == result, (state.settings, name, words)


def test_every_sum_ends_in_the_number_of_the_table() -> None:
    for state in STATES:
        token = state.settings["token"]
        wanted = {name: state[f"{name}-{token}"] for name in ("dot", "score", "weight", "part")}
        wanted["output"] = state["output"]
        for name, number in wanted.items():
            computed, result = cut(state[f"sum-{name}"])
            assert computed or re.match("no |masked", state[f"sum-{name}"]), (state.settings, name)
            if computed:
                assert result == number, (state.settings, name)


def test_a_sum_is_in_words_only_where_nothing_is_computed() -> None:
    for state in STATES:
        no_scores = state.settings["scores"] == "off"
        hidden = state.settings["token"] == "tired" and state.settings["mask"] == "on"
        weights = oracle.weights(state.settings)
        shares = state.settings["softmax"] == "off"
        in_words = {name for name in SUMS if " = " not in state[f"sum-{name}"]}
        expected = {"dot", "score"} if no_scores else set()
        if hidden and (no_scores or shares):
            expected.add("weight")
        if weights is None:
            expected |= {"output"} if hidden else {"part", "output"}
        assert in_words == expected, state.settings


def test_a_power_is_that_of_its_score_and_a_score_that_of_the_table() -> None:
    for state in STATES:
        words = state["sum-weight"]
        if "e^" not in words:
            continue
        (raised, powers), _ = cut(words)
        scores = re.findall(rf"e\^({NUMBER}|−∞)", raised)
        values = re.findall(NUMBER, powers)
        mine = TOKENS.index(state.settings["token"])
        assert (scores[0], values[0]) == (scores[1:][mine], values[1:][mine])
        for token, score, value in zip(TOKENS, scores[1:], values[1:], strict=True):
            if score == "−∞":
                assert (value, state[f"score-{token}"]) == ("0", "−∞")
                continue
            assert printed(math.exp(exact(score)), value) == value, (state.settings, token)
            assert abs(exact(score) - exact(state[f"score-{token}"])) <= Fraction(1, 200)


def test_a_sum_has_only_as_many_decimals_as_it_needs() -> None:
    usual = FIGURE["default"]
    assert usual["sum-dot"] == "2.0 × 2 + 0.0 × 0 = 4.00"
    assert usual["sum-score"] == "4.00 ÷ √2 = 2.83"
    assert usual["sum-weight"] == (
        "e^2.83 ÷ (e^2.83 + e^0.00 + e^0.71 + e^0.00)"
        " = 16.95 ÷ (16.95 + 1.00 + 2.03 + 1.00) = 0.808"
    )
    assert usual["sum-part"] == "0.808 × (1, 0, 0) = (0.808, 0.000, 0.000)"
    assert usual["sum-output"] == (
        "0.808 × (1, 0, 0) + 0.048 × (0, 1, 0) + 0.097 × (0, 0, 0) + 0.048 × (0, 0, 1)"
        " = (0.808, 0.048, 0.048)"
    )
    more = FIGURE.at("softmax=off")["sum-weight"]
    assert more == "2.828 ÷ (2.828 + 0.000 + 0.707 + 0.000) = 0.800"
    fewer = redone("2.83 ÷ (2.83 + 0.00 + 0.71 + 0.00)")
    assert printed(fewer, "0.800") == "0.799"


@pytest.mark.parametrize(
    ("settings", "sums"),
    [
        ("own-query=off", {"dot": "0.5 × 2 + 0.5 × 0 = 1.00"}),
        ("query=5&token=street", {"dot": "2.0 × 0 + (−1.0) × 2 = −2.00"}),
        ("scale=off", {"score": "4.00 (not divided) = 4.00"}),
        (
            "mask=on&token=tired",
            {
                "score": "0.00 ÷ √2 + (−∞) = −∞",
                "weight": "e^−∞ ÷ (e^2.83 + e^0.00 + e^0.71 + e^−∞)"
                " = 0 ÷ (16.95 + 1.00 + 2.03 + 0) = 0.000",
                "part": "0.000 × (0, 0, 1) = (0.000, 0.000, 0.000)",
            },
        ),
        (
            "query=0&softmax=off",
            {
                "weight": "2.83 ÷ (2.83 + (−2.83) + 0.00 + 0.00) = –: nothing can be divided by 0",
                "part": "no weight, so no part",
                "output": "no weights, so no output",
            },
        ),
        ("query=0&softmax=off&mask=on&token=tired", {"weight": "masked: 0.000"}),
        (
            "scores=off&mask=on",
            {"dot": "no scores: nothing is compared", "weight": "1 ÷ 3 visible tokens = 0.333"},
        ),
        (
            "query=5&softmax=off&token=street",
            {
                "weight": "(−1.414) ÷ (2.828 + (−1.414) + 0.354 + 0.000) = −0.800",
                "part": "(−0.800) × (0, 1, 0) = (0.000, −0.800, 0.000)",
                "output": "1.600 × (1, 0, 0) + (−0.800) × (0, 1, 0) + 0.200 × (0, 0, 0)"
                " + 0.000 × (0, 0, 1) = (1.600, −0.800, 0.000)",
            },
        ),
        ("scores=off&mask=on&token=tired", {"score": "masked: −∞", "weight": "masked: 0.000"}),
        ("own-value=off", {"part": "0.8077 × (2, 0) = (1.615, 0.000)"}),
    ],
)
def test_a_sum_says_what_was_removed(settings: str, sums: dict[str, str]) -> None:
    state = FIGURE.at(settings)
    assert {name: state[f"sum-{name}"] for name in sums} == sums


def test_operands_are_marked_as_what_they_are() -> None:
    state = FIGURE["default"]
    roles = [(role, words) for role, words, _ in state.pieces("sum-dot") if role]
    assert roles == [("query", "2.0"), ("key", "2"), ("query", "0.0"), ("key", "0")]
    parts = [(role, words) for role, words, _ in state.pieces("sum-part") if role]
    assert parts == [("weight", "0.808"), ("value", "(1, 0, 0)")]
    weights = [(role, words) for role, words, _ in state.pieces("sum-weight") if role]
    assert weights == [("weight", "0.808")]
    own_key = FIGURE.at("own-query=off").pieces("sum-dot")
    assert {role for role, _, _ in own_key} == {"key", ""}
    passed_key = FIGURE.at("own-value=off").pieces("sum-output")
    assert {role for role, _, _ in passed_key} == {"weight", "key", ""}


def test_a_sign_within_a_sum_is_spoken() -> None:
    state = FIGURE.at("mask=on&token=tired")
    for name, signs in (("score", 2), ("weight", 2)):
        pieces = state.pieces(f"sum-{name}")
        spoken = [says for _, words, says in pieces if words == "−∞"]
        assert spoken == ["minus infinity"] * signs
        assert "−∞" not in "".join(words for _, words, says in pieces if not says)


def test_no_sum_has_a_decimal_too_many() -> None:
    for state in STATES:
        words = state["sum-weight"]
        if state.settings["softmax"] == "on" or " ÷ (" not in words:
            continue
        digits = len(words.partition(" ÷ ")[0].strip("()").partition(".")[2])
        if digits > 2:
            scores = [float(x) for x in core_scores(state.settings)]
            fewer = [round(x, digits - 1) for x in scores]
            shares = [x / math.fsum(fewer) for x in fewer] if math.fsum(fewer) else []
            seen = oracle.weights(state.settings)
            assert seen is not None
            assert [oracle.shown(x, 3) for x in shares] != [
                oracle.shown(x, 3) for x in seen[: len(fewer)]
            ], state.settings
