"""The tools for the user's own browser, and for places.

The page asks, and acts in the press of the user's button; for places, the companion asks.
"""

import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from gemini.errors import InvalidArguments
from gemini.pages.web.asking import Ask as AskCompanion
from gemini.pages.web.asking import ask_web
from gemini.tools import Effect, declare

Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Asks the page's owner of these powers: `ask(method, params)`."""
Latitude = Annotated[float, Field(ge=-90, le=90)]
Longitude = Annotated[float, Field(ge=-180, le=180)]
METHOD = "personal"
FOLDER = Path("/project/photos")


class Done(TypedDict):
    """The confirmation that the user's browser has opened its sheet or done it. Nothing tells if a draft was sent."""

    success: bool


class Place(TypedDict):
    """The user's place (WGS 84): degrees, and the accuracy in meters."""

    latitude: float
    longitude: float
    accuracy: float
    altitude: NotRequired[float]


class Photos(TypedDict):
    """The paths of the pictures that the user chose."""

    paths: list[str]


class Pasted(TypedDict):
    """The text of the user's clipboard."""

    text: str


class NamedPlace(TypedDict):
    """A place (WGS 84, in degrees) with its address, and what it is."""

    name: str
    latitude: float
    longitude: float
    kind: str


class NamedPlaces(TypedDict):
    """Places, the best first, and whom to name as the source where they are shown."""

    places: list[NamedPlace]
    attribution: str


class PersonalTools:
    """The tools for the user's own browser, and for places.

    Args:
        ask: Asks the page.
        ask_companion: Sends the companion a request.
        folder: The folder of chosen pictures.
    """

    def __init__(self, ask: Ask, ask_companion: AskCompanion, folder: Path = FOLDER) -> None:
        self._ask = ask
        self._ask_companion = ask_companion
        self._folder = folder

    @declare(effect=Effect.OUTSIDE)
    async def personal_share(self, text: str, title: str | None = None, url: str | None = None) -> Done:
        """Offer the user the system's sheet to share a text or link. They choose with whom.

        Args:
            title: Such as a subject.
            url: A link.
        """
        await self._asked("share", text=text, title=title, url=url)
        return {"success": True}

    @declare(effect=Effect.OUTSIDE)
    async def personal_draft(
        self, text: str, to: str = "", subject: str | None = None, kind: Literal["mail", "message"] = "mail"
    ) -> Done:
        """Open a draft in the user's program for mail or messages. The user sends it, or not.

        Args:
            to: An address, or a number for messages.
            subject: Of a mail.
        """
        await self._asked("draft", text=text, to=to, subject=subject, kind=kind)
        return {"success": True}

    @declare(effect=Effect.OUTSIDE)
    async def personal_copy(self, text: str) -> Done:
        """Put a text into the user's clipboard."""
        await self._asked("copy", text=text)
        return {"success": True}

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def personal_paste(self) -> Pasted:
        """Read the text of the user's clipboard."""
        return await self._asked("paste")

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def personal_places(
        self,
        query: str | None = None,
        latitude: Latitude | None = None,
        longitude: Longitude | None = None,
        count: Annotated[int, Field(ge=1, le=20)] = 5,
    ) -> NamedPlaces:
        """Find coordinates of a place or address, or the address at coordinates, by OpenStreetMap. The user is asked.

        Args:
            query: A name or an address; without it, both coordinates.
            count: The most places.
        """
        if (query is None) == (latitude is None or longitude is None):
            raise InvalidArguments("pass either query, or latitude and longitude")
        given = {"latitude": latitude, "longitude": longitude} if query is None else {"query": query}
        return await ask_web(self._ask_companion, "web/places", **given, count=count)

    @declare(effect=Effect.OUTSIDE)
    async def personal_locate(self) -> Place:
        """Find out where the user is."""
        return await self._asked("locate")

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def personal_photos(self) -> Photos:
        """Let the user choose pictures of this device, which are stored as files."""
        chosen = await self._asked("photos")
        self._folder.mkdir(parents=True, exist_ok=True)
        paths: list[str] = []
        for photo in chosen["photos"]:
            path = _free_path(self._folder, Path(photo["name"]).name or "photo")
            path.write_bytes(base64.b64decode(photo["data"]))
            paths.append(str(path))
        return {"paths": paths}

    async def _asked(self, action: str, **given: Any) -> Any:
        known = {name: value for name, value in given.items() if value is not None}
        return await self._ask(METHOD, {"action": action, "given": known})


def _free_path(folder: Path, name: str) -> Path:
    path, number = folder / name, 1
    while path.exists():
        number += 1
        path = folder / f"{Path(name).stem}-{number}{Path(name).suffix}"
    return path
