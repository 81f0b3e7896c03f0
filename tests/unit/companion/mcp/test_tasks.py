"""Long calls are tasks for clients that support them, and answered directly for others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp_types import HEADER_MISMATCH, INVALID_PARAMS, MISSING_REQUIRED_CLIENT_CAPABILITY
from websockets.asyncio.client import ClientConnection

from gemini_companion.mcp import tasks
from gemini_companion.mcp.needs import EXTENSION
from gemini_companion.serving.app import Companion
from tests.companions import companion_of, page_token
from tests.unit.companion.serving.test_relay import HELLO, page, received, say
from tests.unit.companion.surface import TOOL, small_surface

VERSION = "2026-07-28"
JOB = {**TOOL, "name": "job", "needs": ["tasks"]}
META = "io.modelcontextprotocol"


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    with companion_of(small_surface(tmp_path)) as companion:
        yield companion


class McpClient:
    """Sends requests of 2026-07-28 as plain HTTP."""

    def __init__(self, companion: Companion, http: httpx2.AsyncClient, name: str = "a client") -> None:
        self.companion, self.http, self.name = companion, http, name

    async def request(
        self, method: str, *, able: bool = True, named: str | None = None, **params: Any
    ) -> Any:
        """Return the response's `result`, or its `error`."""
        meta = {
            f"{META}/protocolVersion": VERSION,
            f"{META}/clientInfo": {"name": self.name, "version": "1"},
            f"{META}/clientCapabilities": {"elicitation": {}, "extensions": {EXTENSION: {}}} if able else {},
        }
        headers = {
            "Authorization": f"Bearer {self.companion.token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": VERSION,
            "Mcp-Method": method,
            "Mcp-Name": named or params.get("taskId") or params.get("name") or "",
        }
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
        answer = await self.http.post(self.companion.mcp_url, json=body, headers=headers, timeout=30)
        text = answer.text
        if answer.headers["content-type"].startswith("text/event-stream"):
            [*_, text] = [
                line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")
            ]
        message = json.loads(text)
        return message.get("result", message.get("error"))


@asynccontextmanager
async def connected(companion: Companion) -> AsyncGenerator[tuple[ClientConnection, McpClient]]:
    """Yield a page with two tools, `look` and `job`, and a client."""
    async with (
        page(companion, await page_token(companion)) as socket,
        httpx2.AsyncClient() as http,
    ):
        await say(socket, **HELLO)
        messages = [await received(socket), await received(socket)]
        [listing] = [each for each in messages if each.get("method") == "tools/list"]
        await say(socket, id=listing["id"], result={"tools": [TOOL, JOB]})
        client = McpClient(companion, http)
        while "job" not in str(await client.request("tools/list")):
            await asyncio.sleep(0)
        yield socket, client


async def started(
    socket: ClientConnection, client: McpClient, tool: str = "job"
) -> tuple[str, dict[str, Any]]:
    """Start a task; return its id, and the page's request."""
    call = asyncio.create_task(client.request("tools/call", name=tool, arguments={}))
    request = await received(socket)
    created = await call
    assert created["resultType"] == "task" and created["status"] == "working", created
    return created["taskId"], request


async def ended(client: McpClient, task: str) -> dict[str, Any]:
    while True:
        row = await client.request("tasks/get", taskId=task)
        if row["status"] not in ("working", "input_required"):
            return row


async def test_a_long_call_becomes_a_task_and_its_result_is_fetched(companion: Companion) -> None:
    async with connected(companion) as (socket, client):
        task, request = await started(socket, client, "look")
        token = request["params"]["_meta"]["progressToken"]
        progress = {"progressToken": token, "progress": 3, "message": "3 lines"}
        await say(socket, method="notifications/progress", params=progress)
        await say(socket, id=request["id"], result="seen")
        row = await ended(client, task)
        assert (row["status"], row["statusMessage"]) == ("completed", "3 lines")
        assert row["result"]["structuredContent"] == {"result": "seen"}


async def test_a_task_belongs_to_its_client_and_is_cancelled_by_it(companion: Companion) -> None:
    async with connected(companion) as (socket, client):
        task, request = await started(socket, client)
        other = McpClient(companion, client.http, "another client")
        assert (await other.request("tasks/cancel", taskId=task))["code"] == INVALID_PARAMS
        assert (await client.request("tasks/get", taskId=task, named="x"))["code"] == HEADER_MISMATCH
        assert (await client.request("tasks/cancel", taskId=task))["resultType"] == "complete"
        assert (await received(socket))["params"] == {"requestId": request["id"]}
        assert (await client.request("tasks/get", taskId=task))["status"] == "cancelled"


async def test_a_task_ends_with_its_page(companion: Companion) -> None:
    async with connected(companion) as (socket, client):
        task, _ = await started(socket, client)
        await socket.close()
        row = await ended(client, task)
        assert (row["status"], row["error"]["data"]["type"]) == ("failed", "PageLost")


async def test_a_client_without_tasks_is_refused_only_where_they_are_needed(companion: Companion) -> None:
    async with connected(companion) as (socket, client):
        refused = await client.request("tools/call", able=False, name="job", arguments={})
        assert refused["code"] == MISSING_REQUIRED_CLIENT_CAPABILITY
        assert refused["data"] == {"requiredCapabilities": {"extensions": {EXTENSION: {}}}}
        call = asyncio.create_task(client.request("tools/call", able=False, name="look", arguments={}))
        request = await received(socket)
        await say(socket, id=request["id"], result="seen")
        assert (await call)["structuredContent"] == {"result": "seen"}


async def test_above_the_limit_a_call_is_answered_directly(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tasks, "MAX_OF_CLIENT", 1)
    async with connected(companion) as (socket, client):
        await started(socket, client)
        assert "too many tasks" in (await client.request("tools/call", name="job", arguments={}))["message"]
        call = asyncio.create_task(client.request("tools/call", name="look", arguments={}))
        request = await received(socket)
        await say(socket, id=request["id"], result="seen")
        assert (await call)["structuredContent"] == {"result": "seen"}


async def test_an_ended_task_is_forgotten_in_time(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with connected(companion) as (socket, client):
        task, request = await started(socket, client)
        await say(socket, id=request["id"], result="done")
        await ended(client, task)
        monkeypatch.setattr(tasks, "KEEP_S", -1.0)
        assert (await client.request("tasks/get", taskId=task))["code"] == INVALID_PARAMS
