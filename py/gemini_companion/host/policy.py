"""The access to this machine that the user who starts the companion allows."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gemini.errors import CapabilityMissing, NotADirectory, PathOutsideTree
from gemini_companion.named_command import named_command

# The variables by which programs find themselves, their user and their language. Keys and tokens stay out.
ENVIRONMENT = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
)  # fmt: skip
# A host terminal's kind, whatever the companion itself runs in.
TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


@dataclass(frozen=True)
class HostPolicy:
    """The access of pages to this machine, off unless `allowed`.

    Attributes:
        allowed: Whether there are host terminals at all.
        directories: The directories where commands may start, or below. Terminals open in the first.
        environment: The names of the companion's variables that commands see.
        max_terminals: The most terminals of one page that may be open.
        max_unwritten: The most characters of one terminal that may wait for a program to read them.
        max_read: The most bytes of one answer.
        grace_s: Seconds between the polite signal and SIGKILL.
    """

    allowed: bool = False
    directories: tuple[Path, ...] = field(default_factory=lambda: (Path.cwd(),))
    environment: tuple[str, ...] = ENVIRONMENT
    max_terminals: int = 16
    max_unwritten: int = 1_000_000
    max_read: int = 256 * 1024
    grace_s: float = 2.0

    def require_allowed(self) -> None:
        """Check that host terminals are allowed.

        Raises:
            CapabilityMissing: They aren't.
        """
        if not self.allowed:
            raise CapabilityMissing(
                "the companion was started without host terminals",
                hint=f"The user who starts it can allow them: {named_command('serve', '--allow-host')}.",
            )

    def row(self) -> dict[str, Any]:
        """Return the row for pages: `{allowed, directories}`."""
        return {"allowed": self.allowed, "directories": [str(each) for each in self.directories]}

    def directory(self, path: str | None) -> str:
        """Return the real path of a directory where commands may start, with links resolved.

        Raises:
            NotADirectory: It isn't a directory.
            PathOutsideTree: It is outside of the allowed directories.
        """
        allowed = [directory.resolve() for directory in self.directories]
        found = allowed[0] if not path else (allowed[0] / path).resolve()
        if not any(found.is_relative_to(directory) for directory in allowed):
            shown = ", ".join(map(str, allowed))
            raise PathOutsideTree(
                f"{path} is outside of the directories that host terminals may use",
                hint=f"Allowed: {shown}. The user who starts the companion can allow others.",
            )
        if not found.is_dir():
            raise NotADirectory(f"{path} isn't a directory of this machine")
        return str(found)

    def variables(self) -> Mapping[str, str]:
        """Return the environment that a terminal begins with."""
        return {name: os.environ[name] for name in self.environment if name in os.environ} | TERMINAL
