"""The tools for the user's own browser, with a page that answers as its owner does."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from gemini.errors import CompanionLost, GeminiError, InvalidArguments, Refused, WebProblem
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.documents import Documents
from gemini.pages.tabs.sites import Sites
from gemini.personal.tools import PersonalTools
from gemini.tools import Registry
from gemini.tools.declaration import declaration_of
from tests.unit.pages.tabs.page import Page

PLACES = {
    "places": [{"name": "Berlin", "latitude": 52.5, "longitude": 13.4, "kind": "boundary"}],
    "attribution": "© OpenStreetMap contributors",
}
PHOTO = {"name": "../cat.jpg", "data": base64.b64encode(b"\xff\xd8\xff a cat").decode()}


class World:
    def __init__(self, folder: Path) -> None:
        self.asked: list[dict[str, Any]] = []
        self.is_connected = True
        self.page = Page()
        self.page.serve("personal", self._answer)
        self.registry = Registry()
        self.browser = Browser(self.registry.events, str, Sites(home=str(folder)))
        self.registry.add_room(PersonalTools(self.browser.ask_owner, self._companion, folder / "photos"))

    async def _answer(self, params: dict[str, Any]) -> Any:
        self.asked.append({"action": params["action"], **params["given"]})
        if params["given"].get("text") == "no":
            raise Refused("the user refused: copy")
        return {
            "locate": {"latitude": 52.5, "longitude": 13.4, "accuracy": 20.0},
            "photos": {"photos": [PHOTO, PHOTO]},
            "paste": {"text": "Green tea"},
        }.get(params["action"], {})

    async def _companion(self, method: str, params: dict[str, Any], problem: type[GeminiError]) -> Any:
        if not self.is_connected:
            raise CompanionLost("the companion isn't connected")
        self.asked.append({"method": method, **{name: params[name] for name in params if name != "words"}})
        return PLACES

    async def call(self, tool: str, **arguments: Any) -> Any:
        return await self.registry.call(tool, arguments, caller="agent:a")


@pytest.fixture
async def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    await world.browser.attach(Documents(world.page.connection))
    return world


async def test_the_page_gets_what_the_user_is_asked_about(world: World) -> None:
    await world.call("personal_share", text="Look", url="https://tea.example/")
    await world.call("personal_draft", text="Hello", to="ann@example.org", subject="Tea")
    assert await world.call("personal_copy", text="Hello") == {"success": True}
    assert world.asked == [
        {"action": "share", "text": "Look", "url": "https://tea.example/"},
        {"action": "draft", "text": "Hello", "to": "ann@example.org", "subject": "Tea", "kind": "mail"},
        {"action": "copy", "text": "Hello"},
    ]
    with pytest.raises(Refused):
        await world.call("personal_copy", text="no")


async def test_the_place_and_the_chosen_photos_come_back(world: World, tmp_path: Path) -> None:
    assert (await world.call("personal_locate"))["latitude"] == 52.5
    paths = (await world.call("personal_photos"))["paths"]
    assert paths == [str(tmp_path / "photos" / name) for name in ("cat.jpg", "cat-2.jpg")]
    assert Path(paths[1]).read_bytes() == b"\xff\xd8\xff a cat"


async def test_clients_have_the_tools_once_they_are_on(world: World) -> None:
    with pytest.raises(Exception, match="switched off"):
        await world.registry.call("personal_locate", caller="webmcp")


async def test_the_clipboards_text_comes_back_as_text_from_outside(world: World) -> None:
    assert await world.call("personal_paste") == {"text": "Green tea"}
    declared = declaration_of(PersonalTools.personal_paste)
    assert declared is not None and declared.untrusted


async def test_the_companion_finds_places_by_name_or_coordinates(world: World) -> None:
    assert await world.call("personal_places", query="Berlin") == PLACES
    await world.call("personal_places", latitude=52.5, longitude=13.4, count=1)
    assert world.asked == [
        {"method": "web/places", "query": "Berlin", "count": 5},
        {"method": "web/places", "latitude": 52.5, "longitude": 13.4, "count": 1},
    ]
    for given in ({}, {"query": "Berlin", "latitude": 1, "longitude": 2}, {"latitude": 1}):
        with pytest.raises(InvalidArguments):
            await world.call("personal_places", **given)
    world.is_connected = False
    with pytest.raises(WebProblem, match="needs the companion") as lost:
        await world.call("personal_places", query="Berlin")
    # Other tools don't know places.
    assert "curl" not in (lost.value.hint or "")
