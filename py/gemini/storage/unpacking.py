"""Unpack an archive from an untrusted source: every part is checked before it is used."""

import gzip
import json
import os
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

from gemini.core.ffi import set_link_times
from gemini.errors import ArchiveDamaged, ArchiveForeign, ArchiveNewer, ArchiveUnsafe, FileMissing
from gemini.storage.archive import DATABASE, FILES, FORMAT, MANIFEST, VERSION, Manifest
from gemini_userland.expansion import CHUNK, ExpandsTooFar, TarMember, cost, limit

MAX_MANIFEST_BYTES = 100_000
# What an export of any size may expand to: a surface can have large files of little information.
ALWAYS = 1 << 30
# `tarfile` reads numbers and times of extended headers without checks, and each header by recursion.
DAMAGE_ERRORS = (
    tarfile.TarError,
    gzip.BadGzipFile,
    EOFError,
    zlib.error,
    ValueError,
    OverflowError,
    RecursionError,
)


def unpack(archive: Path, folder: Path) -> Manifest:
    """Unpack an archive into an empty directory: `database.db` and `files/<root>/…`.

    Raises:
        FileMissing: The file is missing.
        ArchiveRefused: The file isn't an export of the surface, is incomplete, or is unsafe.
        OSError: The directory can't be written.
    """
    if not archive.is_file():
        raise FileMissing(f"there is no file {archive}")
    with gzip.open(archive) as text:
        manifest: Manifest | None = None
        most = limit(archive.stat().st_size, ALWAYS)
        try:
            with tarfile.open(fileobj=text, mode="r|", tarinfo=TarMember) as tar:
                members = iter(tar)
                manifest = _manifest(tar, next(members, None))
                _Unpacking(tar, folder, manifest, most).run(members)
            # The checksum is at the end.
            while text.read(CHUNK):
                if text.tell() > 2 * most:
                    raise _too_large(most)
        except DAMAGE_ERRORS as error:
            raise (_damage if manifest else _foreign)(str(error)) from error
    return manifest


def _manifest(tar: tarfile.TarFile, member: tarfile.TarInfo | None) -> Manifest:
    if member is None or member.name != MANIFEST or not _is_file(member) or member.size > MAX_MANIFEST_BYTES:
        raise _foreign("it has no manifest")
    file = tar.extractfile(member)
    try:
        parsed: Any = json.loads(file.read()) if file else None
    except (ValueError, RecursionError) as error:
        raise _foreign("its manifest can't be read") from error
    if not isinstance(parsed, dict) or cast("dict[str, Any]", parsed).get("format") != FORMAT:
        raise _foreign("its manifest has another format")
    fields = cast("dict[str, Any]", parsed)
    if not isinstance(fields.get("version"), int):
        raise _foreign("its manifest has no version")
    ArchiveNewer.require_known(fields["version"], VERSION)
    return _checked(fields)


def _checked(fields: dict[str, Any]) -> Manifest:
    roots: Any = fields.get("roots")
    is_complete = (
        isinstance(roots, list)
        and all(
            isinstance(text, str)
            for text in [*cast("list[Any]", roots), fields.get("made"), fields.get("surface")]
        )
        and all(isinstance(fields.get(number), int) for number in ("entries", "bytes"))
    )
    try:
        if is_complete:
            return Manifest(**fields)
    except TypeError as error:
        raise _foreign("its manifest has unknown fields") from error
    raise _foreign("its manifest lacks fields")


