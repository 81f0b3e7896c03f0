"""What a run may take, and what it has taken."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gemini.agents.usage import Usage
from gemini.errors import InvalidArguments

STEPS = 30
# How many steps before the end the model is told that it nears.
WARN_STEPS = 3

Price = Callable[[str, Usage], float | None]
"""Gives what a usage of a model, by its name, costs in US dollars; None where nobody knows."""


class Budget(BaseModel):
    """The most that a run may take; None sets no limit.

    Attributes:
        cost: In US dollars. A model whose price isn't known costs nothing here.
        minutes: By the clock, waiting for the person included.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: int | None = Field(default=STEPS, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, gt=0)
    minutes: float | None = Field(default=None, gt=0)


class Spent(BaseModel):
    """What was taken so far.

    Attributes:
        cost: In US dollars; None where no price is known.
        seconds: By the clock.
    """

    steps: int = 0
    usage: Usage = Usage()
    cost: float | None = None
    seconds: float = 0.0

    def add(self, usage: Usage, cost: float | None) -> None:
        self.usage += usage
        if cost is not None:
            self.cost = (self.cost or 0.0) + cost


class BudgetSpent(Exception):
    """A limit was reached: the run ends with what it has."""


def require_within(budget: Budget, spent: Spent) -> None:
    """Make sure that there is room for one more request.

    Raises:
        BudgetSpent: there isn't; its text says of what.
    """
    if budget.tokens is not None and spent.usage.total >= budget.tokens:
        raise BudgetSpent(f"the budget of {budget.tokens:,} tokens is used up")
    if budget.cost is not None and (spent.cost or 0.0) >= budget.cost:
        raise BudgetSpent(f"the budget of ${budget.cost:g} is used up")


def require_step(budget: Budget, spent: Spent) -> None:
    """Make sure that there is room for one more step.

    Raises:
        BudgetSpent: there isn't.
    """
    if budget.steps is not None and spent.steps >= budget.steps:
        raise BudgetSpent(f"the budget of {budget.steps} steps is used up")
    require_within(budget, spent)


def warning(budget: Budget, spent: Spent) -> str | None:
    """What the model is told when few steps are left."""
    if budget.steps is None or budget.steps <= WARN_STEPS or budget.steps - spent.steps != WARN_STEPS:
        return None
    return (
        f"{WARN_STEPS} steps are left. Come to an end: call done with what you have, or fail with the reason."
    )


def budget_of(given: Budget | dict[str, Any] | None, max_steps: int | None) -> Budget:
    """A budget as callers write it.

    Raises:
        InvalidArguments: it isn't one.
    """
    try:
        budget = given if isinstance(given, Budget) else Budget.model_validate(given or {})
        return (
            budget
            if max_steps is None
            else Budget.model_validate({**budget.model_dump(), "steps": max_steps})
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(piece) for piece in first["loc"])
        raise InvalidArguments(
            f"the budget's {where}: {first['msg']}",
            hint="It takes steps, tokens, cost (in dollars) and minutes.",
        ) from error
