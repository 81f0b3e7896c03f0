"""Starts Chromium with WebMCP enabled: in a window for the user, or headless for MCP clients alone."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from gemini_companion.browser.profile import let_sites_store
from gemini_companion.storage.folders import data_folder
from gemini_testing.chromium import WEBMCP, find_browser

# A separate profile is used, since a browser that already runs ignores the flag.
FLAGS = (WEBMCP, "--no-first-run", "--no-default-browser-check")


def profile_folder(name: str) -> Path:
    """Return the folder where a browser that the companion starts saves what pages store, one for each use."""
    return data_folder() / "browser" / name


def open_page(url: str, profile: Path) -> subprocess.Popen[bytes] | None:
    """Show `url` in a window; return None if there is no Chromium or no screen."""
    browser = find_browser()
    if browser is None or not _has_screen():
        return None
    let_sites_store(profile)
    return subprocess.Popen(
        [str(browser), *flags(profile), url],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        # Ctrl-C in the terminal stops the companion, not the browser.
        start_new_session=True,
    )


def how_to_open(url: str) -> str:
    """Return the instructions for opening the surface by hand."""
    return (
        f"Open {url} in Chromium or Chrome started with {WEBMCP} "
        "(or with chrome://flags/#enable-webmcp-testing enabled)."
    )


def flags(profile: Path) -> list[str]:
    """Return the options that Chromium is started with; pages store their data in `profile`."""
    arguments = [*FLAGS, f"--user-data-dir={profile}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # Chromium refuses to run as root with its sandbox.
        arguments.append("--no-sandbox")
    return arguments


def _has_screen() -> bool:
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
