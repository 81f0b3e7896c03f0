"""Connecting a browser without a code: by the code in the companion's terminal, or by a page that is connected."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.admission import pairing
from gemini_companion.admission.extension import ORIGIN as EXTENSION
from gemini_companion.admission.pairing import (
    AT_ONCE,
    LASTS_S,
    MOST_IN_SPAN,
    TRIES,
    Pairings,
    ask_pages,
    browser_name,
)
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server, running
from tests.companions import Browser
from tests.unit.companion.people import PersonAtPage
from tests.unit.companion.surface import small_surface

# The generator of P-256 (https://csrc.nist.gov/pubs/sp/800/186/final).
KEY = "BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"


class Terminal:
    """The lines that the companion prints."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def code(self) -> str:
        return self.lines[-1].rpartition(": ")[2]


@pytest.fixture
def terminal() -> Terminal:
    return Terminal()


@pytest.fixture
def companion(tmp_path: Path, terminal: Terminal) -> Iterator[Companion]:
    server = Server(0)
    companion = Companion(small_surface(tmp_path / "dist"), server)
    companion.pairings.announce = terminal.lines.append
    with running(server, companion.app(), **companion.other_apps()):
        yield companion


async def begin(browser: Browser) -> dict[str, Any]:
    answer = await browser.post("pair", {"key": browser.key}, User_Agent=FIREFOX)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def enter(browser: Browser, asked: dict[str, Any], code: str) -> Any:
    return await browser.post("pair/code", {"pairing": asked["pairing"], "code": code})


async def test_the_code_in_the_terminal_connects_the_browser_that_asked(
    companion: Companion, terminal: Terminal
) -> None:
    browser, thief = Browser(companion), Browser(companion)
    asked, other = await begin(browser), await begin(thief)
    assert asked["shown"] and asked["seconds"] == LASTS_S
    line, code = terminal.lines[0], terminal.lines[0].rpartition(": ")[2]
    assert f"Firefox on Linux asks to connect at {browser.origin}." in line and re.fullmatch(
        r"\d{4} \d{4}", code
    )
    assert (await browser.log_in_with_key()).status_code == 403
    # The code is for the request that it was printed for.
    assert (await enter(thief, other, code)).status_code == 403
    assert (await enter(browser, asked, code)).json() == {"state": "connected"}
    assert "token" not in (await browser.post("pair/state", {"pairing": asked["pairing"]})).text
    assert (await browser.log_in_with_key()).status_code == 200
    assert (await thief.log_in_with_key()).status_code == 403


async def test_a_code_takes_few_tries_and_works_once(companion: Companion, terminal: Terminal) -> None:
    browser = Browser(companion)
    asked = await begin(browser)
    code = terminal.code()
    wrong = "0" * 8 if code != "0000 0000" else "1" * 8
    for left in reversed(range(TRIES)):
        answer = await enter(browser, asked, wrong)
        assert answer.status_code == 403 and ("Start over" in answer.text) == (left == 0)
    assert (await enter(browser, asked, code)).json() == {"state": "over"}
    assert (await browser.log_in_with_key()).status_code == 403


async def test_a_code_is_valid_for_two_minutes(
    companion: Companion, terminal: Terminal, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = Browser(companion)
    assert LASTS_S == 120
    monkeypatch.setattr(pairing, "LASTS_S", 0.0)
    asked = await begin(browser)
    assert (await enter(browser, asked, terminal.code())).json() == {"state": "over"}
    assert (await browser.log_in_with_key()).status_code == 403


async def test_few_browsers_may_ask(companion: Companion) -> None:
    browser = Browser(companion)
    for _ in range(AT_ONCE):
        await begin(browser)
    assert (await browser.post("pair", {"key": browser.key})).status_code == 429
    asked = [await _over(browser) for _ in range(MOST_IN_SPAN - AT_ONCE)]
    assert asked[-1] == 429


async def _over(browser: Browser) -> int:
    return (await browser.post("pair", {"key": browser.key})).status_code


async def test_other_origins_and_other_keys_get_nothing(companion: Companion, terminal: Terminal) -> None:
    browser = Browser(companion)
    for origin in ("http://127.0.0.1:1", f"{EXTENSION}x"):
        assert (await browser.post("pair", {"key": browser.key}, Origin=origin)).status_code == 403
    assert (await browser.post("pair", {"key": "AAAA"})).status_code == 400
    assert terminal.lines == []


async def test_without_a_terminal_no_code_is_accepted(companion: Companion) -> None:
    companion.pairings.announce = None
    browser = Browser(companion)
    asked = await begin(browser)
    assert asked["shown"] is False
    assert (await enter(browser, asked, "00000000")).json() == {"state": "waiting"}


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (FIREFOX, "Firefox on Linux"),
        (
            "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36 Edg/140.0",
            "Edge on Windows",
        ),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18.0 Safari/605.1.15", "Safari on macOS"),
        ("\x1b]0;owned\x07 your bank", "A browser"),
    ],
)
def test_only_known_words_name_a_browser(agent: str, name: str) -> None:
    assert browser_name(agent) == name


class TestAConnectedPage:
    """Pages that are connected ask the user."""

    async def begin(self, *people: PersonAtPage) -> tuple[Pairings, dict[str, Any], list[str]]:
        admitted: list[str] = []

        async def ask(facts: Any) -> bool:
            return await ask_pages(
                [each.questions.ask("browser", facts, answers=("once",)) for each in people]
            )

        pairings = Pairings(lambda key, _: admitted.append(key), ask)
        return pairings, pairings.begin(KEY, "http://127.0.0.1:8765", FIREFOX), admitted

    async def test_a_press_connects_the_browser(self) -> None:
        here, there = PersonAtPage(), PersonAtPage()
        pairings, asked, admitted = await self.begin(here, there, PersonAtPage(attended=False))
        other = await there.shown()
        question = await here.decide("once")
        assert question["kind"] == "browser" and question["words"] == {} and question["answers"] == ["once"]
        facts = question["facts"]
        assert (facts["browser"], facts["origin"]) == ("Firefox on Linux", "http://127.0.0.1:8765")
        assert facts["number"] == asked["number"] and re.fullmatch(r"\d\d:\d\d", facts["asked"])
        async with asyncio.timeout(30):
            while pairings.state(asked["pairing"]) == "waiting":
                await asyncio.sleep(0)
        assert admitted == [KEY] and pairings.state(asked["pairing"]) == "connected"
        assert there.withdrawn == [other["id"]]

    async def test_a_refusal_connects_nothing(self) -> None:
        here = PersonAtPage()
        pairings, asked, admitted = await self.begin(here)
        await here.decide("refuse")
        await _turns()
        assert admitted == [] and pairings.state(asked["pairing"]) == "waiting"

    async def test_a_browser_that_cancels_withdraws_the_question(self) -> None:
        here = PersonAtPage()
        pairings, asked, admitted = await self.begin(here)
        question = await here.shown()
        assert pairings.cancel(asked["pairing"]) == "over"
        await _turns()
        assert here.withdrawn == [question["id"]] and admitted == []


async def _turns() -> None:
    """Let everything that is ready run."""
    for _ in range(20):
        await asyncio.sleep(0)
