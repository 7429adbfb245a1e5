"""The figure `matrices` shows what plain loops compute, and says what its numbers show."""

import math
import re
from decimal import Decimal
from itertools import product as every

import numpy as np
import pytest

from attention import projections as made
from attention.example import TOKENS
from attention.figures import attend
from attention.figures import matrices
from attention.figures.figure import State
from tests.conftest import Opener
from tests.test_projections import Rows
from tests.test_projections import joined_by_loops
from tests.test_projections import outputs_by_loops
from tests.test_projections import product
from tests.test_projections import scores_by_loops
from tests.test_projections import weights_by_loops

FIGURE = matrices.build()
HEADS = ("1", "2")
MASKS = ("off", "causal", "zero", "late")
SETTINGS = list(every(HEADS, TOKENS, MASKS))


def shown(number: float, digits: int) -> str:
    """Write a number as the page promises to, without the page's own code."""
    if number == -math.inf:
        return "−∞"
    return re.sub(r"^-(0\.?0*)$", r"\1", f"{number:.{digits}f}").replace("-", "−")


def vector(numbers: list[float], digits: int = 3) -> str:
    """Write a vector so."""
    return f"({', '.join(shown(x, digits) for x in numbers)})"


def parsed(words: str) -> list[float]:
    """Read all numbers of a text."""
    return [float(x.replace("−", "-")) for x in re.findall(r"−?\d+(?:\.\d+)?", words)]


def state(head: str = "1", row: str = "it", mask: str = "off") -> State:
    """Return the state of three settings."""
    return FIGURE.at(f"head={head}&row={row}&mask={mask}")


def scores(head: str, mask: str) -> Rows:
    """Take the scores by loops, masked with -inf or, by mistake, with 0."""
    hidden = {"causal": -math.inf, "zero": 0.0}
    rows = scores_by_loops(int(head) - 1)
    if mask not in hidden:
        return rows
    return [[hidden[mask] if j > i else x for j, x in enumerate(r)] for i, r in enumerate(rows)]


def expected(head: str, mask: str) -> dict[str, str]:
    """Compute every slot that holds a number, by loops."""
    h = int(head) - 1
    weights, full = weights_by_loops(h, mask), weights_by_loops(h, "off")
    joined = joined_by_loops(mask)
    projected = product(joined, made.W_O.tolist())
    slots = {}
    for r, asker in enumerate(TOKENS):
        slots[f"sum-{asker}"] = shown(math.fsum(weights[r]), 3)
        slots[f"output-{asker}"] = vector(outputs_by_loops(h, mask)[r])
        slots[f"joined-{asker}"] = vector(joined[r])
        slots[f"projected-{asker}"] = vector(projected[r])
        for c, asked in enumerate(TOKENS):
            dot = scores_by_loops(h)[r][c] * math.sqrt(2)
            now, before = shown(weights[r][c], 3), shown(full[r][c], 3)
            slots[f"dot-{asker}-{asked}"] = shown(dot, 2)
            slots[f"score-{asker}-{asked}"] = shown(scores(head, mask)[r][c], 2)
            slots[f"weight-{asker}-{asked}"] = now
            slots[f"was-{asker}-{asked}"] = "" if now == before else before
    return slots


def evidence(head: str, row: str, mask: str) -> tuple[str, list[str]]:
    """Find by loops which claim the verdict must make, and what it must name, in this order."""
    h, i = int(head) - 1, TOKENS.index(row)
    weights, full = weights_by_loops(h, mask)[i], weights_by_loops(h, "off")[i]
    later = range(i + 1, 4)
    after = [f"“{TOKENS[j]}”" for j in later]
    asker, top = f"“{row}”", weights.index(max(weights))
    found, most = f"“{TOKENS[top]}”", shown(max(weights), 3)
    had = shown(math.fsum(full[j] for j in later), 3)
    kept = [shown(weights[j], 3) for j in later]
    if mask == "off":
        target = "itself" if top == i else found
        much = "nearly all its weight" if max(weights) >= 0.95 else "the most weight"
        query = vector(product(made.X.tolist(), made.W_Q[h].tolist())[i], 0)
        return "largest", [asker, much, most, target, query, shown(scores(head, mask)[i][top], 2)]
    if not after:
        return "last", ["No token comes after", asker, "no mask", found, most]
    if shown(math.fsum(weights), 3) != "1.000":
        lost = [shown(math.fsum(weights), 3), "not to 1.000", had]
        return "lost", [asker, *lost, *after, "not divided again"]
    if set(kept) != {"0.000"}:
        return "leaks", [*after, asker, *kept, "hides nothing"]
    if mask == "zero":
        return "swamped", ["does not show", shown(max(scores(head, mask)[i]), 2), "0.00", *after]
    if mask == "late":
        return "uncut", ["does not show", *after, "next to nothing", had]
    if mask == "causal" and i == 0:
        return "only", [asker, "only itself", "1.000"]
    if had != "0.000":
        return "moved", [*after, "hidden", had, found, shown(full[top], 3), most]
    return "unmoved", ["nothing that shows", *after, had, found, most]


