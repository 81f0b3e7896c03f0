"""Schedules: runs of agents that begin by themselves, at times in words or as cron expressions.

`gemini.schedule` is the function for scripts. Everything is loaded on first use.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gemini.errors import NotStarted

if TYPE_CHECKING:
    from gemini.schedules.schedules import Schedules

_schedules: "Callable[[], Schedules] | None" = None


def provide(schedules: "Callable[[], Schedules] | None") -> None:
    """Set the function that returns the surface's schedules. It is called when they are first needed."""
    global _schedules  # noqa: PLW0603 - there is one surface in an interpreter
    _schedules = schedules


def current() -> "Schedules":
    """Return the schedules of this interpreter's surface.

    Raises:
        NotStarted: The surface isn't running. Schedules need its database.
    """
    if _schedules is None:
        raise NotStarted("the surface isn't running", hint="Run `await gemini.start()` first.")
    return _schedules()
