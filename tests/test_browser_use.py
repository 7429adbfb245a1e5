"""The page in use: without script, by keyboard and mouse, by links, after Back and reload."""

import re
from collections.abc import Callable
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Page

from tests import driving
from tests import engines
from tests import oracle
from tests.conftest import SITE
from tests.conftest import Opener
from tests.driving import DEFAULT
from tests.driving import ORACLE
from tests.driving import Settings
from tests.driving import check

NOISE = "#" + "attend?%<&=#\\u0000" * 600  # 10 kB

ADDRESSES: dict[str, Settings] = {  # what is wrong shows the default, what is right is kept
    "": {},
    "#": {},
    "#attend": {},
    "#attend?": {},
    "#attend?query=999&softmax=maybe&x=<b>": {},
    "#attend?query=abc": {},
    "#attend?query=05": {},
    "#attend?query=5.0": {},
    "#attend?query=-1": {},
    "#attend?softmax": {},
    "#attend?__proto__=5&constructor=off&toString=on": {},
    "#__proto__?query=5": {},
    "#constructor": {},
    "#ATTEND?query=5": {},
    NOISE: {},
    "#attend?query=5&query=7": {"query": "5"},
    "#attend?query=999&query=7": {},
    "#attend?query=0&softmax=off": {"query": "0", "softmax": "off"},
    "#attend?query=0&softmax=off&scale=perhaps&own-value=off&%zz=%": {
        "query": "0",
        "softmax": "off",
        "own-value": "off",
    },
    "#attend%3Fquery=5": {"query": "5"},
    "#attend%3fmask=on": {"mask": "on"},
    "#attend?mask=on&" + "x" * 10_000: {"mask": "on"},
}


@pytest.fixture
def page(open_page: Opener) -> Page:
    """Open the page as most readers do."""
    return open_page()


def arrive(page: Page, figure: str, settings: Settings) -> None:
    """Wait until controls stand so: the page hears of a new address a little after it is there."""
    page.wait_for_function(
        """([id, settings]) => Object.entries(settings).every(([name, value]) => {
          const control = document.querySelector(`form[data-figure="${id}"]`).elements[name];
          const on = control.checked ? "on" : "off";
          return (control.type === "checkbox" ? on : control.value) === value;
        })""",
        arg=[figure, settings],
    )


def come_again(page: Page, way: str) -> None:
    """Reload the page, or leave it for another and go back, as the end of `way` says."""
    if way.endswith("back"):
        page.goto("about:blank")
        page.go_back()
    else:
        page.reload()


def named(address: str) -> tuple[str, Settings]:
    """Take apart an address: the figure and what it sets."""
    figure, _, query = address.partition("#")[2].partition("?")
    return figure, dict(parse_qsl(query))


# Without script


def test_without_script_the_page_shows_what_it_shows_with_script_at_the_default(
    open_page: Opener,
) -> None:
    page, bare = open_page(), open_page(javascript=False)
    for figure in driving.figures(page):
        driving.put(page, figure, {})  # the script puts every text once more
        assert driving.shown(bare, figure) == driving.shown(page, figure)
    check(bare, "attend", DEFAULT)
    check(bare, "scaling", {"d": "6"})


def test_without_script_no_control_is_shown_and_with_script_each_is(open_page: Opener) -> None:
    for javascript in (True, False):
        controls = open_page(javascript=javascript).locator(
            "form[data-figure] :is(input, select, button)"
        )
        assert controls.count() > 10
        for control in controls.all():
            assert control.is_visible() == javascript


