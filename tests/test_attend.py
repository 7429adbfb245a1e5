"""The figure `attend`: what it promises, and every setting against plain Python."""

from itertools import product
from typing import Any

import pytest

from attention.example import TOKENS
from attention.figures import attend
from attention.figures import sums
from attention.figures.figure import Control
from attention.figures.figure import State
from attention.figures.figure import Tree
from tests import oracle

FIGURE = attend.build()
SETTINGS = oracle.ATTEND_SETTINGS


def row(state: State, slot: str) -> list[str]:
    """Return the texts of one column of the table."""
    return [state[f"{slot}-{token}"] for token in TOKENS]


def at(settings: dict[str, str]) -> State:
    """Return a state by all its settings."""
    return State(FIGURE, settings)


def test_controls_are_those_promised_and_their_defaults_are_right() -> None:
    controls = {control.name: (control.default, control.values) for control in FIGURE.controls}
    promised: dict[str, tuple[str, tuple[str, ...]]] = {
        "query": ("10", tuple(str(i) for i in range(31)))
    }
    for name in ("scores", "own-query", "own-value", "scale", "softmax"):
        promised[name] = ("on", ("on", "off"))
    promised["mask"] = ("off", ("on", "off"))
    promised["token"] = ("animal", ("animal", "street", "it", "tired"))
    assert controls == promised


def test_the_default_is_as_promised() -> None:
    state = FIGURE["default"]
    assert state["query"] == "(2.0, 0.0)"
    assert row(state, "key") == ["(2, 0)", "(0, 2)", "(0.5, 0.5)", "(0, 0)"]
    assert row(state, "dot") == ["4.00", "0.00", "1.00", "0.00"]
    assert row(state, "score") == ["2.83", "0.00", "0.71", "0.00"]
    assert row(state, "weight") == ["0.808", "0.048", "0.097", "0.048"]
    assert row(state, "full-weight") == row(state, "weight")
    assert row(state, "value") == ["(1, 0, 0)", "(0, 1, 0)", "(0, 0, 0)", "(0, 0, 1)"]
    assert row(state, "part")[0] == "(0.808, 0.000, 0.000)"
    assert row(state, "part")[2] == "(0.000, 0.000, 0.000)"
    assert state["output"] == "(0.808, 0.048, 0.048)"
    assert state["sum"] == "1.000"
    assert "81% of the animal’s value" in state["verdict"]


def test_the_printed_weights_add_to_a_thousandth_more_and_the_page_says_so() -> None:
    assert "1.001" in FIGURE["default"]["printed-sum"]
    assert "rounded" in FIGURE["default"]["printed-sum"]


@pytest.mark.parametrize(
    ("settings", "weights"),
    [
        ("query=5&softmax=off", "1.600 −0.800 0.200 0.000"),
        ("own-query=off", "0.313 0.313 0.220 0.154"),
        ("own-query=off&query=27", "0.313 0.313 0.220 0.154"),
        ("mask=on", "0.848 0.050 0.102 0.000"),
        ("scale=off", "0.920 0.017 0.046 0.017"),
        ("softmax=off", "0.800 0.000 0.200 0.000"),
        ("scores=off", "0.250 0.250 0.250 0.250"),
        ("scores=off&own-query=off&scale=off&softmax=off&query=0", "0.250 0.250 0.250 0.250"),
        ("scores=off&mask=on", "0.333 0.333 0.333 0.000"),
        ("query=20", "0.048 0.808 0.097 0.048"),
        ("query=0&softmax=off", "– – – –"),
        ("query=30&softmax=off", "– – – –"),
        ("query=30&softmax=off&mask=on", "– – – 0.000"),
    ],
)
def test_weights_are_as_promised(settings: str, weights: str) -> None:
    assert row(FIGURE.at(settings), "weight") == weights.split(" ")


@pytest.mark.parametrize("settings", ["query=0&softmax=off", "query=30&softmax=off"])
def test_where_the_scores_cancel_words_say_so(settings: str) -> None:
    state = FIGURE.at(settings)
    assert state["output"] == "no weights: the scores add to 0"
    assert state["verdict"].startswith("No weights")
    assert row(state, "part") == ["–"] * 4
    assert state["sum"] == "–"


