"""Many clients at once, large messages, and pages that end, sleep or hang while they are asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from mcp import Client
from selenium.common.exceptions import WebDriverException

from gemini_companion import relay
from gemini_companion.app import Companion
from gemini_testing import Surface
from tests.companions import client_of, companion_of, opened_by
from tests.web.kills import kill_browsers
from tests.web.person import Person

CLIENTS, CALLS = 100, 10
KILLS = 5
MEGABYTE = 1024 * 1024
# A busy machine takes its time.
HEARD_WITHIN_S = 5
# Nobody waits so long; a call that is lost would wait for ever.
ANSWERED_WITHIN_S = 120
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
    "Count letters, and give some."
    return {"count": len(text), "letters": "x" * count}
"""
# For longer than the companion waits, and not for ever; and not before the driver has heard of the start.
HANG = "setTimeout(() => { const until = Date.now() + 5000; while (Date.now() < until); }, 1000)"


@pytest.fixture(scope="module")
def companion(surface_dist: Path) -> Iterator[Companion]:
    with companion_of(surface_dist) as companion:
        yield companion


@pytest.fixture(scope="module")
def surface_of_module(companion: Companion) -> Iterator[Surface]:
    """The page, opened by the companion's address."""
    with opened_by(companion) as surface:
        yield surface


@pytest.fixture
def declared(surface: Surface) -> Surface:
    surface.python(DECLARE)
    return surface


async def until_it_answers(client: Client) -> None:
    async with asyncio.timeout(ANSWERED_WITHIN_S):
        while (await client.call_tool("file_list", {"path": "/"})).is_error:
            pass


async def test_a_hundred_clients_with_ten_calls_each_get_their_own_answers(
    companion: Companion, declared: Surface
) -> None:
    async with asyncio.timeout(ANSWERED_WITHIN_S), AsyncExitStack() as stack:
        clients = [
            await stack.enter_async_context(client_of(companion, mode="legacy" if number % 2 else "auto"))
            for number in range(CLIENTS)
        ]
        # The first of each client waits, so that all of them are under way at once.
        asked = [
            (text := f"{who}.{which}", client.call_tool("echo_after", {"text": text, "seconds": 1.0}))
            for who, client in enumerate(clients)
            for which in range(CALLS)
        ]
        answers = await asyncio.gather(*(call for _, call in asked))
    told = [answer.structured_content for answer in answers]
    assert told == [{"result": text} for text, _ in asked]


async def test_messages_of_sixty_megabytes_go_both_ways(companion: Companion, declared: Surface) -> None:
    async with client_of(companion) as client:
        sent = await client.call_tool("letters", {"text": "x" * 60 * MEGABYTE})
        assert not sent.is_error, sent.content
        assert sent.structured_content["count"] == 60 * MEGABYTE
        # Half of it, since a result is told as text, too.
        got = await client.call_tool("letters", {"text": "", "count": 30 * MEGABYTE, "data": True})
        assert len(got.structured_content["letters"]) == 30 * MEGABYTE


async def test_browsers_that_are_killed_leave_no_call_without_an_end(
    surface_dist: Path, tmp_path: Path
) -> None:
    """`build.py bench kills` kills fifty."""
    ended = await kill_browsers(surface_dist, tmp_path, KILLS)
    assert ended.lost == 0 and ended.failed > 0 and ended.answered > 0


async def test_who_asks_a_page_that_the_browser_puts_to_sleep_hears_of_it(
    companion: Companion, surface: Surface, person: Person
) -> None:
    async with client_of(companion) as client:
        call = asyncio.create_task(client.call_tool("terminal_execute", {"command": "sleep 600"}))
        await asyncio.to_thread(person.sees, "#activity-list", "sleep 600")
        surface.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "frozen"})
        async with asyncio.timeout(HEARD_WITHIN_S):
            answer = await call
        assert answer.structured_content["error"]["type"] == "PageLost"
        surface.driver.execute_cdp_cmd("Page.setWebLifecycleState", {"state": "active"})
        await until_it_answers(client)


async def test_who_asks_a_page_that_hangs_hears_of_it(
    companion: Companion, surface: Surface, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relay, "SILENT_S", 1.0)
    monkeypatch.setattr(relay, "BEAT_S", 0.2)
    surface.driver.execute_script(HANG)
    async with client_of(companion) as client:
        # Those that come before it hangs are answered.
        async with asyncio.timeout(HEARD_WITHIN_S):
            while not (answer := await client.call_tool("file_list", {"path": "/"})).is_error:
                pass
        assert "stopped answering" in answer.structured_content["error"]["message"]
        await until_it_answers(client)


async def test_who_asks_a_page_that_crashes_hears_of_it(
    companion: Companion, surface: Surface, person: Person
) -> None:
    async with client_of(companion) as client:
        call = asyncio.create_task(client.call_tool("terminal_execute", {"command": "sleep 600"}))
        await asyncio.to_thread(person.sees, "#activity-list", "sleep 600")
        with pytest.raises(WebDriverException):
            await asyncio.to_thread(surface.driver.get, "chrome://crash")
        async with asyncio.timeout(HEARD_WITHIN_S):
            answer = await call
    assert answer.structured_content["error"]["type"] == "PageLost"