def test_without_script_the_table_of_removals_has_the_oracles_numbers_for_every_part(
    open_page: Opener,
) -> None:
    page = open_page(javascript=False)
    rows = page.locator("tr:has(a.state)")
    removed: set[str] = set()
    for row in rows.all():
        assert row.is_visible()
        _, changed = named(row.locator("a.state").get_attribute("href") or "")
        removed |= changed.keys()
        slots = oracle.attend(DEFAULT | changed)
        unmarked = [text.strip() for text in row.locator("td").all_inner_texts()]
        assert (
            unmarked[0] == oracle.attend({**DEFAULT, "query": changed.get("query", "10")})["query"]
        ), changed
        expected = [slots[f"weight-{token}"] for token in oracle.TOKENS]
        assert unmarked[1:6] == [*expected, slots["output"]], changed
    assert removed == DEFAULT.keys()


def test_every_link_within_the_page_leads_to_an_element(open_page: Opener) -> None:
    page = open_page(javascript=False)
    lost = page.evaluate(
        """() => [...document.querySelectorAll('a[href^="#"]')]
          .map((link) => link.getAttribute("href"))
          .filter((href) => !document.getElementById(href.slice(1)))"""
    )
    assert page.locator("a.state").count() > 10
    assert lost == []


def test_without_script_a_link_brings_its_row_or_its_figure_into_view(open_page: Opener) -> None:
    page = open_page(javascript=False)
    for href in ("#attend?softmax=off", "#scaling?d=0"):
        page.locator(f'a.state[href="{href}"]').first.click()
        target = page.locator(f'[id="{href[1:]}"]')
        top = target.evaluate("element => element.getBoundingClientRect().top")
        assert 0 <= top < 400


# Controls


def test_every_control_of_every_figure_changes_its_figure_by_keyboard(page: Page) -> None:
    for figure in driving.figures(page):
        form = page.locator(f'form[data-figure="{figure}"]')
        for name, values in driving.controls(page, figure).items():
            before, texts = driving.settings(page, figure), driving.shown(page, figure)
            control = form.locator(f'[name="{name}"]').first
            control.focus()
            kind = control.get_attribute("type")
            page.keyboard.press("Space" if kind == "checkbox" else "ArrowDown")
            after = driving.settings(page, figure)
            assert after[name] != before[name], (figure, name, values)
            assert after[name] in values
            assert driving.shown(page, figure) != texts, (figure, name)
            form.locator("[data-reset]").click()
            assert driving.settings(page, figure) == before, (figure, name)
            assert driving.shown(page, figure) == texts, (figure, name)


def test_keys_move_the_slider_and_keep_focus_and_cells(page: Page) -> None:
    slider = page.locator("#attend-query, form[data-figure=attend] [name=query]").first
    page.evaluate(
        """() => { window.cells = [...document.querySelectorAll("figure td, [data-slot]")]; }"""
    )
    slider.focus()
    at = 10
    for key, step in [
        *[("ArrowRight", 1)] * 5,
        ("ArrowUp", 1),
        ("ArrowLeft", -1),
        ("ArrowDown", -1),
    ]:
        at += step
        page.keyboard.press(key)
        check(page, "attend", {"query": str(at)})
    for key, goal in (("Home", "0"), ("End", "30")):
        page.keyboard.press(key)
        check(page, "attend", {"query": goal})
    for key in ("PageDown", "PageUp"):
        before = int(driving.settings(page, "attend")["query"])
        page.keyboard.press(key)
        now = int(driving.settings(page, "attend")["query"])
        assert (now > before) == (key == "PageUp")
        assert now != before
        check(page, "attend")
    assert slider.evaluate("element => element === document.activeElement")
    assert page.evaluate(
        """() => {
          const now = [...document.querySelectorAll("figure td, [data-slot]")];
          return now.length === window.cells.length
            && now.every((cell, i) => cell === window.cells[i]);
        }"""
    )


