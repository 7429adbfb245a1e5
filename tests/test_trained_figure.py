"""The figure `trained` shows what plain loops make of the stored vectors, and says what they show.

Nothing here is computed by `attention`: the vectors are read from the data file itself, and the
numbers written by a formatter of its own.
"""

import json
import math
import re
from functools import cache
from itertools import product
from typing import Any
from typing import NamedTuple

import pytest
from playwright.sync_api import expect

from attention.figures import trained
from attention.figures.figure import Control
from attention.figures.figure import Figure
from attention.figures.figure import State
from attention.trained.heads import DOES
from attention.trained.heads import FILE
from tests import driving
from tests.conftest import Opener

FIGURE = trained.build()
DATA: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))

HEADS = ("L4H2", "L3H2", "L5H1", "L2H4", "L1H3", "L2H9", "L3H9", "L5H6", "L4H12", "L5H2")
WORDS = ("tired", "wide")
REMOVED = ("none", "scale", "own-query", "softmax", "mask")
N = 16
CLS, ANIMAL, STREET, BECAUSE, IT, LAST = 0, 2, 8, 9, 10, 13
SETTINGS = list(product(HEADS, WORDS, REMOVED, range(N)))

Rows = list[list[float]]


class Row(NamedTuple):
    """A row of weights, by loops."""

    weights: list[float]  # nan where shares are meaningless
    total: float  # what the scores add to


@cache
def vectors(head: str, word: str, part: str) -> Rows:
    """Read vectors as they are stored, in ten-thousandths."""
    stored: Rows = DATA["heads"][head][word][part]
    return [[x / 10_000 for x in vector] for vector in stored]


def softmax(scores: list[float]) -> list[float]:
    """Give each score its share of the powers of e."""
    powers = [math.exp(score - max(scores)) for score in scores]
    return [power / math.fsum(powers) for power in powers]


@cache
def rows(head: str, word: str, removed: str) -> list[Row]:
    """Compute every row of a head by loops."""
    keys = vectors(head, word, "key")
    queries = keys if removed == "own-query" else vectors(head, word, "query")
    root = 1.0 if removed == "scale" else math.sqrt(len(keys[0]))
    found = []
    for i, query in enumerate(queries):
        seen = keys[: i + 1] if removed == "mask" else keys
        scores = [math.fsum(a * b for a, b in zip(query, key, strict=True)) / root for key in seen]
        total = math.fsum(scores)
        if removed != "softmax":
            weights = softmax(scores) + [0.0] * (N - len(seen))
        elif abs(total) < 1:
            weights = [math.nan] * N
        else:
            weights = [score / total for score in scores]
        found.append(Row(weights, total))
    return found


def shown(number: float, digits: int = 3) -> str:
    """Write a number as the page promises to."""
    if math.isnan(number):
        return "–"
    words = f"{abs(number):.{digits}f}"
    return f"−{words}" if number < 0 and float(words) > 0 else words


def name(word: str, j: int) -> str:
    """Name a token as a sentence does."""
    token = DATA["tokens"][word][j]
    if token == "the":
        return "the first “the”" if j == 1 else "the second “the”"
    return {"'": "the apostrophe", ".": "the full stop", "[CLS]": "[CLS]", "[SEP]": "[SEP]"}.get(
        token, f"“{token}”"
    )


def cls_value(head: str, word: str) -> float:
    """Compare the length of the value of [CLS] with the mean of the others."""
    first, *others = [math.hypot(*value) for value in vectors(head, word, "value")]
    return first / (math.fsum(others) / len(others))


