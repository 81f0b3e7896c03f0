"""The rows of photos. Reading photos loads on first use."""

from typing import Literal, NotRequired

from typing_extensions import TypedDict


class Facts(TypedDict):
    """The known facts: the camera, the place in degrees (WGS 84), the size in pixels, and the description."""

    camera: NotRequired[str]
    latitude: NotRequired[float]
    longitude: NotRequired[float]
    width: NotRequired[int]
    height: NotRequired[int]
    description: NotRequired[str]
    broken: NotRequired[bool]


class Photo(Facts):
    """A photo. Its album is its folder's name. `taken` is in ISO 8601, as its EXIF data, its name or its file says.

    `path` of a photo in an archive is the archive's path, `!/` and its name in the archive.
    """

    path: str
    album: str
    taken: str
    dated_by: Literal["exif", "name", "file"]
    archive: NotRequired[str]
    note: NotRequired[str]
