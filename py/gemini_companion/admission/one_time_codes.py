"""One-time codes that admit a browser for the first time, and the files that carry them to it.

Every user of the machine can read a program's arguments in the list of processes. So a browser is started with the path
of a file that only its owner can read, and the file redirects to the address with the code.
"""

from __future__ import annotations

import asyncio
import contextlib
import html
import secrets
import time
from dataclasses import dataclass
from pathlib import Path

from gemini_companion.storage.private_files import private_folder, write_private

# For an address that opens automatically, and for one that a user copies into a browser.
AT_ONCE_S, BY_HAND_S = 60.0, 600.0
# Unused codes. At the limit the oldest is dropped.
MAX_CODES = 100
PREFIX, SUFFIX = "open-", ".html"
REDIRECT_PAGE = """<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url={url}">
<title>Control Surface</title>
<p><a href="{url}">Open the control surface</a>. This link works once, within a minute.</p>
"""


@dataclass(frozen=True)
class OneTimeCode:
    """The purpose of a code.

    Attributes:
        attended: Whether a user uses the browser that is opened.
        until: The end of its validity, by the monotonic clock.
        file: The file that carries the code, and is deleted with it.
        own: Whether the companion starts the browser, with the profile of its window.
        store: The page's data for its new address, if it had another one before.
    """

    attended: bool
    until: float
    file: LaunchFile | None = None
    own: bool = False
    store: dict[str, str] | None = None


class OneTimeCodes:
    """The unused codes."""

    def __init__(self) -> None:
        self._codes: dict[str, OneTimeCode] = {}

    def create(
        self,
        *,
        attended: bool,
        within_s: float,
        file: LaunchFile | None = None,
        own: bool = False,
        store: dict[str, str] | None = None,
    ) -> str:
        """Create a code of 256 random bits.

        Args:
            attended: Whether a user will use the browser.
            within_s: How long the code is valid, in seconds.
            file: The file that carries the code.
            own: Whether the companion starts the browser, with the profile of its window.
            store: The page's data for its new address, if it had another one before.
        """
        code = secrets.token_urlsafe(32)
        if len(self._codes) >= MAX_CODES:
            self._remove(next(iter(self._codes)))
        self._codes[code] = OneTimeCode(attended, time.monotonic() + within_s, file, own, store)
        return code

    def redeem(self, code: str) -> OneTimeCode | None:
        """Return the purpose of a code and invalidate it; None if it is unknown or expired."""
        found = self._remove(code)
        return found if found is not None and time.monotonic() <= found.until else None

    def _remove(self, code: str) -> OneTimeCode | None:
        found = self._codes.pop(code, None)
        if found is not None and found.file is not None:
            found.file.remove()
        return found


class LaunchFile:
    """A page that one browser is started with; it is deleted when the browser has opened it, or after a minute.

    Args:
        folder: The folder for it, which only its owner can enter afterwards.

    Raises:
        FolderUnusable: Nothing can be written there.
    """

    def __init__(self, folder: Path) -> None:
        self.path = private_folder(folder) / f"{PREFIX}{secrets.token_hex(16)}{SUFFIX}"
        self._removing: asyncio.TimerHandle | None = None
        _sweep(folder)

    @property
    def url(self) -> str:
        """The URL that the browser is started with."""
        return self.path.as_uri()

    def write_redirect(self, url: str) -> None:
        """Write the file. It needs a running loop, which deletes the file in time."""
        write_private(self.path, REDIRECT_PAGE.format(url=html.escape(url)))
        self._removing = asyncio.get_running_loop().call_later(AT_ONCE_S, self.remove)

    def remove(self) -> None:
        """Delete the file, if it still exists."""
        if self._removing is not None:
            self._removing.cancel()
        self.path.unlink(missing_ok=True)


def _sweep(folder: Path) -> None:
    """Delete the files of killed companions, whose codes are no longer valid."""
    for left in folder.glob(f"{PREFIX}*{SUFFIX}"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > AT_ONCE_S:
                left.unlink()
