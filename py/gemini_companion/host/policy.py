"""What the person who started the companion allows of this machine."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gemini.errors import CapabilityMissing, NotADirectory, PathOutsideTree

# What programs need to find themselves, their user and their language. Keys and tokens stay out.
ENVIRONMENT = (
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR",
)  # fmt: skip
# What a host terminal is, whatever the companion itself runs in.
TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor"}


@dataclass(frozen=True)
class HostPolicy:
    """Off unless `allowed`.

    Attributes:
        allowed: Whether there are host terminals at all.
        directories: Where commands may start; below each of them, too. The first is where terminals open.
        environment: Names of the companion's variables that commands see.
        most_terminals: Open at the same time, of one page.
        most_unwritten: Characters that were typed and that no program has read yet, in one terminal.
        most_read: Bytes that one answer carries.
        grace_s: Seconds between the polite signal and SIGKILL.
    """

    allowed: bool = False
    directories: tuple[Path, ...] = field(default_factory=lambda: (Path.cwd(),))
    environment: tuple[str, ...] = ENVIRONMENT
    most_terminals: int = 16
    most_unwritten: int = 1_000_000
    most_read: int = 256 * 1024
    grace_s: float = 2.0

    def require_allowed(self) -> None:
        """Raises CapabilityMissing where nobody allowed host terminals."""
        if not self.allowed:
            raise CapabilityMissing(
                "the companion was started without host terminals",
                hint="Whoever started it can allow them: control-surface serve --allow-host.",
            )

    def row(self) -> dict[str, Any]:
        """What a page is told: `{allowed, directories}`."""
        return {"allowed": self.allowed, "directories": [str(each) for each in self.directories]}

    def directory(self, path: str | None) -> str:
        """The real path of a directory that commands may start in, links resolved.

        Raises:
            NotADirectory: it isn't one.
            PathOutsideTree: it is outside of what was allowed.
        """
        allowed = [directory.resolve() for directory in self.directories]
        found = allowed[0] if not path else (allowed[0] / path).resolve()
        if not any(found.is_relative_to(directory) for directory in allowed):
            shown = ", ".join(map(str, allowed))
            raise PathOutsideTree(
                f"{path} is outside of the directories that host terminals may use",
                hint=f"Allowed: {shown}. Whoever starts the companion says which.",
            )
        if not found.is_dir():
            raise NotADirectory(f"{path} is no directory of this machine")
        return str(found)

    def variables(self) -> Mapping[str, str]:
        """The environment that a terminal begins with."""
        return {name: os.environ[name] for name in self.environment if name in os.environ} | TERMINAL
