"""The state of a terminal that is saved for the next kernel."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError

from gemini.computer.terminal.events import Listed
from gemini.computer.terminal.saved_screens import ENDED

# The commands of the history that are saved.
SAVED_HISTORY = 200
RESTORED = "Restored the directory, variables, functions and history."


@dataclass(frozen=True)
class SavedTerminal:
    """The saved state of a terminal.

    Attributes:
        history: The last commands, oldest first.
        shell: The result of `Session.state`; None if no command has ended.
        running: The command that was running, if any.
        owner: The agent or client whose terminal it is, with its `run`.
        chosen_by: The caller and run of each agent and client whose next command runs here.
        screen: The lines that it showed; they are saved apart from the rest.
    """

    x: int
    y: int
    width: int
    height: int
    backend: str
    working_dir: str
    focused: bool
    history: list[str]
    shell: str | None
    running: str | None
    floating: bool = False
    owner: str | None = None
    run: str | None = None
    chosen_by: tuple[tuple[str, str | None], ...] = ()
    screen: list[str] | None = None

    @property
    def notes(self) -> list[str]:
        """The lines that a restored terminal shows."""
        ended = [ENDED] if self.screen else []
        interrupted = [] if self.running is None else [f"Interrupted: {self.running}"]
        return [*ended, *([RESTORED] if self.shell else []), *interrupted]


class Saveable(Listed, Protocol):
    """A terminal that can be saved."""

    command_history: list[str]


def saved_of_terminal(terminal: Saveable, shell: str | None) -> SavedTerminal:
    """Return the state of a terminal; `shell` is the state of its session."""
    return SavedTerminal(
        x=terminal.x,
        y=terminal.y,
        width=terminal.width,
        height=terminal.height,
        backend=terminal.backend.name,
        working_dir=terminal.working_dir,
        focused=terminal.focused,
        history=terminal.command_history[-SAVED_HISTORY:],
        shell=shell,
        running=terminal.running,
        floating=terminal.floating,
        owner=None if terminal.owner is None else terminal.owner.caller,
        run=None if terminal.owner is None else terminal.owner.run,
    )


def read(row: dict[str, Any]) -> SavedTerminal | None:
    """Return the saved state in a row, or None if it is invalid, as in a damaged or edited import."""
    try:
        return _validator().validate_python(row)
    except ValidationError:
        return None


@cache
def _validator() -> TypeAdapter[SavedTerminal]:
    """Create the validator on first use, because a first visit restores nothing."""
    return TypeAdapter(SavedTerminal)


class TerminalStorage(Protocol):
    """A store of terminals by id that outlives the kernel."""

    def save(self, terminal_id: str, state: dict[str, Any]) -> None:
        """Save the state of a terminal."""
        ...

    def save_screen(self, terminal_id: str, lines: list[str]) -> None:
        """Save the lines that a saved terminal shows."""
        ...

    def forget(self, terminal_id: str) -> None:
        """Delete a terminal."""
        ...

    def load(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the last state of every terminal, in the order of creation."""
        ...
