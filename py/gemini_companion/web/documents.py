"""Runs `gemini_companion.web.extraction` in a separate process, with a time limit."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from gemini.project import PROJECT
from gemini_companion.web import extraction
from gemini_companion.web.errors import PageUnreadable

Row = dict[str, Any]
PROGRAM = Path(extraction.__file__)
# A parser that a document has taken over must not find keys in the companion's environment.
PASSED = (
    "PATH", "PYTHONPATH", "PYTHONHOME", "PYTHONUSERBASE", "VIRTUAL_ENV", "HOME", "APPDATA", "LD_LIBRARY_PATH",
    "SYSTEMROOT", "TEMP", "TMP", "TMPDIR",
)  # fmt: skip
LONGEST_S = 30.0
AT_ONCE = 3


class Documents:
    """Reads documents, a few at a time.

    Args:
        longest_s: The limit of one document, in seconds.
    """

    def __init__(self, longest_s: float = LONGEST_S) -> None:
        self._longest_s = longest_s
        self._free = asyncio.Semaphore(AT_ONCE)

    async def read(self, document: bytes, url: str, media_type: str, charset: str | None) -> Row:
        """Return `{title, date, site, kind, markdown}`; see `extraction.extract` for the arguments.

        Raises:
            PageUnreadable: The document has no text, reading it takes too long, or the parsers aren't installed.
        """
        head = json.dumps({"url": url, "type": media_type, "charset": charset}).encode()
        async with self._free:
            printed = await self._run(url, head + b"\n" + document)
        try:
            found: Row = json.loads(printed)
        except ValueError:
            raise PageUnreadable(
                f"{url} can't be read: its parser failed", hint="Open it in a tab."
            ) from None
        if missing := found.get("missing"):
            raise PageUnreadable(
                f"{url} can't be read: the companion's Python has no {missing}",
                hint=f'Run pip install "{PROJECT}[reading]" with it, or open the page in a tab.',
            )
        if problem := found.get("problem"):
            raise PageUnreadable(
                f"{url} can't be read: {problem}", hint="Open it in a tab, or use another page."
            )
        return found

    async def _run(self, url: str, given: bytes) -> bytes:
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", PROGRAM),
            stdin=pipe,
            stdout=pipe,
            stderr=nothing,
            env={name: os.environ[name] for name in PASSED if name in os.environ},
        )
        try:
            async with asyncio.timeout(self._longest_s):
                printed, _ = await process.communicate(given)
                return printed
        except TimeoutError:
            raise PageUnreadable(
                f"{url} takes more than {self._longest_s:g} s to read", hint="Use a shorter page."
            ) from None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
