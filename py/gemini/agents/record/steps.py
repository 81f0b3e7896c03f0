"""The steps and the outcome of a run."""

from pydantic import BaseModel, ConfigDict

from gemini.agents.events import Status
from gemini.agents.guard.budget import Spent
from gemini.models.interface.usage import Usage
from gemini.tools.watching import FileChange

ENDED: frozenset[Status] = frozenset({"done", "answered", "failed", "budget", "cancelled"})


class StepCall(BaseModel):
    """A call made in a step.

    Attributes:
        arguments: JSON text, as the model wrote it.
        result: JSON text, truncated for display.
        refused: Whether the user refused, or no user was there to agree.
        origins: The arguments that contain untrusted text: `{argument, text, origin}`.
        seconds: The duration of the call.
        changes: The files that the call changed.
        element: The name of the element that the call acted on.
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
    changes: list[FileChange] = []
    element: str = ""


class Step(BaseModel):
    """One turn of a loop.

    Attributes:
        number: The position in the run, from 1.
        thought: The model's reasoning, as far as the provider shows it.
        text: The text of the model's answer.
        seen: The observation before the step, truncated.
        notes: The loop's notes to the model, such as a loop warning.
        cost: In US dollars; None if no price is known.
        started: ISO 8601 in UTC.
        seconds: The duration of the step.
        first_s: The seconds from the request to the first piece of the model's answer; None if it isn't known.
        speed: The answer's tokens a second from then on; None if it isn't known.
        before: The number of the picture before the step acted on a page; None if there is none.
        after: The number of the picture afterwards; None if there is none.
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
    first_s: float | None = None
    speed: float | None = None
    before: int | None = None
    after: int | None = None


class Outcome(BaseModel):
    """The outcome of a run.

    Attributes:
        status: `answered` if the model only wrote a text, although it had tools.
        result: The answer; the partial result if a budget ended the run.
        reason: Why the run ended without being done.
    """

    model_config = ConfigDict(frozen=True)

    status: Status
    result: str | None = None
    reason: str | None = None
    spent: Spent = Spent()
