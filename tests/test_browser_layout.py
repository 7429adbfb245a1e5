"""How the page looks: nothing moves or overflows, every text can be read, paper has it all."""

import re
import shutil
import subprocess
import unicodedata
from collections.abc import Callable
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # no stubs
from playwright.sync_api import Browser
from playwright.sync_api import Page

from tests import driving
from tests import oracle
from tests.conftest import SITE
from tests.conftest import Opener
from tests.conftest import missing
from tests.driving import Settings
from tests.engines import Engine

# How far, in CSS pixels, any box of a figure or of what comes after it stands from where it stood
# in the first state; from the top left corner of the page.
MOVED = """(() => {
  const figure = figureOf(id);
  const inside = "input, select, button, table, th, .verdict";
  const after = figure.nextElementSibling ?? figure.parentElement.nextElementSibling;
  const boxes = [figure, after, ...figure.querySelectorAll(inside)].flatMap((element) => {
    const box = element.getBoundingClientRect();
    return [box.x + scrollX, box.y + scrollY, box.width, box.height];
  });
  window.first ??= {};
  window.first[id] ??= boxes;
  return Math.max(...boxes.map((length, i) => Math.abs(length - window.first[id][i])));
})()"""
# Texts that change and run out of the box that keeps room for them, or of their line in a table.
OUTSIDE = """[...document.querySelectorAll(".roomy > *, .line, .steady")].flatMap((box) => {
  const texts = document.createRange();
  texts.selectNodeContents(box);
  const [room, text] = [box, texts].map((place) => place.getBoundingClientRect());
  const fits = text.left >= room.left - 1 && text.right <= room.right + 1
    && text.bottom <= room.bottom + 1;
  const drawn = room.width && box.textContent.trim();
  return fits || !drawn ? [] : [[box.className, box.textContent.trim()]];
})"""
# Names under a slider, and numbers side by side in a row, that lie on one another.
OVERLAPS = """() => [
  ...document.querySelectorAll(".stops, .ladder tr, .side tr:not(.columns)"),
].flatMap((row) => {
  const boxes = [...row.children].map((part) => {
    const text = document.createRange();
    text.selectNodeContents(part);
    return [part.textContent.trim(), text.getBoundingClientRect()];
  });
  const within = (one, other, from, to) => one[from] < other[to] - 1 && other[from] < one[to] - 1;
  return boxes.flatMap(([name, box], i) => boxes.slice(i + 1)
    .filter(([, other]) => within(box, other, "left", "right"))
    .filter(([, other]) => within(box, other, "top", "bottom"))
    .map(([other]) => [name, other]));
})"""
# Words of the sentence of the trained heads that are wider than their place.
WIDER = """() => [...document.querySelectorAll(".piece .word")].filter((word) => {
  const text = document.createRange();
  text.selectNodeContents(word);
  return text.getBoundingClientRect().width > word.parentElement.getBoundingClientRect().width;
}).map((word) => word.textContent)"""
SIDEWAYS = "[document.documentElement.scrollWidth, innerWidth]"

DRAG = """async () => {
  const range = document.querySelector("form[data-figure=attend] [type=range]");
  for (const value of [12, 14, 16, 18, 19, 17, 15, 13]) {
    range.value = value;
    range.dispatchEvent(new Event("input", { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  }
}"""

