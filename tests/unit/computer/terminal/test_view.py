"""Flow control between a terminal and a viewer behind a port."""

from __future__ import annotations

import asyncio
import re
import time

import pytest

from gemini.computer.terminal.terminal import MapTerminal
from gemini.computer.terminal.view import HIGH_WATER, LOW_WATER, MAX_PIECE, MAX_WAITING, TerminalView

DROPPED = re.compile(r"\x1b\[0m\r\n\[… ([\d,]+) characters not shown …\]\r\n")


class Page:
    """The viewer's end of the port."""

    def __init__(self, terminal: MapTerminal) -> None:
        self.messages: list[str] = []
        self.keys: list[str | tuple[str, int]] = []
        self.answers: list[str] = []
        self.view = TerminalView(terminal, self.messages.append, self._on_keys, self.answers.append)

    def _on_keys(self, keys: str, stop: int = 0) -> None:
        self.keys.append((keys, stop) if stop else keys)

    @property
    def drawn(self) -> str:
        return "".join(self.messages)

    def acknowledge_all(self) -> None:
        """Acknowledge all output until nothing more is sent."""
        drawn = 0
        while drawn < len(self.messages):
            message = self.messages[drawn]
            drawn += 1
            self.view.receive({"ack": len(message)})


@pytest.fixture
def page(terminal: MapTerminal) -> Page:
    return Page(terminal)


async def test_a_viewer_gets_the_earlier_output_first(terminal: MapTerminal) -> None:
    await terminal.execute("echo before")
    assert "before\r\n" in Page(terminal).drawn


async def test_output_is_sent_immediately(terminal: MapTerminal, page: Page) -> None:
    await terminal.execute("echo hello")
    assert "\nhello\r\n" in page.drawn


async def test_keys_are_passed_on(page: Page) -> None:
    page.view.receive("ls\r")
    page.view.receive({"keys": "\x03", "stop": 5})
    assert page.keys == ["ls\r", ("\x03", 5)]


async def test_a_size_reaches_the_terminal(terminal: MapTerminal, page: Page) -> None:
    page.view.receive({"cols": 10, "rows": 5})
    await terminal.execute("printf '%015d\\n' 1")
    assert "0" * 10 in terminal.lines


async def test_output_waits_for_acknowledgements(terminal: MapTerminal, page: Page) -> None:
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


async def test_the_oldest_waiting_output_is_dropped(terminal: MapTerminal, page: Page) -> None:
    await terminal.execute("seq 500000")
    page.acknowledge_all()
    before, count, after = DROPPED.split(page.drawn)
    assert len(after) <= MAX_WAITING
    # Complete consecutive lines follow, and the lost characters are counted.
    numbers = [int(line) for line in after.split("\r\n") if line.isdigit()]
    assert numbers == list(range(numbers[0], 500_001))
    *_, last, cut_line = before.split("\r\n")
    missing = "".join(f"{n}\r\n" for n in range(int(last) + 1, numbers[0]))
    assert missing.startswith(cut_line)
    assert int(count.replace(",", "")) == len(missing) - len(cut_line)


async def test_one_huge_piece_is_cut(terminal: MapTerminal, page: Page) -> None:
    await terminal.execute("head -c 3000000 /dev/zero | tr '\\0' a; echo; echo end")
    page.acknowledge_all()
    assert "characters not shown" in page.drawn
    assert "\nend\r\n" in page.drawn


async def test_the_cost_of_output_is_linear(terminal: MapTerminal, page: Page) -> None:
    started = time.perf_counter()
    for _ in range(20_000):
        page.view._show("a line of fifty characters, more or less, I think\r\n")  # pyright: ignore[reportPrivateUsage]
    assert time.perf_counter() - started < 10


async def test_a_closed_view_gets_no_output(terminal: MapTerminal, page: Page) -> None:
    page.view.close()
    sent = len(page.messages)
    await terminal.execute("echo unseen")
    await asyncio.sleep(0)
    assert len(page.messages) == sent


async def test_automatic_replies_are_not_typed(terminal: MapTerminal, page: Page) -> None:
    page.view.receive({"answer": "\x1b[0n"})
    assert (page.keys, page.answers) == ([], ["\x1b[0n"])
    before = terminal.lines
    await terminal.answered("echo typed\r")
    await terminal.execute("true")
    assert "typed" not in "\n".join(terminal.lines[len(before) - 1 :])
