"""The questions of powers' owners that runs wait for.

The page and the companion ask them, and Python can't answer. It saves the page's report, so that the user finds the
question after the page was closed and can let the run continue; then the owner asks again.
"""

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from gemini.automations.inbox.events import InboxChanged
from gemini.core.events import EventLog
from gemini.storage.questions import WaitingQuestion

if TYPE_CHECKING:
    from gemini.storage.store import Store

LONGEST = 300
MOST = 50


class Questions:
    """The saved questions.

    Args:
        store: Returns the storage, which is created on first use.
        events: Receives `InboxChanged`.
    """

    def __init__(self, store: "Callable[[], Store]", events: EventLog) -> None:
        self._store = store
        self._events = events
        # The runs of this session, whose questions the page itself shows.
        self._live: set[str] = set()
        self._listeners: list[Callable[[str, bool], None]] = []

    def on_wait(self, listener: Callable[[str, bool], None]) -> None:
        """Call `listener(run_id, waits)` for each run that begins or ends to wait."""
        self._listeners.append(listener)

    def report(self, given: Any) -> None:
        """Save the questions that wait in the page: `[{run, text}]`. Invalid entries are ignored."""
        rows = cast("list[Any]", given) if isinstance(given, list) else []
        found = [each for each in map(_question, rows[:MOST]) if each is not None]
        runs = {each.run_id for each in found}
        before = self._live
        self._live = before | runs
        # Runs that have an answer now have no question any more.
        self._store().questions.replace(sorted(self._live), found)
        self._live = runs
        if before or runs:
            self._events.publish(InboxChanged())
        for run_id in sorted(runs ^ before):
            for listener in self._listeners:
                listener(run_id, run_id in runs)

    def runs(self) -> set[str]:
        """Return the ids of the runs that wait, including this session's."""
        return {each.run_id for each in self._store().questions.all()}

    def cut_off(self) -> list[WaitingQuestion]:
        """Return the questions of runs whose page was closed before the answer, oldest first."""
        return [each for each in self._store().questions.all() if each.run_id not in self._live]

    def forget(self, run_id: str) -> None:
        """Delete the questions of a run, since it continues or has ended."""
        if any(each.run_id == run_id for each in self.cut_off()):
            self._store().questions.replace([run_id], [])
            self._events.publish(InboxChanged())


def _question(row: Any) -> WaitingQuestion | None:
    if not isinstance(row, dict):
        return None
    named = cast("dict[str, Any]", row)
    run, text = named.get("run"), named.get("text")
    if not (isinstance(run, str) and run and isinstance(text, str) and text):
        return None
    return WaitingQuestion(run[:LONGEST], text[:LONGEST], time.time())
