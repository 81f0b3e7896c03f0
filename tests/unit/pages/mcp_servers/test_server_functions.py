"""Tools of MCP servers as functions of code mode."""

from __future__ import annotations

import ast
import asyncio
import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.code_mode import stubs
from gemini.core.protocol import Params
from gemini.errors import GeminiError, McpProblem
from gemini.kernel.kernel import Kernel
from gemini.pages.mcp_servers import saving, server_functions
from gemini.tools import Registry
from tests.unit.code_mode.conftest import CLIENT, answer
from tests.unit.pages.mcp_servers.test_foreign import ADD

PIXEL = base64.b64encode(b"png").decode()
LIST = {"type": "array", "items": {"$ref": "#/$defs/Node"}}
STRANGE = [
    {**ADD, "name": "class", "function": "class_", "input": {"properties": {"self": {}, "from": {"enum": ["a"]}}}},
    {**ADD, "name": "read_resource", "function": "read_resource", "input": None, "output": {"$ref": "#/$defs/Node"}},
    {**ADD, "name": "tree", "function": "tree", "output": {**LIST, "$defs": {"Node": LIST}}},
    {**ADD, "name": 'q"""', "function": "q", "description": '"""\nimport os\n', "input": {"properties": [1]}},
]  # fmt: skip


class Page:
    """A kernel with a companion that has two servers, one of which the user has never allowed."""

    def __init__(self, folder: Path) -> None:
        registry = Registry()
        registry.results_folder = folder / "results"
        self.kernel = Kernel(registry, home=str(folder))
        self.asked: list[tuple[str, Params]] = []
        self.rows = [row("git-hub", "git_hub", allowed=True), row("notes", "notes", allowed=False)]
        self.tools: list[Any] = [ADD]
        self.answer: dict[str, Any] = {
            "text": "3",
            "structured": {"result": 3},
            "parts": [],
            "is_error": False,
        }
        self.fails: GeminiError | None = None
        self.changed: Callable[[Params], None] = lambda _: None
        self.kernel.host.request = self.request
        registry.groups.switch("mcp", True)

    async def request(self, method: str, params: Params) -> Any:
        self.asked.append((method, params))
        if self.fails is not None:
            raise self.fails
        match method:
            case "mcp/servers":
                return {"servers": self.rows}
            case "mcp/tools":
                return {
                    "name": "git-hub",
                    "module": "git_hub",
                    "tools": self.tools,
                    "problems": [],
                    "instructions": "",
                }
            case "mcp/read":
                return {
                    "parts": [{"kind": "resource", "uri": "a:b", "mime_type": "text/plain", "text": "milk"}]
                }
            case _:
                return self.answer

    def change(self) -> None:
        """Notify Python as the companion does."""
        self.kernel.host._notices["mcp/changed"]({})  # pyright: ignore[reportPrivateUsage]

    async def run(self, code: str, caller: str = CLIENT) -> list[dict[str, Any]]:
        found = await answer(self.kernel, "run", caller, code=code)
        return found.get("content") or [{"text": found["error"]["message"]}]

    async def text(self, code: str) -> str:
        return "\n".join(str(block.get("text")) for block in await self.run(code))

    async def find(self, query: str) -> str:
        return (await answer(self.kernel, "find", query=query))["content"][0]["text"]


def row(name: str, module: str, *, allowed: bool) -> dict[str, Any]:
    state = {"state": "off", "problem": None, "restarts": 0, "tools": None}
    return {"name": name, "module": module, "allowed": allowed, "listed": False, **state}


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Page:
    monkeypatch.setattr(stubs.write, "__defaults__", (tmp_path / "stubs",))
    monkeypatch.setattr(saving.save, "__defaults__", (tmp_path / "mcp",))
    monkeypatch.setattr(saving.result_of, "__defaults__", (tmp_path / "mcp",))
    return Page(tmp_path)


async def test_a_call_is_a_call_of_mcp_call_with_the_clients_name(page: Page) -> None:
    assert await page.text("await mcp.git_hub.add_up(1, b_c=None)") == "3"
    [asked] = [params for method, params in page.asked if method == "mcp/call"]
    assert (asked["server"], asked["tool"], asked["arguments"]) == (
        "git_hub",
        "add-up",
        {"a": 1, "b-c": None},
    )
    assert asked["words"] == {"tool": "mcp_call", "caller": CLIENT}
    [logged] = [each for each in page.kernel.registry.log.rows() if each["tool"] == "mcp_call"]
    assert (logged["caller"], logged["ok"]) == (CLIENT, True)
    assert "mcp.git_hub: git-hub (off)\n  mcp.notes: notes (off)" in await page.text("mcp")


async def test_what_it_answers_is_text_from_outside(page: Page) -> None:
    noted: list[str] = []
    page.kernel.registry.consent.on_each_untrusted(lambda run, origin: noted.append(origin))
    await page.text("await mcp.git_hub.add_up(1)")
    assert "mcp_call server=git_hub tool=add-up" in noted