def said(head: str, word: str, removed: str, i: int) -> str:
    """Derive the verdict from the row, in the order of the claims."""
    weights, total = rows(head, word, removed)[i]
    asker = name(word, i)
    if math.isnan(weights[0]):
        return (
            f"Without softmax there are no weights here: the scores of {asker} nearly cancel and "
            f"add to {shown(total, 2)}, and dividing by so small a sum says nothing."
        )

    def token(j: int) -> str:
        return "itself" if j == i else name(word, j)

    ranked = sorted(range(N), key=lambda j: weights[j])
    low, second, top = ranked[0], ranked[-2], ranked[-1]
    share = weights[top]
    if weights[low] < 0 and total < 0:
        return (
            f"Without softmax the scores of {asker} are divided by their sum, {shown(total, 2)}, "
            f"which turns them round: the best match, {token(low)}, gets the smallest weight, "
            f"{shown(weights[low])}."
        )
    if weights[low] < 0:
        above = "more than the whole, " if share > 1 else ""
        return (
            f"Without softmax, {asker} gives {token(top)} {above}{shown(share)}, and {token(low)} "
            f"the negative weight {shown(weights[low])}: this is no average."
        )
    if removed == "softmax":
        return (
            f"Without softmax the scores of {asker} are divided by their sum, and no weight is "
            f"negative here: the largest, {shown(share)}, is on {token(top)}."
        )
    if removed == "mask" and i == 0:
        return f"With the causal mask {asker} sees only itself: its weight is 1.000."
    amount = "Nearly all the" if share >= 0.95 else "Most of the" if share > 0.5 else "The largest"
    most = f"{amount} weight of {asker}, {shown(share)}, is on {token(top)}"
    short = cls_value(head, word)
    if top == CLS and i != CLS and share > 0.5 and short < 0.1:
        return (
            f"{most}, whose value is {shown(short, 3)} times as long as the others: next to "
            "nothing of that part is passed on."
        )
    if i == IT and weights[ANIMAL] + weights[STREET] >= 0.1:
        more, less = sorted((ANIMAL, STREET), key=lambda j: -weights[j])
        if top == more:
            return f"{most}; {token(less)} gets {shown(weights[less])}."
        return (
            f"{most}; of the two nouns, {token(more)} gets more, {shown(weights[more])} against "
            f"{shown(weights[less])}."
        )
    if share < 0.15:
        return (
            f"No token stands out for {asker}: the largest weight, {shown(share)}, is on "
            f"{token(top)}."
        )
    if share >= 0.95:
        return f"{most}."
    return f"{most}; next comes {token(second)}, {shown(weights[second])}."


def expected(head: str, word: str, removed: str, i: int) -> dict[str, str]:
    """Calculate every slot on the page at one setting."""
    weights, full = rows(head, word, removed)[i].weights, rows(head, word, "none")[i].weights
    slots = {"verdict": said(head, word, removed, i)}
    slots["title"] = f"Head {head} of a trained model: {DOES[head]}"
    for j in range(N):
        slots[f"token-{j}"] = DATA["tokens"][word][j]
        slots[f"weight-{j}"] = shown(weights[j])
        slots[f"full-weight-{j}"] = shown(full[j])
    return slots


def state(head: str = "L4H2", word: str = "tired", removed: str = "none", asks: int = IT) -> State:
    return FIGURE.at(f"head={head}&word={word}&removed={removed}&asks={asks}")


def length(weight: float) -> float:
    """Cut a weight to a length from 0 to 1."""
    return 0.0 if math.isnan(weight) else min(max(weight, 0.0), 1.0)


# Every setting


def test_the_controls_are_those_of_the_contract() -> None:
    assert [(c.name, c.default) for c in FIGURE.controls] == [
        ("head", "L4H2"),
        ("word", "tired"),
        ("removed", "none"),
        ("asks", "10"),
    ]
    assert tuple(c.values for c in FIGURE.controls) == (
        HEADS,
        WORDS,
        REMOVED,
        tuple(map(str, range(N))),
    )


@pytest.mark.parametrize("head", HEADS)
def test_every_slot_in_every_state_is_what_plain_python_calculates(head: str) -> None:
    for settings in product([head], WORDS, REMOVED, range(N)):
        slots = expected(*settings)
        found = state(*settings)
        assert {slot: found[slot] for slot in slots} == slots, settings


