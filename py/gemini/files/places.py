"""Making files and directories, and giving them another place, without ever taking that of another one."""

import os
from typing import Literal

from gemini.errors import AlreadyExists, FileProblem
from gemini.files.paths import problems, require_way


def make(path: str, kind: Literal["file", "directory"]) -> None:
    """Make an empty file or a directory, with the directories that are missing above it.

    Raises:
        AlreadyExists: something has that path.
        FileProblem: it is no place for one.
    """
    require_free(path)
    with problems(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if kind == "directory":
            os.mkdir(path)
        else:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))


def move(path: str, to: str) -> None:
    """Give a file, directory or link another name or directory; missing directories are made.

    Raises:
        AlreadyExists: something has that path.
        FileProblem: there is nothing to move, or it can't be moved there.
    """
    with problems(path):
        os.lstat(path)
    if path == to:
        return
    if to.startswith(f"{path}/"):
        raise FileProblem(f"{path!r} can't be moved into itself", data={"path": path, "to": to})
    require_free(to)
    with problems(to):
        os.makedirs(os.path.dirname(to), exist_ok=True)
        os.rename(path, to)


def require_free(path: str) -> None:
    """Raises AlreadyExists where something has that path, and a FileProblem where nothing can."""
    require_way(path)
    if os.path.lexists(path):
        raise AlreadyExists(f"{path!r} exists already", hint="Choose another name.", data={"path": path})
