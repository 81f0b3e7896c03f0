"""The commands that messages name: those that exist where the companion runs from."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

# Next to `py/` of a source tree. An installed package has none.
BUILD = Path(__file__).parents[2] / "build.py"


def named_command(name: Literal["serve", "url"], *arguments: str) -> str:
    """Return a command as the user types it: `python3 build.py url` in a source tree, else `control-surface url`."""
    return " ".join((named_program(), name, *arguments))


def named_program() -> Literal["python3 build.py", "control-surface"]:
    """Return the program of these commands."""
    return "python3 build.py" if BUILD.is_file() else "control-surface"
