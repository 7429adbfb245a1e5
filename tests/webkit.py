"""WebKit, the engine of Safari, as Debian packages it: `webkit2gtk-driver` on a screen by `xvfb`.

Playwright cannot drive it, Selenium can. `python -m tests.webkit` prints where it is, or fails.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium.webdriver import Remote
from selenium.webdriver.common.proxy import Proxy
from selenium.webdriver.common.proxy import ProxyType
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options
from selenium.webdriver.webkitgtk.service import Service

# Resolves after what the browser does by itself once the page is shown, such as scrolling.
SETTLED = """
const [done] = arguments;
const frames = () => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
if (document.readyState === "complete") frames();
else addEventListener("load", frames);
"""


def find() -> str | None:
    """Return the path of WebKit's small browser, if its driver and a screen are there, too."""
    if not (shutil.which("WebKitWebDriver") and shutil.which("Xvfb")):
        return None
    found = sorted(Path("/usr/lib").glob("*/webkit*gtk-*/MiniBrowser"))
    return str(found[-1]) if found else None


class WebKitPage:
    """What one window shows. It evaluates as a page of Playwright does, so `driving` drives it."""

    def __init__(self, driver: Remote) -> None:
        self.driver = driver

    def evaluate(self, expression: str, arg: Any = None) -> Any:
        """Return what the function written out in `expression` returns for `arg`."""
        return self.driver.execute_script(f"return ({expression})(arguments[0]);", arg)

    def settle(self) -> None:
        """Wait until the page is loaded and the browser has done what it does by itself."""
        self.driver.execute_async_script(SETTLED)

    def open(self, address: str) -> None:
        """Load a page, also where only what follows its # is another than now."""
        self.driver.get("about:blank")
        self.driver.get(address)
        self.settle()

    def back(self) -> None:
        """Go back, in this page or to another."""
        self.driver.back()
        self.settle()

    def open_in_frame(self, address: str, host: Path, width: int) -> None:
        """Load a page in a frame of `width` CSS pixels: windows do not get as narrow as phones.

        `host` is where the page around the frame may be written.
        """
        frame = f'<iframe src="{address}" style="width: {width}px; height: 800px"></iframe>'
        host.write_text(f"<!doctype html><title>frame</title>{frame}", encoding="utf-8")
        self.driver.get(host.as_uri())
        self.driver.switch_to.frame(0)
        self.settle()


@contextmanager
def screen() -> Iterator[str]:
    """Run a screen that nobody sees and yield its name for `DISPLAY`."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1400x1000x24"]
    with subprocess.Popen(
        [*command, "-nolisten", "tcp"], pass_fds=[writing], stderr=subprocess.DEVNULL
    ) as server:
        os.close(writing)
        try:
            with os.fdopen(reading) as names:
                number = names.readline().strip()
                if not number:
                    raise RuntimeError("Xvfb did not start")
                yield f":{number}"
        finally:
            server.terminate()


@contextmanager
def launch(path: str) -> Iterator[WebKitPage]:
    """Start the browser at `path` and yield its window. What hangs is an error after a minute."""
    options = Options()
    options.binary_location = path
    options.add_argument("--automation")
    with screen() as display:
        # Nothing here goes through a proxy. On a desktop with Wayland it would open there.
        kept = {name: to for name, to in os.environ.items() if not name.lower().endswith("_proxy")}
        service = Service(env={**kept, "DISPLAY": display, "GDK_BACKEND": "x11"})
        service.start()
        try:
            config = ClientConfig(
                service.service_url,
                proxy=Proxy({"proxyType": ProxyType.DIRECT}),
                timeout=60,
                init_args_for_pool_manager={"init_args_for_pool_manager": {"retries": False}},
            )
            with Remote(RemoteConnection(client_config=config), options=options) as driver:
                driver.set_window_size(1280, 900)
                driver.set_script_timeout(50)
                yield WebKitPage(driver)
        finally:
            service.stop()


if __name__ == "__main__":
    print(found := find() or "")
    sys.exit(not found)
