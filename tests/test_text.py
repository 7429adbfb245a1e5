"""Numbers are written as the page promises, whatever number comes."""

import math
import re
from collections.abc import Callable
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import settings
from hypothesis import strategies as st

from attention import text

quick = settings(deadline=None, derandomize=True)  # the same examples each run


@pytest.mark.parametrize(
    ("write", "number", "shown"),
    [
        (text.dot, 4, "4.00"),
        (text.dot, -math.sqrt(2), "−1.41"),
        (text.dot, -math.inf, "−∞"),
        (text.dot, 0.0, "0.00"),
        (text.dot, -0.0, "0.00"),
        (text.dot, -0.004, "0.00"),
        (text.dot, -0.006, "−0.01"),
        (text.dot, 0.5, "0.50"),
        (text.weight, 0.8077, "0.808"),
        (text.weight, 0, "0.000"),
        (text.weight, -0.8, "−0.800"),
        (text.weight, -0.0001, "0.000"),
        (text.weight, -0.0, "0.000"),
        (text.weight, 1.6, "1.600"),
        (text.weight, math.nan, "–"),
        (text.entry, 2, "2.0"),
        (text.entry, -0.4, "−0.4"),
        (text.entry, -1e-17, "0.0"),
        (text.given, 2.0, "2"),
        (text.given, 0.5, "0.5"),
        (text.given, -1.0, "−1"),
        (text.given, -0.9, "−0.9"),
        (text.given, -0.0, "0"),
        (text.share, 0.8077, "81%"),
        (text.share, 1.0, "100%"),
        (text.share, 0.0954, "10%"),
        (text.two_digits, 0.2481, "0.25"),
        (text.two_digits, 0.0037, "0.0037"),
        (text.two_digits, 0.0000144, "0.000014"),
        (text.two_digits, 0.10, "0.10"),
        (text.two_digits, 0.0996, "0.10"),
        (text.whole, 64, "64"),
        (text.whole, 98304, "98,304"),
        (text.length, 0.8077, "0.808"),
        (text.length, -0.8, "0"),
        (text.length, 1.6, "1"),
        (text.length, 1.0, "1"),
        (text.length, 0.0, "0"),
        (text.length, -0.0, "0"),
        (text.length, math.nan, "0"),
        (text.length, math.inf, "1"),
        (text.length, -math.inf, "0"),
    ],
)
def test_a_number_is_written_in_its_promised_form(
    write: Callable[[float], str], number: float, shown: str
) -> None:
    assert write(number) == shown


@quick
@given(number=st.floats(-1e6, 1e6), digits=st.integers(0, 6))
def test_a_shown_number_is_the_nearest_there_is(number: float, digits: int) -> None:
    shown = Decimal(text.fixed(number, digits).replace("−", "-"))
    assert abs(shown - Decimal(number)) <= Decimal(1).scaleb(-digits) / 2


@quick
@given(number=st.floats(-1e6, 1e6), digits=st.integers(0, 6))
def test_a_shown_number_has_a_leading_digit_a_point_and_no_minus_zero(
    number: float, digits: int
) -> None:
    shown = text.fixed(number, digits)
    assert re.fullmatch(r"−?(0|[1-9]\d*)" + (rf"\.\d{{{digits}}}" if digits else ""), shown)
    assert shown[0] != "−" or re.search("[1-9]", shown)


@quick
@given(number=st.floats(1e-9, 0.99))
def test_two_significant_digits_are_kept_without_an_exponent(number: float) -> None:
    shown = text.two_digits(number)
    assert re.fullmatch(r"(0\.0*[1-9]\d|1\.0)", shown)
    assert float(shown) == float(f"{number:.1e}")


@quick
@given(number=st.floats())
def test_a_length_is_plain_ascii_between_0_and_1(number: float) -> None:
    shown = text.length(number)
    assert re.fullmatch(r"0|1|0\.\d{0,2}[1-9]", shown)
    if 0 <= number <= 1:
        assert abs(float(shown) - number) <= 0.0005 + 1e-12


def test_a_vector_is_its_entries_in_brackets() -> None:
    assert text.vector(["0.808", "0.048", "0.048"]) == "(0.808, 0.048, 0.048)"
    assert text.vector(["2.0"]) == "(2.0)"


@pytest.mark.parametrize(
    ("weights", "written"),
    [
        ([1.0], "1.000 = 1.000"),
        ([0.25, 0.25, 0.5], "0.250 + 0.250 + 0.500 = 1.000"),
        ([0.8077, 0.0478, 0.0968, 0.0477], "0.8077 + 0.0478 + 0.0968 + 0.0477 = 1.0000"),
        ([1.6, -0.8, 0.2], "1.600 + −0.800 + 0.200 = 1.000"),
    ],
)
def test_a_sum_has_as_many_decimals_as_make_its_parts_add_up(
    weights: list[float], written: str
) -> None:
    assert text.summed(weights) == written


def test_a_sum_that_no_decimals_make_add_up_is_an_error() -> None:
    with pytest.raises(ValueError, match="no ten decimals"):
        text.summed([1 / 3] * 3)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["animal"], "animal"),
        (["animal", "street"], "animal and street"),
        (["animal", "street", "it", "tired"], "animal, street, it and tired"),
    ],
)
def test_words_are_listed_as_a_sentence_does(words: list[str], sentence: str) -> None:
    assert text.listed(words) == sentence


def test_each_sign_that_is_no_number_has_words_to_be_spoken() -> None:
    assert text.SPOKEN == {"−∞": "minus infinity", "–": "no number"}
    assert text.weight(math.nan) in text.SPOKEN
    assert text.dot(-math.inf) in text.SPOKEN
