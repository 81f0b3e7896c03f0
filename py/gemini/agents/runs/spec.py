"""The parameters of runs, and their validation."""

from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import BaseModel

from gemini.agents.guard.budget import Budget
from gemini.agents.guard.delimiters import Delimiters
from gemini.agents.guard.taint import Taint
from gemini.agents.loop.toolbox import Toolbox
from gemini.agents.runs.supervision import Supervision
from gemini.errors import InvalidArguments
from gemini.models.interface.model import Model
from gemini.models.interface.sampling import USUAL, Sampling

Strategy = Literal["react", "plan", "code"]
TEAM = "team"


class Fork(BaseModel):
    """The point at which a run's conversation was forked.

    Attributes:
        run: The id of the run whose conversation it was.
        entries: The number of its entries in the journal by then.
    """

    run: str
    entries: int


class RunSpec(BaseModel):
    """The parameters of a run, as the journal stores them.

    Attributes:
        tools: Names of tools and groups; None means all.
        boundary: The boundary of the delimiters. A run that continues another one shares it.
        continues: The id of the run that this one continues.
        fork: The conversation of another run that this one starts from.
        model: The model's name.
        choice: The model's id in the settings, if it was requested by id.
        sampling: The settings that differ from the model's own.
        team: The id of the team that the run belongs to.
        python: The agent whose own Python the run uses; None for the shared one.
        by_user: Whether the user began it in the page, so that its task is their own words.
        family: The id of the run or team that a user began and that led to this run; None for the run itself.
    """

    task: str
    agent: str
    strategy: Strategy
    budget: Budget
    tools: list[str] | None = None
    boundary: str
    continues: str | None = None
    fork: Fork | None = None
    model: str = ""
    choice: str | None = None
    sampling: Sampling = USUAL
    team: str | None = None
    family: str | None = None
    python: str | None = None
    by_user: bool = False


@dataclass(frozen=True)
class Prepared:
    """A run whose parameters have been validated."""

    id: str
    spec: RunSpec
    model: Model
    toolbox: Toolbox
    delimiters: Delimiters
    taint: Taint
    depth: int
    supervision: Supervision


def require_task(value: str) -> str:
    """Return a task. Raises InvalidArguments if it is empty."""
    if not value.strip():
        raise InvalidArguments("task: it is empty", hint="Describe the task.")
    return value


def require_strategy(value: str) -> Strategy:
    """Return a strategy. Raises InvalidArguments if there is none of this name."""
    for strategy in get_args(Strategy):
        if value == strategy:
            return strategy
    hint = "Start a team with gemini.agents.team(task)." if value == TEAM else None
    raise InvalidArguments(
        f"strategy must be one of {', '.join(get_args(Strategy))}, not {value!r}", hint=hint
    )
