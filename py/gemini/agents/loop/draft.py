"""A step in progress."""

from dataclasses import dataclass, field
from datetime import UTC, datetime

from gemini.agents.loop.pace import Pace
from gemini.agents.record.steps import Step, StepCall
from gemini.models.interface.usage import Usage

SHOWN_SEEN_CHARS = 2_000
# Per call; enough to show the output of usual commands in full.
STORED_RESULT_CHARS = 8_000


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@dataclass
class Draft:
    """A step in progress; `began` is the clock's time in seconds."""

    began: float
    started: str = field(default_factory=_now)
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    thought: str = ""
    text: str = ""
    seen: str = ""
    calls: list[StepCall] = field(default_factory=list[StepCall])
    notes: list[str] = field(default_factory=list[str])
    before: int | None = None
    acted: bool = False
    after: int | None = None
    pace: Pace = field(default_factory=Pace)

    def finished(self, number: int, now: float) -> Step:
        """Return the step.

        Args:
            number: The number of the step in its run.
            now: The clock's time in seconds.
        """
        return Step(
            number=number,
            thought=self.thought,
            text=self.text,
            seen=self.seen[:SHOWN_SEEN_CHARS],
            calls=self.calls,
            notes=self.notes,
            usage=self.usage,
            cost=self.cost,
            started=self.started,
            seconds=round(now - self.began, 3),
            first_s=self.pace.first_s,
            speed=self.pace.speed,
            before=self.before,
            after=self.after,
        )
