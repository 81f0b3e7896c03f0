"""Write everything to one file: a gzipped tar (POSIX.1-2001, "pax") of a manifest, the database and the files.

manifest.json            the format, the time of the export, and the number and size of the files
database.db              a copy of the database
files/<root>/…           each persistent directory with everything below it: directories, files, symbolic links
"""

import json
import os
import stat
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

FORMAT = "gemini-surface-export"
VERSION = 1
MANIFEST = "manifest.json"
DATABASE = "database.db"
FILES = "files"
# Higher levels take twice as long to save a few percent.
COMPRESSION = 3

Entry = tuple[str, Path, os.stat_result]


@dataclass(frozen=True)
class Manifest:
    """The description of an archive.

    Attributes:
        made: The time of the export, ISO 8601 in UTC.
        surface: The version of the surface that wrote it.
        roots: The names of the directories below `files/`.
        entries: The number of files, directories and links, including the roots.
        bytes: The total size of the files.
        format: The name of the format.
        version: The version of the format.
    """

    made: str
    surface: str
    roots: list[str]
    entries: int
    bytes: int
    format: str = FORMAT
    version: int = VERSION


def write_archive(target: Path, roots: Sequence[Path], database: Path, surface: str) -> Manifest:
    """Write an archive of directories and a database file.

    Devices, pipes and sockets are skipped, because they aren't persistent.

    Args:
        target: The file to write, outside the roots.
        roots: The directories; their names must differ.
        database: An SQLite file that isn't being written to.
        surface: The version of the surface.

    Raises:
        OSError: Something can't be read, or the archive can't be written.
    """
    with ExitStack() as restore_modes:
        entries = [entry for root in roots for entry in _entries(root, restore_modes)]
        size = sum(status.st_size for _, _, status in entries if stat.S_ISREG(status.st_mode))
        made = datetime.now(UTC).isoformat(timespec="seconds")
        manifest = Manifest(made, surface, [root.name for root in roots], len(entries), size)
        with tarfile.open(target, "w:gz", format=tarfile.PAX_FORMAT, compresslevel=COMPRESSION) as tar:
            text = json.dumps(asdict(manifest), indent=2).encode()
            about = tarfile.TarInfo(MANIFEST)
            about.size = len(text)
            tar.addfile(about, BytesIO(text))
            _add_file(tar, tarfile.TarInfo(DATABASE), database)
            for name, path, status in entries:
                _add(tar, name, path, status)
    return manifest


def _entries(root: Path, restore_modes: ExitStack) -> Iterator[Entry]:
    """Return a directory and everything in it, parents first. Unreadable entries are readable until the stack ends."""
    waiting = [(f"{FILES}/{root.name}", root)]
    while waiting:
        name, path = waiting.pop()
        status = os.lstat(path)
        if not (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
            continue
        yield name, path, status
        if stat.S_ISLNK(status.st_mode):
            continue
        wanted = stat.S_IRUSR | (stat.S_IXUSR if stat.S_ISDIR(status.st_mode) else 0)
        if status.st_mode & wanted != wanted:
            os.chmod(path, stat.S_IMODE(status.st_mode) | wanted)
            restore_modes.callback(os.chmod, path, stat.S_IMODE(status.st_mode))
        if stat.S_ISDIR(status.st_mode):
            waiting += [(f"{name}/{child}", path / child) for child in sorted(os.listdir(path), reverse=True)]


def _add(tar: tarfile.TarFile, name: str, path: Path, status: os.stat_result) -> None:
    info = tarfile.TarInfo(name)
    info.mode = stat.S_IMODE(status.st_mode)
    info.mtime = status.st_mtime
    if stat.S_ISREG(status.st_mode):
        _add_file(tar, info, path)
        return
    if stat.S_ISDIR(status.st_mode):
        info.type = tarfile.DIRTYPE
    else:
        info.type = tarfile.SYMTYPE
        info.linkname = os.readlink(path)
    tar.addfile(info)


def _add_file(tar: tarfile.TarFile, info: tarfile.TarInfo, path: Path) -> None:
    info.size = path.stat().st_size
    with path.open("rb") as file:
        tar.addfile(info, file)
