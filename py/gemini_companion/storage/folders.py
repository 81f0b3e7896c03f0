"""The folders where the companion saves the user's data, by the conventions of the system.

Each function raises `FolderUnusable` for a user without a home folder.

Source: https://specifications.freedesktop.org/basedir-spec/latest/.
"""

import os
import sys
from pathlib import Path

from gemini_companion.errors import FolderUnusable

NAME = "control-surface"


def configuration_folder() -> Path:
    """Return the folder of the user's own files: below %APPDATA%, $XDG_CONFIG_HOME, or ~/.config."""
    return _below("APPDATA" if sys.platform == "win32" else "XDG_CONFIG_HOME", Path(".config"))


def data_folder() -> Path:
    """Return the folder of the companion's data: below %LOCALAPPDATA%, $XDG_DATA_HOME, or ~/.local/share."""
    return _below("LOCALAPPDATA" if sys.platform == "win32" else "XDG_DATA_HOME", Path(".local", "share"))


def runtime_folder() -> Path:
    """Return the folder of what only a running companion needs: below $XDG_RUNTIME_DIR, or else in the data folder."""
    named = os.environ.get("XDG_RUNTIME_DIR")
    return Path(named) / NAME if named and os.path.isabs(named) else data_folder() / "runtime"


def _below(variable: str, usual: Path) -> Path:
    named = os.environ.get(variable)
    # The specification says to ignore relative paths.
    if named and os.path.isabs(named):
        return Path(named) / NAME
    try:
        return Path.home() / usual / NAME
    except RuntimeError:
        # As for a container's user without an entry in /etc/passwd.
        raise FolderUnusable(
            "This user has no home folder", hint=f"Set HOME, or {variable} to a folder for the data."
        ) from None
