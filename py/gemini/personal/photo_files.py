"""Photos as files: in folders and in zip archives, with what their names and EXIF data say."""

import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Literal

from gemini.errors import FileMissing
from gemini.personal.exif import Exif, read_exif
from gemini.personal.photo_rows import Photo

ENDINGS = frozenset(
    {".jpg", ".jpeg", ".png", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".heic", ".heif", ".avif", ".jxl"}
)
# Formats that most browsers don't decode, so there is no thumbnail.
UNSHOWN = frozenset({".heic", ".heif", ".tif", ".tiff", ".jxl"})
ARCHIVE = ".zip"
# Between an archive and a photo in it.
INSIDE = "!/"
MOST_BYTES = 200 * 1024 * 1024
# EXIF data is near the start of a file. Photos are compressed already, so what an archive packs tighter is no photo.
MOST_HEAD = 16 * 1024 * 1024
MOST_RATIO = 100
# What zipfile raises for damaged members, and for those with a password or another compression.
_UNREADABLE = (RuntimeError, OSError, EOFError, ValueError, struct.error, zlib.error, zipfile.BadZipFile)
# Folders of programs, whose pictures aren't the user's photos.
SKIPPED = frozenset({"node_modules", "__pycache__", "site-packages"})
# As phones and cameras name files: IMG_20260714_123000.jpg, 2026-07-14 12.30.00.jpg, PXL_20260714_103000123.jpg
_NAMED = re.compile(
    r"(?<!\d)((?:19|20)\d\d)[-_.]?([01]\d)[-_.]?([0-3]\d)(?:\D?([0-2]\d)\D?([0-5]\d)\D?([0-5]\d))?"
)

Key = tuple[int, int]
"""The mark of a file: the time of its last change, in ns, and its size. In an archive, they are its own."""


def photos_below(folders: list[str]) -> Iterator[tuple[str, Key]]:
    """Yield the paths of photos and of archives below folders. Hidden folders and programs' folders are left out."""
    for folder in folders:
        for root, inner, names in os.walk(folder):
            inner[:] = sorted(name for name in inner if not name.startswith(".") and name not in SKIPPED)
            for name in sorted(names):
                ending = os.path.splitext(name)[1].lower()
                if name.startswith(".") or (ending not in ENDINGS and ending != ARCHIVE):
                    continue
                path = f"{root}/{name}"
                try:
                    status = os.stat(path)
                # It has vanished meanwhile, or is a broken link.
                except OSError:
                    continue
                yield path, (status.st_mtime_ns, status.st_size)


def read_photos(path: str, key: Key) -> Iterator[Photo]:
    """Yield the photo at a path, or the photos of an archive; none if it can't be read."""
    try:
        if not path.lower().endswith(ARCHIVE):
            with open(path, "rb") as file:
                yield _photo(path, path, key, read_exif(file))
            return
        with zipfile.ZipFile(path) as archive:
            for member in filter(_is_photo, archive.infolist()):
                name = member.filename
                photo = _photo(f"{path}{INSIDE}{name}", name, key, _exif_in(archive, member))
                yield {**photo, "archive": path}
    except _UNREADABLE:
        return


def _is_photo(member: zipfile.ZipInfo) -> bool:
    # macOS adds a file of resources for each photo.
    is_kind = os.path.splitext(member.filename)[1].lower() in ENDINGS
    return is_kind and not member.is_dir() and not member.filename.startswith("__MACOSX/")


def _exif_in(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Exif:
    if member.file_size > MOST_RATIO * max(member.compress_size, 1):
        return {"broken": True}
    try:
        with archive.open(member) as file:
            return read_exif(BytesIO(file.read(MOST_HEAD)))
    except _UNREADABLE:
        return {"broken": True}


def _photo(path: str, name: str, key: Key, exif: Exif) -> Photo:
    taken, dated_by = _date(name, key, exif)
    inside = PurePosixPath(name)
    album = inside.parent.name or Path(path.partition(INSIDE)[0]).stem
    photo: Photo = {**exif, "path": path, "album": album, "taken": taken, "dated_by": dated_by}
    if inside.suffix.lower() in UNSHOWN:
        photo["note"] = f"Few browsers show {inside.suffix[1:].upper()} files; its data is read all the same."
    return photo


def _date(name: str, key: Key, exif: Exif) -> tuple[str, Literal["exif", "name", "file"]]:
    if "taken" in exif:
        return exif["taken"], "exif"
    if found := _NAMED.search(PurePosixPath(name).name):
        try:
            time = datetime(*(int(part) for part in found.groups("0")))  # type: ignore[misc]
        except ValueError:
            pass
        else:
            return (time.isoformat() if found[4] else time.date().isoformat()), "name"
    try:
        changed = datetime.fromtimestamp(key[0] / 1e9)
    # A file can have any number as its time.
    except (OverflowError, OSError, ValueError):
        changed = datetime.min
    return changed.isoformat(timespec="seconds"), "file"


def content_of(path: str) -> bytes:
    """Return a photo, also one in an archive; its first 200 MB if it is larger.

    Raises:
        FileMissing: It has vanished, or can't be read.
    """
    outer, inside, name = path.partition(INSIDE)
    try:
        if not inside:
            with open(path, "rb") as file:
                # Python makes room for all bytes that are asked for before it reads.
                return file.read(min(MOST_BYTES, os.fstat(file.fileno()).st_size))
        with zipfile.ZipFile(outer) as archive, archive.open(name) as file:
            return file.read(MOST_BYTES)
    except (KeyError, *_UNREADABLE) as error:
        raise FileMissing(f"the photo {path} can't be read: {error}", hint="Search again.") from error
