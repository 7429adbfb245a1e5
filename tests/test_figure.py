"""The shape all figures share: trees of texts, idle controls, states, addresses, safe JSON."""

import itertools
import json
import math
import re
from typing import Any

import pytest

from attention.figures.figure import Control
from attention.figures.figure import Figure
from attention.figures.figure import State
from attention.figures.figure import Tree
from attention.figures.figure import tree
from attention.page import page as built_page

SIZE = Control("size", ("1", "2", "3"), "2")
COLOUR = Control("colour", ("on", "off"), "on", {"off": frozenset({"shade"})})
SHADE = Control("shade", ("light", "dark"), "light")
FIGURES = built_page().figures


def toy(**slots: Tree) -> Figure:
    """Make a small figure of three controls."""
    named = {"big": "size=3", "plain": "size=2&colour=off"}
    return Figure("toy", (SIZE, COLOUR, SHADE), slots, {"wide-x": "0.5"}, named)


def test_a_tree_keeps_what_differs() -> None:
    assert tree((SIZE,), lambda size: f"{size}!") == ("size", {"1": "1!", "2": "2!", "3": "3!"})


def test_branches_that_are_all_equal_become_one() -> None:
    assert tree((SIZE, COLOUR), lambda size, colour: "same") == "same"
    found = tree((SIZE, COLOUR), lambda size, colour: colour)
    assert found == ("colour", {"on": "on", "off": "off"})
    found = tree((SIZE, COLOUR), lambda size, colour: size)
    assert found == ("size", {"1": "1", "2": "2", "3": "3"})


@pytest.mark.parametrize("odd", SIZE.values)
def test_branches_that_differ_in_one_value_stay(odd: str) -> None:
    found = tree((SIZE,), lambda size: "odd" if size == odd else "even")
    assert found == ("size", {size: "odd" if size == odd else "even" for size in "123"})


def test_an_idle_control_is_asked_at_its_default_only() -> None:
    asked: list[tuple[str, str]] = []

    def leaf(colour: str, shade: str) -> str:
        asked.append((colour, shade))
        return f"{colour} {shade}"

    found = tree((COLOUR, SHADE), leaf)
    assert asked == [("on", "light"), ("on", "dark"), ("off", "light")]
    assert found == (
        "colour",
        {"on": ("shade", {"light": "on light", "dark": "on dark"}), "off": "off light"},
    )


def test_a_state_reads_the_leaf_of_its_settings() -> None:
    figure = toy(name=tree((SIZE, COLOUR), lambda size, colour: f"{size} {colour}"))
    assert figure.at("")["name"] == "2 on"
    assert figure.at("size=1")["name"] == "1 on"
    assert figure.at("colour=off&size=3")["name"] == "3 off"
    assert figure["default"]["name"] == "2 on"
    assert figure["big"]["name"] == "3 on"


def test_a_text_may_name_other_slots() -> None:
    figure = toy(size=tree((SIZE,), str), said="size {size}, twice {twice}", twice="{size}{size}")
    assert figure.at("size=3")["said"] == "size 3, twice 33"


def test_a_state_is_a_mapping_of_all_its_slots() -> None:
    state = toy(one="1", two="2").at("")
    assert dict(state) == {"one": "1", "two": "2"}
    assert len(state) == 2
    with pytest.raises(KeyError):
        state["three"]


def test_a_sign_is_spoken_in_words_and_a_number_is_not() -> None:
    state = toy(sign="−∞", dash="–", number="0.808").at("")
    assert state.spoken("sign") == "minus infinity"
    assert state.spoken("dash") == "no number"
    assert state.spoken("number") == ""


def test_a_link_names_only_what_differs_in_the_order_of_the_controls() -> None:
    figure = toy(name="x")
    assert figure.at("").href == "#toy"
    assert figure.at("size=2&colour=on").href == "#toy"
    assert figure.at("shade=dark&size=1").href == "#toy?size=1&shade=dark"
    assert figure["plain"].anchor == "toy?colour=off"
    assert figure.anchors == ["toy?size=3", "toy?colour=off"]


@pytest.mark.parametrize(
    "settings", ["size=4", "colour=maybe", "weight=1", "size=1&colour=", "size", "size=1&&x"]
)
def test_an_address_typed_in_the_code_must_be_right(settings: str) -> None:
    with pytest.raises(ValueError, match=r"toy has no setting|bad query field"):
        toy(name="x").at(settings)


def test_a_wrong_address_is_named_in_the_error() -> None:
    with pytest.raises(ValueError, match="figure toy has no setting size=4"):
        toy(name="x").at("size=4")


