"""The browsers do what the tests of the page rely on, and a page that is not quiet is heard."""

from pathlib import Path

import pytest
from playwright.sync_api import Browser
from playwright.sync_api import Playwright

from tests import engines
from tests.conftest import Opener
from tests.engines import Engine

SETTINGS = """() => ({
    dark: matchMedia("(prefers-color-scheme: dark)").matches,
    forced: matchMedia("(forced-colors: active)").matches,
    still: matchMedia("(prefers-reduced-motion: reduce)").matches,
    finger: matchMedia("(pointer: coarse)").matches,
    width: innerWidth,
    script: document.title === "on",
})"""

SLOW_WORD = """() => {
    setTimeout(() => {
        const start = performance.now();
        while (performance.now() - start < 100);
        console.log("bye");
    });
}"""

DEFAULTS = {
    "dark": False,
    "forced": False,
    "still": False,
    "finger": False,
    "width": 1280,
    "script": True,
}


@pytest.fixture
def blank(tmp_path: Path) -> Path:
    """Return a page that says nothing and whose title tells whether its script ran."""
    return write(tmp_path, '<script>document.title = "on"</script>')


def write(folder: Path, body: str) -> Path:
    """Write a page with `body` and return its path."""
    file = folder / "a page.html"
    file.write_text(f'<!doctype html><html lang="en"><title>off</title>{body}', encoding="utf-8")
    return file


@pytest.mark.parametrize("engine", ["chromium", "firefox"])
@pytest.mark.parametrize(
    ("option", "expected"),
    [
        ({}, {}),
        ({"color_scheme": "dark"}, {"dark": True}),
        ({"forced_colors": True}, {"forced": True}),
        ({"reduced_motion": True}, {"still": True}),
        ({"javascript": False}, {"script": False}),
        ({"width": 320}, {"width": 320}),
    ],
    ids=["none", "dark", "forced colours", "reduced motion", "no script", "width"],
)
def test_a_readers_setting_reaches_the_page(
    open_page: Opener,
    blank: Path,
    engine: Engine,
    option: dict[str, object],
    expected: dict[str, object],
) -> None:
    page = open_page(file=blank, engine=engine, **option)  # type: ignore[arg-type]  # one of six
    assert page.evaluate(SETTINGS) == DEFAULTS | expected


def test_touch_is_a_coarse_pointer_in_chromium(open_page: Opener, blank: Path) -> None:
    page = open_page(file=blank, touch=True, width=320)
    assert page.evaluate(SETTINGS)["finger"]


def test_touch_is_refused_in_firefox(open_page: Opener, blank: Path) -> None:
    with pytest.raises(ValueError, match="touch"):
        open_page(file=blank, touch=True, engine="firefox")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<script>console.debug('psst')</script>", "debug: psst"),
        ("<script>throw new Error('broken')</script>", "uncaught: broken"),
        ("<script>Promise.reject(new Error('late'))</script>", "uncaught: late"),
        ('<img src="else.png" alt="">', "request: .*else.png"),
        ('<link rel="stylesheet" href="http://localhost:9/">', "request: http://localhost:9/"),
        (
            '<meta http-equiv="Content-Security-Policy" content="script-src \'none\'">'
            "<script>1</script>",
            "error: .*Content Security Policy",
        ),
    ],
)
def test_a_page_that_is_not_quiet_is_heard(
    chromium: Browser, tmp_path: Path, body: str, expected: str
) -> None:
    file = write(tmp_path, body)
    opener = Opener(lambda _: chromium)
    opener("#attend", file=file)
    heard = opener.close()
    with pytest.raises(AssertionError, match=expected):
        assert not heard, "\n".join(heard)


def test_the_last_word_of_a_page_is_heard(chromium: Browser, blank: Path) -> None:
    opener = Opener(lambda _: chromium)
    page = opener(file=blank)
    page.evaluate(SLOW_WORD)
    assert opener.close() == ["log: bye"]


def test_a_browser_named_in_the_environment_comes_first(
    playwright: Playwright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "mine"
    mine.touch(mode=0o755)
    monkeypatch.setenv("CHROMIUM", str(mine))
    monkeypatch.setenv("FIREFOX", str(tmp_path / "missing"))
    assert engines.find(playwright, "chromium") == str(mine)
    assert engines.find(playwright, "firefox") is None
