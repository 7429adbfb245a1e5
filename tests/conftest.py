"""What every test of the page in a browser stands on: `open_page`, `chromium`, `firefox`."""

import os
from collections.abc import Callable
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from typing import Literal
from typing import NoReturn

import pytest
from hypothesis import settings
from playwright.sync_api import Browser
from playwright.sync_api import BrowserContext
from playwright.sync_api import Page
from playwright.sync_api import Playwright
from playwright.sync_api import sync_playwright

from tests import engines
from tests.engines import Engine

SITE = Path(__file__).parents[1] / "site" / "index.html"

# A slow machine is no fault of the code: a property may take as long as it needs.
settings.register_profile("patient", settings(), deadline=None)
settings.load_profile("patient")


def missing(what: str) -> NoReturn:
    """Skip a test for which something optional is not installed; in CI (`CI=true`) it fails."""
    say = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
    say(what)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """Run Playwright's driver once for all tests of this process."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def start(playwright: Playwright) -> Iterator[Callable[..., Browser]]:
    """Return `start(engine, **settings)`, which keeps each browser for the next test.

    Where Chromium is missing the test fails. Firefox is optional.
    """
    running: list[Browser] = []

    @cache
    def started(engine: Engine, **reader: Any) -> Browser:
        path = engines.find(playwright, engine)
        if path is None:
            say = pytest.fail if engine == "chromium" else missing
            say(f"no {engine}: install it, or name its command in {engine.upper()}")
        running.append(engines.launch(playwright, engine, path, **reader))
        return running[-1]

    yield started
    for browser in running:
        browser.close()


@pytest.fixture(scope="session")
def chromium(start: Callable[..., Browser]) -> Browser:
    """Return Chromium, for a test that needs contexts of its own; others take `open_page`."""
    return start("chromium")


@pytest.fixture(scope="session")
def firefox(start: Callable[..., Browser]) -> Browser:
    """Return Firefox with the reader's settings left alone; others take `open_page`."""
    return start("firefox")


class Opener:
    """What `open_page` is: it opens the page from disk as one reader would, and listens to it.

    A test takes it as `open_page: Opener` and calls it once a reader, as in
    `page = open_page("#attend?query=0", width=320, javascript=False)`.
    Each call opens a fresh context: nothing stored, no history. At the end of the test anything
    a page logged, threw or asked for beyond its own file fails the test.
    """

    def __init__(self, start: Callable[..., Browser]) -> None:
        self._start = start
        self._open: list[tuple[BrowserContext, bool, list[str]]] = []

    def __call__(
        self,
        fragment: str = "",
        *,
        file: Path = SITE,
        engine: Engine = "chromium",
        width: int = 1280,
        height: int = 800,
        color_scheme: Literal["light", "dark"] = "light",
        forced_colors: bool = False,
        reduced_motion: bool = False,
        javascript: bool = True,
        touch: bool = False,
    ) -> Page:
        """Return the loaded page.

        `fragment` is what follows the file's name, "#attend?query=0" say. `width` and `height`
        are the viewport's, in CSS pixels. `touch` is a phone: touch events, a coarse pointer,
        and an `innerWidth` that grows where the page overflows. Only Chromium has it, and
        asking Firefox for it is a ValueError.
        """
        if touch and engine == "firefox":
            raise ValueError("Firefox has no touch here: take Chromium")
        reader = {
            "color_scheme": color_scheme,
            "forced_colors": forced_colors,
            "reduced_motion": reduced_motion,
            "javascript": javascript,
        }
        browser = self._start(engine, **(reader if engine == "firefox" else {}))
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=color_scheme,
            forced_colors="active" if forced_colors else "none",
            reduced_motion="reduce" if reduced_motion else "no-preference",
            java_script_enabled=javascript,
            has_touch=touch,
            is_mobile=touch or None,  # Firefox takes neither True nor False
        )
        context.set_default_timeout(10_000)  # ms
        self._open.append((context, javascript, engines.listen(context, file.as_uri())))
        page = context.new_page()
        page.goto(file.as_uri() + fragment)
        return page

    def close(self) -> list[str]:
        """Close every page and return what was heard from all of them."""
        for context, javascript, _ in self._open:
            for page in context.pages if javascript else []:  # without it no timer ever fires
                # A turn of the page's own clock: what it was about to say has been said.
                page.evaluate("() => new Promise((resolve) => setTimeout(resolve))")
            context.close()
        return [line for _, _, heard in self._open for line in heard]


@pytest.fixture
def open_page(start: Callable[..., Browser]) -> Iterator[Opener]:
    """Return an `Opener`: `open_page(...)` opens the page, and nothing may be heard from it."""
    opener = Opener(start)
    yield opener
    assert opener.close() == []
