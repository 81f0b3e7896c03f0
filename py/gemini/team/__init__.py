"""Teams of agents: files that describe agents, a queue of their tasks, and the orchestrator that divides the work.

The functions for scripts are in `gemini.agents`. Everything is loaded on first use.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gemini.errors import NotStarted

if TYPE_CHECKING:
    from gemini.team.teams import Teams

_teams: "Callable[[], Teams] | None" = None


def provide(teams: "Callable[[], Teams] | None") -> None:
    """Set the function that returns the surface's teams. It is called when they are first needed."""
    global _teams  # noqa: PLW0603 - there is one surface in an interpreter
    _teams = teams


def current() -> "Teams":
    """Return the teams of this interpreter's surface.

    Raises:
        NotStarted: The surface isn't running. Teams need its database.
    """
    if _teams is None:
        raise NotStarted("the surface isn't running", hint="Run `await gemini.start()` first.")
    return _teams()
