"""Words that belong together light up together: by pointer, by keyboard and by touch."""

import pytest
from playwright.sync_api import Page

from tests.conftest import Opener

LIT = """() => [...document.querySelectorAll("[data-lit]")].map((element) =>
  [element.closest("figure")?.id ?? "text", element.dataset.link])"""
STEPS = ("dot", "scale", "softmax", "value")  # of the ladder; each has a term in the formula


def lit(page: Page) -> set[tuple[str, str]]:
    """Return what is lit: where it stands, and its links."""
    return {(where, link) for where, link in page.evaluate(LIT)}


def word(link: str, where: str = "header") -> str:
    """Write the selector of a word that can be pressed."""
    return f'{where} [data-word][data-link="{link}"]'


@pytest.mark.parametrize("link", ["query", "key", "value", "weight"])
def test_pointing_at_a_word_marks_the_same_in_the_text_and_the_figure(
    open_page: Opener, link: str
) -> None:
    page = open_page()
    assert lit(page) == set()
    page.locator(word(link)).first.hover()
    assert {name for _, name in lit(page)} == {link}
    assert {"attend", "ladder", "text"} <= {where for where, _ in lit(page)}
    page.mouse.move(1, 1)
    assert lit(page) == set()


@pytest.mark.parametrize("link", ["key", "weight", "value"])
def test_pointing_at_a_column_of_the_figure_marks_the_word_in_the_text(
    open_page: Opener, link: str
) -> None:
    page = open_page()
    page.locator(f'#attend td[data-link="{link}"]').first.hover()
    assert ("text", link) in lit(page)
    assert ("attend", "animal") in lit(page), "a cell is its row's too"
    assert ("text", "street") not in lit(page)


@pytest.mark.parametrize("link", STEPS)
def test_a_step_of_the_ladder_and_its_term_in_the_formula_light_up_together(
    open_page: Opener, link: str
) -> None:
    page = open_page()
    both = """(link) => [...document.querySelectorAll(`#ladder tr[data-link="${link}"],
      #ladder math [data-link="${link}"]`)].map((element) => element.hasAttribute("data-lit"))"""
    assert page.evaluate(both, link) == [False, False]
    page.locator(f'#ladder math [data-link="{link}"]').hover()
    assert page.evaluate(both, link) == [True, True]
    page.mouse.move(1, 1)
    page.locator(f'#ladder tr[data-link="{link}"] td').last.hover()
    assert page.evaluate(both, link) == [True, True]


def test_a_word_is_a_button_for_the_keyboard(open_page: Opener) -> None:
    page = open_page()
    first = page.locator(word("weight"))
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "weighted"
    assert ("attend", "weight") in lit(page), "focus is enough"
    page.keyboard.press("Enter")
    assert first.get_attribute("aria-pressed") == "true"
    page.keyboard.press("Tab")
    assert {name for _, name in lit(page)} == {"value"}
    page.keyboard.press("Shift+Tab")
    page.keyboard.press(" ")
    assert first.get_attribute("aria-pressed") == "false"
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert first.get_attribute("aria-pressed") == "false"


def test_what_is_held_stays_lit_until_it_is_pressed_again(open_page: Opener) -> None:
    page = open_page()
    page.locator(word("key")).click()
    page.mouse.move(1, 1)
    assert {name for _, name in lit(page)} == {"key"}
    page.locator(word("key")).click()
    page.mouse.move(1, 1)
    assert lit(page) == set()


def test_a_tap_marks_and_a_tap_elsewhere_unmarks(open_page: Opener) -> None:
    page = open_page(width=390, touch=True)
    page.locator('#attend .token[data-link="street"]').tap()
    assert {name for _, name in lit(page)} == {"street"}
    assert ("text", "street") in lit(page)
    page.locator(word("query")).tap()
    assert {name for _, name in lit(page)} == {"query"}
    page.locator("h1").tap()
    assert lit(page) == set()
    page.locator("#attend tbody tr").nth(1).locator("td").first.tap()
    assert lit(page) == set(), "a row is tapped to choose its sums"
    assert page.locator("#attend-token-street").is_checked()


def test_one_press_lets_go_whichever_word_of_that_name_was_pressed(open_page: Opener) -> None:
    page = open_page()
    page.locator(word("key")).click()
    other = page.locator(word("key", "#attend th"))
    assert other.get_attribute("aria-pressed") == "true"
    other.click()
    page.mouse.move(1, 1)
    assert other.get_attribute("aria-pressed") == "false"
    assert lit(page) == set()


def test_a_key_that_is_held_down_presses_once(open_page: Opener) -> None:
    page = open_page()
    first = page.locator(word("weight"))
    first.focus()
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # as the keyboard repeats it
    assert first.get_attribute("aria-pressed") == "true"


def test_selecting_a_number_does_not_choose_its_row(open_page: Opener) -> None:
    page = open_page()
    page.locator("#attend .sums-street .value").dblclick()
    page.locator("form[data-figure=attend] [name=token][value=animal]").check()
    box = page.locator("#attend .sums-it td.value [data-slot]").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 8)
    page.mouse.down()
    page.mouse.move(box["x"] + 40, box["y"] + 8)
    page.mouse.up()
    assert page.evaluate("getSelection().isCollapsed") is False
    assert page.locator("#attend-token-animal").is_checked()


def test_a_mark_is_more_than_a_colour(open_page: Opener) -> None:
    page = open_page()
    page.locator(word("key")).hover()
    styles = page.evaluate(
        """() => [...document.querySelectorAll("[data-lit]")].map((element) =>
          getComputedStyle(element).outlineStyle)"""
    )
    assert set(styles) == {"solid"}


def test_marking_moves_nothing(open_page: Opener) -> None:
    page = open_page()
    boxes = """() => [...document.querySelectorAll("[data-link], p, td, th")].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height];
    })"""
    before = page.evaluate(boxes)
    for link in ("query", "key", "value", "weight"):
        page.locator(word(link)).hover()
        assert page.evaluate(boxes) == before


def test_without_script_a_word_is_plain_text(open_page: Opener) -> None:
    page = open_page(javascript=False)
    words = page.locator("[data-word]")
    assert words.count() > 0
    assert page.locator("[data-word]:is([role], [tabindex])").count() == 0
