"""The page holds in WebKit, where it is unlike the other two: its widths, its Back, its anchors."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests import driving
from tests import webkit
from tests.conftest import SITE
from tests.conftest import missing
from tests.driving import DEFAULT
from tests.driving import check
from tests.webkit import WebKitPage

# How wide the page is, how high the figure, and where in it its controls stand.
SHAPE = """(() => {
  const box = figureOf(id).getBoundingClientRect();
  const places = [...figureOf(id).querySelectorAll("[name], [data-reset]")].map((control) => {
    const { left, top } = control.getBoundingClientRect();
    return [left - box.left, top - box.top].map(Math.round);
  });
  return JSON.stringify([document.documentElement.scrollWidth, box.height, places]);
})()"""


@pytest.fixture(scope="session")
def window() -> Iterator[WebKitPage]:
    """Start WebKit once."""
    path = webkit.find()
    if path is None:
        missing("no WebKit (Debian: apt-get install webkit2gtk-driver xvfb)")
    with webkit.launch(path) as started:
        yield started


@pytest.fixture
def page(window: WebKitPage) -> WebKitPage:
    """Open the page as built."""
    window.open(SITE.as_uri())
    return window


def top(page: WebKitPage) -> float:
    """Return how far under the top of the window the first figure begins, in CSS pixels."""
    place: float = page.evaluate(
        "() => document.getElementById('attend').getBoundingClientRect().top"
    )
    return place


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_state_widens_the_page_or_moves_a_control(
    window: WebKitPage, tmp_path: Path, width: int
) -> None:
    window.open_in_frame(SITE.as_uri(), tmp_path / "host.html", width)
    assert window.evaluate("() => innerWidth") == width
    for figure in driving.figures(window):
        shapes = driving.each(window, figure, driving.some(window, figure, 120), SHAPE)
        assert len(set(shapes)) == 1, figure
        assert shapes[0].startswith(f"[{width},"), figure


def test_keys_move_the_query_and_all_numbers(page: WebKitPage) -> None:
    query = page.driver.find_element(By.CSS_SELECTOR, "form[data-figure=attend] [name=query]")
    for key, stop in [
        (Keys.ARROW_RIGHT, "11"),
        (Keys.ARROW_LEFT, "10"),
        (Keys.HOME, "0"),
        (Keys.END, "30"),
    ]:
        query.send_keys(key)
        check(page, "attend", DEFAULT | {"query": stop})
    softmax = page.driver.find_element(By.CSS_SELECTOR, "form[data-figure=attend] [name=softmax]")
    softmax.send_keys(Keys.SPACE)
    check(page, "attend", DEFAULT | {"query": "30", "softmax": "off"})
    assert driving.address(page).endswith("#attend?query=30&softmax=off")


def test_controls_and_numbers_agree_after_leaving_and_back_and_after_reload(
    page: WebKitPage,
) -> None:
    query = page.driver.find_element(By.CSS_SELECTOR, "form[data-figure=attend] [name=query]")
    query.send_keys(Keys.ARROW_RIGHT)
    page.driver.get("about:blank")
    page.back()
    check(page, "attend", DEFAULT | {"query": "11"})
    page.driver.refresh()
    page.settle()
    check(page, "attend", DEFAULT | {"query": "11"})


# The table of removals has a row of that id, for readers without script: WebKit would go there.
def test_an_address_leads_to_the_figure(window: WebKitPage) -> None:
    window.open(f"{SITE.as_uri()}#attend?softmax=off")
    check(window, "attend", DEFAULT | {"softmax": "off"})
    assert 0 <= top(window) < 100


def test_a_link_sets_a_state_and_back_returns_to_its_place(page: WebKitPage) -> None:
    link = next(
        link
        for link in page.driver.find_elements(By.CSS_SELECTOR, 'a[href="#attend?softmax=off"]')
        if link.is_displayed()
    )
    page.evaluate("(link) => link.scrollIntoView({ block: 'center' })", link)
    place = page.evaluate("() => scrollY")
    link.click()
    page.settle()
    check(page, "attend", DEFAULT | {"softmax": "off"})
    assert 0 <= top(page) < 100
    page.back()
    check(page, "attend", DEFAULT)
    assert abs(page.evaluate("() => scrollY") - place) < 2
