"""The terminal tools as agents call them."""

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from gemini import tools
from gemini.computer.terminal.events import TerminalRow
from gemini.computer.terminal.manager import TerminalManager
from gemini.computer.terminal.result import CommandResult, Text
from gemini.errors import GeminiError, InvalidArguments
from gemini.tools import Effect

# The bytes of each text in a result; the result's file has the rest. Two of this length, with JSON's escapes,
# must stay below the bridge's limit.
AGENT_OUTPUT = 6_000
declare = partial(tools.declare, group="terminals")
Timeout = Annotated[float, Field(gt=0, le=86_400)]


@dataclass
class Created:
    """A new terminal; `lacks` names missing capabilities and the backends that have them."""

    terminal_id: str
    x: int
    y: int
    backend: str
    lacks: list[str]


class CommandOutput(TypedDict):
    """A command's output, once: as a user would see it, as it was written, or apart.

    Members that would say nothing are missing. Text comes last, because it can be long.
    """

    exit_code: int
    terminal_id: str
    backend: str
    truncated: bool
    output_file: NotRequired[str]
    timed_out: NotRequired[bool]
    waiting_for_input: NotRequired[str]
    output: NotRequired[str]
    stdout: NotRequired[str]
    stderr: NotRequired[str]


@dataclass
class Success:
    """The result of an action without other results."""

    success: bool = True


@dataclass
class ScreenText:
    """The number of rows of a terminal's screen and their text."""

    rows: int
    text: str


@dataclass
class Opened:
    """The files that were found and the terminal that shows them."""

    files_found: list[str]
    terminal_id: str


class TerminalTools:
    """The terminal tools.

    Args:
        manager: The terminals.
        find_files: Returns the paths of the files that match a glob, for `find_and_edit`.
        show_files: Opens files in the user's editor.
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
        # For a host terminal, the companion asks the user itself.
        self._manager.backend(arguments["backend"])
        return Effect.WRITE

    def _reach(self, arguments: dict[str, Any]) -> Effect:
        terminal = self._manager.for_command(arguments.get("terminal_id"))
        # Fix the terminal now, because the focus may change while the user is asked.
        arguments["terminal_id"] = terminal.term_id
        return Effect.WRITE

    @declare(effect=Effect.WRITE, reach=_reach_of_new, action="new_terminal", lean=True)
    async def terminal_create(
        self,
        x: int | None = None,
        y: int | None = None,
        backend: str = "shell",
        working_dir: str | None = None,
    ) -> Created:
        """Open and focus a terminal, floating at x, y or docked. The result lists what its backend lacks.

        Args:
            x: Pixels from the map's left.
            y: Pixels from the top.
            backend: shell is bash on the surface's files, linux or linux:NAME a VM in the page, host the user's.
            working_dir: /project by default.
        """
        terminal = self._manager.create(x, y, backend=backend, working_dir=working_dir)
        try:
            await terminal.ready()
        except GeminiError:
            await self._manager.close(terminal.term_id)
            raise
        lacks = [f"{missing} (use backend {name})" for missing, name in terminal.backend.lacks.items()]
        return Created(terminal.term_id, terminal.x, terminal.y, terminal.backend.name, lacks)

    @declare(effect=Effect.WRITE, untrusted=True, reach=_reach, lean=True)
    async def terminal_execute(
        self,
        command: str,
        terminal_id: str | None = None,
        timeout_s: Timeout = 120,
        streams: bool = False,
        raw: bool = False,
    ) -> CommandOutput:
        """Run a shell command and wait for it. Directory and variables persist. Manual: /home/user/MANUAL.md.

        Args:
            command: Bash script; python, pip, tar and make are available.
            terminal_id: Your own by default.
            timeout_s: Seconds, then exit code 124.
            streams: stdout and stderr apart, raw.
            raw: With colors and what was overwritten.
        """
        terminal = self._manager.for_command(terminal_id)
        texts: tuple[Text, ...] = ("raw_output",) if raw else ("output",)
        result = await terminal.execute(
            command,
            timeout_s=timeout_s,
            max_output=AGENT_OUTPUT,
            until_input=True,
            texts=("stdout", "stderr") if streams else texts,
        )
        return _output_of(result, terminal.backend.name, streams=streams, raw=raw)

    @declare(effect=Effect.READ, untrusted=True)
    def terminal_list(self) -> list[TerminalRow]:
        """List terminals: position, working directory, busy or not."""
        return self._manager.rows()

    @declare(effect=Effect.WRITE, action="focus_terminal")
    def terminal_focus(self, terminal_id: str) -> Success:
        """Focus a terminal."""
        self._manager.focus(terminal_id)
        return Success()

    @declare(effect=Effect.WRITE, action="close_terminal")
    async def terminal_close(self, terminal_id: str) -> Success:
        """Close a terminal and end its commands."""
        await self._manager.close(terminal_id)
        return Success()

    @declare(effect=Effect.READ, untrusted=True, lean=True)
    def terminal_read(self, terminal_id: str, lines: Annotated[int, Field(gt=0)] = 100) -> ScreenText:
        """Read a terminal's screen and scrollback as text.

        Args:
            lines: Rows, from the end.
        """
        shown = self._manager.get(terminal_id).lines[-lines:]
        return ScreenText(len(shown), "\n".join(shown))

    @declare(effect=Effect.WRITE, reach=_reach, action="type_in_terminal", lean=True)
    async def terminal_input(self, terminal_id: str, text: str) -> Success:
        r"""Type keys into a terminal: \n is Enter, \u0003 is Ctrl-C, \u001b[A is the up arrow."""
        await self._manager.get(terminal_id).input(text)
        return Success()

    @declare(effect=Effect.WRITE, interrupts="terminal_id", lean=True)
    def terminal_interrupt(self, terminal_id: str) -> Success:
        """Interrupt the running command (Ctrl-C)."""
        self._manager.get(terminal_id).interrupt()
        return Success()

    @declare(effect=Effect.WRITE, untrusted=True)
    async def run_in_new_terminal(self, command: str) -> CommandOutput:
        """Open a terminal and run a shell command in it."""
        terminal = self._manager.create()
        result = await terminal.execute(command, timeout_s=120, max_output=AGENT_OUTPUT)
        return _output_of(result, terminal.backend.name)

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
            await terminal.execute(shlex.join([*command, *found]), timeout_s=120, max_output=AGENT_OUTPUT)
        return Opened(found, terminal.term_id)


def _output_of(
    result: CommandResult, backend: str, *, streams: bool = False, raw: bool = False
) -> CommandOutput:
    output: CommandOutput = {
        "exit_code": result.exit_code,
        "terminal_id": result.terminal_id,
        "backend": backend,
        "truncated": result.raw_truncated if streams or raw else result.truncated,
    }
    if result.output_file is not None:
        output["output_file"] = result.output_file
    if result.timed_out:
        output["timed_out"] = True
    if result.waiting_for_input is not None:
        output["waiting_for_input"] = result.waiting_for_input
    if streams:
        output["stdout"], output["stderr"] = result.stdout, result.stderr
    else:
        output["output"] = result.raw_output if raw else result.output
    return output


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise InvalidArguments(f"editor: {command!r} is not a valid command: {error}") from error
