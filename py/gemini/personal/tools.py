"""The tools for the user's own browser. The page asks, and acts in the press of the user's button."""

import base64
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict

from gemini.tools import Effect, declare

Ask = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Asks the page's owner of these powers: `ask(method, params)`."""
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


class PersonalTools:
    """The tools for the user's own browser.

    Args:
        ask: Asks the page.
        folder: The folder of chosen pictures.
    """

    def __init__(self, ask: Ask, folder: Path = FOLDER) -> None:
        self._ask = ask
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
