"""The page's WebSocket: repeated frames are ignored, and errors are passed on unchanged."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from gemini.errors import Refused
from gemini_companion.mcp import callers
from gemini_companion.serving import relay
from gemini_companion.serving.app import Companion
from gemini_companion.serving.relay import SUBPROTOCOL
from tests.companions import client_of, companion_of, page_token
from tests.unit.companion.surface import TOOL, small_surface

HELLO: dict[str, Any] = {
    "id": "page-1",
    "method": "page/hello",
    "params": {"key": "k", "title": "t", "url": "u"},
}


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    with companion_of(small_surface(tmp_path)) as companion:
        yield companion


def page(companion: Companion, token: str) -> connect:
    host = companion.mcp_url.split("/")[2]
    return connect(
        f"ws://{host}/page",
        origin=f"http://{host}",  # type: ignore[arg-type]
        subprotocols=[SUBPROTOCOL, f"token.{token}"],  # type: ignore[list-item]
        compression=None,
        proxy=None,
    )


async def received(socket: ClientConnection) -> dict[str, Any]:
    return json.loads(await socket.recv())


async def say(socket: ClientConnection, **message: Any) -> str:
    text = json.dumps({"jsonrpc": "2.0", **message})
    await socket.send(text)
    return text


async def greeted(socket: ClientConnection) -> str:
    """Exchange the first messages of a page; return the last of them."""
    await say(socket, **HELLO)
    messages = [await received(socket), await received(socket)]
    [listing] = [each for each in messages if each.get("method") == "tools/list"]
    return await say(socket, id=listing["id"], result={"tools": [TOOL]})


async def test_a_repeated_answer_is_ignored(companion: Companion) -> None:
    async with (
        page(companion, await page_token(companion)) as socket,
        client_of(companion) as client,
    ):
        await greeted(socket)
        first = asyncio.create_task(client.call_tool("look", {}))
        request = await received(socket)
        recorded = await say(socket, id=request["id"], result="first")
        assert (await first).structured_content == {"result": "first"}
        second = asyncio.create_task(client.call_tool("look", {}))
        request = await received(socket)
        await socket.send(recorded)
        await say(socket, id=request["id"], result="second")
        assert (await second).structured_content == {"result": "second"}


async def test_a_call_that_reports_nothing_for_a_while_shows_that_it_runs(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callers, "QUIET_S", 0.05)
    reports: asyncio.Queue[tuple[float, str | None]] = asyncio.Queue()

    async def note(progress: float, total: float | None, message: str | None) -> None:
        reports.put_nowait((progress, message))

    async with (
        page(companion, await page_token(companion)) as socket,
        client_of(companion) as client,
    ):
        await greeted(socket)
        call = asyncio.create_task(client.call_tool("look", {}, progress_callback=note))
        request = await received(socket)
        seen = [await reports.get(), await reports.get()]
        token = request["params"]["_meta"]["progressToken"]
        counted = {"progressToken": token, "progress": 0, "message": "10 lines so far"}
        await say(socket, method="notifications/progress", params=counted)
        while not str(seen[-1][1]).startswith("10 lines so far (running for "):
            seen.append(await reports.get())
        await say(socket, id=request["id"], result="done")
        await call
    assert {"running for 0 s", "10 lines so far"} <= {message for _, message in seen}
    assert [each for each, _ in seen] == sorted({each for each, _ in seen})


async def test_a_page_that_answers_no_beat_is_lost(
    companion: Companion, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "BEAT_S", 0.05)
    async with (
        page(companion, await page_token(companion)) as socket,
        client_of(companion) as client,
    ):
        await greeted(socket)
        call = asyncio.create_task(client.call_tool("look", {}))
        beats = 0
        with contextlib.suppress(ConnectionClosed):
            while True:
                beats += (await received(socket))["method"] == "beat"
                if beats == relay.MAX_UNANSWERED // 2:
                    await say(socket, method="beat", params={})
        answer: Any = await call
    assert beats > relay.MAX_UNANSWERED
    assert "stopped answering" in str(answer.content)


async def test_a_page_sends_hello_once(companion: Companion) -> None:
    async with page(companion, await page_token(companion)) as socket:
        await greeted(socket)
        await say(socket, **HELLO)
        answer = await received(socket)
    assert answer["id"] == HELLO["id"] and "sends page/hello once" in answer["error"]["message"]


async def test_a_token_of_another_run_is_refused(companion: Companion, tmp_path: Path) -> None:
    with (
        companion_of(small_surface(tmp_path / "another")) as another,
        pytest.raises(InvalidStatus) as refused,
    ):
        async with page(another, await page_token(companion)):
            pass
    assert refused.value.response.status_code == 401


async def test_an_incomplete_answer_is_rejected(companion: Companion) -> None:
    async with (
        page(companion, await page_token(companion)) as socket,
        client_of(companion) as client,
    ):
        await greeted(socket)
        call = asyncio.create_task(client.call_tool("look", {}))
        request = await received(socket)
        await socket.send(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": "whole"})[:-3])
        assert "can't be read as JSON" in (await received(socket))["error"]["message"]
        await say(socket, id=request["id"], result="whole")
        assert (await call).structured_content == {"result": "whole"}


async def test_a_pages_error_keeps_its_type(companion: Companion) -> None:
    failure = {"type": "Cancelled", "message": "The kernel was replaced.", "hint": "Call again."}
    async with (
        page(companion, await page_token(companion)) as socket,
        client_of(companion) as client,
    ):
        await greeted(socket)
        call = asyncio.create_task(client.call_tool("look", {}))
        request = await received(socket)
        error = {"code": -32603, "message": failure["message"], "data": failure}
        await say(socket, id=request["id"], error=error)
        answer = await call
    assert answer.is_error and answer.structured_content == {"error": failure}


@pytest.mark.parametrize("attended", [True, False])
async def test_a_page_can_not_claim_that_a_person_is_there(companion: Companion, attended: bool) -> None:
    async with page(companion, await page_token(companion, attended=attended)) as socket:
        claim = {"key": "k", "title": "t", "url": "u", "attended": not attended}
        await say(socket, id="page-1", method="page/hello", params=claim)
        await received(socket)
        [connected] = companion.pages
        asking = asyncio.create_task(connected.questions.ask("host", {"command": "ls"}))
        if attended:
            while "consent/asks" not in (message := await received(socket)).get("method", ""):
                pass
            assert message["params"]["facts"] == {"command": "ls"}
            asking.cancel()
        else:
            with pytest.raises(Refused, match="nobody is at the page"):
                await asking


async def test_a_page_of_another_release_is_named_and_learns_the_companions(
    companion: Companion, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(relay, "installed_version", lambda: "0.2.0")
    async with page(companion, await page_token(companion)) as socket:
        await say(socket, **{**HELLO, "params": {**HELLO["params"], "version": "0.1.9"}})
        messages = [await received(socket), await received(socket)]
        [answer] = [each["result"] for each in messages if each.get("id") == HELLO["id"]]
    assert answer["version"] == "0.2.0"
    [said] = [record.getMessage() for record in caplog.records if record.name == relay.__name__]
    assert said.startswith("A page of release 0.1.9 has connected") and "Reload the page" in said
