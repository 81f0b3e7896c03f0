"""The user's own actions while an agent waits for them."""

from collections.abc import Callable, Iterable
from typing import Protocol

from gemini.core.encoding import encode
from gemini.core.events import Event, EventLog
from gemini.pages.tabs.events import TabChanged, TabClosed
from gemini.pages.tabs.results import TabRow
from gemini.tools.events import CallChanged, CallRow

MAX_ACTIONS = 40
MAX_CHARS = 200
# Calls that control the run itself aren't actions in its place.
RUN_CONTROLS = "panel_run_"


class HasCommands(Protocol):
    """A terminal with its command history."""

    term_id: str
    command_history: list[str]


class PersonActions:
    """A recorder of the user's panel calls, typed commands and navigation in tabs.

    Args:
        events: The log with the events of calls and tabs.
        terminals: Returns the open terminals.
        person: The caller in the user's calls.
    """

    def __init__(
        self, events: EventLog, terminals: Callable[[], Iterable[HasCommands]], person: str = "person"
    ) -> None:
        self._events = events
        self._terminals = terminals
        self._person = person

    def __call__(self, run: str) -> Callable[[], list[str]]:
        """Start recording during a takeover of a run.

        Returns:
            A function that stops recording and returns the actions, one line each.
        """
        actions: list[str] = []
        typed = {terminal.term_id: len(terminal.command_history) for terminal in self._terminals()}
        unsubscribe = self._events.subscribe(lambda _, event: actions.extend(self._action(event, run)))

        def finish() -> list[str]:
            unsubscribe()
            for terminal in self._terminals():
                new = terminal.command_history[typed.get(terminal.term_id, 0) :]
                actions.extend(f"ran in {terminal.term_id}: {command[:MAX_CHARS]}" for command in new)
            # A tab publishes the same state more than once.
            return list(dict.fromkeys(actions))[-MAX_ACTIONS:]

        return finish

    def _action(self, event: Event, run: str) -> list[str]:
        match event:
            case TabChanged(tab) if _is_another_agents(tab, run):
                return []
            case TabChanged(tab) if not tab["loading"]:
                return [f"tab {tab['id']} shows {str(tab['url'])[:MAX_CHARS]}"]
            case TabClosed(tab_id):
                return [f"closed tab {tab_id}"]
            case CallChanged(call) if call.ok is not None:
                row = call.row()
                return [_describe(row)] if self._is_action(row) else []
            case _:
                return []

    def _is_action(self, row: CallRow) -> bool:
        return (
            row["caller"] == self._person
            and row["effect"] != "read"
            and not row["tool"].startswith(RUN_CONTROLS)
        )


def _is_another_agents(tab: TabRow, run: str) -> bool:
    """Return whether an agent that still works uses a tab, apart from the run that the user has taken over."""
    owner = tab.get("owner")
    return owner is not None and not owner["finished"] and owner.get("run") != run


def _describe(row: CallRow) -> str:
    return f"{row['tool']} {encode(row['arguments'])[:MAX_CHARS]}{'' if row['ok'] else ' (failed)'}"
