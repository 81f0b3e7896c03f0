"""What runs a terminal's commands: one interface for the embedded shell and for what comes beside it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from gemini.terminals.output import Stream

Write = Callable[[Stream, bytes], None]


@dataclass(frozen=True)
class Finished:
    """How a command ended: `exited` when it ended its shell too, as `exit` does."""

    exit_code: int
    working_dir: str
    ended: Literal["done", "exited", "interrupted", "timed_out"] = "done"


class Session(Protocol):
    """One shell: its directory, variables and functions last from command to command."""

    async def run(self, command: str, timeout_s: float | None) -> Finished:
        """Run `command`, passing on what it prints as it prints it. One at a time."""
        ...

    def interrupt(self) -> None:
        """End the running command, as Ctrl-C does; does nothing when none runs."""
        ...

    async def close(self) -> None:
        """End the shell and what runs in it."""
        ...


class Backend(Protocol):
    """A kind of terminal."""

    name: str
    lacks: Mapping[str, str]
    """What can't be done here: the capability, and which backend has it."""

    def is_complete(self, command: str) -> bool:
        """Whether Enter runs what is typed, or a quote or block in it is still open."""
        ...

    async def open(self, number: int, working_dir: str, write: Write) -> Session:
        """Start the shell of terminal `number` in `working_dir`; it gives its output to `write`."""
        ...