# Every visible text node with its contrast. A background counts where its box is under the text's
# middle, since some texts hang outside their parent's box.
CONTRASTS = """() => {
  const channels = (color) => {
    const numbers = color.match(/-?[\\d.]+(e-?\\d+)?/g).map(Number);
    const [r, g, b, alpha = 1] = numbers;
    if (color.startsWith("color(srgb ")) return [r, g, b, alpha];
    if (/^rgba?\\(/.test(color)) return [r / 255, g / 255, b / 255, alpha];
    throw new Error(`unknown colour ${color}`);
  };
  const over = ([r, g, b, alpha], under) =>
    [r, g, b].map((x, i) => x * alpha + under[i] * (1 - alpha));
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const parent = node.parentElement;
    if (!node.data.trim() || parent.closest("script, style, noscript, .unseen")) continue;
    const style = getComputedStyle(parent);
    if (style.visibility !== "visible") continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [box] = range.getClientRects();
    if (!box || !box.width) continue;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const chain = [];
    for (let element = parent; element; element = element.parentElement) chain.unshift(element);
    let under = [1, 1, 1];
    let opacity = 1;
    for (const element of chain) {
      const own = getComputedStyle(element);
      opacity *= Number(own.opacity);
      const area = element.getBoundingClientRect();
      const holds = area.left <= x && x <= area.right && area.top <= y && y <= area.bottom;
      if (holds || element === document.documentElement) {
        under = over(channels(own.backgroundColor), under);
      }
    }
    const [r, g, b, alpha] = channels(parent.closest("svg") ? style.fill : style.color);
    if (opacity * alpha === 0) continue;
    const [light, dark] = [luminance(over([r, g, b, alpha * opacity], under)), luminance(under)]
      .sort((a, b) => b - a);
    found.push([node.data.trim(), (light + 0.05) / (dark + 0.05)]);
  }
  return found;
}"""

# Lines, and backgrounds that carry a length, with the colour that they must have. Such a background
# is a picture of one colour, whose width is a part of its box.
FORCED = """(selector) => [...document.querySelectorAll(selector)].map((bar) => {
  const box = bar.getBoundingClientRect();
  const style = getComputedStyle(bar);
  const ink = getComputedStyle(document.body).color;
  const size = [box.width, box.height];
  if (bar instanceof SVGElement) return [style.stroke, ink, ...size, style.visibility];
  const [color] = style.backgroundImage.match(/rgba?\\(.*?\\)/) ?? [style.backgroundColor];
  const [part] = style.backgroundSize.match(/^[\\d.]+(?=%)/) ?? [100];
  return [color, ink, box.width * part / 100, box.height, style.visibility];
})"""


def corners(values: dict[str, list[str]]) -> list[Settings]:
    """Pick a few settings that look unlike one another: each control at its ends, one by one."""
    usual = {name: choices[0] for name, choices in values.items()}
    return [usual] + [
        {**usual, name: choice}
        for name, choices in values.items()
        for choice in {choices[1], choices[-1]}
    ]


NOTABLE = {  # states of `attend` that look like no other
    "negative weights": {"query": "5", "softmax": "off"},
    "no weights": {"query": "0", "softmax": "off"},
    "all on one": {"query": "30", "scale": "off", "mask": "on"},
}


def looks(page: Page, figure: str) -> list[Settings]:
    """Return a few settings of a figure that look unlike one another."""
    notable = NOTABLE.values() if figure == "attend" else ()
    return [*corners(driving.controls(page, figure)), *notable]


def resized(page: Page) -> Iterator[int]:
    """Give a page one width after another, of phones and up to those of desktops."""
    for width in range(320, 1320, 20):
        page.set_viewport_size({"width": width, "height": 800})
        yield width


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_nothing_moves_in_any_state(open_page: Opener, width: int) -> None:
    page = open_page(width=width)
    for figure in driving.figures(page):
        # The bench goes through more, and adds up what Chromium calls a shift.
        states = driving.some(page, figure, 700)
        moved = driving.each(page, figure, states, MOVED)
        assert moved[0] == 0
        assert [
            (figure, state, far) for state, far in zip(states, moved, strict=True) if far > 0.5
        ] == []


@pytest.mark.parametrize("engine", ["chromium", "firefox"])
def test_nothing_moves_at_any_width(open_page: Opener, engine: Engine) -> None:
    page = open_page(engine=engine)
    for width in resized(page):
        page.evaluate("() => { window.first = {}; }")
        for figure in driving.figures(page):
            states = looks(page, figure)
            moved = driving.each(page, figure, states, MOVED)
            assert moved[0] == 0
            assert [
                (width, figure, state, far)
                for state, far in zip(states, moved, strict=True)
                if far > 0.5
            ] == []


