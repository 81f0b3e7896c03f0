"""The events of a run, for its listeners in Python."""

from collections.abc import Callable
from dataclasses import dataclass

from gemini.agents.events import PlanStepRow, Status
from gemini.agents.record.steps import Step
from gemini.models.interface.model import ModelEvent


@dataclass(frozen=True)
class Streamed:
    """A piece of the model's answer, as it streams."""

    event: ModelEvent


@dataclass(frozen=True)
class PlanChanged:
    """The plan or the status of one of its steps changed; `plan` has a row for each step."""

    plan: list[PlanStepRow]


@dataclass(frozen=True)
class StatusChanged:
    """The status of the run changed; `question` is the run's question to the user, if any."""

    status: Status
    question: str | None = None


RunEvent = Streamed | Step | PlanChanged | StatusChanged
Listener = Callable[[RunEvent], None]
