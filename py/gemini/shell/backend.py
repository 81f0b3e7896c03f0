"""What runs a terminal's commands: one interface for the embedded shell and for what comes beside it."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from gemini.shell.output import Stream

Write = Callable[[Stream, bytes], None]
Ask = Callable[[str, bool], Awaitable[str | None]]
Draw = Callable[[str], Awaitable[None]]
Ended = Callable[[str], None]


async def _undrawn(_: str) -> None: ...


def _unheard(_: str) -> None: ...


def _nothing() -> None: ...


@dataclass(frozen=True)
class Tty:
    """A terminal as the shell in it sees it.

    Attributes:
        number: The terminal's number.
        write: Takes what is printed.
        ask: Has the person at the terminal type a line, behind a prompt and hidden or not; None at its end.
        draw: Takes what a raw session has drawn, once no command beside it prints.
        ended: Hears, in words, that a raw session is over.
        before_program: Called before a Python program starts, which may never pause.
        columns: Characters that fit in a row at first.
        rows: Rows that fit at first.
    """

    number: int
    write: Write
    ask: Ask
    draw: Draw = _undrawn
    ended: Ended = _unheard
    before_program: Callable[[], None] = _nothing
    columns: int = 80
    rows: int = 24


@dataclass(frozen=True)
class Finished:
    """How a command ended: `exited` when it ended its shell too, as `exit` does."""

    exit_code: int
    working_dir: str
    ended: Literal["done", "exited", "interrupted", "timed_out"] = "done"


class Session(Protocol):
    """One shell: its directory, variables and functions last from command to command."""

    async def run(self, command: str, timeout_s: float | None, *, attended: bool = False) -> Finished:
        """Run `command`, passing on what it prints as it prints it. One at a time.

        Args:
            command: Shell script, of any number of lines.
            timeout_s: Seconds after which it is ended; None lets it run.
            attended: Whether somebody sits there who can be asked for what it reads; else it reads nothing.
        """
        ...

    def interrupt(self) -> None:
        """End the running command, as Ctrl-C does; does nothing when none runs."""
        ...

    def state(self) -> str:
        """What `Backend.open` needs to begin where this session is. Only between commands."""
        ...

    async def close(self) -> None:
        """End the shell and what runs in it."""
        ...


class RawSession(Session, Protocol):
    """One that has a terminal of an operating system below it: it takes keys as they are, and draws by itself."""

    working_dir: str

    async def keys(self, text: str) -> None:
        """Type."""
        ...

    async def answer(self, text: str) -> None:
        """Pass on what the terminal emulator answers; it reaches a program that waits for it, never a prompt."""
        ...

    def resize(self, columns: int, rows: int) -> None:
        """Tell what runs how many characters fit."""
        ...


class Backend(Protocol):
    """A kind of terminal."""

    name: str
    raw: bool
    """Whether its sessions are raw. They are then opened with the terminal."""
    outside: bool
    """Whether it is another machine than the surface, with files of its own: what is done there needs consent."""
    lacks: Mapping[str, str]
    """What can't be done here: the capability, and which backend has it."""

    def require(self) -> None:
        """Raises CapabilityMissing where it can't be had now."""
        ...

    def is_complete(self, command: str) -> bool:
        """Whether Enter runs what is typed, or a quote or block in it is still open."""
        ...

    async def open(self, tty: Tty, working_dir: str, state: str | None = None) -> Session:
        """Start a shell in `working_dir`.

        Args:
            tty: The terminal that it is in.
            working_dir: An absolute path.
            state: What `Session.state` gave, to begin with that session's variables, functions and options.
        """
        ...
