"""Rows or columns: the same four numbers in two layouts, and softmax over the keys in both."""

import numpy as np
import pytest

from attention.core import attend
from attention.figures.figure import Figure
from attention.page import page
from attention.projections import KEYS
from attention.projections import QUERIES
from attention.projections import VALUES
from tests.conftest import Opener
from tests.test_page import TREE
from tests.test_page import Element

PAGE = page()
(ROWS,) = TREE.all("table", id="layout-rows")
(COLUMNS,) = TREE.all("table", id="layout-columns")


def cells(table: Element) -> list[list[str]]:
    """Return the numbers of a table, row by row."""
    return [[cell.words for cell in row.all("td")] for row in table.all("tbody")[0].all("tr")]


def outlined(table: Element) -> list[str]:
    """Return the numbers of the token that asks, as the page marks them."""
    marked = [e for e in table if "asker" in e.attributes.get("class", "").split()]
    return [
        cell.words for e in marked for cell in ([e] if e.tag == "td" else e.all("td")) if cell.words
    ]


@pytest.mark.parametrize("figure", [PAGE.attend, PAGE.matrices], ids=lambda figure: figure.id)
def test_both_tables_outline_the_four_dot_products_of_it(figure: Figure) -> None:
    slot = "dot-{}" if figure.id == "attend" else "dot-it-{}"
    dots = [figure["default"][slot.format(token)] for token in PAGE.tokens]
    assert outlined(ROWS) == outlined(COLUMNS) == dots


def test_the_second_table_is_the_first_laid_the_other_way_round() -> None:
    assert cells(COLUMNS) == [list(column) for column in zip(*cells(ROWS), strict=True)]


@pytest.mark.parametrize(
    ("table", "down", "across"),
    [
        (ROWS, "query: who asks", "key: who is asked"),
        (COLUMNS, "key: who is asked", "query: who asks"),
    ],
    ids=["rows", "columns"],
)
def test_each_side_of_a_table_says_who_asks_or_who_is_asked(
    table: Element, down: str, across: str
) -> None:
    first, second, *rest = (row.all("th") for row in table.all("tr"))
    assert [header.words for header in first] == [down, across]
    assert [header.words for header in second] == list(PAGE.tokens)
    assert [header.words for (header,) in rest] == list(PAGE.tokens)


def test_softmax_over_the_keys_gives_the_same_weights_in_both_layouts() -> None:
    steps = attend(QUERIES[0], KEYS[0], VALUES[0])
    powers = np.exp(KEYS[0] @ QUERIES[0].T / np.sqrt(KEYS.shape[-1]))  # [keys, queries]
    down = powers / powers.sum(axis=0)
    np.testing.assert_allclose(down.T, steps.weights, rtol=0, atol=1e-12)
    assert not np.allclose(powers / powers.sum(axis=1, keepdims=True), down)


@pytest.mark.parametrize("forced_colors", [False, True])
def test_both_tables_fit_a_phone_and_frame_the_four_numbers(
    open_page: Opener, forced_colors: bool
) -> None:
    page = open_page(width=320, forced_colors=forced_colors)
    for name in ("rows", "columns"):
        box = page.locator(f"#layout-{name}").bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= 320
        wide = page.locator(f"#layout-{name} td").evaluate_all(
            """(cells) => cells.map((cell) => {
              const style = getComputedStyle(cell);
              return ["Top", "Right", "Bottom", "Left"]
                .map((side) => style[`border${side}Width`] === "3px");
            })"""
        )
        sides = [sum(side) for side in zip(*wide, strict=True)]  # top, right, bottom, left
        assert sides == ([4, 1, 4, 1] if name == "rows" else [1, 4, 1, 4])
