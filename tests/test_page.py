"""The page as built: its HTML, what the templates are given, its slots, sizes and policy."""

import base64
import gzip
import hashlib
import itertools
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from dataclasses import field
from dataclasses import fields
from dataclasses import is_dataclass
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import jinja2
import pytest
from jinja2 import nodes

import build
from attention import facts
from attention import text
from attention.figures import sums
from attention.figures.figure import Figure
from attention.page import page as built_page
from tests import oracle

ROOT = Path(__file__).parents[1]
HTML = (ROOT / "site" / "index.html").read_text(encoding="utf-8")
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
STYLE = HTML[HTML.index("<style>") : HTML.index("</style>")]
PAGE = built_page()

GZIPPED = 120_000  # bytes: the whole page, on a slow phone, in about a second
ELEMENTS = 6_000  # the design's limit

VOID = {"area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


@dataclass
class Element:
    """An element of the page."""

    tag: str
    attributes: dict[str, str]
    parent: "Element | None" = None
    inside: list["Element | str"] = field(default_factory=list)

    def __iter__(self) -> Iterator["Element"]:
        """Go through every element within, in the order of the source."""
        for child in self.inside:
            if isinstance(child, Element):
                yield child
                yield from child

    def all(self, *tags: str, **attributes: str) -> list["Element"]:
        """Return the elements within that have one of the tags, if any, and the attributes."""
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self
            if (not tags or element.tag in tags) and wanted.items() <= element.attributes.items()
        ]

    def within(self, *tags: str) -> "Element | None":
        """Return the nearest element around this one that has one of the tags."""
        around = self.parent
        while around is not None and around.tag not in tags:
            around = around.parent
        return around

    @property
    def words(self) -> str:
        """The text within."""
        return "".join(x if isinstance(x, str) else x.words for x in self.inside)


class Reader(HTMLParser):
    """Read a page into a tree of elements; every start tag must have its end."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.now = self.root = Element("", {})
        self.feed(html)
        self.close()
        # In HTML the ends of these may be left out; on this page none is.
        assert self.now is self.root, f"<{self.now.tag}> has no end"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Go into an element."""
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice"
        element = Element(tag, {name: value or "" for name, value in attrs}, self.now)
        self.now.inside.append(element)
        if tag not in VOID:
            self.now = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element of SVG or MathML that closes itself."""
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Go out of an element."""
        assert self.now.tag == tag, f"</{tag}> ends <{self.now.tag}>"
        assert self.now.parent is not None
        self.now = self.now.parent

    def handle_data(self, data: str) -> None:
        """Keep text."""
        self.now.inside.append(data)


TREE = Reader(HTML).root
IDS = [element.attributes["id"] for element in TREE if "id" in element.attributes]


def name_of(control: Element) -> str:
    """Return the name that a control, a table or a picture has for a reader, or nothing."""
    attributes = control.attributes
    if "aria-label" in attributes:
        return attributes["aria-label"].strip()
    for id_ in attributes.get("aria-labelledby", "").split():
        (label,) = TREE.all(id=id_)
        return label.words.strip()
    around = control.within("label")
    if around is not None:
        return around.words.strip()
    labels = [
        label
        for label in TREE.all("label")
        if label.attributes.get("for") == attributes.get("id", "-")
    ]
    return labels[0].words.strip() if labels else control.words.strip()


def test_every_id_is_unique() -> None:
    assert len(IDS) > 20
    assert sorted(IDS) == sorted(set(IDS))


def test_the_four_levels_have_their_ids_in_reading_order() -> None:
    levels = [
        e.attributes["id"] for e in TREE.all("section") if e.attributes.get("id") in PAGE.levels
    ]
    assert levels == ["what", "how", "why", "practice"]


def test_every_reference_leads_to_an_element() -> None:
    for element in TREE:
        for attribute in ("for", "aria-labelledby", "aria-describedby", "aria-controls", "headers"):
            for id_ in element.attributes.get(attribute, "").split():
                assert id_ in IDS, f"{attribute}={id_}"


def test_every_link_leads_to_a_place_on_the_page_or_nowhere_else() -> None:
    links = TREE.all("a")
    assert len(links) > 10
    for link in links:
        assert link.attributes["href"].startswith("#")
        assert link.attributes["href"][1:] in IDS
        assert link.words.strip()


