"""One-time codes that let a browser in for the first time, and the files that take them to it.

What a browser is started with stands in the list of processes, for every user of the machine to read. So it is started
with the path of a file that only its owner reads, and the file leads to the address with the code.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from gemini_companion.private import private_folder, write_private

# For what opens by itself, and for an address that a person copies into a browser.
AT_ONCE_S, BY_HAND_S = 60.0, 600.0
# Codes that nobody used; the oldest make room.
MOST = 100
PREFIX, SUFFIX = "open-", ".html"
LEADS_ON = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<title>Control Surface</title>
<p><a href="{url}">Open the control surface</a>. This link works once, within a minute.</p>
"""


@dataclass(frozen=True)
class Opening:
    """What a code is for.

    Attributes:
        attended: Whether a person is at the browser that is opened.
        until: When it ends, by the monotonic clock.
        file: What has the code, and goes with it.
    """

    attended: bool
    until: float
    file: OpeningFile | None = None


class Openings:
    """Codes that were made, and that nobody used yet."""

    def __init__(self) -> None:
        self._open: dict[str, Opening] = {}

    def code(self, *, attended: bool, within_s: float, file: OpeningFile | None = None) -> str:
        """A new one, of 256 random bits."""
        code = secrets.token_urlsafe(32)
        if len(self._open) >= MOST:
            self._end(next(iter(self._open)))
        self._open[code] = Opening(attended, time.monotonic() + within_s, file)
        return code

    def take(self, code: str) -> Opening | None:
        """What a code is for, which it is once; None where there is none, or its time is over."""
        opening = self._end(code)
        return opening if opening is not None and time.monotonic() <= opening.until else None

    def _end(self, code: str) -> Opening | None:
        opening = self._open.pop(code, None)
        if opening is not None and opening.file is not None:
            opening.file.remove()
        return opening


class OpeningFile:
    """A page of its own, for one browser that is about to start; it is gone once that is there, or after a minute.

    Args:
        folder: Where it is written; its owner alone can enter it afterwards.

    Raises:
        FolderUnusable: Nothing can be written there.
    """

    def __init__(self, folder: Path) -> None:
        self.path = private_folder(folder) / f"{PREFIX}{secrets.token_hex(16)}{SUFFIX}"
        self._removing: asyncio.TimerHandle | None = None
        _sweep(folder)

    @property
    def url(self) -> str:
        """What the browser is started with."""
        return self.path.as_uri()

    def lead_to(self, url: str) -> None:
        """Write it. A loop has to run, which removes it in time."""
        write_private(self.path, LEADS_ON.format(url=html.escape(url)))
        self._removing = asyncio.get_running_loop().call_later(AT_ONCE_S, self.remove)

    def remove(self) -> None:
        """Remove it, if it is there still."""
        if self._removing is not None:
            self._removing.cancel()
        self.path.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Remove what companions left that were killed; their codes open nothing any more."""
    for left in folder.glob(f"{PREFIX}*{SUFFIX}"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > AT_ONCE_S:
                left.unlink()
