"""Tools of the user's MCP servers in the page: what the companion is asked, and what callers get."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.core.protocol import Params
from gemini.errors import CompanionLost, GeminiError, McpProblem, ToolFailed
from gemini.pages.mcp_servers import saving
from gemini.pages.mcp_servers.foreign import ForeignTools, value_of
from gemini.pages.mcp_servers.listed import ListedTools, simple
from gemini.pages.mcp_servers.tools import McpServerTools
from gemini.tools import Registry

ADD = {
    "name": "add-up", "function": "add_up", "title": "", "description": "Add two numbers.",
    "input": {
        "type": "object", "required": ["a"],
        "properties": {"a": {"type": "integer"}, "b-c": {"anyOf": [{"type": "null"}], "description": "More."}},
    },
    "output": {"type": "object", "properties": {"result": {"type": "integer"}}}, "hints": {}, "problem": None,
}  # fmt: skip


class Companion:
    """Answers as the companion does."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Params]] = []
        self.answer: dict[str, Any] = {"text": "three", "parts": [], "is_error": False}
        self.rows: list[dict[str, Any]] = [
            {"name": "calc", "module": "calc", "listed": True, "allowed": True, "state": "off"}
        ]
        self.tools: list[dict[str, Any]] = [ADD]
        self.fails: GeminiError | None = None
        self.notices: dict[str, Callable[[Params], None]] = {}

    async def ask_companion(self, method: str, params: Params, problem: type[GeminiError]) -> Any:
        self.asked.append((method, params))
        if self.fails is not None:
            raise self.fails
        match method:
            case "mcp/servers":
                return {"servers": self.rows}
            case "mcp/tools":
                return {
                    "name": "calc",
                    "module": "calc",
                    "tools": self.tools,
                    "problems": [],
                    "instructions": "",
                }
            case "mcp/read":
                return {"parts": self.answer["parts"]}
            case _:
                if params["token"] and "mcp/progress" in self.notices:
                    self.notices["mcp/progress"](
                        {"token": params["token"], "done": 1, "total": 2, "message": "half"}
                    )
                return self.answer

    def on_attach(self, listener: Callable[[], None]) -> None:
        pass

    def on_notice(self, method: str, listener: Callable[[Params], None]) -> None:
        self.notices[method] = listener


@pytest.fixture
def companion() -> Companion:
    return Companion()


@pytest.fixture
def foreign(companion: Companion) -> ForeignTools:
    return ForeignTools(companion)


@pytest.fixture
def registry(foreign: ForeignTools) -> Registry:
    registry = Registry()
    registry.add_room(McpServerTools(foreign))
    registry.groups.switch("mcp", True)
    return registry


async def test_a_call_names_its_caller_and_reports_progress(registry: Registry, companion: Companion) -> None:
    reports: list[Any] = []
    text = await registry.call_json(
        "mcp_call",
        {"server": "calc", "tool": "add-up", "arguments": {"a": 1}},
        caller="agent",
        progress=lambda *report: reports.append(report),
        run="run-1",
    )
    assert text == '{"text":"three"}'
    [(method, params)] = companion.asked
    assert method == "mcp/call"
    assert params["arguments"] == {"a": 1}
    assert params["words"] == {"tool": "mcp_call", "caller": "agent", "run": "run-1", "call": 1}
    assert reports == [(1, 2, "half")]


async def test_the_results_are_text_from_outside(registry: Registry) -> None:
    noted: list[str] = []
    registry.consent.on_untrusted(lambda run, origin: noted.append(run))
    await registry.call("mcp_call", {"server": "calc", "tool": "add-up"}, caller="agent", run="run-1")
    assert noted == ["run-1"]
    assert all(tool.declaration.untrusted for tool in registry)


async def test_a_failed_tool_raises_with_the_servers_text(
    foreign: ForeignTools, companion: Companion
) -> None:
    companion.answer = {"text": "the shelf is empty", "parts": [], "is_error": True}
    with pytest.raises(ToolFailed, match="the shelf is empty"):
        await foreign.call("calc", "add-up", {})


