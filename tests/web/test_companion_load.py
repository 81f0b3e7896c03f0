"""Many concurrent clients, large messages, and pages that crash, freeze or hang during calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from mcp import Client
from selenium.common.exceptions import WebDriverException

from gemini_companion.serving import relay
from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import client_of, companion_of, opened_by
from tests.web.kills import kill_browsers
from tests.web.person import Person

pytestmark = pytest.mark.extended

CLIENTS, CALLS = 100, 10
KILLS = 5
MEGABYTE = 1024 * 1024
# A busy machine is slow.
ERROR_TIMEOUT_S = 5
# Far longer than any call. A lost call would wait forever.
TIMEOUT_S = 120
DECLARE = """
import gemini

@gemini.tool(effect="read")
async def echo_after(text: str, seconds: float = 0) -> str:
    "Give back what was given."
    import asyncio
    await asyncio.sleep(seconds)
    return text

@gemini.tool(effect="read")
def letters(text: str, count: int = 0, data: bool = False) -> dict:
    "Count letters, and return some."
    return {"count": len(text), "letters": "x" * count}
"""
# Hang longer than the companion waits, but not forever, and not before the driver has got the start's result.
HANG = "setTimeout(() => { const until = Date.now() + 5000; while (Date.now() < until); }, 1000)"


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Iterator[Companion]:
    with companion_of(surface_dist) as companion:
        yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion, browsers: BrowserPool) -> Iterator[Surface]:
    """Open the page at the companion's address."""
    with opened_by(companion, browsers) as surface:
        yield surface


@pytest.fixture
def declared(surface: Surface) -> Surface:
    surface.python(DECLARE)
    return surface


async def until_it_answers(client: Client) -> None:
    async with asyncio.timeout(TIMEOUT_S):
        while (await client.call_tool("file_list", {"path": "/"})).is_error:
            pass


@pytest.mark.extended
async def test_a_hundred_clients_with_ten_calls_each_get_their_own_answers(
    companion: Companion, declared: Surface
) -> None:
    async with asyncio.timeout(TIMEOUT_S), AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(client_of(companion, mode="legacy" if number % 2 else "auto"))
            for number in range(CLIENTS)
        ]
        # Each client's first call waits, so that all calls are in progress together.
        asked = [
            (text := f"{who}.{which}", client.call_tool("echo_after", {"text": text, "seconds": 1.0}))
            for who, client in enumerate(clients)
            for which in range(CALLS)
        ]
        answers = await asyncio.gather(*(call for _, call in asked))
    results = [answer.structured_content for answer in answers]
    assert results == [{"result": text} for text, _ in asked]


@pytest.mark.extended
async def test_messages_of_sixty_megabytes_pass_both_ways(companion: Companion, declared: Surface) -> None:
    async with client_of(companion) as client:
        sent = await client.call_tool("letters", {"text": "x" * 60 * MEGABYTE})
        assert not sent.is_error, sent.content
        assert sent.structured_content["count"] == 60 * MEGABYTE
        # Half of the size, since a result is also sent as text.
        got = await client.call_tool("letters", {"text": "", "count": 30 * MEGABYTE, "data": True})
        assert len(got.structured_content["letters"]) == 30 * MEGABYTE


@pytest.mark.extended
async def test_every_call_ends_when_browsers_are_killed(surface_dist: Path, tmp_path: Path) -> None:
    """Kill a few browsers; `build.py bench kills` kills fifty."""
    outcomes = await kill_browsers(surface_dist, tmp_path, KILLS)
    assert outcomes.lost == 0 and outcomes.failed > 0 and outcomes.answered > 0


async def test_a_call_to_a_frozen_page_fails(companion: Companion, surface: Surface, person: Person) -> None:
    async with client_of(companion) as client:
        call = asyncio.create_task(client.call_tool("terminal_execute", {"command": "sleep 600"}))
        await asyncio.to_thread(person.sees, 'group "Calls"', "sleep 600")
        surface.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})
        async with asyncio.timeout(ERROR_TIMEOUT_S):
            answer = await call
        assert answer.structured_content["error"]["type"] == "PageLost"
        surface.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
        await until_it_answers(client)


async def test_a_call_to_a_hanging_page_fails(
    companion: Companion, surface: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "BEAT_S", 0.1)
    surface.driver.execute_script(HANG)
    async with client_of(companion) as client:
        # Calls that arrive before the hang are answered.
        async with asyncio.timeout(ERROR_TIMEOUT_S):
            while not (answer := await client.call_tool("file_list", {"path": "/"})).is_error:
                pass
        assert "stopped answering" in answer.structured_content["error"]["message"]
        await until_it_answers(client)


async def test_a_call_to_a_crashing_page_fails(
    companion: Companion, surface: Surface, person: Person
) -> None:
    async with client_of(companion) as client:
        call = asyncio.create_task(client.call_tool("terminal_execute", {"command": "sleep 600"}))
        await asyncio.to_thread(person.sees, 'group "Calls"', "sleep 600")
        with pytest.raises(WebDriverException):
            await asyncio.to_thread(surface.driver.get, "chrome://crash")
        async with asyncio.timeout(ERROR_TIMEOUT_S):
            answer = await call
    assert answer.structured_content["error"]["type"] == "PageLost"
