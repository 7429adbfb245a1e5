"""Questions to answer before looking: the answer that the page calls right follows from the core.

`QUESTIONS` says of every answer whether it holds, by the numbers. One of each question's must.
"""

import math

import numpy as np
import pytest

from attention.core import attend
from attention.core import causal_mask
from attention.core import row_share
from attention.core import softmax
from attention.example import ASKING
from attention.example import DEFAULT_STOP
from attention.example import ENTRIES
from attention.example import KEYS
from attention.example import SPREAD_SCORES
from attention.example import STOPS
from attention.example import TOKENS
from attention.example import VALUES
from attention.figures.trained import ANIMAL as ANIMAL_PIECE
from attention.figures.trained import IT as IT_PIECE
from attention.figures.trained import stored
from attention.figures.verdict import NEARLY_ALL
from tests.conftest import Opener
from tests.test_page import TREE
from tests.test_page import Element

ANIMAL, STREET, IT, TIRED = range(len(TOKENS))
SAME = 1e-9  # numbers closer than this differ by rounding only
ALIKE = 0.05  # weights closer than this read as nearly equal

QUERY = STOPS[DEFAULT_STOP]
VISIBLE = causal_mask(len(TOKENS))[ASKING]  # [n]
FULL = attend([QUERY], KEYS, VALUES)
WEIGHTS = FULL.weights[0]  # [n]

EVEN = attend([QUERY], KEYS, VALUES, scale=0.0).weights[0]
OWN_KEY = attend([KEYS[ASKING]], KEYS, VALUES).weights[0]
KEYS_PASSED = attend([QUERY], KEYS, KEYS)
UNDIVIDED = attend([QUERY], KEYS, VALUES, scale=1.0).weights[0]
SHARES = attend([[2, -1]], KEYS, VALUES, normalise=row_share).weights[0]
MASKED = attend([QUERY], KEYS, VALUES, mask=VISIBLE).weights[0]
ZEROED = softmax(np.where(VISIBLE, FULL.scores[0], 0.0))
TOP_BY_D = float(softmax(SPREAD_SCORES * 8 / 64).max())
TOP_BY_ROOT = float(softmax(SPREAD_SCORES).max())

KEEPS_WEIGHTS = np.allclose(KEYS_PASSED.weights, FULL.weights, rtol=0, atol=SAME)
KEEPS_OUTPUT = np.array_equal(KEYS_PASSED.output, FULL.output)
GAINS = MASKED[:TIRED] / WEIGHTS[:TIRED]


def swapped(queries: str, keys: str) -> float:
    """Weigh “animal” for “it” with the queries of one trained sentence and the keys of another."""
    by_word = stored().heads["L4H2"].by_word
    steps = attend(by_word[queries].query, by_word[keys].key, by_word[keys].value)
    return float(steps.weights[IT_PIECE, ANIMAL_PIECE])


BY_KEY = abs(swapped("tired", "wide") - swapped("tired", "tired"))
BY_QUERY = abs(swapped("wide", "tired") - swapped("tired", "tired"))

QUESTIONS: dict[str, dict[str, bool]] = {
    "root": {
        "Yes": abs(TOP_BY_D - TOP_BY_ROOT) < ALIKE,
        "No, the weights become nearly equal": TOP_BY_D - 1 / len(SPREAD_SCORES) < ALIKE,
        "No, one weight still takes nearly all": TOP_BY_D >= NEARLY_ALL,
    },
    "scores": {
        "The most": EVEN[ANIMAL] - max(EVEN[STREET:]) > SAME,
        "As much as any other token": np.ptp(EVEN) < SAME,
        "None": EVEN[ANIMAL] < SAME,
    },
    "own-query": {
        "Yes": OWN_KEY[ANIMAL] - OWN_KEY[STREET] > SAME,
        "No, it is a tie": abs(OWN_KEY[ANIMAL] - OWN_KEY[STREET]) < SAME,
        "No, it prefers the street": OWN_KEY[STREET] - OWN_KEY[ANIMAL] > SAME,
    },
    "own-value": {
        "The weights and the output": not KEEPS_WEIGHTS and not KEEPS_OUTPUT,
        "Only the weights": not KEEPS_WEIGHTS and KEEPS_OUTPUT,
        "Only the output": KEEPS_WEIGHTS and not KEEPS_OUTPUT,
    },
    "scale": {
        "It grows": UNDIVIDED[ANIMAL] - WEIGHTS[ANIMAL] > SAME,
        "It stays": abs(UNDIVIDED[ANIMAL] - WEIGHTS[ANIMAL]) < SAME,
        "It shrinks": WEIGHTS[ANIMAL] - UNDIVIDED[ANIMAL] > SAME,
    },
    "softmax": {
        "A small positive weight": 0 < SHARES[STREET] < ALIKE,
        "No weight": SHARES[STREET] == 0,
        "A negative weight": SHARES[STREET] < 0,
    },
    "mask": {
        "It is lost": MASKED.sum() < 1 - SAME,
        "To the animal alone": GAINS[ANIMAL] > 1 and max(abs(GAINS[STREET:] - 1)) < SAME,
        "To all others, in proportion": abs(MASKED.sum() - 1) < SAME
        and np.ptp(GAINS) < SAME
        and MASKED[TIRED] == 0,
    },
    "zero": {
        "None": ZEROED[TIRED] == 0,
        "Less than without a mask": 0 < ZEROED[TIRED] < WEIGHTS[TIRED] - SAME,
        "As much as without a mask": abs(ZEROED[TIRED] - WEIGHTS[TIRED]) < SAME,
    },
    "swap": {
        "A new key of “animal”": BY_KEY > 2 * BY_QUERY,
        "A new query of “it”": BY_QUERY > 2 * BY_KEY,
        "Both alike": max(BY_KEY, BY_QUERY) <= 2 * min(BY_KEY, BY_QUERY),
    },
}
LINKS = {
    "root": "#scaling",
    "scores": "#attend?scores=off",
    "own-query": "#attend?own-query=off",
    "own-value": "#attend?own-value=off",
    "scale": "#attend?scale=off",
    "softmax": "#attend?query=5&softmax=off",
    "mask": "#attend?mask=on",
    "zero": "#matrices?mask=zero",
    "swap": "#trained?word=wide",
}