@pytest.mark.parametrize("engine", ["chromium", "firefox"])
def test_no_text_lies_on_another_or_outgrows_its_box_at_any_width(
    open_page: Opener, engine: Engine
) -> None:
    page = open_page(engine=engine)
    for width in resized(page):
        assert page.evaluate(OVERLAPS) == [], width
        assert page.evaluate(OUTSIDE) == [], width
        assert page.evaluate(WIDER) == [], width


@pytest.mark.parametrize("width", [320, 1280])
def test_a_drag_styles_and_lays_out_only_what_changes(chromium: Browser, width: int) -> None:
    page = chromium.new_page(viewport={"width": width, "height": 800})
    page.goto(SITE.as_uri())
    page.evaluate(DRAG)  # the first time it parses the states
    session = chromium.new_browser_cdp_session()
    events: list[dict[str, Any]] = []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    categories = {"includedCategories": ["devtools.timeline"]}
    session.send("Tracing.start", {"traceConfig": categories, "transferMode": "ReportEvents"})
    page.evaluate(DRAG)
    with page.expect_event("console"):
        session.once("Tracing.tracingComplete", lambda _: page.evaluate("console.log('traced')"))
        session.send("Tracing.end")
    page.close()
    layouts = [event["args"]["beginData"] for event in events if event["name"] == "Layout"]
    assert len(layouts) >= 8
    assert [layout for layout in layouts if not layout["partialLayout"]] == []
    assert max(layout["totalObjects"] for layout in layouts) < 200
    passes = [event for event in events if event["name"] == "UpdateLayoutTree"]
    assert 0 < max(event["args"]["elementCount"] for event in passes) < 15


@pytest.mark.parametrize("width", [320, 375, 540, 1280])
def test_a_weight_stands_right_under_its_word_and_the_words_are_large(
    open_page: Opener, width: int
) -> None:
    page = open_page(width=width)
    gaps = page.evaluate(
        """() => [...document.querySelectorAll(".token")].map((token) => {
          const [word, weight] = [".word", "small"].map((part) =>
            token.querySelector(part).getBoundingClientRect());
          return weight.top - word.bottom;
        })"""
    )
    assert len(gaps) == 4
    assert [gap for gap in gaps if not -1 < gap < 5] == []
    size = "(element) => parseFloat(getComputedStyle(element).fontSize)"
    prose = page.locator("body").evaluate(size)
    assert page.locator("#attend .sentence").evaluate(size) > prose


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_a_text_that_changes_stays_in_its_box(open_page: Opener, width: int) -> None:
    page = open_page(width=width)
    for figure in driving.figures(page):
        states = driving.some(page, figure, 300)
        for state, outside in zip(states, driving.each(page, figure, states, OUTSIDE), strict=True):
            assert outside == [], (figure, state)


@pytest.mark.parametrize("media", ["screen", "print"])
@pytest.mark.parametrize("javascript", [True, False])
@pytest.mark.parametrize("width", [320, 700, 1280])
def test_no_text_runs_out_of_its_box_on_paper_or_without_script(
    open_page: Opener, width: int, javascript: bool, media: Literal["screen", "print"]
) -> None:
    page = open_page(javascript=javascript, width=width)
    page.emulate_media(media=media)
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("width", [320, 360, 390])
def test_a_phone_never_scrolls_the_page_sideways(open_page: Opener, width: int) -> None:
    page = open_page(width=width, height=700, touch=True)
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    for figure in driving.figures(page):
        states = looks(page, figure)
        for settings, sizes in zip(
            states, driving.each(page, figure, states, SIDEWAYS), strict=True
        ):
            assert sizes == [width, width], (figure, settings)


