"""Tests for the browser tools, called through the registry."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from gemini.errors import InvalidArguments, OffLimits, PageGone, Refused, Unsupported
from gemini.pages.tabs import screenshots
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.documents import Documents
from gemini.pages.tabs.sites import Sites
from gemini.pages.tabs.tools import BrowserTools
from gemini.tools import Registry
from gemini.tools.calls import WITHHELD, Client
from tests.unit.pages.tabs.page import ORIGIN, Page, no_pdf

Script = Callable[[str, dict[str, Any]], Any]


class World:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.page = Page()
        self.registry = Registry()
        self.browser = Browser(self.registry.events, lambda path: str(folder / path), Sites(home=str(folder)))
        self.registry.add_room(BrowserTools(self.browser, lambda path: folder / path, no_pdf))

    async def call(self, tool: str, **arguments: Any) -> Any:
        return await self.registry.call(tool, arguments, caller="webmcp")

    def logged(self) -> dict[str, Any]:
        return self.registry.log.rows()[-1]["arguments"]

    def asked(self) -> list[tuple[str, dict[str, Any]]]:
        return [(method, given) for _, method, given in self.page.asked]


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr(screenshots, "FOLDER", tmp_path / "screenshots")
    world = World(tmp_path)
    await world.browser.attach(Documents(world.page.connection))
    await world.call("browser_navigate", url=f"{ORIGIN}/a")
    return world


async def test_omitted_arguments_are_not_passed_on(world: World) -> None:
    await world.call("browser_click", ref="e3")
    await world.call("browser_scroll", direction="down")
    assert world.asked() == [
        ("click", {"double": False, "button": "left", "ref": "e3"}),
        ("scroll", {"direction": "down"}),
    ]


async def test_a_drag_along_a_path_starts_at_its_first_point(world: World) -> None:
    await world.call("browser_drag", path="10,20 90,20.5", modifiers="Shift", hold=1)
    await world.call("browser_drag", ref="e3", path="90,20")
    assert world.asked() == [
        ("drag", {"x": 10.0, "y": 20.0, "path": [[90.0, 20.5]], "modifiers": "Shift", "hold": 1.0}),
        ("drag", {"ref": "e3", "path": [[90.0, 20.0]]}),
    ]
    for path in ("10", "10,20 x", "1,2,3"):
        with pytest.raises(InvalidArguments):
            await world.call("browser_drag", path=path)


async def test_a_snapshot_is_text(world: World) -> None:
    world.page.script = lambda method, given: {"url": f"{ORIGIN}/a", "text": "[e1] button", "elements": []}
    assert await world.call("browser_snapshot", scope="main", max_chars=500) == "[e1] button"
    assert world.asked() == [
        (
            "snapshot",
            {"scope": "main", "changed_only": False, "max_chars": 500, "elements": False, "peek": False},
        )
    ]


async def test_typed_text_is_logged_if_it_is_no_secret(world: World) -> None:
    world.page.script = lambda method, given: {"success": True, "url": f"{ORIGIN}/a", "value": given["text"]}
    assert (await world.call("browser_type", text="Ada", ref="e1"))["value"] == "Ada"
    assert world.logged() == {"text": "Ada", "ref": "e1"}


@pytest.mark.parametrize(
    ("tool", "given"), [("browser_type", {"text": "hunter2"}), ("browser_press_key", {"key": "h"})]
)
async def test_text_that_needed_consent_is_not_logged(world: World, tool: str, given: dict[str, Any]) -> None:
    world.page.script = lambda method, given: {"success": True, "value": "••••", "consented": True}
    assert (await world.call(tool, **given))["consented"] is True

    assert world.logged() == {name: WITHHELD for name in given}
    [(_, _, sent)] = world.page.asked
    assert "consented" not in sent


async def test_a_refused_password_is_not_logged(world: World) -> None:
    world.page.script = lambda method, given: Refused("the user refused it")
    with pytest.raises(Refused):
        await world.call("browser_type", text="hunter2", ref="e1")
    assert WITHHELD in str(world.logged()) and "hunter2" not in str(world.registry.log.rows())


async def test_files_are_passed_to_a_file_input(world: World) -> None:
    (world.folder / "a.txt").write_text("A")
    (world.folder / "b.png").write_bytes(b"B")

    def script(method: str, given: dict[str, Any]) -> Any:
        if "files" not in given:
            return Unsupported("It is no field of text.", data={"takes": "files"})
        return {"success": True, "url": f"{ORIGIN}/a", "value": "a.txt, b.png"}

    world.page.script = script
    assert (await world.call("browser_type", text="a.txt\nb.png", ref="e1"))["value"] == "a.txt, b.png"
    given = [
        (file["name"], file["type"], base64.b64decode(file["data"])) for file in world.asked()[-1][1]["files"]
    ]
    assert given == [("a.txt", "text/plain", b"A"), ("b.png", "image/png", b"B")]


async def test_typing_into_something_other_than_a_field_raises(world: World) -> None:
    world.page.script = lambda method, given: Unsupported("It is no field of text.")
    with pytest.raises(Unsupported):
        await world.call("browser_type", text="a.txt", ref="e1")


async def test_waiting_continues_on_the_next_page(world: World) -> None:
    answers = [PageGone("closed"), {"success": True, "waited_s": 0.1}]
    world.page.script = lambda method, given: answers.pop(0)
    answer = await world.call("browser_wait_for", text="Done", seconds=5)
    assert answer["success"] is True and 0.1 <= answer["waited_s"] < 5
    assert [given["text"] for _, given in world.asked()] == ["Done", "Done"]
    assert world.asked()[1][1]["seconds"] <= 5


async def test_a_screenshot_is_a_file(world: World) -> None:
    picture = {"data": base64.b64encode(b"PNG").decode(), "width": 3, "height": 2, "format": "png"}
    world.page.script = lambda method, given: picture
    first = await world.call("browser_screenshot")
    second = await world.call("browser_screenshot", data=True)

    assert first["path"] != second["path"] and Path(first["path"]).read_bytes() == b"PNG"
    assert (first["width"], first["height"], first["bytes"]) == (3, 2, 3)
    assert "data" not in first and second["data"] == picture["data"]


async def test_mcp_clients_get_the_picture_itself(world: World) -> None:
    picture = {"data": base64.b64encode(b"PNG" * 100).decode(), "width": 3, "height": 2, "format": "png"}
    world.page.script = lambda method, given: picture
    client = Client(notify=lambda level, message: None, ask=AsyncMock())
    text = await world.registry.call_json(
        "browser_screenshot", {}, caller="mcp", max_chars=100, client=client
    )
    assert json.loads(text)["data"] == picture["data"]


async def test_the_page_decides_whether_javascript_runs(world: World) -> None:
    world.page.script = lambda method, given: 2
    assert await world.call("browser_execute_js", code="return 1 + 1") == {"result": 2}
    world.page.script = lambda method, given: OffLimits("the surface's own document")
    with pytest.raises(OffLimits):
        await world.call("browser_execute_js", code="return 1 + 1", tab="page")


async def test_tabs_are_listed_after_each_action(world: World) -> None:
    opened = await world.call("browser_tabs", action="open", url=f"{ORIGIN}/b")
    assert [(row["id"], row.get("yours")) for row in opened] == [("page", None), ("t1", None), ("t2", True)]
    focused = await world.call("browser_tabs", action="focus", tab="t1")
    assert [row["id"] for row in focused if "yours" in row] == ["t1"]
    assert [row["id"] for row in focused if row["active"]] == ["page"]
    assert [row["id"] for row in await world.call("browser_tabs", action="close", tab="t1")] == ["page", "t2"]
