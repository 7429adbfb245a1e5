"""How a browser is found, started with a reader's settings, and listened to.

`python -m tests.engines chromium` prints where that browser is, or fails.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser
from playwright.sync_api import BrowserContext
from playwright.sync_api import Playwright
from playwright.sync_api import sync_playwright

Engine = Literal["chromium", "firefox"]

# The names a browser goes by on Linux, the quickest to start first. Only the Firefox that the
# pinned Playwright is known to drive: others are asked for by naming them in FIREFOX.
COMMANDS: dict[str, list[str]] = {
    "chromium": ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"],
    "firefox": ["firefox-esr"],
}

CHROMIUM_FLAGS = [
    "--no-sandbox",  # root, as in most containers, can have no sandbox
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def find(playwright: Playwright, engine: Engine) -> str | None:
    """Return the path of a browser: from CHROMIUM or FIREFOX, PATH, or Playwright's download."""
    if named := os.environ.get(engine.upper()):
        return shutil.which(named)
    for command in COMMANDS[engine]:
        if path := shutil.which(command):
            return path
    own = Path(playwright.chromium.executable_path)
    return str(own) if engine == "chromium" and own.exists() else None


def launch(
    playwright: Playwright,
    engine: Engine,
    path: str,
    *,
    color_scheme: Literal["light", "dark"] = "light",
    forced_colors: bool = False,
    reduced_motion: bool = False,
    javascript: bool = True,
    letters: int = 16,
) -> Browser:
    """Start a browser. Chromium takes the settings per context, Firefox only here.

    `letters` is the reader's own size of letters in CSS pixels: both take it only here.
    Firefox's forced colours bring their own scheme, whatever `color_scheme` says.
    """
    if engine == "chromium":
        size = f"--blink-settings=defaultFontSize={letters}"
        return playwright.chromium.launch(executable_path=path, args=[*CHROMIUM_FLAGS, size])
    preferences: dict[str, str | float | bool] = {
        "layout.css.prefers-color-scheme.content-override": 0 if color_scheme == "dark" else 1,
        "ui.prefersReducedMotion": int(reduced_motion),
        "javascript.enabled": javascript,
        "font.size.variable.x-western": letters,
    }
    if forced_colors:
        preferences["browser.display.document_color_use"] = 2  # 2: never the page's own colours
        preferences["ui.useAccessibilityTheme"] = 1
    return playwright.firefox.launch(
        channel="moz-firefox", executable_path=path, firefox_user_prefs=preferences
    )


def listen(context: BrowserContext, address: str) -> list[str]:
    """Return a list that grows by every message, error and request but those for `address`.

    Firefox reports no request for another file on disk, and Chromium reports all of them.
    """
    heard: list[str] = []
    context.on("console", lambda message: heard.append(f"{message.type}: {message.text}"))
    context.on("weberror", lambda error: heard.append(f"uncaught: {error.error}"))
    context.on(
        "request",
        lambda request: (
            heard.append(f"request: {request.url}")
            if request.url.partition("#")[0] != address
            else None
        ),
    )
    return heard


def main(engine: Engine) -> int:
    """Print where the browser is; fail if it is nowhere."""
    with sync_playwright() as playwright:
        path = find(playwright, engine)
    if path:
        print(path)
    return 0 if path else 1


if __name__ == "__main__":
    sys.exit(main("firefox" if sys.argv[1:] == ["firefox"] else "chromium"))
