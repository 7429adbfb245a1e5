"""The parts that figure `attend` removes: where each removal shows most, and in which rows."""

import math

import pytest

from attention import example
from attention.example import TOKENS
from attention.figures import attend
from attention.figures import parts
from attention.figures.figure import State
from tests import oracle

FIGURE = attend.build()
DEFAULT = oracle.ATTEND_SETTINGS[10]


def row(state: State, slot: str) -> list[str]:
    """Return the texts of one column of the table."""
    return [state[f"{slot}-{token}"] for token in TOKENS]


def change(part: str, stop: int) -> float:
    """Add up how far each weight is from the full version's; without weights it is the farthest."""
    changed = {**DEFAULT, part: oracle.SWITCHES[part][1], "query": str(stop)}
    removed = oracle.weights(changed)
    full = oracle.weights({**DEFAULT, "query": str(stop)})
    if removed is None or full is None:
        return math.inf
    return math.fsum(abs(a - b) for a, b in zip(removed, full, strict=True))


def worst(part: str) -> int | None:
    """Return the first of the stops that are equally bad, or None where no weight changes."""
    changes = [change(part, stop) for stop in range(31)]
    if max(changes) == 0:
        return None
    return next(i for i, far in enumerate(changes) if far >= max(changes) - 1e-9)


@pytest.mark.parametrize("part", oracle.SWITCHES)
def test_the_worst_stop_is_where_the_weights_change_most(part: str) -> None:
    control = next(control for control in FIGURE.controls if control.name == part)
    assert parts.worst_stop(control) == worst(part)


def test_only_another_value_leaves_every_weight_as_it_is() -> None:
    still = [part for part in oracle.SWITCHES if not any(change(part, i) for i in range(31))]
    assert still == ["own-value"]


def test_the_table_removes_each_part_at_the_default_and_at_its_worst() -> None:
    rows = parts.removals()
    expected = []
    for part, values in oracle.SWITCHES.items():
        expected.append((part, f"{part}={values[1]}"))
        if worst(part) not in (None, 10):
            expected.append((part, f"query={worst(part)}&{part}={values[1]}"))
    assert rows == expected


def test_a_part_that_breaks_most_at_the_default_query_has_one_row(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(parts, "worst_stop", lambda part: example.DEFAULT_STOP)
    assert [part for part, _ in parts.removals()] == list(oracle.SWITCHES)
    monkeypatch.setattr(parts, "worst_stop", lambda part: 0)
    assert len(parts.removals()) == 2 * len(oracle.SWITCHES)


def test_no_table_row_of_a_part_shows_the_full_weights_at_its_worst() -> None:
    for part, settings in parts.removals():
        state = FIGURE.at(settings)
        if "query" in settings:
            assert row(state, "weight") != row(state, "full-weight"), part
