"""The companion wakes a page when a schedule is due, only if it may, and closes it when it is idle."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from gemini.core.protocol import Connection
from gemini_companion.admission.admission import Visitor
from gemini_companion.browser.wake import Waking
from gemini_companion.errors import BrowserMissing
from gemini_companion.pages.consent import Questions
from gemini_companion.pages.pages import Page, Pages

OWN, WOKEN, OTHER = Visitor("a", True, own=True), Visitor("a", False, own=True), Visitor("b", True)
WITHIN_S = 30


async def ask(waking: Waking, visitor: Visitor, method: str, **params: Any) -> Any:
    return await waking.handlers(visitor)[f"clock/{method}"](params)


class Opener:
    """Opens pages that report as a test says."""

    def __init__(self, pages: Pages, on_open: Callable[[], Any]) -> None:
        self.pages = pages
        self.on_open = on_open
        self.opened = 0
        self.closed = asyncio.Event()

    @asynccontextmanager
    async def __call__(self) -> AsyncGenerator[None]:
        self.opened += 1
        self.closed.clear()
        reporting = asyncio.ensure_future(self.on_open())
        try:
            yield
        finally:
            await reporting
            self.closed.set()


def page(pages: Pages) -> Page:
    connection = Connection(lambda _: None, {})
    return Page("page-1", "key", "Title", "http://x/", connection, Questions(lambda *_: None))


@asynccontextmanager
async def running(waking: Waking, opener: Any) -> AsyncGenerator[None]:
    watch = asyncio.create_task(waking.run(opener))
    try:
        async with asyncio.timeout(WITHIN_S):
            yield
    finally:
        watch.cancel()
        await asyncio.wait({watch})


async def test_a_page_is_woken_when_due_and_closed_when_idle(tmp_path: Path) -> None:
    pages = Pages(lambda: "")
    waking = Waking(pages, tmp_path / "waking.json", pause_s=0.01, idle_s=0.05)
    states: list[bool] = []

    async def work() -> None:
        await ask(waking, WOKEN, "next", at=time.time() - 1, busy=True)
        states.append(opener.closed.is_set())
        await asyncio.sleep(0)
        await ask(waking, WOKEN, "next", at=time.time() + 3600, busy=False)

    opener = Opener(pages, work)
    assert await ask(waking, OWN, "allow", on=True) == {"possible": True, "on": True}
    await ask(waking, OWN, "next", at=time.time() - 1, busy=False)
    async with running(waking, opener):
        while not opener.opened:
            await asyncio.sleep(0)
        await opener.closed.wait()
    assert (opener.opened, states) == (1, [False])
    saved = json.loads((tmp_path / "waking.json").read_text())
    assert saved["on"] is True and saved["at"] > time.time() and set(saved) == {"on", "at", "busy"}
    again = Waking(pages, tmp_path / "waking.json")
    assert await ask(again, OWN, "status") == {"possible": True, "on": True}


async def test_nothing_is_woken_without_permission_or_for_an_open_page(tmp_path: Path) -> None:
    pages = Pages(lambda: "")
    waking = Waking(pages, pause_s=0, idle_s=0.01)
    opener = Opener(pages, lambda: asyncio.sleep(0))
    await ask(waking, OWN, "next", at=time.time() - 1, busy=False)
    # A page in another browser can't be woken: neither its choice nor its time counts.
    assert await ask(waking, OTHER, "allow", on=True) == {"possible": False, "on": False}
    async with running(waking, opener):
        for _ in range(50):
            await asyncio.sleep(0)
        assert opener.opened == 0
        pages.join(page(pages))
        await ask(waking, OWN, "allow", on=True)
        for _ in range(50):
            await asyncio.sleep(0)
        assert opener.opened == 0


async def test_a_time_that_comes_while_it_waits_is_noticed() -> None:
    pages = Pages(lambda: "")
    waking = Waking(pages, pause_s=10, idle_s=0.01)
    opener = Opener(pages, lambda: ask(waking, WOKEN, "next", at=None, busy=False))
    async with running(waking, opener):
        await ask(waking, OWN, "allow", on=True)
        await ask(waking, OWN, "next", at=time.time() + 0.05, busy=False)
        while not opener.opened:
            await asyncio.sleep(0.01)
        await opener.closed.wait()


async def test_a_run_that_was_cut_off_goes_on_in_a_woken_page(tmp_path: Path) -> None:
    pages, file = Pages(lambda: ""), tmp_path / "waking.json"
    killed = Waking(pages, file)
    await ask(killed, OWN, "allow", on=True)
    # The slot is the last one, and its run works when the companion is killed.
    await ask(killed, WOKEN, "next", at=None, busy=True)
    waking = Waking(pages, file, pause_s=0.01, idle_s=0.01, again_s=0.01)
    opener = Opener(pages, lambda: ask(waking, WOKEN, "next", at=None, busy=False))
    async with running(waking, opener):
        while not opener.opened:
            await asyncio.sleep(0)
        await opener.closed.wait()
    assert json.loads(file.read_text()) == {"on": True, "at": None, "busy": False}


async def test_a_page_that_reloads_while_its_run_works_is_not_woken() -> None:
    pages = Pages(lambda: "")
    waking = Waking(pages, pause_s=0, idle_s=0.01, again_s=WITHIN_S)
    opener = Opener(pages, lambda: asyncio.sleep(0))
    await ask(waking, OWN, "allow", on=True)
    await ask(waking, OWN, "next", at=None, busy=True)
    async with running(waking, opener):
        for _ in range(50):
            await asyncio.sleep(0)
        pages.join(page(pages))
        for _ in range(50):
            await asyncio.sleep(0)
    assert opener.opened == 0


async def test_a_missing_browser_ends_nothing() -> None:
    pages = Pages(lambda: "")
    waking = Waking(pages, pause_s=0, idle_s=0.01)
    tried = asyncio.Event()

    @asynccontextmanager
    async def missing() -> AsyncGenerator[None]:
        if tries.append(None) or len(tries) > 2:
            tried.set()
        raise BrowserMissing("there is no browser")
        yield

    tries: list[None] = []
    await ask(waking, OWN, "allow", on=True)
    await ask(waking, OWN, "next", at=time.time() - 1, busy=False)
    async with running(waking, missing):
        await tried.wait()


async def test_a_damaged_file_allows_nothing(tmp_path: Path) -> None:
    for text in ("", "[]", '{"on": 1}', '{"on": true, "at": "soon"}', "{"):
        file = tmp_path / "waking.json"
        file.write_text(text)
        file.chmod(0o600)
        assert (await ask(Waking(Pages(lambda: ""), file), OWN, "status"))["on"] is False
