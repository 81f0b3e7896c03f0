"""Finds Chromium and ChromeDriver on this machine. Needs only the standard library."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

# Chromium 156 enables WebMCP with this flag, or with chrome://flags/#enable-webmcp-testing.
WEBMCP = "--enable-features=WebMCP"
# Two hidden pages of the address bar's menu take as long as the rest of the browser's start.
NO_ADDRESS_MENU = "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"

BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "google-chrome-beta",
    "chrome",
)
DRIVERS = ("chromedriver", "chromium.chromedriver")


def find_browser() -> Path | None:
    """Return the path of Chromium or Chrome.

    The environment variable CHROME_BIN names it; by default it is the first in the standard locations.
    """
    return _find("CHROME_BIN", _standard_browsers())


def missing_browser() -> str:
    """Return why `find_browser` found none: the file that CHROME_BIN names is missing, or there is no Chromium."""
    named = os.environ.get("CHROME_BIN")
    return f"CHROME_BIN names {named}, which isn't a file" if named else "no Chromium or Chrome was found"


def find_driver() -> Path | None:
    """Return the path of ChromeDriver.

    The environment variable SE_CHROMEDRIVER names it; by default it is the first on the PATH.
    """
    return _find("SE_CHROMEDRIVER", _on_path(DRIVERS))


def _find(variable: str, candidates: Iterable[Path]) -> Path | None:
    named = os.environ.get(variable)
    return next((path for path in ([Path(named)] if named else candidates) if path.is_file()), None)


def _standard_browsers() -> Iterator[Path]:
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


def _on_path(names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        if found := shutil.which(name):
            yield Path(found)
