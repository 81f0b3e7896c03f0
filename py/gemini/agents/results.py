"""The result types of the agent tools."""

from typing import Any, NotRequired

from typing_extensions import TypedDict


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
    plan: NotRequired[list[dict[str, Any]]]
    result: NotRequired[str | None]
    reason: NotRequired[str | None]
    last_steps: NotRequired[list[dict[str, Any]]]
