"""An MCP client tries to use the session, the call and the task of another client, whose ids it knows."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp_types import INVALID_PARAMS

from gemini_companion.serving.app import Companion
from tests.companions import companion_of, page_token
from tests.tiers import sampled
from tests.unit.companion.mcp.test_tasks import EXTENSION, META
from tests.unit.companion.serving.test_relay import HELLO, page, received, say
from tests.unit.companion.surface import TOOL, small_surface

VERSION, NEXT_VERSION = "2025-11-25", "2026-07-28"
JOB = {**TOOL, "name": "job", "needs": ["tasks"]}
SOON_S = 20


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    with companion_of(small_surface(tmp_path)) as companion:
        yield companion


@dataclass
class Sender:
    """Sends requests with one token, in a session of any client."""

    companion: Companion
    http: httpx2.AsyncClient
    token: str
    name: str
    session: str | None = None

    def headers(self, **more: str) -> dict[str, str]:
        named = {name.replace("_", "-"): value for name, value in more.items()}
        session = {} if self.session is None else {"Mcp-Session-Id": self.session}
        return {
            "Authorization": f"Bearer {self.token}",
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": VERSION,
            **session,
            **named,
        }

    async def send(
        self, method: str, params: Any = None, *, number: int | None = 7, **more: str
    ) -> tuple[int, str]:
        body = {"jsonrpc": "2.0", "method": method, "params": params or {}}
        sent = body if number is None else {**body, "id": number}
        answer = await self.http.post(self.companion.mcp_url, json=sent, headers=self.headers(**more))
        if method == "initialize":
            self.session = answer.headers["mcp-session-id"]
        return answer.status_code, answer.text

    async def open(self) -> None:
        info = {"name": self.name, "version": "1"}
        await self.send("initialize", {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": info})
        assert (await self.send("notifications/initialized", number=None))[0] == 202

    async def call(self, **more: str) -> tuple[int, str]:
        return await self.send("tools/call", {"name": "look", "arguments": {}}, number=77, **more)

    async def stream(self, **more: str) -> int:
        """Open the stream of notifications, and return its status."""
        async with self.http.stream("GET", self.companion.mcp_url, headers=self.headers(**more)) as answer:
            return answer.status_code

    async def delete(self) -> int:
        return (await self.http.delete(self.companion.mcp_url, headers=self.headers())).status_code

    async def next(self, method: str, **params: Any) -> Any:
        """Send a request of 2026-07-28; return its result or error."""
        meta = {
            f"{META}/protocolVersion": NEXT_VERSION,
            f"{META}/clientInfo": {"name": self.name, "version": "1"},
            f"{META}/clientCapabilities": {"elicitation": {}, "extensions": {EXTENSION: {}}},
        }
        name = str(params.get("taskId") or params.get("name") or "")
        headers = {"MCP_Protocol_Version": NEXT_VERSION, "Mcp_Method": method, "Mcp_Name": name}
        text = (await self.send(method, {**params, "_meta": meta}, number=7, **headers))[1]
        lines = [line.removeprefix("data: ") for line in text.splitlines() if line.startswith("data: {")]
        message = json.loads(lines[-1] if lines else text)
        return message.get("result", message.get("error"))


@dataclass
class Scene:
    """The page's side, the client that has a session, and the attacker with its id."""

    page: Any
    owner: Sender
    attacker: Sender


@asynccontextmanager
async def scene(companion: Companion) -> AsyncGenerator[Scene]:
    async with (
        page(companion, await page_token(companion)) as socket,
        httpx2.AsyncClient(timeout=SOON_S, trust_env=False) as http,
    ):
        await say(socket, **HELLO)
        messages = [await received(socket), await received(socket)]
        [listing] = [each for each in messages if each.get("method") == "tools/list"]
        await say(socket, id=listing["id"], result={"tools": [TOOL, JOB]})
        owner = Sender(companion, http, companion.keys.of("Claude Code"), "Alice")
        await owner.open()
        while '"job"' not in (await owner.send("tools/list"))[1]:
            await asyncio.sleep(0)
        attacker = Sender(companion, http, companion.keys.of("Cursor"), "Bob", owner.session)
        yield Scene(socket, owner, attacker)


async def answered(scene: Scene, call: asyncio.Task[tuple[int, str]], value: str) -> str:
    """Let the page answer a call, and return what its client gets."""
    request = await received(scene.page)
    await say(scene.page, id=request["id"], result=value)
    status, text = await call
    assert status == 200
    return text


Attack = Callable[[Scene], Awaitable[Any]]
REQUESTS: dict[str, Attack] = {
    "list-tools": lambda on: on.attacker.send("tools/list"),
    "ping": lambda on: on.attacker.send("ping"),
    "call": lambda on: on.attacker.call(),
    "list-resources": lambda on: on.attacker.send("resources/list"),
    "read": lambda on: on.attacker.send("resources/read", {"uri": "surface://x"}),
    "subscribe": lambda on: on.attacker.send("resources/subscribe", {"uri": "surface://x"}),
    "prompts": lambda on: on.attacker.send("prompts/list"),
    "log-level": lambda on: on.attacker.send("logging/setLevel", {"level": "debug"}),
    "cancel": lambda on: on.attacker.send("notifications/cancelled", {"requestId": 77}, number=None),
    "initialized": lambda on: on.attacker.send("notifications/initialized", number=None),
    "initialize-again": lambda on: on.attacker.send("tools/list", MCP_Protocol_Version="2025-06-18"),
    "without-a-version": lambda on: on.attacker.send("tools/list", MCP_Protocol_Version="2025-03-26"),
    "case": lambda on: on.attacker.send("tools/list", mcp_session_id=str(on.owner.session).upper()),
    "unknown": lambda on: on.attacker.send("tools/list", Mcp_Session_Id="0" * 32),
}


