"""The page in use: every state, addresses, keys, reload, no script, small screens."""

import itertools
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # no stubs

from attention.page import page as built_page
from tests.conftest import Opener

# Sets controls as a reader would leave them, sends `input`, and reads slots and boxes.
READ = """([id, settings]) => {
  const form = document.querySelector(`form[data-figure="${id}"]`);
  const figure = form.closest("figure");
  const boxes = [figure, ...figure.querySelectorAll("input, table, .verdict")];
  return settings.map((setting) => {
    for (const [name, value] of Object.entries(setting)) {
      const control = form.elements[name];
      if (control.type === "checkbox") control.checked = value === "on";
      else control.value = value;
    }
    form.elements[0].dispatchEvent(new Event("input", { bubbles: true }));
    const slots = [...figure.querySelectorAll("[data-slot]")];
    return {
      texts: slots.map((slot) => [slot.dataset.slot, slot.textContent]),
      sideways: document.documentElement.scrollWidth > innerWidth,
      boxes: boxes.map((box) => {
        const at = box.getBoundingClientRect();
        return [at.x, at.y + scrollY, at.width, at.height].map((x) => Math.round(x)).join();
      }).join(";"),
    };
  });
}"""
FIGURES = built_page().figures


def all_settings(figure: Any) -> list[dict[str, str]]:
    """List every combination of a figure's controls."""
    names = [control.name for control in figure.controls]
    values = itertools.product(*(control.values for control in figure.controls))
    return [dict(zip(names, row, strict=True)) for row in values]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_every_place_shows_its_text_in_every_state(open_page: Opener, figure: Any) -> None:
    settings = all_settings(figure)
    found = open_page().evaluate(READ, [figure.id, settings])
    for setting, seen in zip(settings, found, strict=True):
        state = figure.at("&".join(f"{name}={value}" for name, value in setting.items()))
        assert [(slot, text) for slot, text in seen["texts"] if text != state[slot]] == []


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_nothing_moves_and_nothing_scrolls_sideways(
    open_page: Opener, figure: Any, width: int
) -> None:
    settings = all_settings(figure)
    found = open_page(width=width).evaluate(
        READ, [figure.id, settings[:: len(settings) // 250 + 1]]
    )
    assert not any(seen["sideways"] for seen in found)
    assert len({seen["boxes"] for seen in found}) == 1


def test_without_script_every_figure_shows_its_default(open_page: Opener) -> None:
    page = open_page(javascript=False)
    for figure in FIGURES:
        for slot in page.locator(f"#{figure.id} [data-slot]").all():
            assert slot.text_content() == figure["default"][slot.get_attribute("data-slot") or ""]
        assert not page.locator(f"#{figure.id} input").first.is_visible()


@pytest.mark.parametrize(
    ("address", "settings"),
    [
        ("#attend?query=0&softmax=off", "query=0&softmax=off"),
        ("#attend?query=999&softmax=maybe&x=<b>", ""),
        ("#attend?query=abc&mask=on", "mask=on"),
        ("#attend?query=05", ""),
        ("#attend?query=1e1", ""),
        ("#attend?query=20&query=0", "query=20"),
        ("#attend%3Fquery=20", "query=20"),
        ("#attend?query=%ZZ&scale=off", "scale=off"),
        ("#attend?__proto__=1&constructor=2", ""),
        ("#" + "noise&=?#" * 1200, ""),
        ("#", ""),
        ("#attend", ""),
    ],
    ids=lambda value: value[:30],
)
def test_an_address_sets_what_it_gets_right(open_page: Opener, address: str, settings: str) -> None:
    page = open_page(address)
    state = FIGURES[0].at(settings)
    for slot in page.locator("#attend [data-slot]").all():
        assert slot.text_content() == state[slot.get_attribute("data-slot") or ""]
    for name, value in state.settings.items():
        control = page.locator(f"#attend [name='{name}']")
        held = control.input_value() if name == "query" else ("off", "on")[control.is_checked()]
        assert held == value


def test_keys_move_the_query_and_keep_the_focus(open_page: Opener) -> None:
    page = open_page()
    slider = page.locator("#attend-query")
    slider.focus()
    cell = page.locator("#attend td [data-slot='weight-animal']").element_handle()
    for key, stop in (("ArrowRight", 11), ("End", 30), ("Home", 0)):
        page.keyboard.press(key)
        query = FIGURES[0].at(f"query={stop}")["query"]
        assert page.locator("#attend [data-slot=query]").text_content() == query
        assert query in (slider.get_attribute("aria-valuetext") or "")
        assert slider.evaluate("(e) => e === document.activeElement")
        assert page.evaluate("location.hash") == f"#attend?query={stop}"
    assert cell.evaluate("(e) => e.isConnected")
    assert page.evaluate("history.length") <= 2


def test_a_change_is_written_and_said_when_it_is_committed(open_page: Opener) -> None:
    page = open_page()
    live = page.locator("#attend [data-live]")
    page.locator("#attend [name=softmax]").uncheck()
    assert page.evaluate("location.hash") == "#attend?softmax=off"
    said = live.text_content()
    assert said == page.locator("#attend [data-slot=verdict]").text_content()
    page.locator("#attend-query").evaluate(
        "(e) => { e.value = '0'; e.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    assert live.text_content() == said
    page.locator("#attend [data-reset]").click()
    assert page.evaluate("location.hash") == "#attend"
    assert page.locator("#attend [name=softmax]").is_checked()
    assert page.locator("#attend-query").input_value() == "10"


def test_a_link_sets_one_figure_and_back_returns(open_page: Opener) -> None:
    page = open_page()
    page.locator("#scaling-d").evaluate(
        "(e) => { e.value = '3'; e.dispatchEvent(new Event('input', {bubbles: true})); }"
    )
    weight = page.locator("#attend td [data-slot='weight-animal']")
    page.locator("p a[href='#attend?own-query=off']").first.click()
    page.wait_for_function("!document.querySelector('#attend [name=own-query]').checked")
    assert weight.text_content() == "0.313"
    page.locator("p a[href='#attend?query=20']").first.click()
    page.wait_for_function("document.querySelector('#attend-query').value === '20'")
    assert weight.text_content() == "0.048"
    page.go_back()
    page.wait_for_function("!document.querySelector('#attend [name=own-query]').checked")
    assert weight.text_content() == "0.313"
    assert page.locator("#scaling-d").input_value() == "3"


@pytest.mark.parametrize("engine", ["chromium", "firefox"])
def test_after_a_reload_controls_and_numbers_agree(open_page: Opener, engine: Any) -> None:
    page = open_page(engine=engine)
    page.locator("#attend [name=softmax]").uncheck()
    page.locator("#attend-query").focus()
    page.keyboard.press("Home")
    page.reload()
    page.wait_for_function("!document.querySelector('#attend [name=softmax]').checked")
    assert page.locator("#attend-query").input_value() == "0"
    output = page.locator("#attend td [data-slot=output]").text_content()
    assert output == "no weights: the scores add to 0"


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_axe_finds_no_fault(open_page: Opener, color_scheme: Any) -> None:
    page = open_page("#attend?softmax=off&query=5", color_scheme=color_scheme)
    results = Axe().run(page)
    assert results.violations_count == 0, results.generate_report()
