"""The tools that MCP clients list: all, or the two of code mode, as the user, the command or the client chooses."""

import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal, cast, get_args

from gemini_companion.mcp.clients import Context
from gemini_companion.storage.private_files import read_private, write_private

Profile = Literal["all", "code"]
FILE = "mcp_tools.json"
# In the endpoint's address: http://127.0.0.1:8765/mcp?tools=code.
PARAMETER = "tools"

logger = logging.getLogger(__name__)


def profile_of(value: Any) -> Profile | None:
    """Return a profile by its name; None for anything else."""
    return cast(Profile, value) if value in get_args(Profile) else None


class Profiles:
    """The profile of each client.

    Args:
        file: Where the user's choice is saved; None holds it in memory.
        command: The choice of the command that runs the companion, which comes before the user's.
    """

    def __init__(self, file: Path | None = None, command: Profile | None = None) -> None:
        self._file, self._command = file, command
        self._chosen: Profile = _saved(file)
        self._on_change: list[Callable[[], None]] = []

    @property
    def chosen(self) -> Profile:
        """The profile of clients that choose none themselves."""
        return self._chosen if self._command is None else self._command

    def choose(self, profile: Profile) -> None:
        """Save the user's choice, and apply it in place of the command's. Raises FolderUnusable."""
        if self._file is not None:
            write_private(self._file, json.dumps({PARAMETER: profile}))
        self._chosen, self._command = profile, None
        for listener in self._on_change:
            listener()

    def on_change(self, listener: Callable[[], None]) -> None:
        """Call `listener` after each choice."""
        self._on_change.append(listener)

    def of(self, context: Context) -> Profile:
        """Return the profile of the client that sends a request."""
        own = None if context.request is None else profile_of(context.request.query_params.get(PARAMETER))
        return own or self.chosen


def _saved(file: Path | None) -> Profile:
    text = None if file is None else read_private(file)
    if text is None:
        return "all"
    try:
        row: Any = json.loads(text)
        saved = profile_of(cast("dict[str, Any]", row).get(PARAMETER) if isinstance(row, dict) else None)
    except ValueError:
        saved = None
    if saved is None:
        logger.warning("%s can't be read; MCP clients list all tools.", file)
    return saved or "all"