@pytest.mark.parametrize("attack", sampled(REQUESTS))
async def test_another_token_has_no_such_session(companion: Companion, attack: str) -> None:
    async with scene(companion) as on:
        status, text = await REQUESTS[attack](on)
        assert status == 404 and "Session not found" in text
        # The owner's session is there, and nobody has taken its name.
        call = asyncio.create_task(on.owner.call())
        request = await received(on.page)
        caller = request["params"]["_meta"]["caller"]
        assert caller.startswith("mcp:claude-code") and "Alice" in caller and "Bob" not in caller
        await say(on.page, id=request["id"], result="mine")
        assert "mine" in (await call)[1]


@pytest.mark.parametrize("more", [{}, {"Last_Event_ID": "0"}], ids=["stream", "resumed-stream"])
async def test_another_token_does_not_open_the_stream(companion: Companion, more: dict[str, str]) -> None:
    async with scene(companion) as on:
        assert await on.attacker.stream(**more) == 404
        assert await on.owner.stream() == 200


async def test_another_token_does_not_end_the_session(companion: Companion) -> None:
    async with scene(companion) as on:
        assert await on.attacker.delete() == 404
        assert (await on.owner.send("ping"))[0] == 200
        # Its own client can.
        assert await on.owner.delete() == 200
        assert (await on.owner.send("ping"))[0] == 404


async def test_another_token_does_not_cancel_a_call(companion: Companion) -> None:
    async with scene(companion) as on:
        call = asyncio.create_task(on.owner.call())
        request = await received(on.page)
        cancel = {"requestId": 77}
        assert (await on.attacker.send("notifications/cancelled", cancel, number=None))[0] == 404
        own = Sender(companion, on.owner.http, on.attacker.token, "Bob")
        await own.open()
        assert (await own.send("notifications/cancelled", cancel, number=None))[0] == 202
        await say(on.page, id=request["id"], result="mine")
        assert "mine" in (await call)[1]


async def test_notifications_still_reach_the_owner(companion: Companion) -> None:
    async with scene(companion) as on:
        await on.attacker.delete()
        stream = on.owner.http.stream("GET", companion.mcp_url, headers=on.owner.headers())
        async with asyncio.timeout(SOON_S), stream as answer:
            await say(on.page, method="notifications/tools/list_changed")
            listing = await received(on.page)
            await say(on.page, id=listing["id"], result={"tools": [TOOL]})
            async for line in answer.aiter_lines():
                if "tools/list_changed" in line:
                    break
            else:
                pytest.fail("the stream ended")


async def test_the_owner_is_not_shown_as_connected_by_others(companion: Companion) -> None:
    async with scene(companion) as on:
        async with asyncio.timeout(SOON_S):
            # The owner's last request may still end.
            while companion.mcp.clients.rows()[0]["live"]:
                await asyncio.sleep(0)
        with companion.mcp.clients.tracking(
            {
                "type": "http",
                "method": "POST",
                "headers": [(b"mcp-session-id", str(on.owner.session).encode())],
                "gemini_companion.admitted": companion.keys.admit(on.attacker.token),
            }
        ):
            assert [row["live"] for row in companion.mcp.clients.rows()] == [False]


async def test_a_new_token_of_the_same_client_has_no_old_session(companion: Companion) -> None:
    async with scene(companion) as on:
        old, session = on.owner.token, on.owner.session
        companion.keys.revoke("Claude Code")
        renewed = companion.keys.of("Claude Code")
        assert renewed != old
        assert (await on.owner.send("ping"))[0] == 401
        again = Sender(companion, on.owner.http, renewed, "Alice", session)
        assert (await again.send("tools/list"))[0] == 404
        again.session = None
        await again.open()
        assert (await again.send("tools/list"))[0] == 200


@pytest.mark.parametrize("name", ["Alice", "Bob"])
@pytest.mark.parametrize("method", sampled(["tasks/get", "tasks/cancel", "tasks/update"]))
async def test_a_task_belongs_to_its_token(companion: Companion, method: str, name: str) -> None:
    async with scene(companion) as on:
        call = asyncio.create_task(on.owner.next("tools/call", name="job", arguments={}))
        request = await received(on.page)
        task = (await call)["taskId"]
        on.attacker.name = name
        more = {"inputResponses": {}} if method == "tasks/update" else {}
        assert (await on.attacker.next(method, taskId=task, **more))["code"] == INVALID_PARAMS
        await say(on.page, id=request["id"], result="mine")
        async with asyncio.timeout(SOON_S):
            while (row := await on.owner.next("tasks/get", taskId=task))["status"] == "working":
                await asyncio.sleep(0)
        assert "mine" in str(row["result"])
