"""The numbers made by hand are those the text describes, and the slider walks where it says."""

import re
from fractions import Fraction

import numpy as np

from attention import example

CORNERS = [(2, -2), (2, 0), (0, 2), (-2, 2)]


def test_the_tokens_are_words_of_the_sentence_in_its_order() -> None:
    words = re.findall(r"\w+", example.SENTENCE)
    places = [words.index(token) for token in example.TOKENS]
    assert places == sorted(places)
    assert all(words.count(token) == 1 for token in example.TOKENS)
    assert example.TOKENS == ("animal", "street", "it", "tired")
    assert example.TOKENS[example.ASKING] == "it"


def test_keys_and_values_are_those_of_the_text() -> None:
    assert example.KEYS.tolist() == [[2, 0], [0, 2], [0.5, 0.5], [0, 0]]
    assert example.VALUES.tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 0], [0, 0, 1]]
    assert example.KEYS.shape[-1] == len(example.ENTRIES) == 2
    assert example.VALUES.shape[-1] == len(example.MARKS) == 3
    assert len(example.KEYS) == len(example.VALUES) == len(example.TOKENS)


def test_a_value_marks_its_own_token_and_that_of_it_marks_none() -> None:
    for token, value in zip(example.TOKENS, example.VALUES, strict=True):
        marked = [name for name, entry in zip(example.MARKS, value, strict=True) if entry]
        assert marked == [token] * (token != "it")


def test_the_slider_walks_three_straight_legs_in_steps_of_a_fifth() -> None:
    assert example.STOPS.shape == (31, 2)
    for i, stop in enumerate(example.STOPS):
        leg = min(i // 10, 2)
        along = Fraction(i - 10 * leg, 10)
        start, end = CORNERS[leg], CORNERS[leg + 1]
        exact = [float(a + along * (b - a)) for a, b in zip(start, end, strict=True)]
        assert stop.tolist() == exact  # not one bit off: where scores cancel, they must do exactly
    assert np.abs(np.diff(example.STOPS, axis=0)).max() < 0.2 + 1e-12


def test_the_default_stop_asks_for_something_animate() -> None:
    assert example.DEFAULT_STOP == 10
    assert example.STOPS[example.DEFAULT_STOP].tolist() == [2, 0]


def test_each_named_stop_stands_where_its_name_is_true() -> None:
    assert [stop.value for stop in example.NAMED_STOPS] == [0, 10, 15, 20, 30]
    for value, label in example.NAMED_STOPS:
        animate, place = (round(float(x), 9) for x in example.STOPS[value])
        if "not animate" in label:
            assert (animate, place) == (-2, 2)
        elif "not place" in label:
            assert (animate, place) == (2, -2)
        elif label == "either":
            assert animate == place > 0
        else:
            assert (animate, place) == {"animate": (2, 0), "place": (0, 2)}[label]


def test_at_both_ends_of_the_slider_the_scores_cancel_exactly() -> None:
    sums = [
        sum(
            Fraction(float(x)) * Fraction(float(k))
            for key in example.KEYS
            for x, k in zip(stop, key, strict=True)
        )
        for stop in example.STOPS
    ]
    assert [i for i, total in enumerate(sums) if total == 0] == [0, 30]


def test_the_four_spread_scores_are_a_favourite_a_runner_up_and_two_below_zero() -> None:
    scores = example.SPREAD_SCORES.tolist()
    assert scores == [1.2, -0.3, 0.5, -0.9]
    assert max(scores) == scores[0]
    assert sum(score < 0 for score in scores) == 2
    assert 0.5 < np.std(scores) < 1.5


def test_d_doubles_from_1_to_256_and_starts_at_64() -> None:
    assert example.DIMENSIONS == (1, 2, 4, 8, 16, 32, 64, 128, 256)
    assert example.DIMENSIONS[example.DEFAULT_POWER] == 64
