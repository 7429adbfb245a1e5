"""Every state of the figures in Chromium: texts, verdicts and bars agree with plain Python."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests import driving
from tests import oracle
from tests.conftest import Opener
from tests.driving import Settings

NAMES = ("the animal", "the street", "“it”", "“tired”")
# The lengths that stand in the page for one token, as properties or attributes, and the texts that
# only a screen reader gets.
BARS = """oracleTokens.map((token) =>
  [...figureOf(id).querySelectorAll(["length", "x2", "r"].map((kind) =>
    `[data-${kind}$="-${token}"]`).join())].map((element) =>
      ["weight", "negative", "over", "under", "full"].map((length) => {
        const drawn = ["x2", "r"].find((name) => element.dataset[name] === `${length}-${token}`);
        return drawn ? element.getAttribute(drawn) : element.style.getPropertyValue(`--${length}`);
      })))""".replace("oracleTokens", str(list(oracle.TOKENS)))
SPOKEN = """[...figureOf(id).querySelectorAll("[data-slot]")].map((element) =>
  [element.textContent, element.getAttribute("role"), element.getAttribute("aria-label")])
  .filter(([text, role, label]) => /^[−–∞]+$/.test(text) || role || label)"""
ALL_TEXTS = """[
  ...[...figureOf(id).querySelectorAll("[data-slot]")].map((element) => element.textContent),
  ...["aria-label", "aria-valuetext", "title"].flatMap((name) =>
    [...figureOf(id).querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name))),
]"""
FAULTS = {
    "no number": re.compile(r"(?<![^\W_])(nan|inf|undefined|null)(?![^\W_])", re.IGNORECASE),
    "minus zero": re.compile(r"[-−]0(\.0+)?(?![\d.])"),
    "hyphen for minus": re.compile(r"(?<!\w)-[\d.∞]"),
}


@pytest.fixture
def page(open_page: Opener) -> Page:
    """Open the page as most readers do."""
    return open_page()


@pytest.mark.parametrize(
    ("figure", "states", "calculate"),
    [
        ("attend", oracle.ATTEND_SETTINGS, oracle.attend),
        ("scaling", oracle.SCALING_SETTINGS, oracle.scaling),
    ],
)
def test_every_slot_in_every_state_is_what_plain_python_calculates(
    page: Page,
    figure: str,
    states: list[Settings],
    calculate: Callable[[Settings], dict[str, str]],
) -> None:
    slots = list(calculate(states[0]))
    wrong = []
    for settings, shown in zip(
        states, driving.each(page, figure, states, f"texts(id, {slots})"), strict=True
    ):
        expected = calculate(settings)
        wrong += [
            (settings, slot, shown[slot], expected[slot])
            for slot in slots
            if shown[slot] != expected[slot]
        ]
    assert wrong == []


def listed(words: list[str]) -> str:
    """Join words as a sentence does."""
    return " and ".join(words) if len(words) < 3 else f"{', '.join(words[:-1])} and {words[-1]}"


def claim(settings: Settings) -> tuple[str, str]:
    """Derive what the verdict of `attend` must claim: how it begins, and what may follow."""
    row = oracle.weights(settings)
    if row is None:
        return "No weights: the scores add to 0", ", and nothing can be divided by 0."
    top = max(row)
    first = row.index(top)
    below = [j for j in range(4) if row[j] < 0]
    if below:
        many = len(below) > 1
        words = listed([NAMES[j] for j in below]) + (" get the" if many else " gets the")
        words += " negative weights " if many else " negative weight "
        words += listed([oracle.shown(row[j], 3) for j in below])
        if top > 1:
            words += f", and {NAMES[first]} more than the whole, {oracle.shown(top, 3)}"
        return words[0].upper() + words[1:], ": this is no average."
    tied = [j for j in range(4) if top - row[j] < 1e-9]
    shown = oracle.shown(top, 3)
    if len(tied) == oracle.visible(settings):
        return f"Every visible token gets the same weight, {shown}", ": “it” cannot choose."
    if len(tied) > 1:
        names = listed([NAMES[j] for j in tied])
        aside = ""
        full = oracle.full_weights(settings)
        same = len({round(full[j], 9) for j in tied}) == 1 and abs(full[first] - top) > 1e-9
        if same and settings["own-query"] == "on":
            aside = f" ({restored(settings)}, {oracle.shown(full[first], 3)})"
        return (
            f"A tie: {names} get {shown} each{aside}",
            ", and “it” cannot tell which it stands for.",
        )
    if top >= 0.95:
        return f"Nearly all the weight, {shown}, is on {NAMES[first]}", why(settings, row)
    passed = "value" if settings["own-value"] == "on" else "key"
    share = f"{oracle.shown(100 * top, 0)}%"
    return f"“it” carries {share} of {NAMES[first]}’s {passed}", why(settings, row)


def restored(settings: Settings) -> str:
    """Derive what the verdict must call the full version."""
    if settings["mask"] == "off":
        return "with nothing removed"
    others = {settings[name] for name in oracle.SWITCHES if name not in ("mask", "own-value")}
    return "without the mask" if others == {"on"} else "with nothing removed and no mask"


def why(settings: Settings, row: list[float]) -> str:
    """Derive the reason that the verdict gives for the largest weight."""
    if settings["own-value"] == "off":
        return (
            ": keys are passed on, and a key says animate or place, not which token it came from."
        )
    first = row.index(max(row))
    full = oracle.full_weights(settings)
    if abs(full[first] - row[first]) >= 1e-9:
        share = f"{oracle.shown(100 * full[first], 0)}%"
        if max(row) >= 0.95:
            share = oracle.shown(full[first], 3)
        return f": {restored(settings)} it would be {share}."
    own = settings["own-query"] == "on"
    query = oracle.query(int(settings["query"])) if own else oracle.KEYS[2]
    products = [q * k for q, k in zip(query, oracle.KEYS[first], strict=True)]
    if max(products) <= 0:
        return ": no other token matches its query better."
    wish = ("something animate", "a place")[products.index(max(products))]
    asks = "asks above all for" if min(query) > 0 else "asks for"
    return f": its query {asks} {wish}, and {NAMES[first]}’s key offers it."


def test_the_verdict_of_attend_claims_what_the_numbers_show_in_every_state(page: Page) -> None:
    states = oracle.ATTEND_SETTINGS
    shown = driving.each(page, "attend", states, 'texts(id, ["verdict"]).verdict')
    wrong = [
        (settings, sentence, expected)
        for settings, sentence in zip(states, shown, strict=True)
        if sentence != (expected := "".join(claim(settings)))
    ]
    assert wrong == []


def test_a_verdict_never_compares_two_shares_that_are_printed_alike(page: Page) -> None:
    shown = driving.each(page, "attend", oracle.ATTEND_SETTINGS, 'texts(id, ["verdict"]).verdict')
    assert [s for s in set(shown) if re.search(r"(\b\d+%).*would be \1", s)] == []


def test_the_verdict_of_scaling_names_the_weights_of_both_sides_in_every_state(page: Page) -> None:
    states = oracle.SCALING_SETTINGS
    read = 'texts(id, ["verdict"]).verdict'
    for settings, sentence in zip(states, driving.each(page, "scaling", states, read), strict=True):
        slots = oracle.scaling(settings)
        undivided, divided = slots["undivided-weight-0"], slots["divided-weight-0"]
        top = float(undivided)
        rest = oracle.shown(1 - top, 3)
        numbers = {
            "nothing to undo": [undivided],
            "nearly all": [undivided, divided],
            "grows": [undivided, rest, divided],
        }
        claimed = (
            "nothing to undo" if settings["d"] == "0" else "nearly all" if top >= 0.95 else "grows"
        )
        assert [words for words in numbers if words in sentence] == [claimed], settings
        assert re.findall(r"\d\.\d+", sentence) == numbers[claimed], settings


def test_bars_arcs_and_shades_have_the_length_of_the_weight_in_every_state(page: Page) -> None:
    states = oracle.ATTEND_SETTINGS
    for settings, tokens in zip(states, driving.each(page, "attend", states, BARS), strict=True):
        row = oracle.weights(settings) or [0.0] * 4
        full = oracle.full_weights(settings)
        for j, elements in enumerate(tokens):
            lengths = (row[j], -row[j], float(row[j] > 1), float(-row[j] > 1), full[j])
            assert all(map(any, zip(*elements, strict=True))), "each of the five lengths is drawn"
            for element in elements:
                for written, length in zip(element, lengths, strict=True):
                    if written:
                        assert re.fullmatch(r"[01]|0\.\d+", written), settings
                        assert float(written) == pytest.approx(
                            min(max(length, 0), 1), abs=0.00051
                        ), settings


def test_a_circle_shows_around_its_key_and_grows_with_its_weight(page: Page) -> None:
    # The radius of each circle, its stroke included, in radii of the points.
    read = """[...figureOf(id).querySelectorAll(".key-weight")].map((circle) => {
      const point = figureOf(id).querySelector(".key-point");
      const drawn = circle.r.baseVal.value + parseFloat(getComputedStyle(circle).strokeWidth) / 2;
      return drawn * circle.getCTM().a / (point.r.baseVal.value * point.getCTM().a);
    })"""
    states = [{"query": str(stop)} for stop in range(31)]
    for settings, radii in zip(states, driving.each(page, "attend", states, read), strict=True):
        row = oracle.weights(oracle.ATTEND_SETTINGS[0] | settings)
        assert row is not None
        assert min(radii) > 1.2, settings
        by_weight = [radius for _, radius in sorted(zip(row, radii, strict=True))]
        assert by_weight == sorted(by_weight), settings


def test_the_slider_says_the_query_and_no_more_than_one_weight_in_every_state(page: Page) -> None:
    states = oracle.ATTEND_SETTINGS
    read = 'figureOf(id).querySelector("[type=range]").getAttribute("aria-valuetext")'
    for settings, said in zip(states, driving.each(page, "attend", states, read), strict=True):
        slots = oracle.attend(settings)
        assert slots["query"] in said, settings
        numbers = re.findall(r"−?\d+\.\d+", said.replace(slots["query"], ""))
        if settings["own-query"] == "off":
            assert "no effect" in said, settings
            assert numbers == [], settings
        elif slots["weight-animal"] == oracle.DASH:
            assert "no weights" in said, settings
            assert numbers == [], settings
        else:
            assert f"animal {slots['weight-animal']}" in said, settings
            assert numbers == [slots["weight-animal"]], settings


def test_the_page_says_so_wherever_the_slider_has_no_effect(page: Page) -> None:
    states = oracle.ATTEND_SETTINGS
    notes = driving.each(page, "attend", states, 'texts(id, ["slider-note"])["slider-note"]')
    for settings, note in zip(states, notes, strict=True):
        idle = "off" in (settings["scores"], settings["own-query"])
        assert ("no effect" in note) == idle, settings
        row = oracle.weights(settings)
        fine = settings["softmax"] == "off" and row is not None and min(row) >= 0
        assert ("look fine" in note) == (fine and not idle), settings


def test_a_sign_that_is_no_number_is_spoken_in_words_in_every_state(page: Page) -> None:
    signs = [["−∞", "img", "minus infinity"], [oracle.DASH, "img", "no number"]]
    found = set()
    for figure in driving.figures(page):
        for slots in driving.each(page, figure, driving.every(page, figure), SPOKEN):
            for slot in slots:
                assert slot in signs, figure
                found.add(slot[0])
    assert found == {text for text, *_ in signs}


def test_no_text_of_any_state_holds_a_broken_number(page: Page) -> None:
    page.evaluate("() => { window.seen = new Set(); }")
    for figure in driving.figures(page):
        states = driving.every(page, figure)
        assert len(states) > 1
        driving.each(page, figure, states, f"void {ALL_TEXTS}.forEach((text) => seen.add(text))")
    texts = set(page.evaluate("() => [...window.seen].filter((text) => text !== null)"))
    assert len(texts) > 1000
    page.reload()
    # Program text writes a hyphen for minus, or it would not run.
    page.evaluate("() => document.querySelectorAll('pre').forEach((program) => program.remove())")
    texts.add(page.evaluate("document.body.innerText"))
    texts.add(
        page.evaluate(
            """() => JSON.stringify([...document.querySelectorAll("details, [aria-label], [alt]")]
              .flatMap((element) => [element.textContent, element.getAttribute("aria-label") ?? "",
                element.getAttribute("alt") ?? ""]))"""
        )
    )
    for name, fault in FAULTS.items():
        assert [match[0] for text in texts for match in fault.finditer(text)] == [], name
