"""Write the files and folders that the user uploads, without overwriting any file without asking."""

import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from gemini.computer.files.edit import write_bytes
from gemini.computer.files.names import free_path
from gemini.computer.files.paths import problems, require_directory, require_parent
from gemini.computer.files.trash import Trash
from gemini.errors import AlreadyExists, FileProblem

IfThere = Literal["refuse", "keep_both", "replace"]
MAX_LISTED = 20

Fetch = Callable[[str], Awaitable[bytes]]


@dataclass(frozen=True)
class Upload:
    """A file to upload: its path relative to the target directory, and the id of its bytes in the page."""

    path: str
    blob: str


async def receive(
    directory: str,
    files: Sequence[Upload],
    folders: Sequence[str],
    if_there: IfThere,
    *,
    fetch: Fetch,
    trash: Trash,
) -> list[str]:
    """Write uploaded files below a directory. If one fails, remove those that were written.

    Args:
        directory: The absolute path of the target directory.
        files: The files to write.
        folders: The directories to create, relative to `directory`; otherwise empty ones would be lost.
        if_there: The action for files whose name is taken: `refuse` the upload, `keep_both` with a new name, or
            `replace`, which moves the existing files to the trash.
        fetch: Returns the bytes of an id.
        trash: Receives the replaced files.

    Returns:
        The absolute paths of the files, in order.

    Raises:
        AlreadyExists: Names are taken and `if_there` is `refuse`. `data` has their `count` and the first `paths`.
            Nothing was written.
        FileProblem: A path leads out of the directory, or can't be a file.
        StorageFull: There is no space.
    """
    require_directory(directory)
    targets = [_inside(directory, file.path) for file in files]
    places = [_inside(directory, folder) for folder in folders]
    taken = [target for target in targets if os.path.lexists(target)]
    if taken and if_there == "refuse":
        raise AlreadyExists(
            f"{_count(taken)} in {directory!r}",
            hint="Keep both, or replace the existing files.",
            data={"count": len(taken), "paths": taken[:MAX_LISTED]},
        )
    replaced = [trashed.id for trashed in trash.put(taken)] if taken and if_there == "replace" else []
    written: list[str] = []
    try:
        for place in places:
            with problems(place):
                os.makedirs(place, exist_ok=True)
        for file, target in zip(files, targets, strict=True):
            place = free_path(target)
            write_bytes(place, await fetch(file.blob))
            written.append(place)
    except FileProblem:
        for place in written:
            os.unlink(place)
        trash.restore(replaced)
        raise
    return written


def _inside(directory: str, path: str) -> str:
    parts = path.split("/")
    if not path or any(part in ("", ".", "..") for part in parts) or "\0" in path:
        raise FileProblem(f"{path!r} is not a valid path below a folder", data={"path": path})
    target = os.path.join(directory, *parts)
    # A link on the way may lead elsewhere.
    parent = os.path.realpath(os.path.dirname(target))
    if not f"{parent}/".startswith(f"{os.path.realpath(directory).rstrip('/')}/"):
        raise FileProblem(f"{path!r} leads through a link out of {directory!r}", data={"path": path})
    require_parent(target)
    return target


def _count(taken: Sequence[str]) -> str:
    return (
        f"{os.path.basename(taken[0])!r} already exists"
        if len(taken) == 1
        else f"{len(taken)} of these files already exist"
    )
