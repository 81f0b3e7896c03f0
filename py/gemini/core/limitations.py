"""What this surface can't do, and why: for the one place where people and agents are told."""

from dataclasses import dataclass
from typing import Any, ClassVar

from gemini.core import ffi
from gemini.core.events import Event, EventLog, Row
from gemini.errors import DatabaseUnusable, GeminiError

NOT_ISOLATED = {
    "what": "Stopping code that never pauses without starting Python anew; files and terminals come back",
    "why": "The page is not cross-origin isolated, so no memory is shared between its threads.",
    "how": "Serve it with the headers Cross-Origin-Opener-Policy: same-origin and "
    "Cross-Origin-Embedder-Policy: require-corp, as python3 build.py serve does.",
}


def surface() -> dict[str, Any]:
    """What any page of this kind can and can't do: `{isolated, missing: [{what, why, how}]}`."""
    isolated = ffi.is_isolated()
    return {"isolated": isolated, "missing": [] if isolated else [NOT_ISOLATED]}


@dataclass(frozen=True)
class SurfaceChanged(Event):
    """The list of what the surface can't do has changed."""

    type: ClassVar[str] = "surface_changed"
    surface: Row


class Limitations:
    """What went wrong since Python began, as events tell of it.

    Args:
        events: Where it is told.
    """

    def __init__(self, events: EventLog) -> None:
        self._events = events
        self._problems: list[dict[str, Any]] = []

    def row(self) -> dict[str, Any]:
        """What `surface` gives, with the problems."""
        told = surface()
        return {**told, "missing": [*told["missing"], *self._problems]}

    def tell(self, problem: GeminiError) -> None:
        """Say once that something can't be kept."""
        why, how = problem.message, problem.hint or ""
        told = {"what": "Earlier calls, settings and terminals", "why": why, "how": how}
        if told not in self._problems:
            self._problems.append(told)
            self.changed()

    def do_without(self, why: str) -> None:
        """Say that nothing can be kept beside files."""
        hint = "Close other tabs of this surface, allow it to store data, free some space, and reload."
        self.tell(DatabaseUnusable(why, hint=hint))

    def changed(self) -> None:
        """Tell of the row."""
        self._events.publish(SurfaceChanged(self.row()))
