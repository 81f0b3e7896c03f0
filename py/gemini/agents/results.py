"""The result types of the agent tools."""

from typing import Any, NotRequired

from typing_extensions import TypedDict

from gemini.agents.events import PlanStepRow


class RunStatus(TypedDict):
    """A run. `tokens` counts input and output; `cost` is in US dollars, None if no price is known."""

    run_id: str
    task: str
    agent: str
    strategy: str
    status: str
    steps: int
    tokens: int
    cost: float | None
    question: NotRequired[str]
    plan: NotRequired[list[PlanStepRow]]
    result: NotRequired[str | None]
    reason: NotRequired[str | None]
    last_steps: NotRequired[list[dict[str, Any]]]


class RunResult(TypedDict):
    """The outcome of a run."""

    run_id: str
    status: str
    result: str | None
    reason: str | None
    steps: int


class Success(TypedDict):
    """The confirmation of a call; False if it had no effect."""

    success: bool
