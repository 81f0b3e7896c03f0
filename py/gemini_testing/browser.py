"""Finds Chromium and ChromeDriver, and starts them as the surface needs them."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from selenium.webdriver import Chrome
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

# Chromium 156 has WebMCP behind this flag.
WEBMCP = "--enable-features=WebMCP"
FLAGS = (
    # Containers seldom allow the sandbox, and the pages are the tests' own.
    "--no-sandbox",
    # Their /dev/shm is often too small.
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--no-default-browser-check",
    # Nothing but the page's own server is asked for anything.
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "google-chrome-beta",
    "chrome",
)
DRIVERS = ("chromedriver", "chromium.chromedriver")
# The longest that one script may take in the page; each wait has a shorter limit of its own.
SCRIPT_TIMEOUT_S = 120


def launch(
    *, webmcp: bool = True, headed: bool = False, dark: bool = False, size: tuple[int, int] = (1400, 900)
) -> Chrome:
    """Start Chromium with an empty profile.

    It is the one that the variable CHROME_BIN names, else of the usual places, with the driver that SE_CHROMEDRIVER
    names, else of the PATH; Selenium Manager fetches what is not there.

    Args:
        webmcp: Whether WebMCP is on.
        headed: Whether it can be seen.
        dark: Whether the person prefers dark colours.
        size: Width and height of the window's inside, in pixels.
    """
    program = _find("SE_CHROMEDRIVER", _on_path(DRIVERS))
    driver = Chrome(options=_options(webmcp, headed), service=Service(str(program) if program else None))
    driver.set_script_timeout(SCRIPT_TIMEOUT_S)
    metrics = {"width": size[0], "height": size[1], "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
    return driver


def _options(webmcp: bool, headed: bool) -> Options:
    options = Options()
    browser = _find("CHROME_BIN", _usual_browsers())
    if browser is not None:
        options.binary_location = str(browser)
    for flag in FLAGS:
        options.add_argument(flag)
    if not headed:
        options.add_argument("--headless=new")
    if webmcp:
        options.add_argument(WEBMCP)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return options


def _find(variable: str, usual: Iterator[Path]) -> Path | None:
    named = os.environ.get(variable)
    return next((path for path in ([Path(named)] if named else usual) if path.is_file()), None)


def _usual_browsers() -> Iterator[Path]:
    yield from _on_path(BROWSERS)
    if sys.platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            for name in ("Chromium", "Google Chrome"):
                yield folder / f"{name}.app/Contents/MacOS/{name}"
    if sys.platform == "win32":
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            folder = Path(os.environ.get(variable, "C:/"))
            yield folder / "Google/Chrome/Application/chrome.exe"
            yield folder / "Chromium/Application/chrome.exe"


def _on_path(names: tuple[str, ...]) -> Iterator[Path]:
    for name in names:
        if found := shutil.which(name):
            yield Path(found)