@pytest.mark.parametrize("head", HEADS)
def test_lengths_are_the_weights_cut_to_0_and_1_and_plain_ascii(head: str) -> None:
    for settings in product([head], WORDS, REMOVED, range(N)):
        weights, i = rows(*settings[:3])[settings[3]].weights, settings[3]
        lengths = state(*settings).lengths
        for j in range(N):
            for text, right in (
                (lengths[f"weight-{j}"], length(weights[j])),
                (lengths[f"negative-{j}"], length(-weights[j])),
                (lengths[f"asks-{j}"], float(i == j)),
            ):
                assert re.fullmatch(r"0|1|[01]\.\d+", text)
                coarse = 0.026 if settings[2] == "softmax" else 0.0006
                assert float(text) == pytest.approx(right, abs=coarse)
    assert len(lengths) == 3 * N


@pytest.mark.parametrize("removed", REMOVED)
def test_the_map_shows_every_row_whatever_token_asks(removed: str) -> None:
    for head, word, asks in product(HEADS, WORDS, (0, IT)):
        shades = state(head, word, removed, asks)
        for i, row in enumerate(rows(head, word, removed)):
            for j, weight in enumerate(row.weights):
                coarse = 0.026 if removed == "softmax" else 0.0006
                cell, ring = (float(shades[f"{table}-{i}-{j}"]) for table in ("cell", "ring"))
                assert (cell, ring) == pytest.approx((length(weight), length(-weight)), abs=coarse)


def test_no_shown_number_lies_on_a_rounding_edge() -> None:
    for head, word, removed in product(HEADS, WORDS, REMOVED):
        for row in rows(head, word, removed):
            numbers = [(weight, 3) for weight in row.weights if not math.isnan(weight)]
            if removed == "softmax":
                numbers += [(row.total, 2)]
            for number, digits in numbers:
                scaled = abs(number) * 10**digits
                assert abs(scaled - math.floor(scaled) - 0.5) > 1e-6, (head, word, removed)
            # Nor does a row lie on the edge of having shares, nor two weights on that of a rank.
            assert removed != "softmax" or abs(abs(row.total) - 1) > 1e-6
            low, next_low, *_, second, top = sorted(row.weights)
            assert math.isnan(top) or top - second > 1e-6
            assert removed != "softmax" or math.isnan(low) or next_low - low > 1e-6


def test_a_row_whose_scores_nearly_cancel_shows_dashes_and_says_so() -> None:
    dashed = [s for s in SETTINGS if math.isnan(rows(*s[:3])[s[3]].weights[0])]
    assert len(dashed) == 31
    assert ("L4H2", "tired", "softmax", LAST) in dashed
    for settings in dashed:
        found = state(*settings)
        assert {found[f"weight-{j}"] for j in range(N)} == {"–"}
        assert found.spoken("weight-3") == "no number"
        assert "says nothing" in found["verdict"]
        assert not any(float(found.lengths[f"weight-{j}"]) for j in range(N))


def test_shares_that_are_shown_stay_below_a_hundred() -> None:
    shares = [state(*s)[f"weight-{j}"] for s in SETTINGS if s[2] == "softmax" for j in range(N)]
    sizes = [float(share.strip("−")) for share in shares if share != "–"]
    assert 10 < max(sizes) < 100


# Verdicts


def test_every_claim_is_made_somewhere() -> None:
    verdicts = {state(*settings)["verdict"] for settings in SETTINGS}
    words = (
        "says nothing.",
        "turns them round",
        "more than the whole",
        "gives “animal” 0.",  # negative, and no share above the whole
        "sees only itself",
        "is passed on",
        "; “street” gets ",
        "of the two nouns",
        "No token stands out",
        "Nearly all the weight",
        "Most of the weight",
        "The largest weight",
        "next comes",
        "is on itself",
    )
    assert [some for some in words if not any(some in verdict for verdict in verdicts)] == []


