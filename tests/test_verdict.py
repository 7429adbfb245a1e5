"""A verdict says what the numbers show: each claim, its rank, and its edge."""

import math
import re
from collections import Counter

import pytest

from attention.figures import attend
from attention.figures.figure import State
from attention.figures.verdict import CLAIMS
from attention.figures.verdict import Row
from attention.figures.verdict import claim
from attention.figures.verdict import verdict
from tests import oracle

NAMES = ("the animal", "the street", "“it”", "“tired”")
SHORT = 2e-9  # farther apart than what counts as a tie
FIGURE = attend.build()


def row(*weights: float, passed: str = "value", why: str = "so it is") -> Row:
    """Make a row of four weights."""
    return Row(weights, NAMES, passed, why)


@pytest.mark.parametrize(
    ("weights", "name"),
    [
        ((math.nan, math.nan, math.nan, 0.0), "no weights"),
        ((math.nan, -0.5, 1.6, 0.0), "no weights"),
        ((1.6, -0.8, 0.2, 0.0), "negative"),
        ((0.55, 0.55, -0.1, 0.0), "negative"),  # before a tie
        ((0.96, 0.05, -0.01, 0.0), "negative"),  # before nearly all
        ((0.25, 0.25, 0.25, 0.25), "tie"),
        ((0.4, 0.4, 0.1, 0.1), "tie"),
        ((0.4, 0.4 - SHORT / 4, 0.1, 0.1), "tie"),
        ((0.4, 0.4 - SHORT, 0.1, 0.1), "largest"),
        ((0.95, 0.05, 0.0, 0.0), "nearly all"),
        ((1.0, 0.0, 0.0, 0.0), "nearly all"),
        ((0.95 - SHORT, 0.05, 0.0, 0.0), "largest"),
        ((0.4, 0.2, 0.2, 0.2), "largest"),  # equal only below the top
    ],
)
def test_the_first_claim_that_holds_is_made(weights: tuple[float, ...], name: str) -> None:
    assert claim(row(*weights)).name == name


def test_the_claims_are_ranked_as_the_page_promises() -> None:
    names = [claim.name for claim in CLAIMS]
    assert names == ["no weights", "negative", "tie", "nearly all", "largest"]


def test_a_weight_above_1_is_told_with_the_negative_one_that_it_needs() -> None:
    said = verdict(row(1.6, -0.8, 0.2, 0.0))
    assert said == (
        "The street gets the negative weight −0.800, and the animal more than the whole, 1.600: "
        "this is no average."
    )
    assert "more than the whole" not in verdict(row(0.9, -0.1, 0.2, 0.0))


def test_several_negative_weights_are_all_named() -> None:
    said = verdict(row(1.5, -0.2, -0.3, 0.0))
    assert "The street and “it” get the negative weights −0.200 and −0.300" in said


def test_a_tie_names_who_shares_it_and_a_tie_of_all_says_all() -> None:
    assert "The animal and the street get 0.400 each" in verdict(row(0.4, 0.4, 0.1, 0.1)).replace(
        "A tie: t", "T"
    )
    assert verdict(row(0.25, 0.25, 0.25, 0.25)).startswith("Every visible token")
    third = 1 / 3
    assert verdict(row(third, third, third, 0.0)).startswith("Every visible token")


def test_a_share_is_of_what_is_passed_on_and_says_why() -> None:
    assert "81% of the animal’s value: so it is." in verdict(row(0.808, 0.05, 0.1, 0.042))
    said = verdict(row(0.808, 0.05, 0.1, 0.042, passed="key"))
    assert "81% of the animal’s key" in said
    assert "value" not in said


def test_nearly_all_names_the_token_and_its_weight() -> None:
    said = verdict(row(0.02, 0.96, 0.01, 0.01))
    assert said == "Nearly all the weight, 0.960, is on the street: so it is."


