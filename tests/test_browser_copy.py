"""Copying a listing: what is copied, what is said, and what happens where it is refused."""

import pytest
from playwright.sync_api import Page

from tests.conftest import Opener

GRANT = """() => {
  const writeText = async (text) => { window.kept = text; };
  Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
}"""
REFUSALS = {
    "denied": """() => {
      const writeText = async () => { throw new DOMException("denied", "NotAllowedError"); };
      Object.defineProperty(navigator, "clipboard", { value: { writeText }, configurable: true });
    }""",
    "no clipboard": """() => {
      Object.defineProperty(navigator, "clipboard", { value: undefined, configurable: true });
    }""",
}


def opened(page: Page) -> list[str]:
    """Open what is folded and return the text of every listing."""
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    texts: list[str] = page.locator("[data-listing] code").all_text_contents()
    assert len(texts) == 3
    return texts


def press(page: Page, i: int) -> str:
    """Press the copy button of a listing by keyboard and return what is said."""
    listing = page.locator("[data-listing]").nth(i)
    listing.locator("[data-copy]").press("Enter")
    said = listing.locator("[role=status]")
    page.wait_for_function("status => status.textContent", arg=said.element_handle())
    return said.inner_text()


def test_a_button_copies_its_listing_and_says_so(open_page: Opener) -> None:
    page = open_page()
    page.evaluate(GRANT)
    for i, text in enumerate(opened(page)):
        assert press(page, i) == "Copied"
        assert page.evaluate("window.kept") == text
        assert page.evaluate("getSelection().toString()") == ""


@pytest.mark.parametrize("refusal", REFUSALS)
def test_where_the_clipboard_is_refused_the_listing_is_selected_and_that_is_said(
    open_page: Opener, refusal: str
) -> None:
    page = open_page()
    page.evaluate(REFUSALS[refusal])
    for i, text in enumerate(opened(page)):
        assert press(page, i).startswith("Selected: press Ctrl+C")
        assert page.evaluate("getSelection().toString()").strip() == text


def test_the_real_clipboard_gets_the_listing_or_the_page_says_that_it_did_not(
    open_page: Opener,
) -> None:
    page = open_page()
    opened(page)
    assert press(page, 0) in ("Copied", "Selected: press Ctrl+C, or ⌘C on a Mac")


@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_moves_when_a_button_says_what_it_did(open_page: Opener, width: int) -> None:
    page = open_page(width=width)
    page.evaluate(REFUSALS["denied"])
    opened(page)
    heads = page.locator(".listing-head")
    before = [head.bounding_box() for head in heads.all()]
    for i in range(heads.count()):
        page.evaluate("scrollTo(0, 0)")
        press(page, i)
    page.evaluate("scrollTo(0, 0)")
    assert [head.bounding_box() for head in heads.all()] == before
    for said in page.locator(".copy-said").all():
        box, button = said.bounding_box(), said.locator("~ button").bounding_box()
        assert box is not None
        assert button is not None
        assert box["x"] + box["width"] <= button["x"]
        assert said.evaluate("e => e.scrollHeight <= e.clientHeight")


def test_without_script_there_is_no_button_and_the_listing_can_be_read(open_page: Opener) -> None:
    page = open_page(javascript=False)
    page.locator("details.code > summary").click()
    assert page.locator("[data-copy]").count() == 3
    for button in page.locator("[data-copy]").all():
        assert not button.is_visible()
    for code in page.locator("[data-listing] code").all():
        assert code.is_visible()
