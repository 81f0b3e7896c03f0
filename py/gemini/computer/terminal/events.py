"""Events of terminals."""

from dataclasses import dataclass
from typing import ClassVar, Protocol

from typing_extensions import TypedDict

from gemini.computer.shell.backend import Backend
from gemini.computer.terminal.owners import Owner
from gemini.core.events import Event


class Offer(TypedDict):
    """A package that the command that a user typed last lacks, and the line that installs it and runs that again."""

    package: str
    line: str


class TerminalRow(TypedDict):
    """A terminal as listed. Position and size are in CSS pixels from the top left of the map.

    `running` is the running command, or null, and `caller` its caller, unless a user typed it. `owner` is the agent or
    client whose terminal it is; null for the user's.
    """

    id: str
    working_dir: str
    focused: bool
    x: int
    y: int
    width: int
    height: int
    backend: str
    busy: bool
    running: str | None
    floating: bool
    caller: str | None
    owner: str | None
    title: str
    offer: Offer | None


class Listed(Protocol):
    """A terminal that can be listed."""

    term_id: str
    focused: bool
    x: int
    y: int
    width: int
    height: int
    backend: Backend
    floating: bool
    owner: Owner | None
    offer: Offer | None

    @property
    def working_dir(self) -> str:
        """The shell's directory, absolute."""
        ...

    @property
    def busy(self) -> bool:
        """True while a command runs or waits for its turn."""
        ...

    @property
    def running(self) -> str | None:
        """The running command."""
        ...


def row_of_terminal(terminal: Listed, caller: str | None) -> TerminalRow:
    """Return the row of a terminal; `caller` is the caller of the running command, unless a user typed it."""
    return {
        "id": terminal.term_id,
        "working_dir": terminal.working_dir,
        "focused": terminal.focused,
        "x": terminal.x,
        "y": terminal.y,
        "width": terminal.width,
        "height": terminal.height,
        "backend": terminal.backend.name,
        "busy": terminal.busy,
        "running": terminal.running,
        "floating": terminal.floating,
        "caller": caller,
        "owner": None if terminal.owner is None else terminal.owner.caller,
        "offer": terminal.offer,
        "title": f"{terminal.term_id} — {terminal.working_dir}",
    }


@dataclass(frozen=True)
class TerminalCreated(Event):
    """A terminal was created."""

    type: ClassVar[str] = "terminal_created"
    terminal: TerminalRow


@dataclass(frozen=True)
class TerminalChanged(Event):
    """A terminal was changed: position, focus, working directory or running command."""

    type: ClassVar[str] = "terminal_changed"
    terminal: TerminalRow

    def subject(self) -> str:
        """Return the terminal's id: only its latest row is sent."""
        return self.terminal["id"]


@dataclass(frozen=True)
class TerminalClosed(Event):
    """A terminal was closed."""

    type: ClassVar[str] = "terminal_closed"
    terminal_id: str
