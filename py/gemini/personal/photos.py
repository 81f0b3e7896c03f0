"""The user's photos: an index that is stored, the search in it, and thumbnails."""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from typing_extensions import TypedDict

from gemini.core import ffi
from gemini.errors import FileMissing, NoPage, TimedOut
from gemini.personal.exif import load_exif
from gemini.personal.photo_files import INSIDE, Key, content_of, photos_below, read_photos
from gemini.personal.photo_query import parse
from gemini.personal.photo_rows import Photo

FOLDERS = ("/project", "/home/user")
INDEX = Path("/home/user/.cache/gemini/photos.json")
WORKER = "thumbnails_worker.mjs"
MOST_SECONDS = 60
# A call of the worker decodes so many bytes at most.
BATCH_BYTES = 60_000_000
REMEMBERED = 500
# After so many photos, other tasks have a turn.
PAUSE_AFTER = 25
VERSION = 1

AskWorker = Callable[..., Awaitable[Any]]
Report = Callable[[int, int], None]
"""Receives the number of files that are read, and of those to read."""
_Entries = dict[str, tuple[Key, list[Photo]]]


class _Saved(TypedDict):
    version: int
    entries: _Entries


_SAVED = TypeAdapter(_Saved)


class PhotoLibrary:
    """The photos below some folders.

    Args:
        folders: Where photos are searched.
        index: The file of their known data. It may vanish; then all are read again.
        ask_worker: Asks a worker, as `ffi.ask_worker`.
    """

    def __init__(
        self, folders: tuple[str, ...] = FOLDERS, index: Path = INDEX, ask_worker: AskWorker = ffi.ask_worker
    ) -> None:
        self._folders = folders
        self._index = index
        self._ask_worker = ask_worker
        self._entries: _Entries | None = None
        self._updating = asyncio.Lock()
        self._thumbnails: dict[tuple[str, Key], str | None] = {}

    async def search(self, query: str, report: Report | None = None) -> list[Photo]:
        """Return the photos that a query finds, the newest first. Photos that are new or changed are read first.

        Raises:
            InvalidArguments: The query has an unknown field.
            PersonalFileProblem: The package that reads photos can't be fetched.
        """
        wanted = parse(query, self._folders)
        await load_exif()
        async with self._updating:
            entries = await self._update(report)
        found = [photo for _, photos in entries.values() for photo in photos if wanted.matches(photo)]
        return sorted(found, key=lambda photo: (photo["taken"], photo["path"]), reverse=True)

    async def thumbnails(self, photos: list[Photo]) -> list[str | None]:
        """Return a thumbnail of each photo, as JPEG in base64.

        It is None if the browser doesn't decode the photo, or the photo has vanished.

        Raises:
            NoPage: There is no page that could make them.
        """
        keys = [(photo["path"], self._key(photo["path"])) for photo in photos]
        missing = [key for key in dict.fromkeys(keys) if key not in self._thumbnails]
        while missing:
            batch = self._take(missing)
            for key, thumbnail in zip(batch, await self._make(list(batch.values())), strict=True):
                self._thumbnails[key] = thumbnail
        answers = [self._thumbnails.get(key) for key in keys]
        while len(self._thumbnails) > REMEMBERED:
            self._thumbnails.pop(next(iter(self._thumbnails)))
        return answers

    async def sheet(self, thumbnails: list[str | None]) -> dict[str, Any]:
        """Return one picture of thumbnails with numbers from 1: `{sheet, width, height}`, a JPEG in base64."""
        files = [base64.b64decode(each or "") for each in thumbnails]
        return await self._ask(files, "sheet")

    def _key(self, path: str) -> Key:
        entry = (self._entries or {}).get(path.partition(INSIDE)[0])
        return entry[0] if entry else (0, 0)

    def _take(self, missing: list[tuple[str, Key]]) -> dict[tuple[str, Key], bytes]:
        """Remove as many from the list as the worker decodes in one call, and return their files."""
        batch: dict[tuple[str, Key], bytes] = {}
        size = 0
        while missing and size < BATCH_BYTES:
            key = missing.pop(0)
            try:
                batch[key] = content_of(key[0])
            except FileMissing:
                batch[key] = b""
            size += len(batch[key])
        return batch

    async def _make(self, files: list[bytes]) -> list[str | None]:
        try:
            return (await self._ask(files, "each"))["thumbnails"]
        # One of the files takes too long.
        except TimedOut:
            return [None] * len(files)

    async def _ask(self, files: list[bytes], form: str) -> Any:
        lengths = ",".join(str(len(file)) for file in files)
        return await self._ask_worker(
            WORKER, b"".join(files), seconds=MOST_SECONDS, lengths=lengths, form=form
        )

    async def _update(self, report: Report | None) -> _Entries:
        before = self._load() if self._entries is None else self._entries
        listed = dict(photos_below(list(self._folders)))
        changed = [path for path, key in listed.items() if path not in before or before[path][0] != key]
        entries = {
            path: before[path] for path in listed if path in before and before[path][0] == listed[path]
        }
        read = 0
        for number, path in enumerate(changed):
            photos: list[Photo] = []
            for photo in read_photos(path, listed[path]):
                photos.append(photo)
                read += 1
                if read % PAUSE_AFTER == 0:
                    await asyncio.sleep(0)
                    if report:
                        report(number + 1, len(changed))
            entries[path] = (listed[path], photos)
        self._entries = entries
        if changed or len(entries) != len(before):
            self._save(entries)
        return entries

    def _load(self) -> _Entries:
        # Any program can write the file: it is a cache, and is made again.
        try:
            saved = _SAVED.validate_json(self._index.read_bytes())
        except (OSError, ValidationError):
            return {}
        return saved["entries"] if saved["version"] == VERSION else {}

    def _save(self, entries: _Entries) -> None:
        try:
            self._index.parent.mkdir(parents=True, exist_ok=True)
            # Photos whose names aren't UTF-8 are read each time: JSON can't have these names.
            named = {path: entry for path, entry in entries.items() if _is_unicode(path)}
            self._index.write_bytes(_SAVED.dump_json({"version": VERSION, "entries": named}))
        # Without room for the index, the next start reads the photos again.
        except OSError:
            return


def _is_unicode(path: str) -> bool:
    try:
        path.encode()
    except UnicodeEncodeError:
        return False
    return True


async def shown(library: PhotoLibrary, photos: list[Photo]) -> dict[str, Any] | None:
    """Return one picture of photos, see `PhotoLibrary.sheet`; None without a page, or if none of them can be shown."""
    try:
        thumbnails = await library.thumbnails(photos)
    except NoPage:
        return None
    if not any(thumbnails):
        return None
    return await library.sheet(thumbnails)