def test_space_switches_each_part_and_focus_stays_on_it(page: Page) -> None:
    expected = dict(DEFAULT)
    for name, (_, other) in oracle.SWITCHES.items():
        box = page.locator(f'form[data-figure="attend"] [name="{name}"]')
        box.focus()
        page.keyboard.press("Space")
        expected[name] = other
        check(page, "attend", expected)
        assert box.evaluate("element => element === document.activeElement")


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_reset_returns_to_the_default_and_says_it(page: Page, way: str) -> None:
    driving.put(page, "attend", {"query": "0", "softmax": "off", "mask": "on"})
    reset = page.locator("figure:has(form[data-figure=attend]) [data-reset]")
    if way == "mouse":
        reset.click()
    else:
        reset.press("Enter")
    check(page, "attend", DEFAULT)
    assert driving.address(page).partition("#")[2] in ("", "attend")
    assert (
        page.locator("#attend [data-live]").inner_text() == driving.shown(page, "attend")["verdict"]
    )


def test_dragging_with_the_mouse_moves_the_numbers_and_speaks_once_at_the_end(page: Page) -> None:
    slider = page.locator("form[data-figure=attend] [name=query]")
    slider.scroll_into_view_if_needed()
    page.evaluate(
        """() => {
          window.said = [];
          const live = document.querySelector("#attend [data-live]");
          new MutationObserver(() => window.said.push(live.textContent))
            .observe(live, { childList: true, characterData: true, subtree: true });
        }"""
    )
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 8 + (box["width"] - 16) / 3, middle)
    page.mouse.down()
    seen = set()
    for part in (0.4, 0.5, 0.6, 0.7, 0.8):
        page.mouse.move(box["x"] + box["width"] * part, middle)
        check(page, "attend")
        seen.add(driving.settings(page, "attend")["query"])
    assert len(seen) == 5
    assert page.evaluate("window.said") == []
    assert "#" not in driving.address(page)
    page.mouse.up()
    check(page, "attend", {"query": "24"})
    assert page.evaluate("window.said") == [driving.shown(page, "attend")["verdict"]]
    assert driving.address(page).endswith("#attend?query=24")


def test_the_live_region_is_polite_and_no_number_stands_in_it_or_in_another(page: Page) -> None:
    for figure in driving.figures(page):
        live = page.locator(
            f"figure:has(form[data-figure={figure}]) :is([aria-live], [role=status])"
        )
        assert live.count() == 1
        assert live.get_attribute("role") == "status"
        assert live.locator("[data-slot]").count() == 0
        assert live.inner_text() == ""


# Addresses


@pytest.mark.parametrize("address", ADDRESSES, ids=lambda address: address[:40] or "none")
def test_an_address_keeps_what_it_gets_right(open_page: Opener, address: str) -> None:
    page = open_page(address)
    check(page, "attend", DEFAULT | ADDRESSES[address])
    check(page, "scaling", {"d": "6"})


@pytest.mark.parametrize(
    "address", ["#attend?query=999&softmax=maybe&x=<b>", "#attend?query=0&scale=perhaps&mask=on"]
)
def test_an_address_that_is_wrong_in_part_becomes_that_of_what_is_shown(
    open_page: Opener, address: str
) -> None:
    page = open_page(address)
    right = {"query": "0", "mask": "on"} if "mask" in address else {}
    assert named(page.evaluate("location.href")) == ("attend", right)
    length = page.evaluate("history.length")
    page.evaluate("() => { location.hash = 'scaling?d=99'; }")
    page.wait_for_url("**#scaling")
    assert page.evaluate("history.length") == length + 1


def test_an_address_that_names_no_figure_stays_as_it_is(open_page: Opener) -> None:
    page = open_page("#ATTEND?query=5")
    page.evaluate("() => { location.hash = 'why'; }")
    page.wait_for_url("**#why")
    page.go_back()
    page.wait_for_url(lambda url: url.endswith("#ATTEND?query=5"))


def test_a_changed_address_keeps_what_it_gets_right(page: Page) -> None:
    for address, settings in ADDRESSES.items():
        if not address.startswith(("#attend?", "#attend%")):
            continue
        page.evaluate(
            """(hash) => new Promise((resolve) => {
              if (hash === location.hash) return resolve();
              addEventListener("hashchange", resolve, { once: true });
              location.hash = hash;
            })""",
            address,
        )
        check(page, "attend", DEFAULT | settings)


