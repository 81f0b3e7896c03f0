"""Photos are searched by date, album, camera, place and words; their index is stored."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import struct
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.errors import InvalidArguments, NoPage
from gemini.personal import photos as module
from gemini.personal.photo_query import distance_km
from gemini.personal.photo_tools import PanelPhotoTools, PhotoTools
from gemini.personal.photos import PhotoLibrary
from gemini.tools import Registry
from gemini.tools.writers import PERSON

Tags = dict[int, tuple[int, Any]]
TEXT, SHORT, LONG, RATIONAL = 2, 3, 4, 5
MUNICH = (48.1374, 11.5755)
SIZES = {TEXT: 1, SHORT: 2, LONG: 4, RATIONAL: 8}


def table(tags: Tags, start: int, base: int = 8) -> bytes:
    """Return a directory of TIFF (revision 6.0, section 2), little-endian, and its values, at an offset of the file."""
    entries, values = b"", b""
    place = start + 2 + 12 * len(tags) + 4
    for tag, (kind, value) in sorted(tags.items()):
        packed = _packed(kind, value)
        if len(packed) > 4:
            entries += struct.pack("<HHII", tag, kind, len(packed) // SIZES[kind], place + len(values))
            values += packed + b"\0" * (len(packed) % 2)
        else:
            entries += struct.pack("<HHI", tag, kind, len(packed) // SIZES[kind]) + packed.ljust(4, b"\0")
    return struct.pack("<H", len(tags)) + entries + b"\0\0\0\0" + values


def _packed(kind: int, value: Any) -> bytes:
    if kind == TEXT:
        return value.encode() + b"\0"
    if kind == RATIONAL:
        return b"".join(struct.pack("<II", round(part * 10_000), 10_000) for part in value)
    return struct.pack("<H" if kind == SHORT else "<I", value)


def parts(degrees: float) -> list[float]:
    minutes = abs(degrees) % 1 * 60
    return [float(int(abs(degrees))), float(int(minutes)), minutes % 1 * 60]


def jpeg(
    taken: str = "", camera: str = "", place: tuple[float, float] | None = None, description: str = ""
) -> bytes:
    """Return a JPEG file with EXIF data and no picture."""
    image: Tags = {0x8769: (LONG, 0)}
    if camera:
        image |= {0x010F: (TEXT, camera.split(maxsplit=1)[0]), 0x0110: (TEXT, camera)}
    if description:
        image[0x010E] = (TEXT, description)
    if place:
        image[0x8825] = (LONG, 0)
    exif: Tags = {0x9003: (TEXT, taken)} if taken else {}
    length = len(table(image, 8))
    image[0x8769] = (LONG, 8 + length)
    second = table(exif, 8 + length)
    third = b""
    if place:
        image[0x8825] = (LONG, 8 + length + len(second))
        gps: Tags = {
            1: (TEXT, "N" if place[0] >= 0 else "S"),
            2: (RATIONAL, parts(place[0])),
            3: (TEXT, "E" if place[1] >= 0 else "W"),
            4: (RATIONAL, parts(place[1])),
        }
        third = table(gps, 8 + length + len(second))
    data = b"Exif\0\0II*\0\x08\0\0\0" + table(image, 8) + second + third
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(data) + 2) + data + b"\xff\xd9"


class World:
    def __init__(self, folder: Path) -> None:
        self.folder = folder / "photos"
        self.folder.mkdir()
        self.index = folder / "cache/index.json"
        self.asked: list[dict[str, Any]] = []
        self.registry = Registry()
        self.library = self.opened()
        self.registry.add_room(PhotoTools(lambda: self.library))
        self.registry.add_room(PanelPhotoTools(lambda: self.library))

    def opened(self) -> PhotoLibrary:
        """Return the library as the next start of the page has it."""
        return PhotoLibrary((str(self.folder),), self.index, self._worker)

    async def _worker(self, module: str, data: bytes, *, seconds: float, lengths: str, form: str) -> Any:
        self.asked.append({"module": module, "lengths": lengths, "form": form, "data": data})
        if form == "sheet":
            return {"sheet": base64.b64encode(b"sheet").decode(), "width": 320, "height": 160}
        made = [
            None if length == "0" else base64.b64encode(b"small").decode() for length in lengths.split(",")
        ]
        return {"thumbnails": made}

    def add(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        return path

    async def names(self, query: str = "") -> list[str]:
        found = await self.registry.call("photo_search", {"query": query}, caller="agent:a")
        return [Path(photo["path"]).name for photo in found["photos"]]


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    world.add(
        "Rome/forum.jpg", jpeg("2026:07:14 12:30:00", "Canon EOS R6", (41.8925, 12.4853), "Columns at noon")
    )
    world.add("Rome/dinner.jpg", jpeg("2026:07:15 20:05:00", "Google Pixel 9", (41.8986, 12.4769)))
    world.add("München/IMG_20251224_181500.jpg", jpeg(camera="Google Pixel 9", place=MUNICH))
    world.add("screens/2024-02-29.png", b"\x89PNG\r\n\x1a\n no EXIF")
    return world


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("", ["dinner.jpg", "forum.jpg", "IMG_20251224_181500.jpg", "2024-02-29.png"]),
        ("rome", ["dinner.jpg", "forum.jpg"]),
        ("columns CANON", ["forum.jpg"]),
        ("december", ["IMG_20251224_181500.jpg"]),
        ("date:2026", ["dinner.jpg", "forum.jpg"]),
        ("date:2026-07-14", ["forum.jpg"]),
        ("date:2024-02..2025-12-24", ["IMG_20251224_181500.jpg", "2024-02-29.png"]),
        ("date:2026-07-15..", ["dinner.jpg"]),
        ("album:münchen", ["IMG_20251224_181500.jpg"]),
        ('camera:"pixel 9" album:Rome', ["dinner.jpg"]),
        ("near:41.89,12.49", ["dinner.jpg", "forum.jpg"]),
        ("near:41.8925,12.4853,0.5km", ["forum.jpg"]),
        ("near:48,11,60", ["IMG_20251224_181500.jpg"]),
        ("venice", []),
    ],
)
async def test_photos_are_found(world: World, query: str, names: list[str]) -> None:
    assert await world.names(query) == names


async def test_a_row_says_what_is_known_and_by_what(world: World) -> None:
    found = await world.registry.call("photo_search", {"query": "forum"}, caller="agent:a")
    assert found["total"] == 1 and "data" not in found
    photo = found["photos"][0]
    assert (photo["taken"], photo["dated_by"]) == ("2026-07-14T12:30:00", "exif")
    assert (photo["camera"], photo["album"], photo["description"]) == (
        "Canon EOS R6",
        "Rome",
        "Columns at noon",
    )
    assert (photo["latitude"], photo["longitude"]) == pytest.approx((41.8925, 12.4853), abs=1e-4)
    [named] = await world.library.search("album:München")
    assert (named["taken"], named["dated_by"]) == ("2025-12-24T18:15:00", "name")


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("place:Rome", "no field 'place'"),
        ("date:july", "'july' is no date"),
        ("near:Rome", "'Rome' is no place"),
        ("near:1.2.3,4", "is no place"),
    ],
)
async def test_an_unknown_field_is_refused(world: World, query: str, error: str) -> None:
    with pytest.raises(InvalidArguments, match=error):
        await world.names(query)


def whole() -> bytes:
    return jpeg("2026:07:14 12:30:00", "Canon EOS R6", (41.8925, 12.4853))


BROKEN: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no picture": lambda: b"text",
    "half": lambda: whole()[: len(whole()) // 2],
    "a directory that is its own": lambda: whole().replace(b"\x08\0\0\0", b"\x08\0\0\xf0", 1),
    "noise": lambda: whole()[:30] + bytes(range(256)) * 4,
    "an impossible date": lambda: jpeg("2026:13:45 99:99:99"),
    "an empty date": lambda: jpeg("0000:00:00 00:00:00"),
    "an impossible place": lambda: jpeg(place=(123.0, 200.0)),
}


@pytest.mark.parametrize("name", BROKEN)
async def test_broken_exif_hides_no_photo(world: World, name: str) -> None:
    path = world.add("broken.jpg", BROKEN[name]())
    os.utime(path, (1_767_225_600, 1_767_225_600))
    [photo] = await world.library.search("broken.jpg")
    assert photo["taken"].startswith(("2025-12-31", "2026-01-01", "2026-07-14"))
    assert -90 <= photo.get("latitude", 0) <= 90


def ifd(tags: int, tag: int, kind: int, count: int, value: int) -> bytes:
    """Return a directory of TIFF with the same entry many times."""
    return struct.pack("<H", tags) + struct.pack("<HHII", tag, kind, count, value) * tags + b"\0\0\0\0"


def box(kind: bytes, content: bytes, size: int | None = None) -> bytes:
    return struct.pack(">I", 8 + len(content) if size is None else size) + kind + content


EXIF, TEXTS = 0x8769, 0x010E
HEIC = box(b"ftyp", b"heic\0\0\0\0mif1heic")
# Their EXIF data leads on and on.
BOMBS: dict[str, Callable[[], bytes]] = {
    "a directory with itself": lambda: b"II*\0\x08\0\0\0" + ifd(60_000, EXIF, LONG, 1, 8),
    "directories of directories": lambda: (
        b"II*\0\x08\0\0\0"
        + ifd(60_000, EXIF, LONG, 1, 8 + 6 + 12 * 60_000)
        + ifd(60_000, TEXTS, SHORT, 999, 8)
    ),
    "texts of 4 GB": lambda: b"II*\0\x08\0\0\0" + ifd(60_000, TEXTS, TEXT, 0xFFFF_FFF0, 0) + bytes(8 << 20),
    "a box of no size": lambda: (
        HEIC + box(b"meta", bytes(4) + box(b"iinf", bytes(5) + b"\1" + box(b"junk", bytes(80), 1), 500), 900)
    ),
}


@pytest.mark.parametrize("name", BOMBS)
async def test_endless_exif_ends_and_hides_no_photo(world: World, name: str) -> None:
    # Each of them takes hours, or forever, without an end to reading.
    world.add("bomb_20260101.jpg", BOMBS[name]())
    [photo] = await world.library.search("bomb")
    assert photo.get("broken") and photo["taken"] == "2026-01-01"


async def test_a_damaged_archive_hides_no_other_photo(world: World) -> None:
    path = world.folder / "trip.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.png", bytes(20 << 20))
        archive.writestr("damaged.jpg", whole() * 9)
        archive.writestr("good.jpg", jpeg("2026:08:01 10:00:00"))
        at = archive.getinfo("damaged.jpg").header_offset + 30 + len("damaged.jpg")
    content = bytearray(path.read_bytes())
    content[at : at + 4] = b"\xff\xff\xff\xff"
    path.write_bytes(content)
    photos = {photo["path"].rpartition("/")[2]: photo for photo in await world.library.search("trip.zip")}
    assert [name for name, photo in photos.items() if photo.get("broken")] == ["damaged.jpg", "bomb.png"]
    assert photos["good.jpg"]["taken"] == "2026-08-01T10:00:00"
    assert await world.library.thumbnails([photos["damaged.jpg"]]) == [None]
    assert len(await world.names("")) == 7


async def test_other_tasks_have_turns_while_an_archive_is_read(world: World) -> None:
    with zipfile.ZipFile(world.folder / "many.zip", "w") as archive:
        for number in range(200):
            archive.writestr(f"{number}.jpg", whole())
    turns: list[int] = []

    async def other() -> None:
        while True:
            turns.append(1)
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    assert len(await world.library.search("many.zip")) == 200
    task.cancel()
    assert len(turns) > 4


async def test_photos_in_a_zip_archive_are_found(world: World, tmp_path: Path) -> None:
    with zipfile.ZipFile(world.folder / "trip.zip", "w") as archive:
        archive.writestr("Oslo/fjord.jpg", jpeg("2026:08:01 10:00:00"))
        archive.writestr("Oslo/notes.txt", "no photo")
        archive.writestr("__MACOSX/Oslo/fjord.jpg", b"")
        archive.writestr("top.jpg", jpeg("2026:08:02 10:00:00"))
    found = await world.library.search("date:2026-08")
    assert [(photo["album"], photo["taken"][:10]) for photo in found] == [
        ("trip", "2026-08-02"),
        ("Oslo", "2026-08-01"),
    ]
    assert found[1]["path"] == f"{world.folder}/trip.zip!/Oslo/fjord.jpg"
    assert await world.library.thumbnails(found) == [base64.b64encode(b"small").decode()] * 2
    (world.folder / "trip.zip").write_bytes(b"PK broken")
    assert await world.names("date:2026-08") == []


async def test_files_that_vanish_are_found_no_longer(world: World) -> None:
    [photo] = await world.library.search("forum")
    (world.folder / "Rome/forum.jpg").unlink()
    assert await world.library.thumbnails([photo]) == [None]
    assert await world.names("rome") == ["dinner.jpg"]


async def test_heic_is_found_and_its_limit_is_said(world: World) -> None:
    world.add("phone/IMG_20260301_080000.heic", b"\0\0\0\x18ftypheic\0\0\0\0mif1heic")
    [photo] = await world.library.search("date:2026-03-01")
    assert "Few browsers show HEIC files" in photo.get("note", "")


async def test_the_index_is_stored_and_only_changed_photos_are_read_again(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counted(path: str, key: Any) -> Any:
        read.append(Path(path).name)
        return original(path, key)

    original = module.read_photos
    monkeypatch.setattr(module, "read_photos", counted)
    await world.library.search("")
    assert len(read) == 4
    read.clear()
    library = world.opened()
    world.add("Rome/late.jpg", jpeg("2026:07:16 08:00:00"))
    assert len(await library.search("rome")) == 3
    assert read == ["late.jpg"]
    # Any program can write the index: a broken one is made again.
    forged = {"version": 1, "entries": {str(world.folder / "Rome/forum.jpg"): [[1, 1], [{"path": 5}]]}}
    key = list(module.photos_below([str(world.folder / "Rome")]))[0][1]
    other = {"path": "a", "album": "b", "taken": "some day", "dated_by": "name"}
    strange = {"version": 1, "entries": {str(world.folder / "Rome/dinner.jpg"): [key, [other]]}}
    for content in ("no JSON", json.dumps(forged), "[]", json.dumps(strange)):
        world.index.write_text(content)
        assert len(await world.opened().search("")) == 5


async def test_a_name_that_is_not_utf_8_hides_nothing(world: World) -> None:
    with open(os.fsencode(world.folder) + b"/caf\xe9_20260101.jpg", "wb") as file:
        file.write(jpeg(camera="Old"))
    assert len(await world.library.search("camera:old date:2026-01-01")) == 1
    assert len(await world.opened().search("")) == 5


@pytest.mark.extended
async def test_ten_thousand_photos_are_searched_again_within_a_second(world: World) -> None:
    for number in range(10_000):
        world.add(
            f"many/{number // 500}/IMG_{number}.jpg", jpeg("2026:01:01 10:00:00", f"Camera {number % 7}")
        )
    assert len(await world.library.search("camera:3")) == 1_429
    library = world.opened()
    await library.search("")
    began = time.process_time()
    assert len(await library.search("camera:3 date:2026-01")) == 1_429
    assert time.process_time() - began < 5


async def test_thumbnails_come_as_one_numbered_picture(world: World) -> None:
    found = await world.registry.call("photo_search", {"query": "rome", "data": True}, caller="agent:a")
    assert (found["format"], base64.b64decode(found["data"])) == ("jpeg", b"sheet")
    assert [each["form"] for each in world.asked] == ["each", "sheet"]
    world.asked.clear()
    shown = await world.registry.call("photos_shown", {"query": "rome"}, caller=PERSON)
    assert [row["thumbnail"] != "" for row in shown["photos"]] == [True, True] and shown["total"] == 2
    # They are remembered.
    assert world.asked == []


async def test_thumbnails_of_small_photos_take_little_memory(world: World) -> None:
    photos = await world.library.search("")
    tracemalloc.start()
    try:
        await world.library.thumbnails(photos)
        assert tracemalloc.get_traced_memory()[1] < 10 << 20
    finally:
        tracemalloc.stop()


async def test_without_a_page_photos_are_found_without_thumbnails(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask(*_: Any, **__: Any) -> Any:
        raise NoPage("no page")

    monkeypatch.setattr(world.library, "_ask_worker", ask)
    found = await world.registry.call("photo_search", {"query": "rome", "data": True}, caller="agent:a")
    assert found["total"] == 2 and "data" not in found


def test_distances_are_those_of_a_sphere() -> None:
    assert distance_km(MUNICH, (41.8925, 12.4853)) == pytest.approx(697, abs=2)
    assert distance_km((0, 179.9), (0, -179.9)) == pytest.approx(22.2, abs=0.1)
    assert distance_km(MUNICH, MUNICH) == 0