def asked(question: str) -> tuple[Element, Element]:
    """Return the question of that name, and its answer."""
    (place,) = TREE.all("details", id=f"predict-{question}")
    (answer,) = place.all("p")
    return place, answer


def test_every_question_on_the_page_is_checked_here() -> None:
    on_page = [e.attributes["id"] for e in TREE.all("details") if "predict" in classes(e)]
    assert sorted(on_page) == sorted(f"predict-{question}" for question in QUESTIONS)
    assert set(LINKS) == set(QUESTIONS)


def classes(element: Element) -> list[str]:
    """Return the classes of an element."""
    return element.attributes.get("class", "").split()


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_that_the_page_calls_right_is_the_one_that_holds(question: str) -> None:
    place, answer = asked(question)
    (summary,) = place.all("summary")
    (answers,) = (e for e in summary if "answers" in classes(e))
    holding = [words for words, holds in QUESTIONS[question].items() if holds]
    assert len(holding) == 1
    assert [span.words for span in answers.all("span")] == list(QUESTIONS[question])
    assert [span.words for span in answers.all("span") if "right" in classes(span)] == holding
    assert answer.all("b")[0].words == f"{holding[0]}."


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_is_short_has_a_number_and_links_to_the_state_that_shows_it(
    question: str,
) -> None:
    _, answer = asked(question)
    assert [link.attributes["href"] for link in answer.all("a")] == [LINKS[question]]
    assert any(character.isdigit() for character in answer.words)
    assert len(answer.words.split()) < 45


def test_there_is_a_question_for_each_switch_in_the_order_of_the_switches() -> None:
    (form,) = TREE.all("form", data_figure="attend")
    switches = [box.attributes["name"] for box in form.all("input", type="checkbox")]
    (panel,) = (e for e in TREE.all("details") if "predictions" in classes(e))
    assert [e.attributes["id"] for e in panel.all("details")] == [
        f"predict-{switch}" for switch in switches
    ]


def test_what_the_answers_say_beside_the_right_one_is_so() -> None:
    assert SHARES[ANIMAL] > 1  # "more than the whole"
    assert KEYS_PASSED.output.shape[-1] == len(ENTRIES)  # "so much animate, so much place"
    assert KEYS[IT][0] == KEYS[IT][1]  # "as much of a place as of something animate"
    scores = [float(np.ptp(steps)) for steps in (FULL.scores, FULL.dots)]
    assert scores[0] < scores[1]  # "lie further apart"
    # "close to": the number of `n.equal_weight`
    assert TOP_BY_D - 1 / len(SPREAD_SCORES) < ALIKE
    assert math.isclose(1 / len(SPREAD_SCORES), 1 / len(TOKENS))


@pytest.mark.parametrize("javascript", [True, False])
def test_a_question_shows_its_answers_first_and_the_right_one_when_it_is_pressed(
    open_page: Opener, javascript: bool
) -> None:
    page = open_page(javascript=javascript)
    page.locator("details.predictions > summary").press("Enter")
    for question in QUESTIONS:
        place = page.locator(f"#predict-{question}")
        assert place.locator(".answers").is_visible()
        assert not place.locator("p").is_visible()
        height = place.locator("summary").bounding_box()
        place.locator("summary").press("Enter")
        assert place.locator("p").is_visible()
        now = place.locator("summary").bounding_box()
        assert height is not None
        assert now is not None
        assert now["height"] == height["height"]
        place.locator("summary").press("Enter")
        assert not place.locator("p").is_visible()


@pytest.mark.parametrize("question", QUESTIONS)
def test_without_script_the_link_of_an_answer_brings_its_place_into_view(
    open_page: Opener, question: str
) -> None:
    page = open_page(javascript=False)
    place = page.locator(f"#predict-{question}")
    if page.locator(f"details.predictions #predict-{question}").count():
        page.locator("details.predictions > summary").click()
    place.locator("summary").click()
    place.locator("p a").click()
    target = page.locator(f'[id="{LINKS[question][1:]}"]')
    assert 0 <= target.evaluate("element => element.getBoundingClientRect().top") < 800
