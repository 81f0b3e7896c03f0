"""Finds Chromium and its driver on this machine, with the standard library alone."""

import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

# Chromium 156 has WebMCP behind this flag; chrome://flags/#enable-webmcp-testing is the same by hand.
WEBMCP = "--enable-features=WebMCP"

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
    """Chromium or Chrome: the one that the variable CHROME_BIN names, else the first of the usual places."""
    return _find("CHROME_BIN", _usual_browsers())


def find_driver() -> Path | None:
    """ChromeDriver: the one that the variable SE_CHROMEDRIVER names, else the first on the PATH."""
    return _find("SE_CHROMEDRIVER", _on_path(DRIVERS))


def _find(variable: str, usual: Iterable[Path]) -> Path | None:
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


def _on_path(names: Iterable[str]) -> Iterator[Path]:
    for name in names:
        if found := shutil.which(name):
            yield Path(found)
