"""A viewer behind a port gets what a terminal shows, as fast as it draws it and no faster."""

from __future__ import annotations

import asyncio
import re
import time

import pytest

from gemini.terminal.terminal import MapTerminal
from gemini.terminal.view import HIGH_WATER, MAX_WAITING, LOW_WATER, MAX_PIECE, TerminalView

DROPPED = re.compile(r"\x1b\[0m\r\n\[… ([\d,]+) characters not shown …\]\r\n")


class Page:
    """The other end of the port."""

    def __init__(self, terminal: MapTerminal) -> None:
        self.messages: list[str] = []
        self.keys: list[str] = []
        self.answers: list[str] = []
        self.view = TerminalView(terminal, self.messages.append, self.keys.append, self.answers.append)

    @property
    def drawn(self) -> str:
        return "".join(self.messages)

    def acknowledge_all(self) -> None:
        """Draw whatever comes until nothing more comes."""
        drawn = 0
        while drawn < len(self.messages):
            message = self.messages[drawn]
            drawn += 1
            self.view.receive({"ack": len(message)})


@pytest.fixture
def page(terminal: MapTerminal) -> Page:
    return Page(terminal)


async def test_a_viewer_first_gets_what_is_there(terminal: MapTerminal) -> None:
    await terminal.execute("echo before")
    assert "before\r\n" in Page(terminal).drawn


async def test_what_comes_is_sent_at_once(terminal: MapTerminal, page: Page) -> None:
    await terminal.execute("echo hello")
    assert "\nhello\r\n" in page.drawn


async def test_keys_are_handed_on(page: Page) -> None:
    page.view.receive("ls\r")
    page.view.receive("\x03")
    assert page.keys == ["ls\r", "\x03"]


async def test_a_size_reaches_the_terminal(terminal: MapTerminal, page: Page) -> None:
    page.view.receive({"cols": 10, "rows": 5})
    await terminal.execute("printf '%015d\\n' 1")
    assert "0" * 10 in terminal.lines


async def test_no_more_is_sent_than_the_viewer_can_take(terminal: MapTerminal, page: Page) -> None:
    result = await terminal.execute("seq 100000")
    sent = sum(map(len, page.messages))
    assert HIGH_WATER <= sent < HIGH_WATER + MAX_PIECE
    assert all(len(message) <= MAX_PIECE for message in page.messages)
    page.view.receive({"ack": sent - LOW_WATER})
    assert sum(map(len, page.messages)) == sent
    page.view.receive({"ack": 1})
    assert sum(map(len, page.messages)) > sent
    page.acknowledge_all()
    assert result.stdout.replace("\n", "\r\n") in page.drawn


async def test_what_waits_too_long_is_dropped_at_its_beginning(terminal: MapTerminal, page: Page) -> None:
    await terminal.execute("seq 500000")
    page.acknowledge_all()
    before, count, after = DROPPED.split(page.drawn)
    assert len(after) <= MAX_WAITING
    # Whole lines follow, one after the other, and what is lost is counted.
    numbers = [int(line) for line in after.split("\r\n") if line.isdigit()]
    assert numbers == list(range(numbers[0], 500_001))
    *_, last, cut_line = before.split("\r\n")
    missing = "".join(f"{n}\r\n" for n in range(int(last) + 1, numbers[0]))
    assert missing.startswith(cut_line)
    assert int(count.replace(",", "")) == len(missing) - len(cut_line)


async def test_one_huge_piece_is_cut_as_well(terminal: MapTerminal, page: Page) -> None:
    await terminal.execute("head -c 3000000 /dev/zero | tr '\\0' a; echo; echo end")
    page.acknowledge_all()
    assert "characters not shown" in page.drawn
    assert "\nend\r\n" in page.drawn


async def test_a_flood_costs_by_its_length(terminal: MapTerminal, page: Page) -> None:
    started = time.perf_counter()
    for _ in range(20_000):
        page.view._show("a line of fifty characters, more or less, I think\r\n")  # pyright: ignore[reportPrivateUsage]
    assert time.perf_counter() - started < 10


async def test_a_viewer_that_left_gets_no_more(terminal: MapTerminal, page: Page) -> None:
    page.view.close()
    sent = len(page.messages)
    await terminal.execute("echo unseen")
    await asyncio.sleep(0)
    assert len(page.messages) == sent


async def test_what_the_viewer_answers_by_itself_is_not_typed(terminal: MapTerminal, page: Page) -> None:
    page.view.receive({"answer": "\x1b[0n"})
    assert (page.keys, page.answers) == ([], ["\x1b[0n"])
    before = terminal.lines
    await terminal.answered("echo typed\r")
    await terminal.execute("true")
    assert "typed" not in "\n".join(terminal.lines[len(before) - 1 :])
