"""Making the model for search by meaning on this computer, in a source tree whose build doesn't have it yet.

Only the page itself can ask for it, not Python in it (link.ts).

    settings/make_search_model {} -> {}     after minutes, the first time

`build.py` fetches the model's package, pinned by hash, and adds the model to the folder that the companion serves.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gemini.core.protocol import Handler
from gemini_companion.errors import PartUnavailable
from gemini_companion.named_command import BUILD
from gemini_companion.pages.parameters import NoParams, validated

Row = dict[str, Any]
HINT = "All else works as before; press again to try again."
LONGEST_REASON = 400


def command_for(folder: Path) -> list[str] | None:
    """Return the command that adds the model to a folder; None if it isn't the one that a source tree has built."""
    if not BUILD.is_file() or folder.resolve() != (BUILD.parent / "dist").resolve():
        return None
    return [sys.executable, str(BUILD), "meaning", "--add"]


class SearchModelSettings:
    """Makes the model, once at a time.

    Args:
        command: Makes it; its last line on stderr says why it can't. None if nothing can.
    """

    def __init__(self, command: Sequence[str] | None) -> None:
        self._command = command
        self._making = asyncio.Lock()

    def handlers(self) -> Mapping[str, Handler]:
        """Return the request methods, for `gemini.core.protocol.Connection`."""
        return {"settings/make_search_model": validated(NoParams, self._make)}

    async def _make(self, _: NoParams) -> Row:
        if self._command is None:
            raise PartUnavailable("This companion can't make the model for search by meaning.")
        async with self._making:
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.DEVNULL,
                stderr=asyncio.subprocess.PIPE,
            )
            try:
                _output, problem = await process.communicate()
            finally:
                if process.returncode is None:
                    process.kill()
        if process.returncode:
            lines = problem.decode(errors="replace").strip().splitlines() or ["build.py failed."]
            raise PartUnavailable(f"The model can't be made: {lines[-1][:LONGEST_REASON]}", hint=HINT)
        return {}