def test_no_claim_hides_another_for_good() -> None:
    claims = set()
    for head, word, removed, i in SETTINGS:
        weights, total = rows(head, word, removed)[i]
        ranked = sorted(range(N), key=lambda j, weights=weights: -weights[j])  # type: ignore[misc]
        row = trained.Row(i, weights, ranked, total, cls_value(head, word), removed)
        claims.add(trained.claim(row).name)
    assert claims == {claim.name for claim in trained.CLAIMS}


def test_no_scores_are_all_negative_without_softmax() -> None:
    """Else the worst match would get the largest share with no negative one to give it away."""
    for head, word in product(HEADS, WORDS):
        for row in rows(head, word, "softmax"):
            assert row.total > 0 or math.isnan(row.weights[0]) or min(row.weights) < 0


def test_a_verdict_is_one_sentence_without_a_gap() -> None:
    for settings in SETTINGS:
        verdict = state(*settings)["verdict"]
        assert re.fullmatch(r"[A-Z][^{}]*\.", verdict)
        assert not re.search(r"\.\s|  |nan|None", verdict)


def test_the_box_of_the_verdict_has_room_for_every_verdict() -> None:
    longest = FIGURE.longest("verdict")
    assert "{" not in longest
    assert len(longest) >= max(len(state(*settings)["verdict"]) for settings in SETTINGS)


@pytest.mark.parametrize("called", FIGURE.named)
def test_every_state_that_the_text_names_exists(called: str) -> None:
    assert FIGURE[called]["verdict"]


# Tables: what `figure.py` has for this figure


def tables() -> Figure:
    line = Control("line", ("0", "1"), "0")
    kind = Control("kind", ("a", "b"), "a")
    slots = {
        "grid": ("kind", {"a": "{plain}", "b": "5 6\n7 8888"}),
        "plain": "1 2\n3 –",
        "chosen": "is {grid-line-1}",
    }
    return Figure("tables", (line, kind), slots, {"shade": "{plain-line-0}"})  # type: ignore[arg-type]


def test_an_entry_of_a_table_has_its_line_from_a_number_or_from_a_control() -> None:
    figure = tables()
    assert figure.at("")["grid-1-0"] == "3"
    assert figure.at("kind=b")["grid-1-0"] == "7"
    assert figure.at("kind=b")["grid-line-1"] == "6"
    assert figure.at("kind=b&line=1")["grid-line-1"] == "8888"
    assert figure.at("line=1")["chosen"] == "is –"
    assert figure.at("line=1").spoken("grid-1-1") == "no number"
    assert figure.at("line=1").lengths == {"shade": "3"}


@pytest.mark.parametrize("unknown", ["other", "other-1-2", "grid-1"])
def test_a_name_of_no_slot_and_no_entry_is_a_key_error(unknown: str) -> None:
    with pytest.raises(KeyError):
        tables().at("")[unknown]


def test_the_longest_text_has_the_longest_entry_in_its_place() -> None:
    assert tables().longest("chosen") == "is 8888"


# In the browser


def test_every_state_in_chromium_is_what_plain_python_calculates(open_page: Opener) -> None:
    page = open_page()
    slots = list(expected(*SETTINGS[0]))
    states = [
        {"head": head, "word": word, "removed": removed, "asks": str(i)}
        for head, word, removed, i in SETTINGS
    ]
    found = driving.each(page, "trained", states, f"texts(id, {slots})")
    wrong = [s for s, texts in zip(SETTINGS, found, strict=True) if texts != expected(*s)]
    assert wrong == []


def test_the_small_number_of_the_full_head_is_seen_once_a_part_is_changed(
    open_page: Opener,
) -> None:
    page = open_page()
    small = page.locator("#trained [data-slot=full-weight-1]")
    expect(small).to_be_hidden()
    driving.put(page, "trained", {"removed": "scale"})
    expect(small).to_be_visible()
    expect(small).to_have_text(shown(rows("L4H2", "tired", "none")[IT].weights[1]))


