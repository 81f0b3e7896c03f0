"""MCP in the settings: on and off, the connected clients, and a call that tests it."""

from __future__ import annotations

import asyncio
from typing import Any

import httpx2
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError
from mcp_types import ElicitResult, Implementation

from gemini.errors import ProtocolError, UsageProblem
from gemini_companion.mcp.clients import MAX_CLIENTS
from gemini_companion.serving.app import Companion
from tests.companions import client_of
from tests.unit.companion.settings.conftest import PATIENCE_S, ConnectedPage

ERAS = ("legacy", "auto")


async def until(page: ConnectedPage, holds: Any) -> Any:
    """Return the status once a condition on it holds; the companion reports each change."""
    while not holds(status := await page.ask("settings/status")):
        await page.changed()
    return status


async def test_the_status_has_the_address_of_mcp_and_at_first_no_clients(
    page: ConnectedPage, companion: Companion
) -> None:
    status = await page.ask("settings/status")
    assert page.hello["mcp"] == {"on": True}
    assert status["mcp"] == {
        "on": True,
        "tools": "all",
        "url": companion.mcp_url,
        "port": int(companion.mcp_url.split(":")[2].split("/")[0]),
        "former": [],
        "movable": False,
    }
    assert status["clients"] == []


async def test_requests_are_refused_with_a_reason_while_mcp_is_off(
    page: ConnectedPage, companion: Companion
) -> None:
    assert await page.ask("settings/mcp", on=False) == {"on": False}
    assert await page.changed() == {"on": False, "git": 0, "servers": 0}
    headers = {"Authorization": f"Bearer {companion.token}"}
    async with httpx2.AsyncClient(trust_env=False) as http:
        answer = await http.post(companion.mcp_url, headers=headers, json={})
        assert answer.status_code == 503
        assert "the user at the surface turned it off" in answer.json()["error"]["message"]
        # A stranger doesn't even get the reason.
        assert (await http.post(companion.mcp_url, json={})).status_code == 401

    assert await page.ask("settings/mcp", on=True) == {"on": True}
    async with client_of(companion) as client:
        assert (await client.call_tool("look", {})).structured_content == {"seen": "look"}


@pytest.mark.parametrize("mode", ERAS)
async def test_a_client_that_connects_while_mcp_is_off_gets_the_reason(
    page: ConnectedPage, companion: Companion, mode: str
) -> None:
    await page.ask("settings/mcp", on=False)
    with pytest.raises((MCPError, ExceptionGroup)) as refused:
        async with client_of(companion, mode):
            pass
    text = str(refused.value.exceptions if isinstance(refused.value, ExceptionGroup) else refused.value)
    assert "turned it off" in text and "They can turn it on again" in text


@pytest.mark.parametrize("mode", ERAS)
async def test_turning_mcp_off_ends_calls_in_the_client_and_in_the_page(
    page: ConnectedPage, companion: Companion, mode: str
) -> None:
    page.answers.clear()
    async with asyncio.timeout(PATIENCE_S), client_of(companion, mode) as client:
        calling = asyncio.create_task(client.call_tool("look", {}))
        await page.asked.wait()
        await page.ask("settings/mcp", on=False)
        answer = await calling
        assert answer.is_error
        assert answer.structured_content["error"]["type"] == "McpOff"
        await page.cancelled.wait()
        page.answers.set()
        with pytest.raises(MCPError, match="turned it off"):
            await client.call_tool("look", {})
        await page.ask("settings/mcp", on=True)
        if mode == "auto":
            assert not (await client.call_tool("look", {})).is_error
        else:
            # Its session has ended, and clients start another one.
            with pytest.raises(MCPError):
                await client.call_tool("look", {})


async def test_turning_mcp_off_ends_a_call_that_waits_for_its_client(
    page: ConnectedPage, companion: Companion
) -> None:
    asked = asyncio.Event()

    async def answer(_: Any, __: Any) -> ElicitResult:
        asked.set()
        return await asyncio.get_running_loop().create_future()

    page.question = "Well?"
    async with client_of(companion, elicitation_callback=answer) as client:
        call = asyncio.create_task(client.call_tool("look", {}))
        async with asyncio.timeout(PATIENCE_S):
            await asked.wait()
            await page.ask("settings/mcp", on=False)
            await page.cancelled.wait()
        call.cancel()


async def test_calls_by_standard_input_are_refused_while_mcp_is_off(
    page: ConnectedPage, companion: Companion
) -> None:
    # A client in memory is like one by standard input and output: its calls have no HTTP request.
    async with Client(companion.mcp.sdk) as client:
        page.answers.clear()
        calling = asyncio.create_task(client.call_tool("look", {}))
        await page.asked.wait()
        await page.ask("settings/mcp", on=False)
        assert (await calling).structured_content["error"]["type"] == "McpOff"
        assert (await client.call_tool("look", {})).structured_content["error"]["type"] == "McpOff"
        page.answers.set()
        await page.ask("settings/mcp", on=True)
        assert not (await client.call_tool("look", {})).is_error
        [row] = (await page.ask("settings/status"))["clients"]
        assert (row["transport"], row["live"], row["calls"]) == ("stdio", True, 3)


