"""What a run tells of itself: its steps, and how it ended."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from gemini.agents.budget import Spent
from gemini.agents.usage import Usage

Status = Literal["running", "waiting", "paused", "done", "failed", "budget", "cancelled"]
"""`waiting` is for a person's answer; `budget` has ended with what it had by then."""

ENDED: frozenset[Status] = frozenset({"done", "failed", "budget", "cancelled"})


class StepCall(BaseModel):
    """A call that was made in a step.

    Attributes:
        arguments: JSON text, as the model wrote it.
        result: JSON text, cut to what a person reads.
        refused: Whether a person said no, or nobody was there to agree.
        origins: Which arguments came from text that nobody vouches for: `{argument, text, origin}`.
        seconds: How long it took.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    tool: str
    arguments: str
    result: str
    failed: bool = False
    refused: bool = False
    origins: list[dict[str, str]] = []
    seconds: float = 0.0


class Step(BaseModel):
    """One turn of a loop.

    Attributes:
        number: From 1 on.
        thought: What the model told of its thinking.
        text: What it said beside its calls.
        seen: What was shown to it of the surface before, or what had changed there; cut.
        notes: What the loop told it afterwards, as that it goes in circles.
        cost: In US dollars; None where no price is known.
        started: ISO 8601 in UTC.
        seconds: How long it took.
        before, after: Numbers of the journal's pictures of the page that it acted on; None where there are none.
    """

    model_config = ConfigDict(frozen=True)

    number: int
    thought: str = ""
    text: str = ""
    seen: str = ""
    calls: list[StepCall] = []
    notes: list[str] = []
    usage: Usage = Usage()
    cost: float | None = None
    started: str = ""
    seconds: float = 0.0
    before: int | None = None
    after: int | None = None


class Outcome(BaseModel):
    """How a run ended.

    Attributes:
        result: The answer; where a budget ended the run, what it had by then.
        reason: Why it ended in another way than done.
    """

    model_config = ConfigDict(frozen=True)

    status: Status
    result: str | None = None
    reason: str | None = None
    spent: Spent = Spent()
