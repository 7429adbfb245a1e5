"""Measure what the page promises about speed: `python -m tests.bench`, or only what is named after.

Prints a line for each promise and exits with 1 if one is broken. Whatever is compared runs in turn,
so that a busy moment of the machine slows both; only medians and their ratios are judged.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from collections.abc import Sequence
from itertools import product
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser
from playwright.sync_api import CDPSession
from playwright.sync_api import Page
from playwright.sync_api import sync_playwright

from attention.page import page as built_page
from tests import engines

ROOT = Path(__file__).parents[1]
SITE = ROOT / "site" / "index.html"
SLOWER = 4  # how many times a slow phone's processor is slower than this one
ROUNDS = 12

# What the page may cost, as a ratio to what it is compared with.
BUILD = 3.0  # to the imports alone; without the trained heads it was 2
DRAG = 2.0  # to a bare page that swaps as many texts
LOAD = 1.5  # to the same page without its script

# Input to next frame: from the event's own time to the first task after its frame was drawn.
LISTEN = """() => {
  window.waits = [];
  addEventListener("input", (event) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.waits.push(performance.now() - event.timeStamp);
    port2.postMessage(0);
  }), true);
}"""
FRAME = "() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))"

SHIFT = """async ([id, states]) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const form = document.querySelector(`form[data-figure="${id}"]`);
  form.closest("figure").scrollIntoView();
  await frame();
  await frame();
  let shift = 0;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shift += entry.value;
  });
  observer.observe({ type: "layout-shift" });
  for (const settings of states) {
    for (const [name, value] of Object.entries(settings)) {
      const control = form.elements[name];
      if (control.type === "checkbox") control.checked = value === "on";
      else control.value = value;
    }
    form.querySelector("[name]").dispatchEvent(new Event("input", { bubbles: true }));
    await frame();
  }
  await frame();
  await new Promise((resolve) => setTimeout(resolve, 200));
  return shift;
}"""


def bare_page() -> str:
    """Write the least that does the same work: a range, and a 4 × 6 table whose texts it swaps."""
    states = [[f"{stop / 10 + cell:.3f}" for cell in range(24)] for stop in range(31)]
    rows = "".join(f"<tr>{'<td>0.000</td>' * 6}</tr>" for _ in range(4))
    return f"""<!DOCTYPE html><meta charset="utf-8"><title>Bare</title>
<form data-figure="attend"><input type="range" name="query" min="0" max="30" value="10"></form>
<table>{rows}</table>
<script>
const states = {json.dumps(states)};
const range = document.querySelector("input");
const cells = document.querySelectorAll("td");
range.addEventListener("input", () => {{
  states[range.value].forEach((text, i) => {{ cells[i].textContent = text; }});
}});
</script>"""


def in_turn(*runs: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """Run each of several measurements once a round, and return the median of each."""
    found = [[run() for run in runs] for _ in range(rounds)]
    return [median(values) for values in zip(*found, strict=True)]


def timed(command: Sequence[str]) -> float:
    """Run a command from the project's folder and return its wall time in seconds."""
    started = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True)
    return time.perf_counter() - started


def build() -> list[bool]:
    """Compare a build with the imports that it cannot do without."""
    with tempfile.TemporaryDirectory() as folder:
        whole = [sys.executable, "build.py", "--out", folder]
        imports = [sys.executable, "-c", "import numpy, jinja2"]
        timed(whole)  # the first build compiles the templates and keeps them
        built, imported = in_turn(lambda: timed(whole), lambda: timed(imports))
    return [judged("build / imports", built, imported, "s", BUILD)]


def slowed(page: Page) -> CDPSession:
    """Slow a page's processor down."""
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    return session


def ready(browser: Browser, file: Path) -> Page:
    """Open a page, its first slider in view, its waits being noted."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto(file.as_uri())
    page.evaluate(LISTEN)
    page.locator("form[data-figure=attend] input[type=range]").scroll_into_view_if_needed()
    return page


def tasks(session: CDPSession) -> float:
    """Return how long a page's main thread has been busy so far, in seconds."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return float(next(m["value"] for m in metrics if m["name"] == "TaskDuration"))


def dragged(page: Page) -> tuple[float, float]:
    """Drag the slider to and fro; return the median wait, and the work for each input, in ms."""
    page.bring_to_front()
    box = page.locator("form[data-figure=attend] input[type=range]").bounding_box()
    assert box is not None
    y = box["y"] + box["height"] / 2
    session = slowed(page)
    session.send("Performance.enable")
    page.evaluate("() => { window.waits = []; }")
    page.mouse.move(box["x"] + box["width"] / 2, y)
    page.mouse.down()
    before = tasks(session)
    for step in [*range(2, 29), *range(28, 1, -1)]:
        page.mouse.move(box["x"] + box["width"] * step / 30, y)
        page.evaluate(FRAME)
    page.evaluate(FRAME)
    busy = tasks(session) - before
    page.mouse.up()
    waits: list[float] = page.evaluate("() => window.waits")
    # A page that stays slowed down keeps a processor busy, and so slows the other.
    session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    session.detach()
    if len(waits) < 40:  # of some 52 stops that the pointer passes
        raise SystemExit(f"bench: the drag made only {len(waits)} inputs")
    return median(waits), 1000 * busy / len(waits)


