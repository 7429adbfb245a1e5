"""Take the README's picture of the first figure: python -m tests.figure_picture."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests import engines

SITE = Path(__file__).parents[1] / "site"


def main() -> None:
    """Write site/figure.png from site/index.html, light and 1280 pixels wide."""
    with sync_playwright() as playwright:
        path = engines.find(playwright, "chromium")
        if path is None:
            raise SystemExit("figure_picture: found no Chromium; set CHROMIUM to its path")
        browser = engines.launch(playwright, "chromium", path)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto((SITE / "index.html").as_uri())
        page.locator("#attend").screenshot(path=SITE / "figure.png")
        browser.close()


if __name__ == "__main__":
    main()