def test_every_link_to_a_state_shows_it_and_leaves_other_figures_alone(page: Page) -> None:
    figures = driving.figures(page)
    usual = {figure: driving.settings(page, figure) for figure in figures}
    # Every other figure stands away from its default, so that a link could do harm.
    moved = {
        figure: dict(zip(values, [v[-1] for v in values.values()], strict=True))
        for figure in figures
        for values in [driving.controls(page, figure)]
    }
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    links = page.locator("a.state")
    assert links.count() > 10
    for i in range(links.count()):
        link = links.nth(i)
        href = link.get_attribute("href") or ""
        target, changed = named(href)
        for figure in figures:
            driving.put(page, figure, moved[figure])
        texts = {figure: driving.shown(page, figure) for figure in figures}
        page.evaluate("() => history.replaceState(null, '', '#')")
        link.click()
        arrive(page, target, usual[target] | changed)
        if target in ORACLE:
            check(page, target, usual[target] | changed)
        for figure in figures:
            if figure != target:
                assert driving.shown(page, figure) == texts[figure], (href, figure)
        holder = page.locator(f"figure:has(form[data-figure={target}])")
        assert holder.evaluate("element => element.contains(document.activeElement)"), href
        assert -1 <= holder.evaluate("element => element.getBoundingClientRect().top") < 400, href


def test_the_address_is_written_on_change_with_what_differs_and_without_history(
    page: Page,
) -> None:
    length = page.evaluate("history.length")
    driving.put(page, "attend", {"query": "3", "softmax": "off"})
    assert "#" not in driving.address(page)
    slider = page.locator("form[data-figure=attend] [name=query]")
    slider.focus()
    page.keyboard.press("ArrowRight")
    figure, changed = named(driving.address(page))
    assert (figure, changed) == ("attend", {"query": "4", "softmax": "off"})
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    assert named(driving.address(page)) == ("attend", {"softmax": "off"})
    page.locator("form[data-figure=attend] [name=softmax]").check()
    assert driving.address(page).partition("#")[2] in ("", "attend")
    assert page.evaluate("history.length") == length


def follow(page: Page, href: str) -> None:
    """Click the first link to a state and wait until the address says so."""
    page.locator(f'a.state[href="{href}"]:visible').first.click()
    page.wait_for_url(lambda url: url.endswith(href))


def test_nothing_is_said_of_a_state_that_was_left_by_going_back(page: Page) -> None:
    follow(page, "#attend?softmax=off")
    arrive(page, "attend", DEFAULT | {"softmax": "off"})
    said = page.locator("#attend [data-live]")
    assert "80%" in said.inner_text()
    page.go_back()
    arrive(page, "attend", DEFAULT)
    assert said.text_content() == ""


def test_back_from_a_link_leads_to_the_place_where_it_stood(page: Page) -> None:
    page.locator("form[data-figure=attend] [name=query]").press("ArrowLeft")  # is in the address
    link = page.locator('#practice a.state[href="#trained?word=wide"]:visible').first
    link.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    link.click()
    arrive(page, "trained", {"word": "wide"})
    page.go_back()
    arrive(page, "trained", {"word": "tired"})
    page.wait_for_timeout(200)
    assert named(driving.address(page)) == ("attend", {"query": "9"})
    assert abs(page.evaluate("scrollY") - place) < 2


def test_back_and_forward_between_links_agree_with_the_numbers(page: Page) -> None:
    one, both = DEFAULT | {"softmax": "off"}, DEFAULT | {"query": "0", "softmax": "off"}
    follow(page, "#attend?softmax=off")
    arrive(page, "attend", one)
    follow(page, "#attend?query=0&softmax=off")
    arrive(page, "attend", both)
    check(page, "attend", both)
    page.go_back()
    arrive(page, "attend", one)
    check(page, "attend", one)
    page.go_forward()
    arrive(page, "attend", both)
    check(page, "attend", both)


