"""The figure `scaling`: the same four scores at growing d, not divided and divided by √d."""

import math
import random
from operator import mul
from statistics import fmean

import pytest

from attention.figures import scaling
from attention.figures.figure import State
from tests import oracle

FIGURE = scaling.build()
POWERS = range(9)


def row(state: State, slot: str) -> list[str]:
    """Return the four texts of one row of a table."""
    return [state[f"{slot}-{i}"] for i in range(4)]


def test_the_slider_takes_powers_of_2_and_starts_at_64() -> None:
    (control,) = FIGURE.controls
    assert (control.name, control.default) == ("d", "6")
    assert control.values == tuple(str(power) for power in POWERS)
    assert [FIGURE.at(f"d={power}")["d"] for power in POWERS] == [
        "1",
        "2",
        "4",
        "8",
        "16",
        "32",
        "64",
        "128",
        "256",
    ]


def test_the_default_shows_what_d_64_does() -> None:
    state = FIGURE["default"]
    assert row(state, "undivided-score") == ["9.60", "−2.40", "4.00", "−7.20"]
    assert row(state, "divided-score") == ["1.20", "−0.30", "0.50", "−0.90"]
    assert state["undivided-weight-0"] == "0.996"
    assert state["divided-weight-0"] == "0.543"
    assert state["undivided-sensitivity"] == "0.0037"
    assert state["divided-sensitivity"] == "0.25"


def test_at_d_1_both_sides_are_the_same() -> None:
    state = FIGURE.at("d=0")
    assert row(state, "undivided-weight") == row(state, "divided-weight")
    assert row(state, "undivided-score") == row(state, "divided-score")
    assert state["undivided-sensitivity"] == "0.25"
    assert "nothing to undo" in state["verdict"]


def test_the_sensitivity_at_d_256_keeps_its_digits() -> None:
    assert FIGURE.at("d=8")["undivided-sensitivity"] == "0.000014"
    assert FIGURE.at("d=8")["undivided-weight-0"] == "1.000"


def test_divided_scores_and_weights_are_the_same_at_every_d() -> None:
    first = FIGURE.at("d=0")
    for power in POWERS:
        state = FIGURE.at(f"d={power}")
        for slot in ("divided-score", "divided-weight"):
            assert row(state, slot) == row(first, slot)


@pytest.mark.parametrize("settings", oracle.SCALING_SETTINGS, ids=lambda settings: settings["d"])
def test_every_d_is_what_plain_python_calculates(settings: dict[str, str]) -> None:
    state, expected = State(FIGURE, settings), oracle.scaling(settings)
    assert {slot: state[slot] for slot in expected} == expected


@pytest.mark.parametrize("power", POWERS)
def test_the_sensitivity_is_the_slope_of_the_top_weight(power: int) -> None:
    spread = [score * math.sqrt(2**power) for score in oracle.SPREAD]
    step = 1e-5
    up, down = (oracle.softmax([spread[0] + change, *spread[1:]])[0] for change in (step, -step))
    undivided, _ = scaling.sides(2**power)
    assert undivided.sensitivity == pytest.approx((up - down) / (2 * step), rel=1e-4)


@pytest.mark.parametrize("power", POWERS)
def test_the_verdict_is_true_at_every_d(power: int) -> None:
    said = FIGURE.at(f"d={power}")["verdict"]
    weights = sorted(oracle.softmax([score * math.sqrt(2**power) for score in oracle.SPREAD]))
    kept = max(oracle.softmax(list(oracle.SPREAD)))
    top, rest = weights[-1], math.fsum(weights[:-1])
    assert oracle.shown(top, 3) in said
    assert ("nothing to undo" in said) == (abs(top - kept) < 1e-9)
    assert ("nearly all goes to one" in said) == (top >= 0.95)
    if "the others share" in said:
        assert f"the others share {oracle.shown(rest, 3)}" in said
        assert top > kept
    if power:
        assert oracle.shown(kept, 3) in said


@pytest.mark.parametrize("power", POWERS)
def test_columns_are_as_high_as_their_weights(power: int) -> None:
    lengths = FIGURE.at(f"d={power}").lengths
    for name, factor in (("undivided", math.sqrt(2**power)), ("divided", 1.0)):
        weights = oracle.softmax([score * factor for score in oracle.SPREAD])
        for i, weight in enumerate(weights):
            assert float(lengths[f"weight-{name}-{i}"]) == pytest.approx(weight, abs=0.0006)


@pytest.mark.parametrize("power", POWERS)
@pytest.mark.parametrize("side", ["undivided", "divided"])
def test_a_sensitivity_can_be_redone_from_the_top_weight_beside_it(side: str, power: int) -> None:
    state = FIGURE.at(f"d={power}")
    w = float(state[f"{side}-top"])
    assert oracle.two_digits(w * (1 - w)) == state[f"{side}-sensitivity"]
    assert oracle.shown(w, 3) == state[f"{side}-weight-0"]


def test_independent_scores_at_d_64_put_most_weight_on_one_token_and_often_nearly_all() -> None:
    chance = random.Random(64)

    def entries() -> list[float]:
        return [chance.gauss(0, 1) for _ in range(64)]

    tops = []
    for _ in range(300):
        query = entries()
        dots = [math.fsum(map(mul, query, entries())) for _ in range(4)]
        tops.append(max(oracle.softmax(dots)))
    assert fmean(tops) > 0.8
    assert fmean(top >= 0.95 for top in tops) > 0.5
