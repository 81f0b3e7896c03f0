"""The events of agents."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class RunChanged(Event):
    """A run was started or changed; `run` is its row in the list."""

    type: ClassVar[str] = "run_changed"
    run: Row


@dataclass(frozen=True)
class RunStreamed(Event):
    """The model of a run streamed some output: `text` is appended to this `part` of the answer."""

    type: ClassVar[str] = "run_streamed"
    run_id: str
    part: Literal["thought", "text", "calls"]
    text: str

    def merged(self, later: Event) -> Event | None:
        """Join two consecutive pieces of the same part of a run's answer."""
        if not isinstance(later, RunStreamed) or (self.run_id, self.part) != (later.run_id, later.part):
            return None
        return replace(later, text=self.text + later.text)


@dataclass(frozen=True)
class RunForgotten(Event):
    """A run was deleted."""

    type: ClassVar[str] = "run_forgotten"
    run_id: str