# Firefox only reloads: Playwright waits for ever for a page that it brings Back from its cache.
@pytest.mark.parametrize("way", ["chromium reload", "chromium back", "firefox reload"])
def test_controls_and_numbers_agree_after_reload_and_after_leaving_and_back(
    open_page: Opener, way: str
) -> None:
    page = open_page(engine="firefox" if way == "firefox reload" else "chromium")
    page.locator("form[data-figure=scaling] [name=d]").press("ArrowLeft")
    page.locator("form[data-figure=attend] [name=mask]").check()
    page.locator("form[data-figure=attend] [name=query]").press("ArrowRight")
    check(page, "attend", DEFAULT | {"mask": "on", "query": "11"})
    come_again(page, way)
    check(page, "attend", DEFAULT | {"mask": "on", "query": "11"})
    check(page, "scaling")


# Firefox only reloads, as above.
@pytest.mark.parametrize("way", ["chromium reload", "chromium back", "firefox reload"])
def test_every_figure_stands_as_it_did_after_reload_and_after_leaving_and_back(
    open_page: Opener, way: str
) -> None:
    page = open_page(engine="firefox" if way == "firefox reload" else "chromium")
    page.locator("form[data-figure=scaling] [name=d]").press("ArrowLeft")
    page.locator("form[data-figure=matrices] [name=mask][value=causal]").check()
    page.locator("form[data-figure=trained] [name=head]").select_option("L5H1")
    page.locator("form[data-figure=attend] [name=mask]").check()
    figures = driving.figures(page)
    stood = [(driving.settings(page, id), driving.shown(page, id)) for id in figures]
    come_again(page, way)
    assert [(driving.settings(page, id), driving.shown(page, id)) for id in figures] == stood
    assert named(driving.address(page)) == ("attend", {"mask": "on"})


@pytest.mark.parametrize("name", ["__proto__", "toString", "constructor?a=1", "nope?x=1"])
def test_an_address_that_names_something_else_than_a_figure_stays(
    open_page: Opener, name: str
) -> None:
    page = open_page(f"#{name}")
    check(page, "attend", DEFAULT)
    follow(page, "#scaling?d=0")
    arrive(page, "scaling", {"d": "0"})
    page.go_back()
    arrive(page, "scaling", {"d": "6"})
    assert driving.address(page).partition("#")[2] == name


def test_back_and_forward_bring_back_how_every_figure_stood(page: Page) -> None:
    page.locator("form[data-figure=matrices] [name=mask][value=causal]").check()
    page.evaluate("() => { location.hash = '#what'; }")  # an entry of its own
    follow(page, "#attend?softmax=off")
    arrive(page, "attend", {"softmax": "off"})
    follow(page, "#scaling?d=0")
    arrive(page, "scaling", {"d": "0"})
    check(page, "attend", DEFAULT | {"softmax": "off"})
    page.go_back()
    arrive(page, "scaling", {"d": "6"})
    check(page, "attend", DEFAULT | {"softmax": "off"})
    page.go_back()
    arrive(page, "attend", {"softmax": "on"})
    check(page, "scaling", {"d": "6"})
    assert driving.settings(page, "matrices")["mask"] == "causal"
    for _ in range(2):
        page.go_forward()
    arrive(page, "scaling", {"d": "0"})
    check(page, "attend", DEFAULT | {"softmax": "off"})
    page.reload()
    check(page, "attend", DEFAULT | {"softmax": "off"})
    check(page, "scaling", {"d": "0"})


def test_back_to_the_page_as_it_opened_shows_it_so(page: Page) -> None:
    follow(page, "#attend?softmax=off")
    arrive(page, "attend", {"softmax": "off"})
    page.go_back()
    arrive(page, "attend", {"softmax": "on"})
    check(page, "attend", DEFAULT)
    assert "#" not in driving.address(page)


