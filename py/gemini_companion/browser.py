"""Chromium with WebMCP on: in a window for the person, or without one for MCP clients alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from gemini_companion.folders import data_folder
from gemini_testing.chromium import WEBMCP, find_browser

# The profile is one of the surface's own, since a browser that already runs would ignore the flag.
FLAGS = (WEBMCP, "--no-first-run", "--no-default-browser-check")


def profile_folder(name: str) -> Path:
    """Where a browser that the companion starts keeps what pages store, under a name for each use."""
    return data_folder() / "browser" / name


def open_page(url: str, profile: Path) -> subprocess.Popen[bytes] | None:
    """Show `url` in a window; None where there is no Chromium or no screen."""
    browser = find_browser()
    if browser is None or not _has_screen():
        return None
    return subprocess.Popen(
        [str(browser), *flags(profile), url],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Ctrl-C in the terminal stops the companion, not the browser.
        start_new_session=True,
    )


def how_to_open(url: str) -> str:
    """What to do by hand, for the person."""
    return (
        f"Open {url} in Chromium or Chrome started with {WEBMCP} "
        "(or with chrome://flags/#enable-webmcp-testing switched on)."
    )


def flags(profile: Path) -> list[str]:
    """What Chromium is started with; pages store what they keep in `profile`."""
    told = [*FLAGS, f"--user-data-dir={profile}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Chromium refuses to run as root with its sandbox.
        told.append("--no-sandbox")
    return told


def _has_screen() -> bool:
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