def test_controls_are_those_promised_and_their_defaults_come_first() -> None:
    controls = {c.name: c.values for c in FIGURE.controls}
    assert controls == {
        "head": ("1", "2"),
        "row": ("it", "animal", "street", "tired"),
        "mask": ("off", "causal", "zero", "late"),
    }
    assert [c.default for c in FIGURE.controls] == ["1", "it", "off"]


@pytest.mark.parametrize(("head", "row", "mask"), SETTINGS)
def test_every_number_of_every_setting_equals_loops(head: str, row: str, mask: str) -> None:
    texts = state(head, row, mask)
    numbers = expected(head, mask)
    assert {slot: texts[slot] for slot in numbers} == numbers


@pytest.mark.parametrize("head", HEADS)
def test_queries_and_keys_in_the_margins_give_the_dots(head: str) -> None:
    texts = state(head)
    for asker, asked in every(TOKENS, TOKENS):
        query, key = parsed(texts[f"query-{asker}"]), parsed(texts[f"key-{asked}"])
        dot = math.fsum(map(math.prod, zip(query, key, strict=True)))
        assert texts[f"dot-{asker}-{asked}"] == shown(dot, 2)


@pytest.mark.parametrize(("mask", "switch"), [("off", "mask=off"), ("causal", "mask=on")])
def test_the_row_of_it_is_the_one_of_level_1(mask: str, switch: str) -> None:
    here, there = state(mask=mask), attend.build().at(switch)
    for token in TOKENS:
        assert here[f"key-{token}"] == there[f"key-{token}"]
        assert here[f"dot-it-{token}"] == there[f"dot-{token}"]
        assert here[f"score-it-{token}"] == there[f"score-{token}"]
        assert here[f"weight-it-{token}"] == there[f"weight-{token}"]
    assert here["sum-it"] == there["sum"]
    assert here["output-it"] == there["output"]


@pytest.mark.parametrize(("head", "row", "mask"), SETTINGS)
def test_every_row_adds_to_1_but_where_the_mistake_cuts_it(head: str, row: str, mask: str) -> None:
    weights = matrices.computed()[mask].weights[int(head) - 1, TOKENS.index(row)]
    if mask == "late" and row != "tired":
        assert weights.sum() < 1
    else:
        assert weights.sum() == pytest.approx(1, abs=1e-12)
        assert state(head, row, mask)[f"sum-{row}"] == "1.000"


def test_the_mask_makes_the_row_of_it_grow_and_the_mistakes_do_not() -> None:
    def row(mask: str) -> str:
        return " ".join(state(mask=mask)[f"weight-it-{token}"] for token in TOKENS)

    assert row("off") == "0.808 0.048 0.097 0.048"
    assert row("causal") == "0.848 0.050 0.102 0.000"
    assert row("zero") == "0.808 0.048 0.097 0.048"
    assert row("late") == "0.808 0.048 0.097 0.000"
    assert state(mask="late")["sum-it"] == "0.952"
    assert "it 0.953" in state(mask="late")["rounded"]
    assert state(mask="causal")["was-it-animal"] == "0.808"


@pytest.mark.parametrize(("head", "row", "mask"), SETTINGS)
def test_a_note_names_the_rows_that_do_not_add_up_as_printed(
    head: str, row: str, mask: str
) -> None:
    texts = state(head, row, mask)
    off = []
    for asker in TOKENS:
        printed = math.fsum(float(texts[f"weight-{asker}-{asked}"]) for asked in TOKENS)
        if f"{printed:.3f}" != texts[f"sum-{asker}"]:
            off.append(f"{asker} {printed:.3f}")
    note = texts["rounded"]
    assert re.findall(r"\w+ \d\.\d{3}", note) == off
    assert bool(note) == bool(off)