async def test_without_a_companion_it_says_so(foreign: ForeignTools, companion: Companion) -> None:
    companion.fails = CompanionLost("gone")
    with pytest.raises(McpProblem, match="isn't connected"):
        await foreign.servers()


async def test_parts_become_files(
    foreign: ForeignTools, companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = {"kind": "image", "mime_type": "image/png", "data": base64.b64encode(b"png").decode()}
    escape = {"kind": "resource", "uri": "file:///../../x", "mime_type": "../../etc", "text": "é\ud800"}
    link = {"kind": "link", "uri": "note://1", "name": "One", "mime_type": None}
    companion.answer = {"text": "", "parts": [picture, escape, link], "is_error": False}
    result = saving.result_of(companion.answer, "../calc-add", tmp_path / "mcp")
    paths = [Path(file["path"]) for file in result.get("files", [])]
    assert [path.parent for path in paths] == [tmp_path / "mcp"] * 2
    assert paths[0].read_bytes() == b"png"
    assert paths[0].suffix == ".png"
    assert paths[1].suffix == ".txt"
    assert result.get("links") == [{"uri": "note://1", "name": "One", "mime_type": None}]
    assert "text" not in result


def test_a_part_that_is_not_base64_says_so(tmp_path: Path) -> None:
    part = {"kind": "image", "mime_type": "image/png", "data": "not base64!"}
    with pytest.raises(McpProblem):
        saving.save(part, "calc", tmp_path)


def test_the_value_is_structured_or_text() -> None:
    assert value_of({"structured": {"result": 3}}, ADD) == 3  # type: ignore[arg-type]
    assert value_of({"structured": {"result": 3}}) == {"result": 3}
    assert value_of({"text": "three"}) == "three"


async def test_a_search_lists_fitting_tools_with_their_arguments(
    registry: Registry, companion: Companion
) -> None:
    other = {**ADD, "name": "sing", "description": "Sing a song."}
    companion.tools = [other, ADD]
    found = await registry.call("mcp_tools", {"server": "calc", "query": "numbers to add"})
    assert [tool["name"] for tool in found["tools"]] == ["add-up"]
    assert found["total"] == 2
    assert found["tools"][0]["arguments"] == ADD["input"]


async def test_a_list_of_two_thousand_tools_is_cut(registry: Registry, companion: Companion) -> None:
    companion.tools = [{**ADD, "name": f"tool-{number}"} for number in range(2_000)]
    found = await registry.call("mcp_tools", {"server": "calc"})
    assert found["total"] == 2_000
    assert len(str(found)) < 20_000


async def test_listed_tools_are_tools_of_the_registry(
    registry: Registry, foreign: ForeignTools, companion: Companion
) -> None:
    listed = ListedTools(foreign, registry)
    await listed.refresh()
    tool = next(tool for tool in registry if tool.declaration.name == "mcp_calc_add_up")
    assert tool.input_schema["properties"] == {"a": {"type": "integer"}, "b-c": {"description": "More."}}
    assert tool.declaration.untrusted
    await registry.call("mcp_calc_add_up", {"a": 1}, caller="agent")
    assert companion.asked[-1][1]["arguments"] == {"a": 1}
    with pytest.raises(GeminiError):
        await registry.call("mcp_calc_add_up", {"b-c": 1}, caller="agent")
    companion.rows[0]["listed"] = False
    await listed.refresh()
    assert "mcp_calc_add_up" not in registry


async def test_a_server_that_is_not_allowed_yet_is_not_started_for_a_list(
    registry: Registry, foreign: ForeignTools, companion: Companion
) -> None:
    companion.rows[0]["allowed"] = False
    await ListedTools(foreign, registry).refresh()
    assert [method for method, _ in companion.asked] == ["mcp/servers"]


@pytest.mark.parametrize(
    "schema", [{}, {"properties": [1]}, {"properties": {"x": True}}, {"required": "x"}, None, 3]
)
def test_any_schema_becomes_a_simple_one(schema: Any) -> None:
    assert simple(schema)["type"] == "object"