# The browser's own setting of "very large" letters.
@pytest.mark.parametrize(
    ("engine", "phone"),
    [("chromium", 320), ("firefox", 332)],  # 12 of it are Firefox's bar for scrolling
)
def test_large_letters_widen_no_phone_and_run_out_of_no_box(
    start: Callable[..., Browser], engine: Engine, phone: int
) -> None:
    page = start(engine, letters=24).new_page(viewport={"width": 1280, "height": 800})
    page.goto(SITE.as_uri())
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") > 24
    for width in (phone, 360, 390, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        sizes = page.evaluate("""() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return [scrollWidth, clientWidth];
        }""")
        assert sizes[0] == sizes[1], width
        assert page.evaluate(OUTSIDE) == [], width
        assert page.evaluate(OVERLAPS) == [], width
    page.close()


@pytest.mark.parametrize("width", [320, 1280])
def test_a_box_that_scrolls_can_be_focused_and_has_a_name(open_page: Opener, width: int) -> None:
    page = open_page(width=width)
    boxes = page.evaluate(
        """() => [...document.querySelectorAll("body *")]
          .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowX)
            && (element.scrollWidth > element.clientWidth || element.tabIndex === 0))
          .map((element) => {
            const label = document.getElementById(element.getAttribute("aria-labelledby"));
            const name = label?.textContent ?? element.getAttribute("aria-label") ?? "";
            return [element.className, element.tabIndex, element.getAttribute("role"), name.trim()];
          })"""
    )
    assert boxes
    for box in boxes:
        _, tab, role, name = box
        assert tab == 0, box
        assert role in ("region", "group"), box
        assert name, box


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_background(
    open_page: Opener, color_scheme: Literal["light", "dark"]
) -> None:
    page = open_page(color_scheme=color_scheme)
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    states = [
        (figure, settings)
        for figure in driving.figures(page)
        for settings in corners(driving.controls(page, figure))
    ]
    states += [("attend", settings) for settings in NOTABLE.values()]
    faint = set()
    for figure, settings in states:
        driving.put(page, figure, settings)
        texts: list[tuple[str, float]] = page.evaluate(CONTRASTS)
        assert len(texts) > 300
        faint |= {
            (figure, str(settings), text[:40], round(ratio, 2))
            for text, ratio in texts
            if ratio < 4.5
        }
    assert faint == set()


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_bars_stay_visible_in_forced_colours(
    open_page: Opener, color_scheme: Literal["light", "dark"]
) -> None:
    page = open_page(forced_colors=True, color_scheme=color_scheme)
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    for selector in (".bar-weight", ".column"):
        bars = page.evaluate(FORCED, selector)
        assert max(max(width, height) for _, _, width, height, _ in bars) > 40, selector
        for background, ink, *_, visibility in bars:
            assert background == ink, selector
            assert visibility == "visible"
    arcs = page.evaluate(
        """[...document.querySelectorAll(".arc .above")].map((arc) => getComputedStyle(arc))
          .map((style) => [style.borderTopColor, style.borderTopWidth, style.borderTopStyle])"""
    )
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert max(float(width.removesuffix("px")) for _, width, _ in arcs) > 6
    assert {(color, style) for color, _, style in arcs} == {(ink, "solid")}
    driving.put(page, "attend", NOTABLE["negative weights"])
    assert max(width for _, _, width, _, _ in page.evaluate(FORCED, ".bar-negative")) > 20


def test_paper_is_light(open_page: Opener) -> None:
    colours = []
    for color_scheme in ("light", "dark"):
        page = open_page(color_scheme=color_scheme)
        page.emulate_media(media="print")
        colours.append(
            page.evaluate(
                """() => [...document.querySelectorAll("body, figure, .weight, .atlas img")]
                  .map((element) => getComputedStyle(element))
                  .map((style) => [style.color, style.backgroundColor, style.filter])"""
            )
        )
    assert colours[0] == colours[1]


@pytest.mark.parametrize("media", ["screen", "print"])
def test_no_picture_leaves_its_figure_at_any_width(
    open_page: Opener, media: Literal["screen", "print"]
) -> None:
    page = open_page()
    page.emulate_media(media=media)
    for width in resized(page):
        outside = page.evaluate(
            """() => [...document.querySelectorAll("figure :is(svg, img):not(.scroll *)")]
              .filter((picture) => picture.getBoundingClientRect().right
                > picture.closest("figure").getBoundingClientRect().right)
              .map((picture) => picture.getAttribute("class"))"""
        )
        assert outside == [], width


@pytest.fixture
def poppler() -> None:
    """Do without the tests of the printed page where nothing can read it."""
    if not shutil.which("pdftotext"):
        missing("no pdftotext (Debian: apt-get install poppler-utils)")


def printed(page: Page, folder: Path) -> str:
    """Print the page to PDF and return its text, the spaces left out."""
    pdf = folder / "page.pdf"
    page.pdf(path=pdf)
    run = subprocess.run(
        ["pdftotext", "-raw", pdf, "-"], capture_output=True, check=True, encoding="utf-8"
    )
    return squeezed(run.stdout)


def squeezed(text: str) -> str:
    """Leave out spaces, and take ligatures apart: how a line breaks is the printer's business."""
    return re.sub(r"\s", "", unicodedata.normalize("NFKC", text))


@pytest.mark.usefixtures("poppler")
@pytest.mark.parametrize("javascript", [True, False])
def test_paper_has_the_four_levels_the_answers_and_the_last_sentence(
    open_page: Opener, tmp_path: Path, javascript: bool
) -> None:
    page = open_page(javascript=javascript)
    expected = [
        *page.locator(":is(#what, #how, #why, #practice) :is(h1, h2)").all_text_contents(),
        *page.locator("#summary li").all_text_contents(),
        *[text.splitlines()[1] for text in page.locator("details p").all_text_contents()],
        *page.locator("[data-slot=verdict]").all_text_contents(),
    ]
    assert len(expected) > 20
    paper = printed(page, tmp_path)
    assert [text for text in expected if squeezed(text) not in paper] == []


@pytest.mark.usefixtures("poppler")
def test_paper_shows_the_state_that_the_screen_shows(open_page: Opener, tmp_path: Path) -> None:
    page = open_page()
    expected = oracle.attend({**driving.settings(page, "attend"), "query": "7", "softmax": "off"})
    assert squeezed(expected["output"]) not in printed(page, tmp_path)
    driving.put(page, "attend", {"query": "7", "softmax": "off"})
    paper = printed(page, tmp_path)
    for slot in ("query", "output", "part-animal", "part-street"):
        assert squeezed(expected[slot]) in paper, slot


@pytest.mark.usefixtures("poppler")
def test_paper_has_no_control_that_says_nothing_and_the_choice_that_is_made(
    open_page: Opener, tmp_path: Path
) -> None:
    page = open_page()
    driving.put(page, "trained", {"removed": "own-query", "word": "wide"})
    paper = printed(page, tmp_path)
    assert squeezed("key as query") in paper
    for dead in ("Reset", "with a causal mask", "mistake: 0 after softmax", "Choose a row"):
        assert squeezed(dead) not in paper, dead


@pytest.mark.usefixtures("poppler")
@pytest.mark.parametrize("size", ["A4", "A5", "Letter"])
def test_the_maps_of_all_heads_are_not_torn_on_paper(
    open_page: Opener, tmp_path: Path, size: str
) -> None:
    pdf = tmp_path / "page.pdf"
    page = open_page()
    names = page.locator(".atlas-grid ol li").all_text_contents()
    page.pdf(path=pdf, format=size)
    run = subprocess.run(
        ["pdftotext", "-bbox", pdf, "-"], capture_output=True, check=True, encoding="utf-8"
    )
    sheets = [re.findall(r">(.*)</word>", sheet) for sheet in run.stdout.split("<page ")]
    (sheet,) = [sheet for sheet in sheets if "glance" in sheet]
    assert len(names) == 18
    assert set(names) <= set(sheet)


@pytest.mark.usefixtures("poppler")
@pytest.mark.parametrize("javascript", [True, False])
def test_no_page_of_paper_but_the_last_is_half_empty(
    open_page: Opener, tmp_path: Path, javascript: bool
) -> None:
    pdf = tmp_path / "page.pdf"
    open_page(javascript=javascript).pdf(path=pdf, format="A4")
    run = subprocess.run(
        ["pdftotext", "-bbox", pdf, "-"], capture_output=True, check=True, encoding="utf-8"
    )
    pages = run.stdout.split("<page ")[1:]
    filled = []
    for words in pages:
        height = re.search(r'height="([\d.]+)"', words)
        assert height is not None
        ends = map(float, re.findall(r'yMax="([\d.]+)"', words))
        filled.append(max(ends, default=0.0) / float(height[1]))
    assert len(filled) > 10
    assert [share for share in filled[:-1] if share < 0.55] == []


def test_questions_are_open_while_printing_and_as_they_were_afterwards(open_page: Opener) -> None:
    page = open_page()
    page.locator("details summary").first.click()
    count = page.locator("details").count()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details[open]").count() == count > 1
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details[open]").count() == 1


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_without_script_no_room_is_kept_for_controls_or_other_states(
    open_page: Opener, width: int
) -> None:
    page = open_page(javascript=False, width=width)
    spare = page.evaluate(
        """() => [...document.querySelectorAll("figure .roomy")]
          .filter((box) => box.checkVisibility())
          .map((box) => {
            const text = document.createRange();
            text.selectNodeContents(box.querySelector("p, span"));
            return box.getBoundingClientRect().height - text.getBoundingClientRect().height;
          })"""
    )
    assert len(spare) > 4
    assert max(spare) < 30  # the padding above and below
    pieces = page.locator(".pieces").bounding_box()
    verdict = page.locator("#trained .verdict").bounding_box()
    assert pieces is not None
    assert verdict is not None
    assert verdict["y"] - pieces["y"] - pieces["height"] < 40


@pytest.mark.parametrize("color_scheme", ["light", "dark"])
def test_axe_finds_no_fault(open_page: Opener, color_scheme: Literal["light", "dark"]) -> None:
    page = open_page(color_scheme=color_scheme)
    page.evaluate("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    results = Axe().run(page)
    assert [
        (fault["id"], [node["target"] for node in fault["nodes"]])
        for fault in results.response["violations"]
    ] == []


@pytest.mark.parametrize("width", [320, 1280])
def test_the_page_does_not_shift_while_it_loads_or_while_all_states_pass(
    chromium: Browser, width: int
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": 4000})
    page = context.new_page()
    page.add_init_script(
        """window.shifts = [];
        new PerformanceObserver((list) => window.shifts.push(...list.getEntries()
          .map((entry) => entry.value))).observe({ type: "layout-shift", buffered: true });"""
    )
    page.goto(SITE.as_uri())
    frame = "() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))"
    for figure in driving.figures(page):
        page.locator(f"form[data-figure={figure}]").scroll_into_view_if_needed()
        states: list[Any] = corners(driving.controls(page, figure))
        every = driving.every(page, figure)
        states += every[:: len(every) // 100 | 1]  # the bench goes through more
        for settings in [*states, *(NOTABLE.values() if figure == "attend" else [])]:
            driving.put(page, figure, settings)
            page.evaluate(frame)
    shifts = page.evaluate("window.shifts")
    context.close()
    assert shifts == []


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_number_runs_out_of_its_cell(open_page: Opener, width: int) -> None:
    # The state in which every number is drawn: those of the full version, too.
    page = open_page("#attend?mask=on", width=width)
    spilled = page.evaluate(
        """() => [...document.querySelectorAll(":is(td, th) [data-slot]")].flatMap((slot) => {
          const box = slot.closest("td, th").getBoundingClientRect();
          const text = slot.getBoundingClientRect();
          return text.width && text.left < box.left - 1 || text.right > box.right + 1
            ? [`${slot.closest("table").className}: ${slot.dataset.slot} ${slot.textContent}`]
            : [];
        })"""
    )
    assert spilled == []
