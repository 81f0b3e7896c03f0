"""Refreshes the files shown in the page after calls and commands, which may have changed them."""

from collections.abc import Callable

from gemini.computer.terminal.events import TerminalChanged
from gemini.core.delayed import Delayed
from gemini.core.events import Event, EventLog
from gemini.tools.events import CallChanged

# A burst of calls causes one refresh.
DELAY_S = 0.1


class FileWatch:
    """Schedules a refresh after calls and commands end.

    Args:
        events: The log with the events of calls and commands.
        is_watched: Returns whether a user sees the files.
        refresh: Updates the files shown.
    """

    def __init__(self, events: EventLog, is_watched: Callable[[], bool], refresh: Callable[[], None]) -> None:
        self._is_watched = is_watched
        self._refreshing = Delayed(refresh, DELAY_S)
        events.subscribe(self._on_event)

    def _on_event(self, _: int, event: Event) -> None:
        if not self._is_watched():
            return
        if isinstance(event, CallChanged):
            ended = event.call.ok is not None
        else:
            ended = isinstance(event, TerminalChanged) and not event.terminal["busy"]
        if ended:
            self._refreshing.request()