@pytest.mark.parametrize(("head", "row", "mask"), SETTINGS)
def test_the_chosen_row_is_added_up_in_the_open(head: str, row: str, mask: str) -> None:
    weights = weights_by_loops(int(head) - 1, mask)[TOKENS.index(row)]
    asker, _, written = state(head, row, mask)["adding"].partition(": ")
    parts, _, total = written.partition(" = ")
    digits = len(total.partition(".")[2])
    assert asker == row
    assert parts.split(" + ") == [shown(weight, digits) for weight in weights]
    assert total == shown(math.fsum(weights), digits)
    assert sum(map(Decimal, parts.split(" + "))) == Decimal(total)
    for fewer in range(3, digits):  # as printed with fewer decimals, the parts do not add up
        printed = sum(Decimal(shown(weight, fewer)) for weight in weights)
        assert printed != Decimal(shown(math.fsum(weights), fewer))


@pytest.mark.parametrize(("head", "row", "mask"), SETTINGS)
def test_the_verdict_says_what_the_numbers_show(head: str, row: str, mask: str) -> None:
    words = state(head, row, mask)["verdict"]
    assert words[-1] == "."
    assert words.count(". ") == 0
    at = 0
    for part in evidence(head, row, mask)[1]:
        assert part in words[at:], f"{part} is missing or out of order in: {words}"
        at = words.index(part, at) + len(part)


@pytest.mark.parametrize(("head", "row", "mask"), SETTINGS)
def test_the_verdict_makes_the_claim_of_the_highest_rank(head: str, row: str, mask: str) -> None:
    h, i = int(head) - 1, TOKENS.index(row)
    chosen = matrices.Row(
        i,
        mask,
        "(0, 0)",
        scores(head, mask)[i],
        weights_by_loops(h, mask)[i],
        weights_by_loops(h, "off")[i],
    )
    assert matrices.claim(chosen).name == evidence(head, row, mask)[0]


def test_every_claim_is_made_somewhere() -> None:
    made_claims = {evidence(*settings)[0] for settings in SETTINGS}
    assert made_claims == {claim.name for claim in matrices.CLAIMS}


@pytest.mark.parametrize(("head", "row"), list(every(HEADS, TOKENS)))
def test_the_chosen_token_says_what_it_asks_and_why(head: str, row: str) -> None:
    texts = state(head, row)
    why = made.ASKS[int(head) - 1][TOKENS.index(row)]
    assert texts["asks"] == f"“{row}” asks with the query {texts[f'query-{row}']}. {why}"


@pytest.mark.parametrize(("head", "mask"), list(every(HEADS, MASKS)))
def test_a_cell_is_shaded_by_its_weight(head: str, mask: str) -> None:
    lengths = state(head, "it", mask).lengths
    weights = weights_by_loops(int(head) - 1, mask)
    assert len(lengths) == 16
    for (r, asker), (c, asked) in every(enumerate(TOKENS), enumerate(TOKENS)):
        length = lengths[f"weight-{asker}-{asked}"]
        assert re.fullmatch(r"[01]|0\.\d{1,3}", length)
        assert float(length) == pytest.approx(weights[r][c], abs=0.0005)


def test_no_text_holds_a_word_of_a_machine_or_a_minus_that_is_none() -> None:
    for settings in SETTINGS:
        for words in state(*settings).values():
            assert not re.search(r"\b(nan|inf|none|null|undefined)\b", words, re.IGNORECASE)
            assert not re.search(r"[-−]0(\.0+)?(?![\d.])", words)
            assert not re.search(r"(?<!\w)-\d", words)
            assert "{" not in words


def test_the_room_kept_for_a_text_is_that_of_the_longest_one_shown() -> None:
    for slot in ("verdict", "asks", "rounded", "adding"):
        texts = [state(*settings)[slot] for settings in SETTINGS]
        assert FIGURE.longest(slot) in texts
        assert len(FIGURE.longest(slot)) == max(map(len, texts))


def test_every_state_that_the_text_names_is_one_and_differs_from_the_default() -> None:
    anchors = [FIGURE[name].anchor for name in FIGURE.named]
    assert len({*anchors, "matrices"}) == len(anchors) + 1


READ_EVERY_SETTING = """settings => {
  const form = document.querySelector("form[data-figure=matrices]");
  const slots = [...form.closest("figure").querySelectorAll("[data-slot]")];
  return settings.map(([head, row, mask]) => {
    for (const [name, value] of Object.entries({ head, row, mask })) {
      form.querySelector(`[name="${name}"][value="${value}"]`).checked = true;
    }
    form.querySelector("[name=row]").dispatchEvent(new Event("input", { bubbles: true }));
    return Object.fromEntries(slots.map((slot) => [slot.dataset.slot, slot.textContent]));
  });
}"""


