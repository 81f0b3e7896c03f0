"""The folders where the companion saves the user's data, by the conventions of the system.

Source: https://specifications.freedesktop.org/basedir-spec/latest/.
"""

import os
import sys
from pathlib import Path

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
    folder = Path(named) if named and os.path.isabs(named) else Path.home() / usual
    return folder / NAME
