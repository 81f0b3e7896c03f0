"""The parameters of a run, as the journal stores them."""

from typing import Literal, get_args

from pydantic import BaseModel

from gemini.agents.guard.budget import Budget
from gemini.agents.model.sampling import USUAL, Sampling
from gemini.errors import InvalidArguments

Strategy = Literal["react", "plan"]


class RunSpec(BaseModel):
    """The parameters of a run.

    Attributes:
        tools: Names of tools and groups; None means all.
        boundary: The boundary of the delimiters. A run that continues another one shares it.
        continues: The id of the run that this one continues.
        model: The model's name.
        choice: The model's id in the settings, if it was requested by id.
        sampling: The settings that differ from the model's own.
    """

    task: str
    agent: str
    strategy: Strategy
    budget: Budget
    tools: list[str] | None = None
    boundary: str
    continues: str | None = None
    model: str = ""
    choice: str | None = None
    sampling: Sampling = USUAL


def task_of(value: str) -> str:
    """Return a task. Raises InvalidArguments if it is empty."""
    if not value.strip():
        raise InvalidArguments("task: it is empty", hint="Describe the task.")
    return value


def strategy_of(value: str) -> Strategy:
    """Return a strategy by its name. Raises InvalidArguments."""
    for strategy in get_args(Strategy):
        if value == strategy:
            return strategy
    raise InvalidArguments(f"strategy must be one of {', '.join(get_args(Strategy))}, not {value!r}")
