"""Files that a person brings: several at once, with the folders that they are in, and never over others unasked."""

import os
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from gemini.errors import AlreadyExists, FileProblem
from gemini.files.edit import write_bytes
from gemini.files.names import free_path
from gemini.files.paths import problems, require_directory, require_way
from gemini.files.trash import Trash

IfThere = Literal["refuse", "keep_both", "replace"]
MOST_NAMED = 20

Fetch = Callable[[str], Awaitable[bytes]]


@dataclass(frozen=True)
class Upload:
    """A file that is offered: its path relative to where it goes, and the id by which the page shows its bytes."""

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
    """Write what is offered below a directory; if something goes wrong, what was written goes again.

    Args:
        directory: An absolute path.
        files: What is offered.
        folders: Directories to make, relative to `directory`; empty ones would be lost otherwise.
        if_there: What to do with a file whose name is taken: `refuse` all, `keep_both` under another name, or
            `replace`, which moves the one that is there to the trash.
        fetch: Gives the bytes behind an id.
        trash: Where those that are replaced go.

    Returns:
        The absolute paths of the files, in order.

    Raises:
        AlreadyExists: names are taken, and nothing else was asked for; `data` has their `count`, and as `paths`
            the first of them. Nothing was written.
        FileProblem: a path leads out of the directory, or is no place for a file.
        StorageFull: there is no room.
    """
    require_directory(directory)
    targets = [_inside(directory, file.path) for file in files]
    places = [_inside(directory, folder) for folder in folders]
    taken = [target for target in targets if os.path.lexists(target)]
    if taken and if_there == "refuse":
        raise AlreadyExists(
            f"{_counted(taken)} in {directory!r} already",
            hint="Keep both, or replace what is there.",
            data={"count": len(taken), "paths": taken[:MOST_NAMED]},
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
        raise FileProblem(f"{path!r} is no path below a folder", data={"path": path})
    target = os.path.join(directory, *parts)
    # On the way there may be a file, or a link that leads elsewhere.
    way = os.path.realpath(os.path.dirname(target))
    if not f"{way}/".startswith(f"{os.path.realpath(directory).rstrip('/')}/"):
        raise FileProblem(f"{path!r} leads through a link out of {directory!r}", data={"path": path})
    require_way(target)
    return target


def _counted(taken: Sequence[str]) -> str:
    return f"{os.path.basename(taken[0])!r} is" if len(taken) == 1 else f"{len(taken)} of these files are"
