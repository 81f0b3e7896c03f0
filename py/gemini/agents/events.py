"""Events of the agents."""

from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from gemini.core.events import Event, Row


@dataclass(frozen=True)
class RunChanged(Event):
    """An agent's run began, or is otherwise than before; `run` is all that is listed of it."""

    type: ClassVar[str] = "run_changed"
    run: Row


@dataclass(frozen=True)
class RunStreamed(Event):
    """The model of a run says something: `text` comes after what it said of this `part` of its answer before."""

    type: ClassVar[str] = "run_streamed"
    run_id: str
    part: Literal["thought", "text", "calls"]
    text: str

    def merged(self, later: Event) -> Event | None:
        if not isinstance(later, RunStreamed) or (self.run_id, self.part) != (later.run_id, later.part):
            return None
        return replace(later, text=self.text + later.text)


@dataclass(frozen=True)
class RunForgotten(Event):
    type: ClassVar[str] = "run_forgotten"
    run_id: str
