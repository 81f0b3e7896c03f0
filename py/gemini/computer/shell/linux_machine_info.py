"""The facts about a Linux machine."""

from dataclasses import dataclass
from typing import Literal

from typing_extensions import TypedDict


@dataclass(frozen=True)
class MachineInfo:
    """A machine.

    Attributes:
        name: Its name; `linux:NAME` is the backend of its terminals (`linux` for the machine "main").
        state: A stopped machine has no processes, but its disk.
        memory: The bytes of memory that it takes.
        changes: The bytes of its system disk's changes.
        saved_at: When its state was saved, in seconds since 1970; None if none is saved.
        saved_size: The bytes of the saved state.
        terminals: The ids of its open terminals.
    """

    name: str
    state: Literal["starting", "running", "paused", "stopped"]
    memory: int
    changes: int
    saved_at: float | None
    saved_size: int
    terminals: list[str]


class ProcessRow(TypedDict):
    """A process: its arguments, its processor time in seconds, and its memory in bytes."""

    pid: int
    command: str
    seconds: float
    memory: int
