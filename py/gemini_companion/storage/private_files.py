"""Files and folders that no other user of the machine can read or write.

On Windows the user's own folders already are private, by their access lists, and modes mean nothing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
from pathlib import Path

from gemini_companion.errors import FolderUnusable

FOLDER_MODE, FILE_MODE = 0o700, 0o600
OTHERS = stat.S_IRWXG | stat.S_IRWXO
HAS_MODES = os.name != "nt"


def private_folder(folder: Path) -> Path:
    """Create a folder that only its owner can enter, and return it.

    Raises:
        FolderUnusable: It can't be created, or belongs to another user.
    """
    try:
        folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
        if HAS_MODES:
            # Its owner could change its content, whatever its mode is now.
            if folder.stat().st_uid != os.geteuid():
                raise FolderUnusable(f"{folder} belongs to another user", hint="Remove it, and start again.")
            folder.chmod(FOLDER_MODE)
    except OSError as problem:
        raise _unusable(folder, problem) from None
    return folder


def write_private(path: Path, text: str) -> None:
    """Write a file of text (UTF-8) in one step, with mode 0600 from the start.

    Raises:
        FolderUnusable: Its folder can't be used; see `private_folder`.
    """
    write_private_bytes(path, text.encode())


def write_private_bytes(path: Path, content: bytes) -> None:
    """Write a file in one step, with mode 0600 from the start.

    Raises:
        FolderUnusable: Its folder can't be used; see `private_folder`.
    """
    private_folder(path.parent)
    draft = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(draft, flags, FILE_MODE), "wb") as file:
            file.write(content)
        draft.replace(path)
    except OSError as problem:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise _unusable(path.parent, problem) from None


def read_private(path: Path) -> str | None:
    """Return a file's text; None if there is none, or if another user could have written it."""
    try:
        with path.open(encoding="utf-8") as file:
            status = os.fstat(file.fileno())
            if HAS_MODES and (status.st_uid != os.geteuid() or status.st_mode & OTHERS):
                return None
            return file.read()
    except (OSError, UnicodeDecodeError):
        return None


def _unusable(folder: Path, problem: OSError) -> FolderUnusable:
    return FolderUnusable(
        f"{folder} can't be used: {problem.strerror or problem}",
        hint="Make it writable for this user, or choose another folder with XDG_DATA_HOME or --profile.",
    )
