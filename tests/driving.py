"""How a browser test drives a figure: by its native controls, as the contract names them."""

from collections.abc import Callable
from itertools import count
from itertools import product
from typing import Any
from typing import Protocol

from tests import oracle

Settings = dict[str, str]

ORACLE: dict[str, Callable[[Settings], dict[str, str]]] = {
    "attend": oracle.attend,
    "scaling": oracle.scaling,
}
DEFAULT = {"query": "10", **{name: values[0] for name, values in oracle.SWITCHES.items()}}


class Page(Protocol):
    """What all of this needs of a page: Playwright's can do it, and WebKit's."""

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        """Return what the function written out in `expression` returns for `arg`."""


# Set the controls of a figure, and say so once with an event that bubbles.
SET = """
const put = (id, settings) => {
  const form = document.querySelector(`form[data-figure="${id}"]`);
  for (const [name, value] of Object.entries(settings)) {
    const control = form.elements[name];
    if (control.type === "checkbox") control.checked = value === "on";
    else control.value = value;
  }
  form.querySelector("[name]").dispatchEvent(new Event("input", { bubbles: true }));
};
const figureOf = (id) => document.querySelector(`form[data-figure="${id}"]`).closest("figure");
const texts = (id, slots) => Object.fromEntries(slots.map((slot) => {
  const all = [...figureOf(id).querySelectorAll(`[data-slot="${slot}"]`)];
  return [slot, [...new Set(all.map((element) => element.textContent))].join(" | ")];
}));
"""

CONTROLS = """(id) => {
  const form = document.querySelector(`form[data-figure="${id}"]`);
  const controls = {};
  for (const control of form.elements) {
    const { name, type } = control;
    if (!name) continue;
    if (type === "range") {
      controls[name] = [control.defaultValue];
      for (let value = +control.min; value <= +control.max; value += +control.step || 1) {
        if (`${value}` !== control.defaultValue) controls[name].push(`${value}`);
      }
    } else if (type === "checkbox") {
      controls[name] = control.defaultChecked ? ["on", "off"] : ["off", "on"];
    } else if (control.options) {
      controls[name] = [...control.options].map((option) => option.value);
    } else if (type === "radio") {
      (controls[name] ??= []).push(control.value);
    }
  }
  return controls;
}"""


def figures(page: Page) -> list[str]:
    """Return the id of every figure on the page, in its order."""
    ids: list[str] = page.evaluate(
        "() => [...document.querySelectorAll('form[data-figure]')]"
        ".map((form) => form.dataset.figure)"
    )
    return ids


def controls(page: Page, figure: str) -> dict[str, list[str]]:
    """Return every value of every native control of a figure; a default range value is first."""
    found: dict[str, list[str]] = page.evaluate(CONTROLS, figure)
    return found


def every(page: Page, figure: str) -> list[Settings]:
    """Return every combination of settings of a figure."""
    values = controls(page, figure)
    return [dict(zip(values, chosen, strict=True)) for chosen in product(*values.values())]


def some(page: Page, figure: str, about: int) -> list[Settings]:
    """Return about so many combinations, or all if there are fewer: every value is in one."""
    values = controls(page, figure)
    everything = every(page, figure)

    def picked(step: int) -> list[Settings]:
        return everything[::step]

    def meets_all(step: int) -> bool:
        return all(
            {settings[name] for settings in picked(step)} == set(values[name]) for name in values
        )

    return picked(next(filter(meets_all, count(len(everything) // about or 1))))


def put(page: Page, figure: str, settings: Settings) -> None:
    """Set controls of a figure and tell it once. Controls that are not named stay as they are."""
    page.evaluate(f"([id, settings]) => {{ {SET} put(id, settings); }}", [figure, settings])


def each(page: Page, figure: str, states: list[Settings], read: str) -> list[Any]:
    """Go through states in one call and return what `read` gives in each.

    `read` is a JavaScript expression that may use `id`, `settings`, `figureOf(id)` and
    `texts(id, [slot, …])`.
    """
    result: list[Any] = page.evaluate(
        f"([id, states]) => {{ {SET} return states.map((settings) => "
        f"{{ put(id, settings); return {read}; }}); }}",
        [figure, states],
    )
    return result


def shown(page: Page, figure: str) -> dict[str, str]:
    """Return the text of every slot of a figure now; texts that differ are joined by a bar."""
    slots: dict[str, str] = page.evaluate(
        f"""(id) => {{ {SET}
          const names = [...figureOf(id).querySelectorAll("[data-slot]")];
          return texts(id, names.map((element) => element.dataset.slot));
        }}""",
        figure,
    )
    return slots


def settings(page: Page, figure: str) -> Settings:
    """Return how the native controls of a figure stand."""
    stand: Settings = page.evaluate(
        """(id) => {
          const form = document.querySelector(`form[data-figure="${id}"]`);
          const names = new Set([...form.elements].map((control) => control.name).filter(Boolean));
          return Object.fromEntries([...names].map((name) => {
            const control = form.elements[name];
            if (control.type === "checkbox") return [name, control.checked ? "on" : "off"];
            return [name, control.value];
          }));
        }""",
        figure,
    )
    return stand


def check(page: Page, figure: str, expected: Settings | None = None) -> None:
    """Assert that controls stand as expected and that the numbers are those of the controls.

    For `attend` and `scaling`: of these there is an oracle.
    """
    stand = settings(page, figure)
    if expected is not None:
        assert {name: stand[name] for name in expected} == expected
    found = shown(page, figure)
    for slot, text in ORACLE[figure](stand).items():
        assert found[slot] == text, (stand, slot)


def address(page: Page) -> str:
    """Return the page's address now. Playwright's own `page.url` may still be an earlier one."""
    now: str = page.evaluate("() => location.href")
    return now