def test_a_masked_score_is_minus_infinity_and_spoken() -> None:
    for settings in ("mask=on", "mask=on&scores=off", "mask=on&softmax=off"):
        state = FIGURE.at(settings)
        assert state["score-tired"] == "−∞"
        assert state.spoken("score-tired") == "minus infinity"
        assert state["weight-tired"] == "0.000"


def test_without_scores_dots_and_visible_scores_are_dashes() -> None:
    state = FIGURE.at("scores=off&mask=on")
    assert row(state, "dot") == ["–"] * 4
    assert row(state, "score") == ["–", "–", "–", "−∞"]


def test_without_its_own_value_the_key_is_passed_on_and_the_output_says_which_entries() -> None:
    state = FIGURE.at("own-value=off")
    assert row(state, "value") == row(state, "key")
    assert state["value-names"] == "(animate, place)"
    assert state["output"] == "(1.664, 0.144)"
    assert FIGURE["default"]["value-names"] == "(animal, street, tired)"


def test_the_page_says_when_the_slider_has_no_effect() -> None:
    for settings in SETTINGS:
        note = at(settings)["slider-note"]
        idle = settings["scores"] == "off" or settings["own-query"] == "off"
        assert ("no effect" in note) == idle


def test_every_setting_is_what_plain_python_calculates() -> None:
    for settings in SETTINGS:
        state, expected = at(settings), oracle.attend(settings)
        assert {slot: state[slot] for slot in expected} == expected, settings


def everything(by: tuple[Control, ...], leaf: Any) -> Tree:
    """Ask for every combination of values; idle controls too, and merge nothing."""

    def grow(chosen: tuple[str, ...]) -> Tree:
        if len(chosen) == len(by):
            text: str = leaf(*chosen)
            return text
        control = by[len(chosen)]
        return control.name, {value: grow((*chosen, value)) for value in control.values}

    return grow(())


def test_a_control_called_idle_changes_no_text_and_no_length(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(attend, "tree", everything)
    monkeypatch.setattr(sums, "tree", everything)
    whole = attend.build()
    assert set(whole.slots) == set(FIGURE.slots)
    for settings in SETTINGS:
        kept, asked = State(FIGURE, settings), State(whole, settings)
        assert dict(kept) == dict(asked), settings
        assert kept.lengths == asked.lengths, settings


def test_bars_have_the_lengths_of_the_weights() -> None:
    for settings in SETTINGS:
        weights = oracle.weights(settings) or [0.0] * 4
        full = oracle.full_weights(settings)
        lengths = at(settings).lengths
        for token, weight, whole in zip(TOKENS, weights, full, strict=True):
            shown = {n: float(lengths[f"{n}-{token}"]) for n in ("weight", "negative", "full")}
            assert shown["weight"] == pytest.approx(min(max(weight, 0), 1), abs=0.0006)
            assert shown["negative"] == pytest.approx(min(max(-weight, 0), 1), abs=0.0006)
            assert shown["full"] == pytest.approx(whole, abs=0.0006)
            assert lengths[f"over-{token}"] == str(int(weight > 1))
            assert lengths[f"under-{token}"] == str(int(weight < -1))


def test_the_tip_of_the_line_is_the_query() -> None:
    for settings in SETTINGS:
        x, y = (
            oracle.query(int(settings["query"]))
            if settings["own-query"] == "on"
            else oracle.KEYS[2]
        )
        lengths = at(settings).lengths
        assert float(lengths["x-query"]) == pytest.approx((float(x) + 2) / 4, abs=0.0006)
        assert float(lengths["y-query"]) == pytest.approx((float(y) + 2) / 4, abs=0.0006)


def test_all_settings_are_1984() -> None:
    values = [control.values for control in FIGURE.controls if control.name != "token"]
    assert len(list(product(*values))) == 31 * 64 == len(SETTINGS)