def test_a_slot_knows_all_its_texts_and_the_longest() -> None:
    figure = toy(name=tree((SIZE, COLOUR), lambda size, colour: size if colour == "on" else "none"))
    assert figure.values("name") == {"1", "2", "3", "none"}
    assert figure.longest("name") == "none"


def test_a_text_says_which_of_its_words_play_a_role() -> None:
    figure = toy(name="[query {size}] × [sign −∞] [CLS]", size=tree((SIZE,), str))
    state = figure.at("size=3")
    assert state["name"] == "3 × −∞ [CLS]"
    assert state.pieces("name") == [
        ("query", "3", ""),
        ("", " × ", ""),
        ("sign", "−∞", "minus infinity"),
        ("", " [CLS]", ""),
    ]
    assert figure.longest("name") == "1 × −∞ [CLS]"


def test_the_longest_entry_of_a_table_is_of_its_longest_line() -> None:
    figure = toy(
        rows=tree((SIZE,), lambda size: {"1": "1000 1", "2": "22 22222"}.get(size, "3 3")),
        name="{rows-0-0} and {rows-0-1}",
        chosen="{rows-0-size}",
    )
    assert figure.longest("name") == "22 and 22222"
    assert figure.longest("chosen") == "22222"


def test_a_text_cannot_end_the_script_element_that_holds_it() -> None:
    figure = toy(name="</script><!-- <b> & “it” −∞")
    assert "<" not in figure.states
    assert json.loads(figure.states)["slots"]["name"] == "</script><!-- <b> & “it” −∞"


def test_a_number_that_json_does_not_know_is_refused() -> None:
    broken: Any = math.nan
    with pytest.raises(ValueError, match="JSON"):
        toy(name=broken).states  # noqa: B018  # reading it is what fails


def test_the_script_gets_controls_with_their_defaults_and_all_values() -> None:
    given = json.loads(toy(name="x").states)
    assert given["controls"]["size"] == ["2", ["1", "2", "3"]]
    assert given["controls"]["shade"] == ["light", ["light", "dark"]]
    assert given["lengths"] == {"wide-x": "0.5"}


def settings_of(figure: Figure) -> list[dict[str, str]]:
    """List every combination of a figure's settings."""
    values = itertools.product(*(control.values for control in figure.controls))
    return [dict(zip([c.name for c in figure.controls], row, strict=True)) for row in values]


each = pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)


@each
def test_a_default_is_one_of_the_values(figure: Figure) -> None:
    for control in figure.controls:
        assert control.default in control.values
        assert len(set(control.values)) == len(control.values)


@each
def test_what_a_control_idles_is_a_control_of_the_figure(figure: Figure) -> None:
    names = {control.name for control in figure.controls}
    for control in figure.controls:
        for value, idle in control.idles.items():
            assert value in control.values
            assert idle <= names - {control.name}


@each
def test_every_tree_has_a_leaf_for_every_setting(figure: Figure) -> None:
    values = {control.name: set(control.values) for control in figure.controls}

    def check(found: Tree, above: tuple[str, ...]) -> None:
        if isinstance(found, str):
            return
        name, branches = found
        assert name not in above
        assert set(branches) == values[name]
        for branch in branches.values():
            check(branch, (*above, name))

    for slot in (*figure.slots.values(), *figure.lengths.values()):
        check(slot, ())


@each
def test_every_named_state_exists_and_has_an_anchor_of_its_own(figure: Figure) -> None:
    assert [figure[name].anchor for name in figure.named] == figure.anchors
    assert len(set(figure.anchors)) == len(figure.anchors)


@each
def test_the_states_on_the_page_hold_texts_only(figure: Figure) -> None:
    def leaves(found: Any) -> list[Any]:
        if isinstance(found, dict):
            return [leaf for branch in found.values() for leaf in leaves(branch)]
        if isinstance(found, list):
            return [leaf for branch in found for leaf in leaves(branch)]
        return [found]

    given = json.loads(figure.states)
    for leaf in leaves(given):
        assert isinstance(leaf, str)
        assert not re.search(r"\b(nan|inf|undefined|null)\b", leaf, re.IGNORECASE), leaf


@each
def test_every_length_is_a_number_from_0_to_1(figure: Figure) -> None:
    states = settings_of(figure)
    for settings in states[:: len(states) // 500 | 1]:
        for name, length in State(figure, settings).lengths.items():
            assert re.fullmatch(r"0(\.\d+)?|1(\.0+)?", length), (name, length)
