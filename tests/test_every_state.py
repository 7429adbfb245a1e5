"""Every place on the page shows the text of its own figure, in every state of every figure."""

import math
from typing import Any

import pytest

from attention.figures.figure import State
from attention.page import page as built_page
from tests import driving
from tests.conftest import Opener

# Of the first state all slots, then what differs from the state before.
CHANGED = """[...figureOf(id).querySelectorAll("[data-slot]")].flatMap((slot, i) => {
  window.before ??= [];
  if (before[i] === slot.textContent) return [];
  before[i] = slot.textContent;
  return [[i, slot.dataset.slot, before[i]]];
})"""
FIGURES = built_page().figures


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_every_place_shows_its_text_in_every_state(open_page: Opener, figure: Any) -> None:
    page = open_page()
    settings = driving.every(page, figure.id)
    assert len(settings) == math.prod(len(control.values) for control in figure.controls)
    found = driving.each(page, figure.id, settings, CHANGED)
    shown: dict[int, tuple[str, str]] = {}
    for setting, changed in zip(settings, found, strict=True):
        shown |= {place: (slot, text) for place, slot, text in changed}
        state = State(figure, setting)
        assert [(slot, text) for slot, text in shown.values() if text != state[slot]] == []
