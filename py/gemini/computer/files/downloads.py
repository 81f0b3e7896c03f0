"""Downloads: a single file as it is; folders and selections as a ZIP archive (PKWARE APPNOTE 6.3)."""

import io
import os
import stat
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from typing_extensions import TypedDict

from gemini.computer.files.paths import problems

if TYPE_CHECKING:
    from zipfile import ZipFile

# The page may still be reading earlier ones.
MAX_OFFERED = 8
FIRST_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
UNIX = 3


class Offered(TypedDict):
    """A download: the id of its bytes, its file name, and its size."""

    blob: str
    name: str
    bytes: int


class Downloads:
    """The files that the page can download. Only the latest eight stay available.

    Args:
        offer: Returns an id for bytes of a media type.
        withdraw: Releases an id.
    """

    def __init__(self, offer: Callable[[bytes, str], str], withdraw: Callable[[str], None]) -> None:
        self._offer = offer
        self._withdraw = withdraw
        self._offered: deque[str] = deque()

    def add(self, paths: Sequence[str]) -> Offered:
        """Offer a single file as it is, or a directory or several paths as one archive.

        Args:
            paths: Absolute paths in the same directory.

        Raises:
            FileProblem: Something can't be read.
        """
        name = os.path.basename(paths[0]) or "files"
        if len(paths) == 1 and os.path.isfile(paths[0]):
            with problems(paths[0]), open(paths[0], "rb") as file:
                data = file.read()
        else:
            directory = os.path.dirname(paths[0])
            name = f"{name if len(paths) == 1 else os.path.basename(directory) or 'files'}.zip"
            data = archive(paths)
        return self.offer(name, data)

    def offer(self, name: str, data: bytes) -> Offered:
        """Offer bytes as a file with a name."""
        while len(self._offered) >= MAX_OFFERED:
            self._withdraw(self._offered.popleft())
        # A type that no browser displays, so that it saves the file.
        self._offered.append(self._offer(data, "application/octet-stream"))
        return {"blob": self._offered[-1], "name": name, "bytes": len(data)}


def archive(paths: Sequence[str]) -> bytes:
    """Return a ZIP archive of files, directories with their contents, and links.

    Names in the archive start at the last part of each path. Modes and times are preserved. Devices are skipped.

    Raises:
        FileProblem: Something can't be read.
    """
    # The import takes time, and few sessions need it.
    from zipfile import ZipFile

    data = io.BytesIO()
    with ZipFile(data, "w") as target:
        for path in paths:
            root = os.path.dirname(path)
            for found in _walk(path):
                with problems(found):
                    _add(target, found, os.path.relpath(found, root))
    return data.getvalue()


def _walk(path: str) -> list[str]:
    found = [path]
    if os.path.isdir(path) and not os.path.islink(path):
        for folder, folders, names in os.walk(path):
            found.extend(os.path.join(folder, name) for name in sorted([*folders, *names]))
    return found


def _add(target: "ZipFile", path: str, name: str) -> None:
    from zipfile import ZIP_DEFLATED, ZipInfo

    status = os.lstat(path)
    # The format's times start in 1980, and its names are text.
    when = max(time.localtime(status.st_mtime)[:6], FIRST_ZIP_TIME)
    name = name.encode(errors="replace").decode()
    entry = ZipInfo(f"{name}/" if stat.S_ISDIR(status.st_mode) else name, when)
    entry.create_system, entry.external_attr = UNIX, status.st_mode << 16
    entry.compress_type = ZIP_DEFLATED
    if stat.S_ISLNK(status.st_mode):
        target.writestr(entry, os.fsencode(os.readlink(path)))
    elif stat.S_ISDIR(status.st_mode):
        target.writestr(entry, b"")
    elif stat.S_ISREG(status.st_mode):
        with open(path, "rb") as file:
            target.writestr(entry, file.read())