async def test_a_failed_tool_raises_tool_failed(page: Page) -> None:
    page.answer = {"text": "the shelf is empty", "parts": [], "is_error": True}
    code = (
        "try:\n    await mcp.git_hub.add_up(1)\nexcept gemini.errors.ToolFailed as failed:\n    print(failed)"
    )
    assert "the shelf is empty" in await page.text(code)


async def test_a_picture_is_an_image(page: Page) -> None:
    part = {"kind": "image", "mime_type": "image/png", "data": PIXEL}
    page.answer = {"text": "Drawn.", "parts": [part], "is_error": False}
    blocks = await page.run("drawn = await mcp.git_hub.add_up(1)\ndrawn")
    assert [block["type"] for block in blocks] == ["text", "image"]
    assert blocks[1]["data"] == PIXEL
    assert (await page.text("drawn.text, drawn.files[0].kind")) == "('Drawn.', 'image')"


async def test_resources_are_read(page: Page) -> None:
    assert await page.text("open((await mcp.git_hub.read_resource('a:b'))[0].path).read()") == "milk"


async def test_find_has_the_tools_of_allowed_servers_and_starts_no_other(page: Page) -> None:
    found = await page.find("add two numbers")
    assert found.startswith("mcp.git_hub.add_up(a: int, b_c=None) -> int\n    Add two numbers.")
    assert [params["server"] for method, params in page.asked if method == "mcp/tools"] == ["git_hub"]
    assert "mcp: Tools of the user's MCP servers, by server. git_hub, notes" in await page.find("")


async def test_a_switched_off_group_finds_and_calls_nothing(page: Page) -> None:
    page.kernel.registry.groups.switch("mcp", False)
    assert "add_up" not in await page.find("add two numbers")
    assert "switched off mcp_call" in await page.text("await mcp.git_hub.add_up(1)")
    assert "mcp/call" not in [method for method, _ in page.asked]


async def test_stubs_follow_the_servers_lists(page: Page, tmp_path: Path) -> None:
    stub = tmp_path / "stubs/mcp.pyi"
    await page.text("1")
    assert "add_up" not in stub.read_text()
    await page.find("numbers")
    assert "    def add_up(self, a: int, b_c: None = None) -> int:" in stub.read_text()
    page.tools = [{**ADD, "name": "sum", "function": "sum"}]
    page.change()
    assert await page.text("await mcp.git_hub.sum(1)") == "3"
    assert "add_up" not in await page.find("add two numbers")
    assert "def sum(" in stub.read_text() and "add_up" not in stub.read_text()


async def test_strange_schemas_and_names_make_functions_and_valid_stubs(page: Page, tmp_path: Path) -> None:
    page.tools = STRANGE
    page.answer = {"text": "yes", "parts": [], "is_error": False}
    assert await page.text("await mcp.git_hub.class_(from_='a')") == "yes"
    assert [params["arguments"] for method, params in page.asked if method == "mcp/call"] == [{"from": "a"}]
    assert await page.text("await mcp.git_hub.read_resource()") == "yes"
    assert "milk" in await page.text("open((await mcp.git_hub.read_resource_2('a:b'))[0].path).read()")
    await page.find("tree")
    ast.parse((tmp_path / "stubs/mcp.pyi").read_text())


async def test_two_thousand_tools_are_searched(page: Page) -> None:
    page.tools = [{**ADD, "name": f"tool-{n}", "function": f"tool_{n}"} for n in range(2_000)]
    assert len(await page.find("add numbers")) <= 1_500
    assert await page.text("await mcp.git_hub.tool_1999(1)") == "3"


async def test_without_a_companion_the_module_says_so(page: Page) -> None:
    page.kernel.host.request = None
    assert (
        "nothing now (Tools of the user's MCP servers, by server. None now: MCP servers need the companion"
        in (await page.text("mcp.git_hub"))
    )
    page.kernel.host.request = page.request
    page.change()
    assert await page.text("await mcp.git_hub.add_up(1)") == "3"


async def test_code_runs_while_the_companion_does_not_answer(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(method: str, params: Params) -> Any:
        await asyncio.Event().wait()

    monkeypatch.setattr(server_functions, "NAMES_S", 0.01)
    page.kernel.host.request = never
    assert await page.text("1 + 1") == "2"
    assert "The companion doesn't answer." in await page.text("mcp")
    page.kernel.host.request = page.request
    assert await page.text("await mcp.git_hub.add_up(1)") == "3"


async def test_a_server_that_does_not_start_leaves_the_search_and_says_so_when_used(page: Page) -> None:
    await page.text("1")
    page.fails = McpProblem("it doesn't start")
    assert "files." in await page.find("write a file")
    assert "it doesn't start" in await page.text("await mcp.git_hub.add_up(1)")