# Browsers keep how a form stood at last, and fire no event. The history knows what was settled.
@pytest.mark.parametrize("way", ["chromium back", "firefox reload"])
def test_numbers_follow_controls_that_the_browser_puts_back_by_itself(
    open_page: Opener, way: str
) -> None:
    page = open_page(engine="firefox" if way == "firefox reload" else "chromium")
    page.locator("form[data-figure=scaling] [name=d]").press("ArrowLeft")
    # The address is of another figure.
    page.locator("form[data-figure=trained] [name=head]").select_option("L5H1")
    driving.put(page, "attend", {"softmax": "off"})
    come_again(page, way)
    check(page, "scaling", {"d": "5"})
    check(page, "attend", DEFAULT | {"softmax": "off"})


# Other people's pages


def test_a_page_that_a_translator_wrapped_still_updates(page: Page) -> None:
    page.evaluate(
        """() => {
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const nodes = [];
          while (walker.nextNode()) nodes.push(walker.currentNode);
          for (const node of nodes) {
            const parent = node.parentElement;
            if (parent.closest("script, style, svg, math") || !node.data.trim()) continue;
            const [outer, inner] = [document.createElement("font"), document.createElement("font")];
            outer.append(inner);
            inner.textContent = node.data; // in a new node: the old one is lost
            node.replaceWith(outer);
          }
        }"""
    )
    assert page.locator("[data-slot] font").count() > 20
    for settings in oracle.ATTEND_SETTINGS[::97]:
        driving.put(page, "attend", settings)
        check(page, "attend", settings)
    for settings in oracle.SCALING_SETTINGS:
        driving.put(page, "scaling", settings)
        check(page, "scaling", settings)


def test_numbers_that_change_are_kept_from_translation(page: Page) -> None:
    unmarked = page.evaluate(
        """() => [...document.querySelectorAll("figure [data-slot]")]
          .filter((element) => /^[(]?−?\\d/.test(element.textContent)
            && !element.closest('[translate="no"]'))
          .map((element) => element.dataset.slot)"""
    )
    assert unmarked == []


@pytest.fixture
def break_figure(
    chromium: Browser, tmp_path: Path
) -> Iterator[Callable[[str], tuple[Page, list[str]]]]:
    """Return a function that opens a copy of the page in which one figure has lost its states."""
    contexts = []

    def opened(figure: str) -> tuple[Page, list[str]]:
        html = SITE.read_text(encoding="utf-8")
        broken, count = re.subn(
            rf'(<script type="application/json" id="{figure}-states">).*?(</script>)',
            r"\1\2",
            html,
            flags=re.DOTALL,
        )
        assert count == 1
        copy = tmp_path / f"{figure}.html"
        copy.write_text(broken, encoding="utf-8")
        context = chromium.new_context()
        contexts.append(context)
        heard = engines.listen(context, copy.as_uri())
        page = context.new_page()
        page.goto(copy.as_uri())
        return page, heard

    yield opened
    for context in contexts:
        context.close()


def test_a_broken_figure_is_named_in_the_console_and_does_not_stop_another(
    break_figure: Callable[[str], tuple[Page, list[str]]], page: Page
) -> None:
    for broken in driving.figures(page):
        hurt, heard = break_figure(broken)
        assert [line for line in heard if not line.startswith("error:")] == []
        driving.put(hurt, broken, {})
        hurt.evaluate("() => new Promise((resolve) => setTimeout(resolve))")
        assert heard, broken
        for line in heard:
            assert line.startswith(f"error: figure {broken}:"), line
        told = len(heard)
        for figure, states in {
            "attend": oracle.ATTEND_SETTINGS[::311],
            "scaling": oracle.SCALING_SETTINGS,
        }.items():
            if figure != broken:
                for settings in states:
                    driving.put(hurt, figure, settings)
                    check(hurt, figure, settings)
        assert len(heard) == told, "the others say nothing"