async def test_a_client_with_many_names_leaves_room_for_others(
    page: ConnectedPage, companion: Companion
) -> None:
    for number in range(MAX_CLIENTS + 3):
        info = Implementation(name=f"client {number}", version="1")
        async with Client(companion.mcp.sdk, client_info=info) as client:
            await client.list_tools()
    names = [each["name"] for each in (await page.ask("settings/status"))["clients"]]
    assert len(names) == MAX_CLIENTS and names[0] == f"client {MAX_CLIENTS + 2}"
    assert "client 0" not in names


async def test_turning_mcp_off_ends_streams(page: ConnectedPage, companion: Companion) -> None:
    async def listen(client: Client) -> None:
        async with client.listen(tools_list_changed=True) as events:
            async for _ in events:
                pass

    async with asyncio.timeout(PATIENCE_S), client_of(companion) as client:
        listening = asyncio.create_task(listen(client))
        await until(page, lambda status: [each["live"] for each in status["clients"]] == [True])
        await page.ask("settings/mcp", on=False)
        await asyncio.wait({listening})
        status = await until(page, lambda status: not any(each["live"] for each in status["clients"]))
        assert status["mcp"]["on"] is False
        listening.exception()


async def test_concurrent_switching_ends_in_one_state(page: ConnectedPage, companion: Companion) -> None:
    turns = [page.ask("settings/mcp", on=on) for on in (False, True, False, False, True, True)]
    await asyncio.gather(*turns)
    async with client_of(companion) as client:
        assert (await client.list_tools()).tools


@pytest.mark.parametrize("mode", ERAS)
async def test_connected_clients_are_listed_with_their_calls(
    page: ConnectedPage, companion: Companion, mode: str
) -> None:
    info = Implementation(name="Editor", version="1")
    async with client_of(companion, mode, client_info=info) as client:
        for tool in ("look", "look", "call_page_tool"):
            await client.call_tool(tool, {})
        status = await until(page, lambda status: status["clients"][0]["calls"] == 3)
    [row] = status["clients"]
    assert (row["name"], row["transport"], row["last"]) == ("Editor", "http", "call_page_tool")
    assert row["tools"] == [{"name": "look", "calls": 2}, {"name": "call_page_tool", "calls": 1}]
    status = await until(page, lambda status: not status["clients"][0]["live"])
    assert status["clients"][0]["heard"] == row["heard"] or row["heard"] < status["clients"][0]["heard"]


async def test_an_older_client_is_live_while_its_stream_is_open(
    page: ConnectedPage, companion: Companion
) -> None:
    async with client_of(companion, "legacy") as client:
        await client.list_tools()
        await until(page, lambda status: [each["live"] for each in status["clients"]] == [True])


@pytest.mark.fortnightly
async def test_many_calls_cause_few_notifications(page: ConnectedPage, companion: Companion) -> None:
    async with client_of(companion) as client:
        await asyncio.gather(*(client.call_tool("look", {}) for _ in range(100)))
    await until(page, lambda status: status["clients"][0]["calls"] == 100)
    assert page.changes.qsize() < 50


@pytest.mark.parametrize("with_page", [True, False])
async def test_the_test_makes_a_real_call(page: ConnectedPage, companion: Companion, with_page: bool) -> None:
    result = await page.ask("settings/test_mcp")
    assert (result["tools"], result["called"]) == (2, "look")
    assert result["duration_ms"] > 0 and result["protocol"] >= "2025"
    assert page.asked.is_set()


async def test_a_test_while_mcp_is_off_says_what_to_do(page: ConnectedPage) -> None:
    await page.ask("settings/mcp", on=False)
    with pytest.raises(ProtocolError, match="MCP is off.+turn it on again"):
        await page.ask("settings/test_mcp")


async def test_a_test_of_a_failing_page_reports_the_failure(page: ConnectedPage) -> None:
    page.failure = UsageProblem("Python has not started")
    with pytest.raises(ProtocolError, match="look failed: .*Python has not started"):
        await page.ask("settings/test_mcp")


@pytest.mark.parametrize("params", [{}, {"on": "yes"}, {"on": True, "more": 1}])
async def test_invalid_parameters_are_refused(page: ConnectedPage, params: Any) -> None:
    with pytest.raises(ProtocolError, match="invalid parameters"):
        await page.ask("settings/mcp", **params)
