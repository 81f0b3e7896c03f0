"""What of a terminal outlasts its kernel."""

from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from pydantic import TypeAdapter, ValidationError


@dataclass(frozen=True)
class Kept:
    """A terminal as another kernel makes it again.

    Attributes:
        history: Its last commands, oldest first.
        shell: What `Session.state` gave, if a command ever ended in it.
        running: The command that ran just then, if one did.
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


def read(row: dict[str, Any]) -> Kept | None:
    """What `vars` of a `Kept` were; None where they are damaged, or of an import that was made by hand."""
    try:
        return _validator().validate_python(row)
    except ValidationError:
        return None


@cache
def _validator() -> TypeAdapter[Kept]:
    """Made on first use: a first visit restores nothing."""
    return TypeAdapter(Kept)


class TerminalKeeper(Protocol):
    """Keeps terminals beyond the kernel's end, by their id."""

    def save(self, terminal_id: str, state: dict[str, Any]) -> None: ...

    def forget(self, terminal_id: str) -> None: ...

    def load(self) -> list[tuple[str, dict[str, Any]]]:
        """Every terminal's last state, in the order in which they were created."""
        ...