def test_every_control_has_a_name_that_can_be_seen() -> None:
    controls = TREE.all("input", "select", "button")
    assert len(controls) > 10
    for control in controls:
        assert name_of(control), control.attributes


def test_every_group_of_switches_has_a_legend() -> None:
    groups = TREE.all("fieldset")
    assert groups
    for group in groups:
        first = next(child for child in group.inside if isinstance(child, Element))
        assert first.tag == "legend"
        assert first.words.strip()
    for control in TREE.all("input", type="checkbox") + TREE.all("input", type="radio"):
        named = control.within("fieldset", "table")
        assert named is not None, control.attributes


def test_headings_go_down_one_level_at_a_time() -> None:
    levels = [int(heading.tag[1]) for heading in TREE.all("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    for above, below in pairwise(levels):
        assert below <= above + 1


def test_every_section_starts_with_a_heading() -> None:
    for section in TREE.all("section"):
        assert section.all("h2"), section.attributes


def test_every_table_has_a_caption_and_headers_with_their_scope() -> None:
    tables = TREE.all("table")
    assert len(tables) >= 4
    for table in tables:
        first = next(child for child in table.inside if isinstance(child, Element))
        assert first.tag == "caption"
        assert first.words.strip()
        headers = table.all("th")
        assert headers
        for header in headers:
            assert header.attributes.get("scope") in {"col", "row", "colgroup", "rowgroup"}


def cells(row: Element) -> Iterator[tuple[int, int]]:
    """Return how many columns and rows each cell of a row takes."""
    for cell in row.inside:
        if isinstance(cell, Element):
            yield int(cell.attributes.get("colspan", 1)), int(cell.attributes.get("rowspan", 1))


def test_every_row_of_a_table_fills_all_its_columns() -> None:
    for table in TREE.all("table"):
        widths, hanging = [], [0] * 200
        for row in table.all("tr"):
            column = 0
            spans = list(cells(row))
            taken = [left > 0 for left in hanging]
            hanging = [max(left - 1, 0) for left in hanging]
            for columns, rows in spans:
                while taken[column]:
                    column += 1
                for _ in range(columns):
                    taken[column] = True
                    hanging[column] = max(hanging[column], rows - 1)
                    column += 1
            widths.append(sum(taken))
        assert len(set(widths)) == 1, (table.words[:60], widths)


def test_every_picture_has_a_name_or_is_hidden_from_speech() -> None:
    for picture in TREE.all("svg", "img", "canvas"):
        attributes = picture.attributes
        hidden = attributes.get("aria-hidden") == "true"
        assert hidden != bool({"alt", "aria-label", "aria-labelledby"} & set(attributes))
        assert hidden or attributes.get("alt") or name_of(picture)
    for sign in TREE.all(role="img"):
        assert name_of(sign), sign.attributes


def test_every_figure_has_a_form_a_caption_a_reset_and_one_polite_sentence() -> None:
    assert [form.attributes["data-figure"] for form in TREE.all("form")] == [
        figure.id for figure in PAGE.figures
    ]
    for figure in PAGE.figures:
        (place,) = TREE.all("figure", id=figure.id)
        assert place.all("figcaption")[0].words.strip()
        assert len([e for e in place if "data-reset" in e.attributes]) == 1
        (live,) = [e for e in place if "data-live" in e.attributes]
        assert live.attributes["role"] == "status"
        assert live.words == ""
        assert [e for e in place if "aria-live" in e.attributes] == []


@pytest.mark.parametrize("figure", PAGE.figures, ids=lambda figure: figure.id)
def test_the_controls_in_the_html_are_those_of_the_figure(figure: Figure) -> None:
    (form,) = TREE.all("form", data_figure=figure.id)
    found: dict[str, tuple[str, set[str]]] = {}
    for control in form.all("input", "select"):
        name, attributes = control.attributes["name"], control.attributes
        if control.tag == "select":
            options = control.all("option")
            chosen = [o for o in options if "selected" in o.attributes] or options[:1]
            found[name] = (
                chosen[0].attributes["value"],
                {option.attributes["value"] for option in options},
            )
        elif attributes["type"] == "range":
            numbers = range(int(attributes["min"]), int(attributes["max"]) + 1)
            found[name] = (attributes["value"], set(map(str, numbers)))
        elif attributes["type"] == "checkbox":
            found[name] = ("on" if "checked" in attributes else "off", {"on", "off"})
        else:
            default, values = found.get(name, ("", set()))
            checked = attributes["value"] if "checked" in attributes else default
            found[name] = (checked, values | {attributes["value"]})
    assert found == {c.name: (c.default, set(c.values)) for c in figure.controls}


# The slots that the contract promises, where T is a token, I counts four scores.
TOKENS = ("animal", "street", "it", "tired")
SIDES = ("undivided", "divided")
CONTRACT = {
    "attend": {"query", "output", "sum", "verdict", "value-names"}
    | {
        f"{slot}-{token}"
        for slot in ("key", "dot", "score", "weight", "value", "part", "full-weight")
        for token in TOKENS
    },
    "scaling": {"d", "verdict"}
    | {f"{side}-sensitivity" for side in SIDES}
    | {f"{side}-{slot}-{i}" for side in SIDES for slot in ("score", "weight") for i in range(4)},
    "matrices": {"verdict"}
    | {f"{slot}-{r}-{c}" for slot in ("dot", "score", "weight") for r in TOKENS for c in TOKENS}
    | {f"{slot}-{r}" for slot in ("sum", "output", "joined", "projected") for r in TOKENS},
    "trained": {"verdict"} | {f"weight-{j}" for j in range(16)},
}


def places(figure: Figure, attribute: str) -> set[str]:
    """Return the names that an attribute has within a figure."""
    (place,) = TREE.all("figure", id=figure.id)
    found = [e.attributes[attribute] for e in place if attribute in e.attributes]
    return {name for names in found for name in names.split(" ")}


def leaves(found: Any) -> Iterator[str]:
    """Go through the texts of a tree."""
    if isinstance(found, str):
        yield found
    else:
        for branch in found[1].values():
            yield from leaves(branch)


def base(figure: Figure, name: str) -> str:
    """Return the slot that holds a name: itself, or the table of which it names an entry."""
    return name if name in figure.slots else name.rsplit("-", 2)[0]


# What says which length draws an element: by properties, or by an attribute of its own.
DRAWN = ("data-length", "data-x2", "data-y2", "data-r")


@pytest.mark.parametrize("figure", PAGE.figures, ids=lambda figure: figure.id)
def test_every_slot_of_the_contract_is_on_the_page(figure: Figure) -> None:
    assert CONTRACT[figure.id] - places(figure, "data-slot") == set()


@pytest.mark.parametrize("figure", PAGE.figures, ids=lambda figure: figure.id)
def test_every_slot_on_the_page_has_texts_and_every_text_has_a_place(figure: Figure) -> None:
    shown = places(figure, "data-slot") | places(figure, "data-valuetext")
    assert {name for name in shown if base(figure, name) not in figure.slots} == set()
    texts = [*figure.slots.values(), *figure.lengths.values()]
    named = {
        name for tree in texts for leaf in leaves(tree) for name in re.findall(r"\{(.+?)\}", leaf)
    }
    drawn = set().union(*(places(figure, kind) for kind in DRAWN)) - set(figure.lengths)
    used = {base(figure, name) for name in shown | named | drawn}
    assert set(figure.slots) - used == set()


@pytest.mark.parametrize("figure", PAGE.figures, ids=lambda figure: figure.id)
def test_every_length_on_the_page_is_computed_and_every_one_is_drawn(figure: Figure) -> None:
    drawn = set().union(*(places(figure, kind) for kind in DRAWN))
    entries = {name for name in drawn if name.rsplit("-", 2)[0] in figure.slots}
    assert drawn - entries <= set(figure.lengths)
    assert set(figure.lengths) <= drawn


@pytest.mark.parametrize("figure", PAGE.figures, ids=lambda figure: figure.id)
def test_the_html_shows_the_default_state_before_any_script_runs(figure: Figure) -> None:
    (place,) = TREE.all("figure", id=figure.id)
    slots = [element for element in place if "data-slot" in element.attributes]
    assert slots
    default = figure["default"]
    for element in slots:
        slot = element.attributes["data-slot"]
        assert element.words == default[slot], slot
        if default.spoken(slot):
            assert element.attributes["aria-label"] == default.spoken(slot)


def test_the_table_of_removals_stands_in_the_html() -> None:
    (table,) = [table for table in TREE.all("table") if "removals" in table.attributes["class"]]
    rows = table.all("tr")
    assert len(rows) == 2 + len(PAGE.removals)  # the head, nothing removed, and each row
    for removal in PAGE.removals:
        (row,) = table.all("tr", id=removal.state.anchor)
        assert removal.state["verdict"] in row.words
        assert removal.state["output"] in row.words
        for token in PAGE.tokens:
            assert removal.state[f"weight-{token}"] in row.words
        (link,) = row.all("a")
        assert link.attributes["href"] == removal.state.href


SPEAKS = re.compile(
    r"""\b(?:aria-label|aria-valuetext|aria-roledescription|alt|title|placeholder|content|label)
    =("[^"]*"|'[^']*')""",
    re.VERBOSE,
)


def test_the_ladder_shows_the_default_state_a_row_for_each_step() -> None:
    (ladder,) = [e for e in TREE.all("table") if e.attributes.get("class") == "ladder"]
    state = PAGE.attend["default"]
    rows = {
        row.attributes["data-link"]: [cell.words for cell in row.all("td")]
        for row in ladder.all("tr")[1:]
    }
    columns = {
        name: [state[f"{name}-{token}"] for token in PAGE.tokens]
        for name in ("key", "dot", "score", "weight", "value", "part")
    }
    pairs = zip(columns["key"], columns["dot"], strict=True)
    parts = zip(columns["value"], columns["part"], strict=True)
    assert rows == {
        "dot": [f"{key} {dot}" for key, dot in pairs],
        "scale": columns["score"],
        "softmax": columns["weight"],
        "value": [f"{value} {part}" for value, part in parts],
        "output": [state["output"]],
    }


def test_the_formula_stands_once_and_can_be_read_aloud() -> None:
    (math,) = TREE.all("math")
    label = math.attributes["aria-label"]
    assert label == "softmax of Q times K transposed, divided by the square root of d, times V"
    terms = {term.attributes.get("data-link", "") for term in math}
    assert terms - {""} == {"query", "key", "dot", "scale", "softmax", "value"}


def test_every_word_that_can_be_pressed_names_something_in_a_figure() -> None:
    words = [e for e in TREE.all("b") if "data-word" in e.attributes]
    named = {
        element.attributes["data-link"]
        for figure in TREE.all("figure")
        for element in figure.all("tr", "th", "td", "span", "mi", "msup", "mrow", "msqrt", "input")
        if "data-link" in element.attributes
    }
    assert words
    assert {word.attributes["data-link"] for word in words} <= named


def test_the_dashed_line_of_the_plane_goes_through_every_stop_and_no_further() -> None:
    (line,) = [e for e in TREE.all("path") if e.attributes.get("class") == "walk"]
    corners = re.findall(r"[ML](\S+?) ([^L]+)", line.attributes["d"])
    points = [(float(x), -float(y)) for x, y in corners]
    stops = [tuple(map(float, oracle.query(stop))) for stop in range(31)]
    assert (points[0], points[-1]) == (stops[0], stops[-1])
    legs = list(itertools.pairwise(points))
    for x, y in stops:
        assert any(
            abs((x - a) * (d - b) - (y - b) * (c - a)) < 1e-9
            and min(a, c) - 1e-9 <= x <= max(a, c) + 1e-9
            and min(b, d) - 1e-9 <= y <= max(b, d) + 1e-9
            for (a, b), (c, d) in legs
        )
    length = sum(math.dist(*leg) for leg in legs)
    assert length == pytest.approx(sum(math.dist(*step) for step in itertools.pairwise(stops)))


def bare(source: str) -> str:
    """Return what a template types itself: no tags of Jinja, and no comments."""
    return re.sub(r"{#.*?#}|{%.*?%}|{{.*?}}", "", source, flags=re.DOTALL)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_types_a_digit_that_a_reader_meets(path: Path) -> None:
    source = bare(path.read_text(encoding="utf-8"))
    spoken = [found for found in SPEAKS.findall(source) if "initial-scale" not in found]
    shown = re.sub(r"<[^>]*>", "", source)
    numeral = re.compile(r"[0-9²³¹⁰-₉½¼¾]|&#")
    assert [found for found in (*spoken, shown) if numeral.search(found)] == []


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_puts_a_digit_on_the_page_by_a_string_of_its_own(path: Path) -> None:
    tree = jinja2.Environment().parse(path.read_text(encoding="utf-8"))
    for shown in (node for output in tree.find_all(nodes.Output) for node in output.nodes):
        calls = [shown] if isinstance(shown, nodes.Call) else list(shown.find_all(nodes.Call))
        calls = [call for call in calls if call_of(call) == "go"]
        words = [given for call in calls for given in call.args[1:]]  # after the state
        for given in (shown, *words):
            inner = list(given.find_all(nodes.Const)) if given is not shown else []
            for const in (given, *inner):
                if isinstance(const, nodes.Const):
                    assert not re.search(r"\d", str(const.value)), const
    for block in tree.find_all(nodes.CallBlock):
        for const in block.call.find_all(nodes.Const):
            assert not re.search(r"\d", str(const.value)), const


def call_of(call: nodes.Call) -> str:
    """Return the name of the macro that is called, or nothing."""
    return call.node.name if isinstance(call.node, nodes.Name) else ""


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_takes_data_as_markup(path: Path) -> None:
    tree = jinja2.Environment().parse(path.read_text(encoding="utf-8"))
    assert {node.name for node in tree.find_all(nodes.Filter)} & {"safe", "striptags"} == set()
    assert "autoescape" not in path.read_text(encoding="utf-8")


class Watched:
    """A bundle that notes which of its fields are read, and those of the bundles within."""

    def __init__(self, given: Any, read: set[str]) -> None:
        self.given, self.read = given, read

    def __getattr__(self, name: str) -> Any:
        """Read a field."""
        value = getattr(self.given, name)
        bundle = type(self.given).__name__
        self.read.add(f"{bundle}.{name}")
        if is_dataclass(value) and not isinstance(value, Figure):
            return Watched(value, self.read)
        if name == "facts":
            return WatchedFacts(value, self.read)
        return value


class WatchedFacts(dict[str, str]):
    """The facts, and which of them are read."""

    def __init__(self, given: dict[str, str], read: set[str]) -> None:
        super().__init__(given)
        self.read = read

    def __getitem__(self, name: str) -> str:
        """Read a fact."""
        self.read.add(f"facts.{name}")
        return super().__getitem__(name)


def bundles(given: Any) -> Iterator[Any]:
    """Go through a dataclass and those within it, the figures left out."""
    yield given
    for part in fields(given):
        value = getattr(given, part.name)
        if is_dataclass(value) and not isinstance(value, Figure):
            yield from bundles(value)


def test_every_field_that_the_templates_are_given_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    read: set[str] = set()
    monkeypatch.setattr(build, "page", lambda: Watched(built_page(), read))
    build.render()  # whatever it uses exists: undefined names are errors
    offered = {f"{type(b).__name__}.{part.name}" for b in bundles(PAGE) for part in fields(b)}
    offered |= {f"facts.{name}" for name in PAGE.facts}
    assert offered - read == set()


def test_every_fact_is_offered_to_the_templates_or_computed_with() -> None:
    own = {name for name in vars(facts) if name.isupper()}
    texts = {name for name in own if isinstance(getattr(facts, name), str)}
    assert texts <= set(PAGE.facts)
    sources = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "attention").rglob("*.py")
    )
    for name in own - texts:
        assert f"from attention.facts import {name}\n" in sources


