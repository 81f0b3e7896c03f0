"""Opens pages in Chromium with WebMCP on."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from gemini_testing.chromium import WEBMCP, find_browser


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


def _has_screen() -> bool:
    if sys.platform in {"darwin", "win32"}:
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