class _Unpacking:
    """The members of an archive in order. Each must be in an existing directory and have a unique name."""

    def __init__(self, tar: tarfile.TarFile, folder: Path, manifest: Manifest, most: int) -> None:
        self._left = self._most = most
        self._tar = tar
        self._folder = folder
        self._manifest = manifest
        self._seen: set[str] = set()
        self._directories: dict[str, tarfile.TarInfo] = {}
        self._bytes = 0

    def run(self, members: Iterator[tarfile.TarInfo]) -> None:
        database = next(members, None)
        if database is None or database.name != DATABASE or not _is_file(database):
            raise _damage("it has no database")
        self._account(database)
        self._write(database)
        (self._folder / FILES).mkdir()
        for member in members:
            self._check(member)
            self._account(member)
            self._create(member)
        missing = {f"{FILES}/{root}" for root in self._manifest.roots} - self._directories.keys()
        if missing or (len(self._seen), self._bytes) != (self._manifest.entries, self._manifest.bytes):
            raise _damage(f"it has {len(self._seen)} of {self._manifest.entries} entries")
        # Last, because adding files changes a directory's time, and its mode may forbid adding them.
        for name in reversed(self._directories):
            _set_attributes(self._folder / name, self._directories[name])

    def _check(self, member: tarfile.TarInfo) -> None:
        parts = member.name.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in parts):
            raise _unsafe(member, "its name leads elsewhere")
        if parts[0] != FILES or len(parts) < 2 or parts[1] not in self._manifest.roots:
            raise _unsafe(member, "it isn't in a directory of the export")
        if not (
            member.isdir() or (member.issym() and len(parts) > 2) or (_is_file(member) and len(parts) > 2)
        ):
            raise _unsafe(member, "it is a device, a hard link or something else that is never exported")
        if member.issym() and (not member.linkname or "\0" in member.linkname):
            raise _unsafe(member, "its target can't be a path")
        if len(parts) > 2 and "/".join(parts[:-1]) not in self._directories:
            raise _unsafe(member, "its parent isn't a directory")
        if member.name in self._seen:
            raise _unsafe(member, "it occurs twice")
        self._seen.add(member.name)
        self._bytes += member.size if _is_file(member) else 0
        if self._bytes > self._manifest.bytes:
            raise _damage("it contains more than its manifest says")

    def _account(self, member: tarfile.TarInfo) -> None:
        if member.size < 0:
            raise _damage(f"{member.name} has a size of {member.size}")
        self._left -= cost(member)
        if self._left < 0:
            raise _too_large(self._most)

    def _create(self, member: tarfile.TarInfo) -> None:
        path = self._folder / member.name
        if member.isdir():
            path.mkdir(mode=0o700)
            self._directories[member.name] = member
            return
        if member.issym():
            os.symlink(member.linkname, path)
        else:
            self._write(member)
        _set_attributes(path, member)

    def _write(self, member: tarfile.TarInfo) -> None:
        file = self._tar.extractfile(member)
        if file is None:
            raise _damage(f"{member.name} has no contents")
        with file, (self._folder / member.name).open("xb") as target:
            shutil.copyfileobj(file, target, CHUNK)


def _is_file(member: tarfile.TarInfo) -> bool:
    # A sparse file's size has no data in the archive.
    return member.type in (tarfile.REGTYPE, tarfile.AREGTYPE) and not member.issparse()


def _set_attributes(path: Path, member: tarfile.TarInfo) -> None:
    # A float is off by some nanoseconds, and filesystems with milliseconds would round that down.
    time = round(member.mtime * 1e6) * 1000
    if member.issym():
        set_link_times(str(path), time)
    else:
        os.chmod(path, member.mode & 0o7777)
        os.utime(path, ns=(time, time))


def _foreign(why: str) -> ArchiveForeign:
    return ArchiveForeign(
        f"this isn't an export of the surface: {why}", hint="Choose a file that the surface exported."
    )


def _damage(why: str) -> ArchiveDamaged:
    return ArchiveDamaged(f"the file is damaged or incomplete: {why}", hint="Download it again.")


def _too_large(most: int) -> ArchiveUnsafe:
    return ArchiveUnsafe(
        f"the file {ExpandsTooFar(most).strerror}",
        hint="The surface writes no such export, unless nearly all of its files are empty space.",
    )


def _unsafe(member: tarfile.TarInfo, why: str) -> ArchiveUnsafe:
    return ArchiveUnsafe(
        f"{member.name!r} can't be imported: {why}",
        hint="The surface never writes such an export. This file was modified.",
    )
