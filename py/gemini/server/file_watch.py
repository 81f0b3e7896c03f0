"""When a person's view of the files is looked at again: what ran may have changed them."""

import asyncio
from collections.abc import Callable

from gemini.core.events import Event, EventLog
from gemini.terminal.events import TerminalChanged
from gemini.tools.events import CallChanged

# A burst of calls waits for one look.
LOOK_AGAIN_S = 0.1


class FileWatch:
    """Looks soon after calls and commands have ended.

    Args:
        events: Tell of calls and commands.
        is_watched: Whether a person is there to see it.
        look: Brings what is shown up to date.
    """

    def __init__(self, events: EventLog, is_watched: Callable[[], bool], look: Callable[[], None]) -> None:
        self._is_watched = is_watched
        self._look = look
        self._waiting = False
        events.subscribe(self._follow)

    def _follow(self, _: int, event: Event) -> None:
        if self._waiting or not self._is_watched():
            return
        if isinstance(event, CallChanged):
            ended = event.call.ok is not None
        else:
            ended = isinstance(event, TerminalChanged) and not event.terminal["busy"]
        if ended:
            self._waiting = True
            asyncio.get_running_loop().call_later(LOOK_AGAIN_S, self._look_now)

    def _look_now(self) -> None:
        self._waiting = False
        self._look()