def claimed(said: str) -> str:
    """Read from a sentence which claim it makes."""
    starts = {
        "No weights": "no weights",
        "Every visible token gets the same": "tie",
        "A tie": "tie",
        "Nearly all the weight": "nearly all",
        "“it” carries": "largest",
    }
    for start, name in starts.items():
        if said.startswith(start):
            return name
    return "negative" if "negative weight" in said else said


def expected(weights: list[float] | None) -> str:
    """Derive the claim from weights by plain comparisons."""
    if weights is None:
        return "no weights"
    if min(weights) < 0:
        return "negative"
    first, second = sorted(weights, reverse=True)[:2]
    if first - second < 1e-9:
        return "tie"
    return "nearly all" if first >= 0.95 else "largest"


def test_every_setting_of_the_figure_makes_the_claim_of_its_weights() -> None:
    met = set()
    for settings in oracle.ATTEND_SETTINGS:
        weights = oracle.weights(settings)
        said = State(FIGURE, settings)["verdict"]
        assert claimed(said) == expected(weights), settings
        met.add(claimed(said))
        if weights is None:
            continue
        top = max(weights)
        best = [name for name, w in zip(NAMES, weights, strict=True) if top - w < 1e-9]
        if claimed(said) == "negative":
            below = [name for name, w in zip(NAMES, weights, strict=True) if w < 0]
            assert all(name.lower() in said.lower().split(": this")[0] for name in below)
            assert ("more than the whole" in said) == (top > 1)
        elif claimed(said) == "largest":
            assert said.startswith(f"“it” carries {oracle.shown(100 * top, 0)}% of {best[0]}’s ")
        elif claimed(said) == "nearly all":
            assert f"{oracle.shown(top, 3)}, is on {best[0]}" in said
        elif "Every visible token" in said:
            assert len(best) == oracle.visible(settings)
        else:
            assert all(name in said for name in best)
            assert 1 < len(best) < oracle.visible(settings)
    assert met == {claim.name for claim in CLAIMS}


def test_where_the_key_is_passed_on_no_verdict_speaks_of_a_value() -> None:
    for settings in oracle.ATTEND_SETTINGS:
        if settings["own-value"] == "off":
            assert "value" not in State(FIGURE, settings)["verdict"], settings


def test_what_it_would_be_with_nothing_removed_is_the_full_share_of_the_same_token() -> None:
    told: Counter[str] = Counter()
    for settings in oracle.ATTEND_SETTINGS:
        before, found, share = State(FIGURE, settings)["verdict"].partition(" it would be ")
        if not found:
            continue
        how = before.partition(": ")[2]
        told[how] += 1
        assert ("mask" in how) == (settings["mask"] == "on"), settings
        parts = {settings[name] for name in oracle.SWITCHES if name != "mask"}
        assert ("nothing removed" in how) == (parts != {"on"}), settings
        weights = oracle.weights(settings)
        full = oracle.full_weights(settings)
        assert weights is not None
        top = weights.index(max(weights))
        if max(weights) >= 0.95:  # both in one unit
            assert share == f"{oracle.shown(full[top], 3)}."
        else:
            assert share == f"{oracle.shown(100 * full[top], 0)}%."
    assert told.total() > 100
    assert set(told) == {
        "with nothing removed",
        "without the mask",
        "with nothing removed and no mask",
    }


def test_a_reason_given_is_true_of_query_and_key() -> None:
    asks = {"something animate": 0, "a place": 1}
    told = 0
    for settings in oracle.ATTEND_SETTINGS:
        said = State(FIGURE, settings)["verdict"]
        for words, entry in asks.items():
            asked = re.search(f"its query asks (above all )?for {words}", said)
            if not asked:
                continue
            told += 1
            query = (
                oracle.query(int(settings["query"]))
                if settings["own-query"] == "on"
                else oracle.KEYS[2]
            )
            weights = oracle.weights(settings)
            assert weights is not None
            key = oracle.KEYS[weights.index(max(weights))]
            assert query[entry] > 0
            assert (query[1 - entry] > 0) == bool(asked[1])
            assert key[entry] > 0
            assert query[entry] * key[entry] == max(q * k for q, k in zip(query, key, strict=True))
    assert told > 10
