"""Files as the content of a link, which the page packs into an address (web/ui/panels/files/link_code.ts)."""

import base64
import os
from collections.abc import Iterator, Sequence

from typing_extensions import TypedDict

from gemini.computer.files.paths import problems
from gemini.errors import FileProblem

# Before compression. The page refuses links with more, so that a short link can't fill its memory.
MOST_BYTES = 512 * 1024
MOST_FILES = 200


class SharedFile(TypedDict):
    """A path relative to the shared folder, and the content in base64."""

    path: str
    content: str


class Shared(TypedDict):
    """A name for the folder of the files, the files, and the number of hidden files and links that are left out."""

    name: str
    files: list[SharedFile]
    left_out: int


def collect(paths: Sequence[str]) -> Shared:
    """Read files and folders for a link. Hidden files and links are left out, since they may have secrets.

    Args:
        paths: Absolute paths in the same directory.

    Raises:
        FileProblem: Something can't be read, or there are too many files or bytes for a link.
    """
    only_folder = len(paths) == 1 and os.path.isdir(paths[0])
    base = paths[0] if only_folder else os.path.dirname(paths[0])
    files: list[SharedFile] = []
    left_out = total = 0
    for path in (found for each in paths for found in _below(each)):
        name = os.path.relpath(path, base)
        if os.path.islink(path) or any(part.startswith(".") for part in name.split("/")):
            left_out += 1
            continue
        with problems(path), open(path, "rb") as file:
            data = file.read(MOST_BYTES - total + 1)
        total += len(data)
        if total > MOST_BYTES or len(files) == MOST_FILES:
            raise FileProblem(
                f"a link has at most {MOST_FILES} files with {MOST_BYTES // 1024} kB",
                hint="Choose fewer files, or download them as an archive.",
            )
        files.append({"path": name, "content": base64.b64encode(data).decode()})
    return {"name": os.path.basename(base) or "files", "files": files, "left_out": left_out}


def _below(path: str) -> Iterator[str]:
    if os.path.islink(path) or not os.path.isdir(path):
        yield path
        return
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            yield os.path.join(folder, name)
