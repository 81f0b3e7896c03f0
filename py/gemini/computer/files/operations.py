"""Create and move files and directories, without ever overwriting another."""

import os
from typing import Literal

from gemini.computer.files.paths import problems, require_parent
from gemini.errors import AlreadyExists, FileProblem


def create(path: str, kind: Literal["file", "directory"]) -> None:
    """Create an empty file or a directory, and the missing directories above it.

    Raises:
        AlreadyExists: The path is taken.
        FileProblem: The path can't be created.
    """
    require_free(path)
    with problems(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if kind == "directory":
            os.mkdir(path)
        else:
            os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666))


def move(path: str, to: str) -> None:
    """Rename or move a file, directory or link; create missing directories.

    Raises:
        AlreadyExists: The target path is taken.
        FileProblem: The source is missing, or can't be moved there.
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
    """Check that a path is free and can be created.

    Raises:
        AlreadyExists: The path is taken.
        FileProblem: The path can't be created.
    """
    require_parent(path)
    if os.path.lexists(path):
        raise AlreadyExists(f"{path!r} already exists", hint="Choose another name.", data={"path": path})
