"""The page that a call goes to."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from gemini.core.protocol import Connection
from gemini_companion.errors import PageNotReady
from gemini_companion.pages import pages
from gemini_companion.pages.consent import Questions
from gemini_companion.pages.pages import Page, Pages

ADDRESS = "http://127.0.0.1:8765/"


def page(number: int, tools: list[dict[str, Any]] | None) -> Page:
    connection = Connection(lambda _: None, {})
    questions = Questions(lambda *_: None)
    return Page(f"page-{number}", str(number), "A page", ADDRESS, connection, questions, tools)


def pages_of(*joined: Page) -> Pages:
    found = Pages(lambda: ADDRESS)
    for each in joined:
        found.join(each)
    return found


async def test_a_call_goes_to_a_page_that_is_ready() -> None:
    starting, ready = page(1, None), page(2, [])
    found = pages_of(starting, ready)
    assert found.current is starting
    assert await found.find() is ready


async def test_the_current_page_gets_the_call_if_it_is_ready() -> None:
    first, second = page(1, []), page(2, [])
    assert await pages_of(first, second).find() is first


async def test_a_call_waits_for_the_python_of_a_page_that_starts() -> None:
    starting = page(1, None)
    found = pages_of(starting)
    waiting = asyncio.create_task(found.find())
    await asyncio.sleep(0)
    assert not waiting.done()
    starting.tools = []
    found.changed()
    assert await waiting is starting


async def test_a_call_ends_when_no_page_becomes_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "START_S", 0.01)
    with pytest.raises(PageNotReady, match=r"page-1 has not started Python in 0.01 s") as failed:
        await pages_of(page(1, None)).find()
    assert ADDRESS in cast(str, failed.value.hint)


async def test_a_call_ends_at_once_if_the_page_reports_why_python_does_not_start() -> None:
    broken = page(1, None)
    found = pages_of(broken)
    waiting = asyncio.create_task(found.find())
    await asyncio.sleep(0)
    broken.problem = "SharedArrayBuffer is not defined"
    found.changed()
    with pytest.raises(PageNotReady, match="can't start Python: SharedArrayBuffer is not defined"):
        await waiting


async def test_a_named_page_is_not_replaced_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "START_S", 0.01)
    with pytest.raises(PageNotReady, match="page-1"):
        await pages_of(page(1, None), page(2, [])).find("page-1")
