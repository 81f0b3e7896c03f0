"""The query of a search for photos: words, and fields such as `date:2026-07`."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from gemini.errors import InvalidArguments
from gemini.personal.photo_rows import Photo

FIELDS = "date:2026-07 or date:2026-07-01..2026-07-14, album:, camera:, near:48.14,11.58,10km"
_TERM = re.compile(r'(?:(\w+):)?(?:"([^"]*)"|(\S+))')
_DATE = re.compile(r"\d{4}(-\d\d(-\d\d)?)?")
_NEAR = re.compile(r"(-?[\d.]+),(-?[\d.]+)(?:,([\d.]+)\s*(?:km)?)?")
RADIUS_KM = 5.0
# The mean radius of the earth (IUGG).
EARTH_KM = 6371.0088
_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
MONTHS = {f"{number:02}": name for number, name in enumerate(_NAMES, 1)}

Condition = Callable[[Photo], bool]


@dataclass(frozen=True)
class Query:
    """A query: what a photo must fulfil, and the words that it must have.

    Attributes:
        conditions: All of them must be true.
        words: In lower case. Each is in a photo's name, folders, camera, description or date.
        folders: The searched folders, whose own names aren't searched.
    """

    conditions: tuple[Condition, ...]
    words: tuple[str, ...]
    folders: tuple[str, ...] = ()

    def matches(self, photo: Photo) -> bool:
        """Return whether a photo fulfils all conditions and has all words."""
        if not all(condition(photo) for condition in self.conditions):
            return False
        text = _text(photo, self.folders) if self.words else ""
        return all(word in text for word in self.words)


def parse(query: str, folders: tuple[str, ...] = ()) -> Query:
    """Return the query that a text means, for photos below some folders.

    Raises:
        InvalidArguments: A field is unknown, or its value has another form.
    """
    conditions: list[Condition] = []
    words: list[str] = []
    for field, quoted, plain in _TERM.findall(query):
        value = quoted or plain
        if field:
            conditions.append(_condition(field.lower(), value))
        else:
            words.append(value.casefold())
    return Query(tuple(conditions), tuple(words), folders)


def _condition(field: str, value: str) -> Condition:
    wanted = value.casefold()
    if field == "date":
        return _in_time(value)
    if field == "album":
        return lambda photo: wanted in photo["album"].casefold()
    if field == "camera":
        return lambda photo: wanted in photo.get("camera", "").casefold()
    if field == "near":
        return _near(value)
    raise InvalidArguments(f"photos have no field {field!r}", hint=f"Use words, and {FIELDS}.")


def _in_time(value: str) -> Condition:
    first, dots, last = value.partition("..")
    if not all(_DATE.fullmatch(each) or (dots and not each) for each in (first, last if dots else first)):
        raise InvalidArguments(f"{value!r} is no date", hint=f"Use {FIELDS}.")
    if not dots:
        return lambda photo: photo["taken"].startswith(first)
    return lambda photo: (
        photo["taken"][: len(first)] >= first and (not last or photo["taken"][: len(last)] <= last)
    )


def _near(value: str) -> Condition:
    found = _NEAR.fullmatch(value)
    try:
        if found is None:
            raise ValueError(value)
        latitude, longitude = float(found[1]), float(found[2])
        radius = float(found[3] or RADIUS_KM)
    except ValueError as error:
        raise InvalidArguments(
            f"{value!r} is no place",
            hint="Use near:latitude,longitude,km; personal_places finds them by a name.",
        ) from error
    return lambda photo: (
        "latitude" in photo
        and "longitude" in photo
        and distance_km((latitude, longitude), (photo["latitude"], photo["longitude"])) <= radius
    )


def distance_km(one: tuple[float, float], other: tuple[float, float]) -> float:
    """Return the distance of two places in degrees, by the haversine formula."""
    (a, b), (c, d) = (map(math.radians, place) for place in (one, other))
    half = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * EARTH_KM * math.asin(min(1.0, math.sqrt(half)))


def _text(photo: Photo, folders: tuple[str, ...]) -> str:
    taken, path = photo["taken"], photo["path"]
    root = next((folder for folder in folders if path.startswith(f"{folder}/")), "")
    month = MONTHS.get(taken[5:7], "")
    parts = (path[len(root) :], photo.get("camera", ""), photo.get("description", ""), taken, month)
    return " ".join(parts).casefold()