def drag(browser: Browser) -> list[bool]:
    """Compare dragging the query with dragging the slider of a bare page."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "bare.html"
        file.write_text(bare_page(), encoding="utf-8")
        pages = [ready(browser, SITE), ready(browser, file)]
        for page in pages:
            dragged(page)  # the first drag compiles the script
        rounds = [[dragged(page) for page in pages] for _ in range(ROUNDS)]
    (waited, bare_waited), (worked, bare_worked) = (
        [median(one[i] for one in column) for column in zip(*rounds, strict=True)] for i in (0, 1)
    )
    for page in pages:
        page.close()
    return [
        judged("drag: input to next frame / bare page", waited, bare_waited, "ms", DRAG),
        judged("drag: main thread for each input / bare page", worked, bare_worked, "ms", None),
    ]


def loaded(browser: Browser, file: Path) -> float:
    """Open a page in a process of its own; return the milliseconds its main thread was busy."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    session = slowed(page)
    session.send("Performance.enable")
    before = tasks(session)
    page.goto(file.as_uri())
    page.evaluate(FRAME)
    page.evaluate(FRAME)
    busy = tasks(session) - before
    context.close()
    return 1000 * busy


def load(browser: Browser) -> list[bool]:
    """Compare loading the page with loading it without its script and the script's data."""
    html = SITE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "index.html"
        file.write_text(re.sub(r"<script\b.*?</script>", "", html, flags=re.DOTALL), "utf-8")
        both = in_turn(lambda: loaded(browser, SITE), lambda: loaded(browser, file))
    return [judged("load: main thread / no script", both[0], both[1], "ms", LOAD)]


def shift(browser: Browser) -> list[bool]:
    """Add up the layout shift while every figure goes through every state, a frame for each."""
    fine = []
    for figure in built_page().figures:
        names = [control.name for control in figure.controls]
        values = product(*(control.values for control in figure.controls))
        states: list[Any] = [dict(zip(names, chosen, strict=True)) for chosen in values]
        states = states[:: len(states) // 2000 | 1]  # an odd step meets every value
        page = browser.new_page(viewport={"width": 1280, "height": 4000})
        page.goto(SITE.as_uri())
        found: float = page.evaluate(SHIFT, [figure.id, states])
        page.close()
        fine.append(found == 0)
        print(f"shift: {figure.id}, {len(states)} states: {found:.4f}, at most 0 {word(fine[-1])}")
    return fine


def painted(browser: Browser, file: Path) -> float:
    """Open a page, slowed down, and return the milliseconds to its first text on the screen."""
    context = browser.new_context(viewport={"width": 390, "height": 800})
    page = context.new_page()
    slowed(page)
    page.goto(file.as_uri())
    page.evaluate(FRAME)
    first: float = page.evaluate(
        """() => new Promise((resolve) => new PerformanceObserver((list) => {
          for (const entry of list.getEntriesByName("first-contentful-paint")) {
            resolve(entry.startTime);
          }
        }).observe({ type: "paint", buffered: true }))"""
    )
    context.close()
    return first


def paint(browser: Browser) -> list[bool]:
    """Compare the first paint with that of the page without the figure of the trained heads."""
    html = SITE.read_text(encoding="utf-8")
    without = re.sub(r'<figure id="trained".*?</figure>', "", html, flags=re.DOTALL)
    without = re.sub(
        r'<script type="application/json" id="trained-states">.*?</script>',
        "",
        without,
        flags=re.DOTALL,
    )
    if without == html:
        print("paint: the page has no figure of trained heads")
        return []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "index.html"
        file.write_text(without, encoding="utf-8")
        both = in_turn(lambda: painted(browser, SITE), lambda: painted(browser, file))
    return [judged("paint: with / without the trained heads", both[0], both[1], "ms", None)]


def word(fine: bool) -> str:
    """Say whether a promise is kept."""
    return "" if fine else "BROKEN"


def judged(name: str, ours: float, other: float, unit: str, limit: float | None) -> bool:
    """Print a comparison; return whether it keeps its limit, if it has one."""
    fine = limit is None or ours <= limit * other
    promised = f", at most {limit} {word(fine)}" if limit else ""
    print(f"{name}: {ours:.3g} {unit} / {other:.3g} {unit} = {ours / other:.2f}{promised}")
    return fine


IN_BROWSER = {"drag": drag, "load": load, "shift": shift, "paint": paint}


def main() -> int:
    """Run the measurements that are named, or all."""
    parser = argparse.ArgumentParser(description="Measure the page's speed.")
    parser.add_argument("what", nargs="*", help="build, drag, load, shift, paint; all unless named")
    what = parser.parse_args().what or ["build", *IN_BROWSER]
    if unknown := set(what) - {"build", *IN_BROWSER}:
        parser.error(f"unknown: {', '.join(sorted(unknown))}")
    fine = build() if "build" in what else []
    with sync_playwright() as playwright:
        path = engines.find(playwright, "chromium")
        if path is None:
            raise SystemExit("bench: found no Chromium; set CHROMIUM to its path")
        browser = engines.launch(playwright, "chromium", path)
        for name, measure in IN_BROWSER.items():
            if name in what:
                fine += measure(browser)
        browser.close()
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
