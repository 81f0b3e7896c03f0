"""What the person does by hand while an agent waits for them."""

from collections.abc import Callable, Iterable
from typing import Any, Protocol

from gemini.core.encoding import encode
from gemini.core.events import Event, EventLog
from gemini.dom.events import TabChanged, TabClosed
from gemini.tools.events import CallChanged

MOST = 40
SHOWN = 200
# What a person asks of the run itself is no action in its place.
OWN = "panel_run_"


class HasCommands(Protocol):
    """A terminal."""

    term_id: str
    command_history: list[str]


class PersonActions:
    """Notes calls that the person makes by panels, commands that they type, and where their tabs go.

    Args:
        events: Tells of calls and tabs.
        terminals: Those that are open.
        person: The caller of a person's calls.
    """

    def __init__(
        self, events: EventLog, terminals: Callable[[], Iterable[HasCommands]], person: str = "person"
    ) -> None:
        self._events = events
        self._terminals = terminals
        self._person = person

    def __call__(self) -> Callable[[], list[str]]:
        """Begin; what this gives tells the actions, a line each, and ends it."""
        actions: list[str] = []
        typed = {terminal.term_id: len(terminal.command_history) for terminal in self._terminals()}
        end = self._events.subscribe(lambda _, event: actions.extend(self._action(event)))

        def tell() -> list[str]:
            end()
            for terminal in self._terminals():
                new = terminal.command_history[typed.get(terminal.term_id, 0) :]
                actions.extend(f"ran in {terminal.term_id}: {command[:SHOWN]}" for command in new)
            # A tab tells of itself more than once.
            return list(dict.fromkeys(actions))[-MOST:]

        return tell

    def _action(self, event: Event) -> list[str]:
        match event:
            case TabChanged(tab) if not tab["loading"]:
                return [f"tab {tab['id']} shows {str(tab['url'])[:SHOWN]}"]
            case TabClosed(tab_id):
                return [f"closed tab {tab_id}"]
            case CallChanged(call) if call.ok is not None:
                row = call.row()
                return [_told(row)] if self._is_action(row) else []
            case _:
                return []

    def _is_action(self, row: dict[str, Any]) -> bool:
        return row["caller"] == self._person and row["effect"] != "read" and not row["tool"].startswith(OWN)


def _told(row: dict[str, Any]) -> str:
    return f"{row['tool']} {encode(row['arguments'])[:SHOWN]}{'' if row['ok'] else ' (failed)'}"
