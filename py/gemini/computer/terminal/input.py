"""The lines that the running command of a terminal reads from it."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from gemini.computer.terminal.keyboard import Keyboard
from gemini.computer.terminal.printer import Printer
from gemini.computer.terminal.result import CommandResult, waiting_problem
from gemini_userland.invocation import Display, LineRequest


class TerminalInput:
    """Asks for lines at the terminal's keyboard.

    Args:
        keyboard: The terminal's keyboard.
        printer: The terminal's output, whose unfinished row the prompt continues.
    """

    def __init__(self, keyboard: Keyboard, printer: Printer) -> None:
        self._keyboard = keyboard
        self._printer = printer
        self._continuing: set[asyncio.Task[CommandResult]] = set()
        self.asked: Callable[[], None] | None = None
        """Called when the running command asks; None if its caller doesn't wait for that."""
        self.prompt: str | None = None
        """The prompt of the request that is pending."""

    async def ask(self, prompt: str, hidden: bool) -> str | None:
        """Ask for a line for the shell's `read`."""
        return await self._ask(LineRequest(prompt, hidden), handles_interrupt=False)

    async def read_line(self, request: LineRequest) -> str | None:
        """Ask for a line for a program that handles Ctrl-C itself.

        Raises:
            ReadInterrupted: Ctrl-C was pressed.
        """
        return await self._ask(request, handles_interrupt=True)

    def display(self, size: Callable[[], tuple[int, int]]) -> Display:
        """Return the terminal for full-screen programs; `size` returns its columns and rows."""
        return Display(size, self._keyboard.read_keys)

    async def _ask(self, request: LineRequest, *, handles_interrupt: bool) -> str | None:
        row = self._printer.row
        self.prompt = row + request.prompt
        if self.asked is not None:
            self.asked()
        try:
            return await self._keyboard.ask(row, request, handles_interrupt=handles_interrupt)
        finally:
            self.prompt = None
            self._printer.row = ""

    async def until_asked(
        self, terminal_id: str, run: Callable[[Callable[[], None]], Coroutine[Any, Any, CommandResult]]
    ) -> tuple[str, CommandResult | None]:
        """Return the result of a command, or the prompt and None when it asks for a line. It then continues.

        Args:
            terminal_id: The terminal that runs the command.
            run: Runs the command; it calls its argument when it asks.

        Raises:
            TerminalProblem: An earlier command waits for a line.
        """
        if self.prompt is not None:
            raise waiting_problem(terminal_id, self.prompt)
        loop = asyncio.get_running_loop()
        first: asyncio.Future[None] = loop.create_future()

        def settle(_: object = None) -> None:
            if not first.done():
                first.set_result(None)

        running = loop.create_task(run(settle))
        running.add_done_callback(settle)
        try:
            await first
        except asyncio.CancelledError:
            running.cancel()
            await asyncio.wait([running])
            raise
        if running.done():
            return "", running.result()
        self._continuing.add(running)
        running.add_done_callback(self._ended)
        return self.prompt or "", None

    def _ended(self, running: asyncio.Task[CommandResult]) -> None:
        self._continuing.discard(running)
        # Nobody waits for its result, so its error is dropped: the terminal was closed.
        if not running.cancelled():
            running.exception()