def test_no_text_has_nan_inf_undefined_or_null_as_a_word_and_no_minus_zero() -> None:
    said = TREE.all("body")[0]
    hidden = [element.words for element in said.all("script", "style")]
    words = said.words
    for text_ in hidden:
        words = words.replace(text_, " ")
    spoken = [
        value
        for element in said
        for name, value in element.attributes.items()
        if name in {"aria-label", "aria-valuetext", "alt", "title", "data-longest"}
    ]
    for shown in (words, *spoken):
        assert not re.search(r"(?<![^\W_])(nan|inf|undefined|null)(?![^\W_])", shown, re.IGNORECASE)
        assert not re.search(r"[-−]0(\.0+)?(?![\d.])", shown)
        # Program text writes a hyphen for minus, or it would not run.
        for program in said.all("pre"):
            shown = shown.replace(program.words, " ")
        assert not re.search(r"(?<![\w)])-[\d.∞]", shown)


def test_no_shown_number_lies_on_a_rounding_edge(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number this close to an edge might be shown otherwise by another machine's rounding."""
    seen: list[tuple[float, int]] = []
    fixed, length = text.fixed, text.length

    def noted(number: float, digits: int) -> str:
        seen.append((float(number), digits))
        return fixed(number, digits)

    def noted_length(number: float) -> str:
        seen.append((min(max(float(number), 0.0), 1.0), 3))
        return length(number)

    monkeypatch.setattr(text, "fixed", noted)
    monkeypatch.setattr(text, "length", noted_length)
    for kept in (sums.exponents, sums.shares, sums.factors):
        kept.cache_clear()
    built_page()
    assert len(seen) > 1000
    edges = set()
    for number, digits in seen:
        if not math.isfinite(number):
            continue
        scaled = abs(number) * 10**digits
        if abs(scaled - math.floor(scaled) - 0.5) < 1e-6:
            edges.add((number, digits))
    assert edges == set()


def test_the_page_keeps_its_budgets() -> None:
    assert len(gzip.compress(HTML.encode("utf-8"), 9)) <= GZIPPED
    assert len(list(TREE)) <= ELEMENTS


def test_the_policy_is_strict_and_allows_just_the_styles_and_the_script_of_the_page() -> None:
    (meta,) = TREE.all("meta", http_equiv="Content-Security-Policy")
    policy = dict(
        rule.strip().split(" ", 1) for rule in meta.attributes["content"].split(";") if rule.strip()
    )
    assert policy["default-src"] == "'none'"
    assert policy["base-uri"] == policy["form-action"] == "'none'"
    assert set(policy) == {
        "default-src",
        "img-src",
        "base-uri",
        "form-action",
        "style-src",
        "script-src",
    }
    assert policy["img-src"] == "data:"
    for rule, tag in (("style-src", "style"), ("script-src", "script")):
        inline = [
            element.words
            for element in TREE.all(tag)
            if element.attributes.get("type") != "application/json"
        ]
        hashes = [
            f"'sha256-{base64.b64encode(hashlib.sha256(words.encode()).digest()).decode()}'"
            for words in inline
        ]
        assert policy[rule].split() == hashes
    position = HTML.index("Content-Security-Policy")
    assert position < min(HTML.index("<style"), HTML.index("<link"), HTML.index("<script"))


def test_nothing_on_the_page_asks_for_anything_outside() -> None:
    asks = {"src", "href", "srcset", "action", "formaction", "poster", "data", "ping", "xlink:href"}
    for element in TREE:
        for name in asks & set(element.attributes):
            assert element.attributes[name].startswith(("#", "data:")), (element.tag, name)
    (style, *_) = TREE.all("style")
    assert re.findall(r"@import|url\((?!\"?data:)|@font-face", style.words) == []
    assert TREE.all("iframe", "object", "embed", "base") == []


def test_no_element_has_a_style_or_an_event_of_its_own() -> None:
    for element in TREE:
        named = [n for n in element.attributes if n == "style" or n.startswith("on")]
        assert named == []


def test_a_default_length_has_a_rule_if_it_is_drawn_and_none_if_not() -> None:
    ruled = set(re.findall(r"^#(\w+) \.at-([\w-]+) \{", STYLE, re.MULTILINE))
    drawn = {
        (figure.id, name)
        for figure in PAGE.figures
        for element in TREE.all("figure", id=figure.id)[0]
        for name in re.findall(r"\bat-([\w-]+)", element.attributes.get("class", ""))
    }
    assert ruled == drawn
    assert len(ruled) > 30


def test_a_figure_says_how_those_controls_stand_that_the_stylesheet_asks_about() -> None:
    asked = set(re.findall(r"data-now-([\w-]+)", STYLE))
    said = {
        name.removeprefix("data-now-"): value
        for element in TREE
        for name, value in element.attributes.items()
        if name.startswith("data-now-")
    }
    assert set(said) == asked
    defaults = {c.name: c.default for figure in PAGE.figures for c in figure.controls}
    assert said.items() <= defaults.items()
