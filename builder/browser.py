"""Finds Chromium and its driver on this machine, and opens pages in it with WebMCP on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
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
    named = os.environ.get("CHROME_BIN")
    candidates = [Path(named)] if named else _usual_browsers()
    return next((path for path in candidates if path.is_file()), None)


def find_driver() -> Path | None:
    """ChromeDriver: the one that the variable SE_CHROMEDRIVER names, else the first on the PATH."""
    named = os.environ.get("SE_CHROMEDRIVER")
    found = [named] if named else [shutil.which(name) for name in DRIVERS]
    return next((Path(path) for path in found if path and Path(path).is_file()), None)


def open_page(url: str, profile: Path) -> subprocess.Popen[bytes] | None:
    """Show `url` in Chromium with WebMCP on; None where there is no Chromium or no screen.

    The profile is one of its own, since a browser that already runs would ignore the flag.
    """
    browser = find_browser()
    if browser is None or not _has_screen():
        return None
    flags = [WEBMCP, f"--user-data-dir={profile}", "--no-first-run", "--no-default-browser-check"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Chromium refuses to run as root with its sandbox.
        flags.append("--no-sandbox")
    return subprocess.Popen(
        [str(browser), *flags, url],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Ctrl-C in the terminal stops the server, not the browser.
        start_new_session=True,
    )


def how_to_open(url: str) -> str:
    """What to do by hand, for the person."""
    return (
        f"Open {url} in Chromium or Chrome started with {WEBMCP} "
        "(or with chrome://flags/#enable-webmcp-testing switched on)."
    )


def _usual_browsers() -> Iterator[Path]:
    for name in BROWSERS:
        if found := shutil.which(name):
            yield Path(found)
    if sys.platform == "darwin":
        for folder in (Path("/Applications"), Path.home() / "Applications"):
            for name in ("Chromium", "Google Chrome"):
                yield folder / f"{name}.app/Contents/MacOS/{name}"
    if sys.platform == "win32":
        for variable in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"):
            folder = Path(os.environ.get(variable, "C:/"))
            yield folder / "Google/Chrome/Application/chrome.exe"
            yield folder / "Chromium/Application/chrome.exe"


def _has_screen() -> bool:
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
