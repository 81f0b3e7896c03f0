"""The EXIF data of a photo, by ExifRead, which loads with the first photo."""

import logging
import re
from datetime import datetime
from typing import Any, BinaryIO, NotRequired, cast

from gemini.core.loading import load_packages
from gemini.errors import PersonalFileProblem
from gemini.personal.photo_rows import Facts

# EXIF 2.32, 4.6.5: strings such as 2026:07:14 12:30:00, and +02:00
_TIME = re.compile(r"(\d{4})\D(\d\d)\D(\d\d)[ T](\d\d)\D(\d\d)\D(\d\d)")
_OFFSET = re.compile(r"[+-]\d\d:\d\d")
_TIMES = {
    "EXIF DateTimeOriginal": "EXIF OffsetTimeOriginal",
    "EXIF DateTimeDigitized": "EXIF OffsetTimeDigitized",
    "Image DateTime": "EXIF OffsetTime",
}
_TEXTS = (
    "Image ImageDescription",
    "EXIF UserComment",
    "Image XPTitle",
    "Image XPKeywords",
    "Image XPComment",
)
MOST_CHARACTERS = 300
# A photo needs a few thousand reads and less than 1 MB. ExifRead follows loops and lengths of 4 GB wherever they lead.
MOST_READS = 20_000
MOST_BYTES = 32 * 1024 * 1024


class Exif(Facts):
    """The facts of EXIF data, with the time in ISO 8601."""

    taken: NotRequired[str]


class _TooMuch(Exception):
    """The data of a photo leads to more than any photo has."""


class _Bounded:
    """The part of a file's interface that ExifRead uses, with an end to reading."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._reads = MOST_READS
        self._bytes = MOST_BYTES
        self.seek = file.seek
        self.tell = file.tell

    def read(self, size: int = -1) -> bytes:
        most = self._bytes + 1
        data = self._file.read(most if size < 0 else min(size, most))
        self._reads -= 1
        self._bytes -= len(data)
        if self._reads < 0 or self._bytes < 0:
            raise _TooMuch
        return data


async def load_exif() -> None:
    """Load ExifRead, unless it is loaded. Raises PersonalFileProblem if it can't be fetched."""
    await load_packages(("exifread",), ("exifread",), PersonalFileProblem, "the package that reads photos")
    # It writes to the console about each file without EXIF.
    logging.getLogger("exifread").setLevel(logging.CRITICAL)


def read_exif(file: BinaryIO) -> Exif:
    """Return the EXIF data of an open photo; nothing if it has none, `broken` if it can't be read."""
    import exifread

    try:
        bounded = cast("BinaryIO", _Bounded(file))
        tags: dict[str, Any] = exifread.process_file(bounded, details=False, extract_thumbnail=False)
    except Exception:  # noqa: BLE001 - it reads whatever bytes pretend to be EXIF, and fails in many ways
        return {"broken": True}
    exif: Exif = {}
    if taken := _take(tags):
        exif["taken"] = taken
    if camera := _camera(tags):
        exif["camera"] = camera
    latitude, longitude = _degrees(tags, "Latitude", 90), _degrees(tags, "Longitude", 180)
    # A camera without a signal writes zeros.
    if latitude is not None and longitude is not None and (latitude, longitude) != (0.0, 0.0):
        exif["latitude"], exif["longitude"] = latitude, longitude
    width, height = _number(tags, "EXIF ExifImageWidth"), _number(tags, "EXIF ExifImageLength")
    if width and height:
        exif["width"], exif["height"] = width, height
    texts = [text for name in _TEXTS if (text := _text(tags, name))]
    if texts:
        exif["description"] = " ".join(dict.fromkeys(texts))[:MOST_CHARACTERS]
    return exif


def _text(tags: dict[str, Any], name: str) -> str:
    tag = tags.get(name)
    if tag is None:
        return ""
    if name.startswith("Image XP") and (values := _values(tags, name)):
        # Windows writes these as UTF-16 in bytes.
        return bytes(value & 0xFF for value in values).decode("utf-16-le", "replace").strip("\0 ")
    return str(tag.values if isinstance(tag.values, str) else tag).strip("\0 ")


def _values(tags: dict[str, Any], name: str) -> list[Any]:
    values: Any = getattr(tags.get(name), "values", None)
    return cast("list[Any]", values) if isinstance(values, list) else []


def _number(tags: dict[str, Any], name: str) -> int | None:
    values = _values(tags, name)
    return values[0] if values and isinstance(values[0], int) else None


def _take(tags: dict[str, Any]) -> str:
    for name, offset in _TIMES.items():
        found = _TIME.match(_text(tags, name))
        if found is None:
            continue
        try:
            time = datetime(*(int(part) for part in found.groups()))  # type: ignore[misc]
        except ValueError:
            continue
        zone = _text(tags, offset)
        return time.isoformat() + (zone if _OFFSET.fullmatch(zone) else "")
    return ""


def _camera(tags: dict[str, Any]) -> str:
    make, model = _text(tags, "Image Make"), _text(tags, "Image Model")
    return model if model.casefold().startswith(make.casefold()) else f"{make} {model}".strip()


def _degrees(tags: dict[str, Any], name: str, most: int) -> float | None:
    values = _values(tags, f"GPS GPS{name}")
    if len(values) != 3:
        return None
    try:
        degrees, minutes, seconds = (float(value) for value in values)
    except (TypeError, ValueError, ZeroDivisionError):
        return None
    sign = -1 if _text(tags, f"GPS GPS{name}Ref")[:1].upper() in ("S", "W") else 1
    found = sign * (degrees + minutes / 60 + seconds / 3600)
    return round(found, 6) if abs(found) <= most else None