def test_the_map_in_chromium_has_the_shades_of_every_state(open_page: Opener) -> None:
    page = open_page()
    read = """[...figureOf(id).querySelectorAll("[data-length^=cell]")].map((cell) =>
      ["--cell", "--ring"].map((name) => cell.style.getPropertyValue(name)).join(" "))"""
    asked = [s for s in SETTINGS if s[3] == IT]
    states = [{"head": h, "word": w, "removed": r, "asks": str(i)} for h, w, r, i in asked]
    found = driving.each(page, "trained", states, read)
    for settings, cells in zip(asked, found, strict=True):
        now = state(*settings)
        right = [
            f"{now[f'cell-{i}-{j}']} {now[f'ring-{i}-{j}']}" for i in range(N) for j in range(N)
        ]
        assert cells == right, settings


def test_the_map_as_built_shows_the_default_with_no_script(open_page: Opener) -> None:
    page = open_page(javascript=False)
    cells = page.locator("#trained [data-length^=cell]")
    assert cells.count() == N * N
    fills = [cell.get_attribute("fill-opacity") for cell in cells.all()]
    assert fills == [shown(w) for row in rows("L4H2", "tired", "none") for w in row.weights]
    shades = page.locator("#trained .piece").all()
    assert len(shades) == N


def test_choosing_a_head_in_the_picture_of_all_shows_it_in_the_figure(open_page: Opener) -> None:
    page = open_page()
    for head in HEADS[1:]:
        page.locator(".atlas-links a", has_text=head).click()
        expect(page.locator("#trained [data-slot=title]")).to_contain_text(f"Head {head} of")
        assert page.locator("#trained-head").input_value() == head
    page.locator(".atlas-links a", has_text="L4H2").click()
    expect(page.locator("#trained [data-slot=weight-2]")).to_have_text("0.677")


def test_pressing_a_token_lets_it_ask(open_page: Opener) -> None:
    page = open_page()
    page.locator("#trained .piece", has_text="because").click()
    assert driving.settings(page, "trained")["asks"] == str(BECAUSE)
    page.keyboard.press("ArrowRight")
    assert driving.settings(page, "trained")["asks"] == str(IT)
    assert page.locator("#trained [data-slot=verdict]").inner_text() == state()["verdict"]


def test_no_name_covers_a_map_of_the_picture_of_all_until_it_is_pointed_at(
    open_page: Opener,
) -> None:
    page = open_page()
    names = page.locator(".atlas-links span:first-child")
    assert names.all_text_contents() == list(HEADS)
    assert [name.is_visible() for name in names.all()] == [False] * len(HEADS)
    for head, link in zip(HEADS, page.locator(".atlas-links a").all(), strict=True):
        name = link.locator("span").first
        link.hover()
        expect(name).to_be_visible()
        above, ring = name.bounding_box(), link.bounding_box()
        assert above is not None
        assert ring is not None
        assert above["y"] + above["height"] <= ring["y"] + 3, head  # the ring's own line


def test_the_row_and_the_column_of_the_picture_of_all_make_the_name(open_page: Opener) -> None:
    page = open_page()
    rows_of = page.locator(".atlas-layers li").all()
    columns = page.locator(".atlas-heads li").all()
    for head, link in zip(HEADS, page.locator(".atlas-links a").all(), strict=True):
        box = link.bounding_box()
        assert box is not None
        middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        (row,) = [r.inner_text() for r in rows_of if holds(r.bounding_box(), middle[1], "y")]
        (column,) = [c.inner_text() for c in columns if holds(c.bounding_box(), middle[0], "x")]
        assert f"{row}{column}" == head


def holds(box: Any, at: float, axis: str) -> bool:
    """Tell whether a place on one axis lies within a box."""
    start: float = box[axis]
    return start <= at <= start + float(box["width" if axis == "x" else "height"])


def test_a_ring_of_the_picture_of_all_can_be_pressed_on_a_phone(open_page: Opener) -> None:
    page = open_page(width=320, touch=True)
    boxes = [link.bounding_box() for link in page.locator(".atlas-links a").all()]
    assert len(boxes) == len(HEADS)
    assert min(box[side] for box in boxes if box for side in ("width", "height")) >= 24
