"""The interface of terminal backends: the embedded shell, the host, and others."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from gemini.computer.shell.output import Stream
from gemini_userland.invocation import Display, LineRequest, ReadLine

Write = Callable[[Stream, bytes], None]
Ask = Callable[[str, bool], Awaitable[str | None]]
Draw = Callable[[str], Awaitable[None]]
Ended = Callable[[str], None]


async def _ignore_output(_: str) -> None: ...


def _ignore_end(_: str) -> None: ...


def _do_nothing() -> None: ...


async def _read_nothing(_: LineRequest) -> str | None: ...


NO_TERMINAL = 1_000_000
"""The number of a session that belongs to no terminal."""


async def no_answer(_prompt: str, _hidden: bool) -> str | None:
    """Return None: nobody can be asked in a session that belongs to no terminal."""


def _ignore_package(package: str) -> None:
    """Offer nothing."""


@dataclass(frozen=True)
class Tty:
    """A terminal as its shell sees it.

    Attributes:
        number: The terminal's number.
        write: Receives the output.
        ask: Asks the user for a line, with a prompt and optionally hidden; returns None at the end of input.
        draw: Draws the output of a raw session once no other command prints.
        ended: Called with a message when a raw session has ended.
        before_program: Called before a Python program starts, which may never pause.
        read_line: Asks for a line as `ask` does, for a program that handles Ctrl-C itself.
        display: The screen and the keys, for full-screen programs.
        columns: The initial width in characters.
        rows: The initial height in rows.
        offer: Called with the name of a package that a typed command lacks.
        state_changed: Called when `Session.state` was read after a command's end, and has changed since.
    """

    number: int
    write: Write
    ask: Ask
    draw: Draw = _ignore_output
    ended: Ended = _ignore_end
    before_program: Callable[[], None] = _do_nothing
    read_line: ReadLine = _read_nothing
    display: Display | None = None
    columns: int = 80
    rows: int = 24
    state_changed: Callable[[], None] = _do_nothing
    offer: Callable[[str], None] = _ignore_package


@dataclass(frozen=True)
class Finished:
    """The end of a command.

    Attributes:
        exit_code: The exit code.
        working_dir: The shell's working directory afterwards.
        ended: The kind of end; `exited` means that the command ended its shell too, as `exit` does.
    """

    exit_code: int
    working_dir: str
    ended: Literal["done", "exited", "interrupted", "timed_out"] = "done"


class Session(Protocol):
    """A shell whose directory, variables and functions persist from command to command."""

    async def run(
        self, command: str, timeout_s: float | None, *, attended: bool = False, watched: bool = False
    ) -> Finished:
        """Run `command` and pass its output on as it is printed. Only one command runs at a time.

        Args:
            command: A shell script of any number of lines.
            timeout_s: The time limit in seconds; None for no limit.
            attended: Someone can be asked for the command's input; otherwise its input is empty.
            watched: The user sees the output on the terminal, so that programs may colour it.
        """
        ...

    def interrupt(self) -> None:
        """Interrupt the running command as Ctrl-C does; do nothing if none runs."""
        ...

    def complete(self, before: str) -> list[str]:
        """Return the completions of the word at the end of `before`, as `LineEditor` takes them."""
        ...

    def state(self) -> str:
        """Return the state from which `Backend.open` can restore this session. Call it only between commands.

        It may be that before the last command. `Tty.state_changed` is then called when it has changed.
        """
        ...

    async def settled(self) -> None:
        """Wait until `state` has the last command's changes."""
        ...

    async def close(self) -> None:
        """End the shell and the commands in it."""
        ...


class RawSession(Session, Protocol):
    """A session on an operating system's terminal, which takes keys unchanged and draws its own output."""

    working_dir: str

    async def keys(self, text: str) -> None:
        """Type keys."""
        ...

    async def answer(self, text: str) -> None:
        """Pass on a reply of the terminal emulator; it reaches a program that waits for it, never a prompt."""
        ...

    def resize(self, columns: int, rows: int) -> None:
        """Resize the terminal of the session."""
        ...


class Backend(Protocol):
    """A kind of terminal."""

    name: str
    raw: bool
    """Its sessions are `RawSession`s, which open together with the terminal."""
    outside: bool
    """It runs on another machine with its own files, so its use requires consent."""

    @property
    def lacks(self) -> Mapping[str, str]:
        """The missing capabilities, each with the backend that has it."""
        ...

    def require(self) -> None:
        """Raise CapabilityMissing if the backend isn't available now."""
        ...

    def is_complete(self, command: str) -> bool:
        """Return whether Enter runs the text; False while a quote or a block is open."""
        ...

    async def open(self, tty: Tty, working_dir: str, state: str | None = None) -> Session:
        """Start a shell in `working_dir`.

        Args:
            tty: The shell's terminal.
            working_dir: An absolute path.
            state: The result of `Session.state`, to restore that session's variables, functions and options.
        """
        ...
