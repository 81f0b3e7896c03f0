"""The tool and the panel's actions that search the user's photos."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from gemini.personal.photo_rows import Photo
from gemini.tools import Effect, current_call, declare, report_progress

if TYPE_CHECKING:
    from gemini.personal.photos import PhotoLibrary

Library = Callable[[], "PhotoLibrary"]


class PhotosFound(TypedDict):
    """Photos, the newest first. `total` counts those that were left out, too.

    `data` is a JPEG in base64 with numbered thumbnails of them, in their order. `format` says so.
    """

    photos: list[Photo]
    total: int
    format: NotRequired[str]
    width: NotRequired[int]
    height: NotRequired[int]
    data: NotRequired[str]


class ShownPhoto(TypedDict):
    """A photo with its thumbnail, a JPEG in base64; empty if the browser doesn't decode it."""

    photo: Photo
    thumbnail: str


class ShownPhotos(TypedDict):
    """The first photos that were found, and the number of all."""

    photos: list[ShownPhoto]
    total: int


class PhotoTools:
    """The tool that searches photos.

    Args:
        library: Returns the photos.
    """

    def __init__(self, library: Library) -> None:
        self._library = library

    @declare(effect=Effect.READ, untrusted=True)
    async def photo_search(
        self, query: str = "", count: Annotated[int, Field(ge=1, le=100)] = 20, data: bool = False
    ) -> PhotosFound:
        """Find the user's photos in /project and /home/user.

        Args:
            query: Words, date:2026-07, date:2026-07-01..2026-07-14, album:, camera:, near:48.14,11.58,10km.
            count: The most photos.
            data: Also return thumbnails.
        """
        from gemini.personal.photos import shown

        library = self._library()
        photos = await library.search(query, report_progress)
        found: PhotosFound = {"photos": photos[:count], "total": len(photos)}
        call = current_call()
        if photos and (data or (call and call.takes_pictures)):
            sheet = await shown(library, photos[:count])
            if sheet is not None:
                size = {"width": sheet["width"], "height": sheet["height"]}
                return {**found, "format": "jpeg", **size, "data": sheet["sheet"]}  # type: ignore[typeddict-item]
        return found


class PanelPhotoTools:
    """The action of the Photos panel.

    Args:
        library: Returns the photos.
    """

    def __init__(self, library: Library) -> None:
        self._library = library

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_photos")
    async def photos_shown(
        self, query: str = "", count: Annotated[int, Field(ge=1, le=500)] = 60
    ) -> ShownPhotos:
        """List photos with their thumbnails."""
        library = self._library()
        photos = await library.search(query)
        first = photos[:count]
        thumbnails = await library.thumbnails(first)
        rows: list[ShownPhoto] = [
            {"photo": photo, "thumbnail": thumbnail or ""}
            for photo, thumbnail in zip(first, thumbnails, strict=True)
        ]
        return {"photos": rows, "total": len(photos)}