def test_the_browser_shows_what_loops_compute_at_every_setting(open_page: Opener) -> None:
    page = open_page("#matrices")
    for settings, texts in zip(SETTINGS, page.evaluate(READ_EVERY_SETTING, SETTINGS), strict=True):
        head, row, mask = settings
        numbers = expected(head, mask)
        assert {slot: texts.get(slot) for slot in numbers} == numbers
        for part in evidence(head, row, mask)[1]:
            assert part in texts["verdict"]


def test_a_row_can_be_chosen_by_its_name_in_any_matrix_and_nothing_scrolls(
    open_page: Opener,
) -> None:
    page = open_page("#matrices", width=320, height=640)
    name = page.locator("#matrices table").last.locator("tbody label", has_text="tired")
    name.scroll_into_view_if_needed()
    before = page.evaluate("scrollY")
    name.click()
    assert page.evaluate("scrollY") == before
    assert page.locator("#matrices [name=row][value=tired]").is_checked()
    assert "“tired”" in page.locator("#matrices [data-slot=verdict]").inner_text()


@pytest.mark.parametrize(
    ("matrix", "step"), [("dots", "dot"), ("scores", "score"), ("weights", "weight")]
)
def test_each_cell_stands_under_the_token_asked_and_beside_the_one_that_asks(
    open_page: Opener, matrix: str, step: str
) -> None:
    table = open_page("#matrices?head=2&mask=causal").locator(f"#matrices .{matrix}")
    assert table.locator("caption").count() == 1
    assert "who asks" in table.locator("thead th[scope=col]").first.inner_text()
    assert "who is asked" in table.locator("thead th[scope=colgroup]").inner_text()
    asked = table.locator("thead tr:nth-child(2) th[scope=col]").all_inner_texts()
    assert [words.split()[0] for words in asked] == list(TOKENS)
    numbers = expected("2", "causal")
    rows = table.locator("tbody tr").all()
    for asker, row in zip(TOKENS, rows, strict=True):
        assert row.locator("th[scope=row]").inner_text().split()[0] == asker
        cells = row.locator("td").all_inner_texts()
        assert [words.split()[0] for words in cells[:4]] == [
            numbers[f"{step}-{asker}-{token}"] for token in TOKENS
        ]


@pytest.mark.parametrize("step", ["output", "joined", "projected"])
def test_each_vector_stands_beside_the_token_that_asks(open_page: Opener, step: str) -> None:
    table = open_page("#matrices?head=2&mask=causal").locator(f"#matrices .{step}-matrix")
    assert table.locator("caption").count() == 1
    numbers = expected("2", "causal")
    for asker, row in zip(TOKENS, table.locator("tbody tr").all(), strict=True):
        assert row.locator("th[scope=row]").inner_text() == asker
        assert row.locator("td").inner_text() == numbers[f"{step}-{asker}"]


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_no_matrix_moves_or_grows_at_any_setting(open_page: Opener, width: int) -> None:
    page = open_page("#matrices", width=width)
    boxes = page.evaluate(
        f"""settings => {{
          const read = {READ_EVERY_SETTING};
          return settings.map((one) => {{
            read([one]);
            const parts = document.querySelectorAll("#matrices :is(table, .verdict, th, td)");
            return [...parts].map((part) => {{
              const {{ x, y, width, height }} = part.getBoundingClientRect();
              return [x, y + scrollY, width, height];
            }});
          }});
        }}""",
        SETTINGS,
    )
    for box in boxes[1:]:
        np.testing.assert_allclose(box, boxes[0], rtol=0, atol=0.5)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_number_on_hatching_stands_on_a_ground_of_its_own(open_page: Opener) -> None:
    page = open_page("#matrices?mask=causal")
    grounds = page.evaluate(
        """() => [...document.querySelectorAll("#matrices .later")]
          .filter((cell) => getComputedStyle(cell).backgroundImage.includes("gradient"))
          .flatMap((cell) => [...cell.children].filter((number) => number.textContent))
          .map((number) => getComputedStyle(number).backgroundColor)"""
    )
    # The scores, the weights and the former weights of the six cells above the diagonal.
    assert len(grounds) == 3 * 6
    assert {colour for colour in grounds if re.search(r"rgba|/|transparent", colour)} == set()
