"""The terminal tools, as agents call them."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import Field

from gemini import tools
from gemini.errors import GeminiError, InvalidArguments
from gemini.terminal.events import TerminalRow
from gemini.terminal.manager import TerminalManager
from gemini.terminal.result import CommandResult
from gemini.tools import Effect

# Bytes that an agent reads of each of a command's texts; the rest is in the file that the result names. Two of them
# are as long as that where much was printed, and JSON's escapes must not take them past the cap of the bridge.
AGENT_OUTPUT = 6_000
declare = partial(tools.declare, group="terminals")
Timeout = Annotated[float, Field(gt=0, le=86_400)]


@dataclass
class Created:
    terminal_id: str
    x: int
    y: int
    backend: str
    lacks: list[str]


@dataclass
class Success:
    success: bool = True


@dataclass
class ScreenText:
    text: str
    rows: int


@dataclass
class Opened:
    files_found: list[str]
    terminal_id: str


class TerminalTools:
    """For `find_and_edit`, `find_files(pattern)` gives the paths of the files that match; `show_files(paths)` opens
    them in the person's editor.
    """

    def __init__(
        self,
        manager: TerminalManager,
        find_files: Callable[[str], list[str]],
        show_files: Callable[[list[str]], None],
    ) -> None:
        self._manager = manager
        self._find_files = find_files
        self._show_files = show_files

    def _reach_of_new(self, arguments: dict[str, Any]) -> Effect:
        # What reaches the person's machine is asked for by the companion, which does it.
        self._manager.backend(arguments["backend"])
        return Effect.WRITE

    def _reach(self, arguments: dict[str, Any]) -> Effect:
        terminal = self._manager.get(arguments.get("terminal_id"))
        # The focus may move while the person is asked.
        arguments["terminal_id"] = terminal.term_id
        return Effect.WRITE

    @declare(effect=Effect.WRITE, reach=_reach_of_new, action="new_terminal")
    async def terminal_create(
        self,
        x: int | None = None,
        y: int | None = None,
        backend: Literal["shell", "linux", "host"] = "shell",
        working_dir: str | None = None,
    ) -> Created:
        """Open a terminal and focus it: floating at x, y, else docked. The result says what its backend lacks.

        Args:
            x: Pixels from the left of the map.
            y: Pixels from its top.
            backend: shell is a bash on the surface's files, host the person's machine.
            working_dir: Where it starts; /project by default.
        """
        terminal = self._manager.create(x, y, backend=backend, working_dir=working_dir)
        try:
            await terminal.ready()
        except GeminiError:
            await self._manager.close(terminal.term_id)
            raise
        lacks = [f"{what} (use backend {where})" for what, where in terminal.backend.lacks.items()]
        return Created(terminal.term_id, terminal.x, terminal.y, terminal.backend.name, lacks)

    @declare(effect=Effect.WRITE, untrusted=True, reach=_reach)
    async def terminal_execute(
        self, command: str, terminal_id: str | None = None, timeout_s: Timeout = 120
    ) -> CommandResult:
        """Run a shell command and wait for it. Directory, variables and functions last from call to call.

        Args:
            command: Bash script; python, pip, tar and make are there.
            terminal_id: The focused terminal by default.
            timeout_s: Seconds; then it ends with exit code 124.
        """
        terminal = self._manager.get(terminal_id)
        return await terminal.execute(command, timeout_s=timeout_s, most_output=AGENT_OUTPUT)

    @declare(effect=Effect.READ)
    def terminal_list(self) -> list[TerminalRow]:
        """List the open terminals with place, working directory and whether one is busy."""
        return self._manager.rows()

    @declare(effect=Effect.WRITE, action="focus_terminal")
    def terminal_focus(self, terminal_id: str) -> Success:
        """Make a terminal the active one."""
        self._manager.focus(terminal_id)
        return Success()

    @declare(effect=Effect.WRITE, action="close_terminal")
    async def terminal_close(self, terminal_id: str) -> Success:
        """Close a terminal and end what runs in it."""
        await self._manager.close(terminal_id)
        return Success()

    @declare(effect=Effect.READ, untrusted=True)
    def terminal_read(self, terminal_id: str, lines: Annotated[int, Field(gt=0)] = 100) -> ScreenText:
        """Read what a terminal shows, as text.

        Args:
            lines: How many, counted from the end.
        """
        shown = self._manager.get(terminal_id).lines[-lines:]
        return ScreenText("\n".join(shown), len(shown))

    @declare(effect=Effect.WRITE, reach=_reach, action="type_in_terminal")
    async def terminal_input(self, terminal_id: str, text: str) -> Success:
        """Type keys into a terminal.

        Args:
            text: \\n is Enter, \\u0003 is Ctrl-C, \\u001b[A is the up arrow.
        """
        await self._manager.get(terminal_id).input(text)
        return Success()

    @declare(effect=Effect.WRITE, interrupts="terminal_id")
    def terminal_interrupt(self, terminal_id: str) -> Success:
        """Interrupt the running command, as Ctrl-C does."""
        self._manager.get(terminal_id).interrupt()
        return Success()

    @declare(effect=Effect.WRITE, untrusted=True)
    async def run_in_new_terminal(self, command: str) -> CommandResult:
        """Open a terminal and run a shell command in it."""
        terminal = self._manager.create()
        return await terminal.execute(command, timeout_s=120, most_output=AGENT_OUTPUT)

    @declare(effect=Effect.WRITE, untrusted=True)
    async def find_and_edit(self, pattern: str, editor: str = "cat") -> Opened:
        """Find files below /project and open them in a new terminal.

        Args:
            pattern: A glob such as *.py or src/**/*.md.
            editor: The command that opens them.
        """
        command = _words(editor)
        found = self._find_files(pattern)
        self._show_files(found)
        terminal = self._manager.create()
        if found:
            await terminal.execute(shlex.join([*command, *found]), timeout_s=120, most_output=AGENT_OUTPUT)
        return Opened(found, terminal.term_id)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InvalidArguments(f"editor: {command!r} can't be read: {error}") from error
