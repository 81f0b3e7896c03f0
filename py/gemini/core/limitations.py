"""The limitations of this surface and their reasons, in one list for users and agents."""

from dataclasses import dataclass
from typing import ClassVar

from typing_extensions import TypedDict

from gemini.core import ffi
from gemini.core.events import Event, EventLog
from gemini.errors import DatabaseUnusable, GeminiError


class Limitation(TypedDict):
    """Something that doesn't work, the reason, and how to change it."""

    what: str
    why: str
    how: str


class SurfaceRow(TypedDict):
    """The page's isolation from other origins, and the missing features."""

    isolated: bool
    missing: list[Limitation]


NOT_ISOLATED: Limitation = {
    "what": "Stopping code that never pauses without restarting Python; files and terminals are restored",
    "why": "The page isn't cross-origin isolated, or the browser has no SharedArrayBuffer, so its threads can't share "
    "memory.",
    "how": "Use Chromium or Firefox, and serve the page with the headers Cross-Origin-Opener-Policy: same-origin and "
    "Cross-Origin-Embedder-Policy: require-corp, as python3 build.py serve does.",
}
NO_STACK_SWITCHING: Limitation = {
    "what": "Interactive python, input(), and subprocess in Python",
    "why": "This browser has no JavaScript Promise Integration (JSPI), so Python can't wait within a function.",
    "how": "Use the Python console and await: await asyncio.create_subprocess_exec(...), await terminal.execute(...). "
    "Chromium from 137 on and Firefox have it.",
}

NO_STORAGE: Limitation = {
    "what": "Saving files, settings and terminals beyond this page",
    "why": "This browser has no origin private file system.",
    "how": "Export everything in the settings before you close the page. Chromium and Firefox save files.",
}


def surface() -> SurfaceRow:
    """Return the limitations that follow from the browser."""
    isolated = ffi.is_isolated()
    lacking = (
        (not isolated, NOT_ISOLATED),
        (ffi.lacks_stack_switching(), NO_STACK_SWITCHING),
        (ffi.lacks_storage(), NO_STORAGE),
    )
    return {"isolated": isolated, "missing": [limitation for lacks, limitation in lacking if lacks]}


@dataclass(frozen=True)
class SurfaceChanged(Event):
    """The list of limitations has changed."""

    type: ClassVar[str] = "surface_changed"
    surface: SurfaceRow


class Limitations:
    """The limitations, including problems since Python started.

    Args:
        events: The log that changes are published to.
    """

    def __init__(self, events: EventLog) -> None:
        self._events = events
        self._problems: list[Limitation] = []

    def row(self) -> SurfaceRow:
        """Return the result of `surface` with the problems added to `missing`."""
        limits = surface()
        return {"isolated": limits["isolated"], "missing": [*limits["missing"], *self._problems]}

    def report(self, error: GeminiError) -> None:
        """Report once that data can't be saved."""
        problem: Limitation = {
            "what": "Earlier calls, settings and terminals",
            "why": error.message,
            "how": error.hint or "",
        }
        if problem not in self._problems:
            self._problems.append(problem)
            self.changed()

    def report_no_storage(self, why: str) -> None:
        """Report that nothing can be saved except files, unless the browser saves nothing at all."""
        if ffi.lacks_storage():
            return
        hint = "Close other tabs of this surface, allow it to store data, free some space, and reload."
        self.report(DatabaseUnusable(why, hint=hint))

    def changed(self) -> None:
        """Publish the limitations."""
        self._events.publish(SurfaceChanged(self.row()))
