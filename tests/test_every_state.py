"""Every place on the page shows the text of its own figure, in every state of every figure."""

import itertools
from typing import Any

import pytest

from attention.page import page as built_page
from tests.conftest import Opener

# Sets controls as a reader would leave them, sends `input`, and reads the slots: of the first state
# all, then what differs from the state before.
READ = """([id, settings]) => {
  const form = document.querySelector(`form[data-figure="${id}"]`);
  const figure = form.closest("figure");
  const slots = [...figure.querySelectorAll("[data-slot]")];
  const before = [];
  return settings.map((setting) => {
    for (const [name, value] of Object.entries(setting)) {
      const control = form.elements[name];
      if (control.type === "checkbox") control.checked = value === "on";
      else control.value = value;
    }
    form.elements[0].dispatchEvent(new Event("input", { bubbles: true }));
    return slots.flatMap((slot, i) => {
      if (before[i] === slot.textContent) return [];
      before[i] = slot.textContent;
      return [[i, slot.dataset.slot, before[i]]];
    });
  });
}"""
FIGURES = built_page().figures


def all_settings(figure: Any) -> list[dict[str, str]]:
    """List every combination of a figure's controls."""
    names = [control.name for control in figure.controls]
    values = itertools.product(*(control.values for control in figure.controls))
    return [dict(zip(names, row, strict=True)) for row in values]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)
def test_every_place_shows_its_text_in_every_state(open_page: Opener, figure: Any) -> None:
    settings = all_settings(figure)
    found = open_page().evaluate(READ, [figure.id, settings])
    shown: dict[int, tuple[str, str]] = {}
    for setting, changed in zip(settings, found, strict=True):
        shown |= {place: (slot, text) for place, slot, text in changed}
        state = figure.at("&".join(f"{name}={value}" for name, value in setting.items()))
        assert [(slot, text) for slot, text in shown.values() if text != state[slot]] == []
