"""The limits of a run, and its consumption."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gemini.errors import InvalidArguments
from gemini.models.interface.usage import Usage

STEPS = 30
# The model is warned when this many steps are left.
WARN_STEPS = 3

Price = Callable[[str, Usage], float | None]
"""Returns the cost in US dollars of a model's usage, by the model's name; None if the price is unknown."""


class Budget(BaseModel):
    """The limits of a run. None means no limit.

    Attributes:
        cost: In US dollars. A model whose price is unknown counts as free.
        minutes: Wall-clock time, including time spent waiting for the user.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    steps: int | None = Field(default=STEPS, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    cost: float | None = Field(default=None, gt=0)
    minutes: float | None = Field(default=None, gt=0)


class Spent(BaseModel):
    """The resources that a run has used so far.

    Attributes:
        cost: In US dollars; None if no price is known.
        seconds: Wall-clock time.
    """

    steps: int = 0
    usage: Usage = Usage()
    cost: float | None = None
    seconds: float = 0.0

    def add(self, usage: Usage, cost: float | None) -> None:
        """Add the usage and the cost of one request."""
        self.usage += usage
        if cost is not None:
            self.cost = (self.cost or 0.0) + cost


class BudgetSpent(Exception):
    """Raised when a run reaches a limit. The run ends with its partial result."""


def require_within(budget: Budget, spent: Spent) -> None:
    """Check that the budget allows another request.

    Raises:
        BudgetSpent: A limit is reached; the message says which.
    """
    if budget.tokens is not None and spent.usage.total >= budget.tokens:
        raise BudgetSpent(f"the budget of {budget.tokens:,} tokens is used up")
    if budget.cost is not None and (spent.cost or 0.0) >= budget.cost:
        raise BudgetSpent(f"the budget of ${budget.cost:g} is used up")


def require_step(budget: Budget, spent: Spent) -> None:
    """Check that the budget allows another step.

    Raises:
        BudgetSpent: A limit is reached.
    """
    if budget.steps is not None and spent.steps >= budget.steps:
        raise BudgetSpent(f"the budget of {budget.steps} steps is used up")
    require_within(budget, spent)


def warning(budget: Budget, spent: Spent) -> str | None:
    """Return the warning for the model when few steps are left, else None."""
    if budget.steps is None or budget.steps <= WARN_STEPS or budget.steps - spent.steps != WARN_STEPS:
        return None
    return f"{WARN_STEPS} steps are left. Finish now: call done with what you have, or fail with the reason."


def budget_of(value: Budget | dict[str, Any] | None, max_steps: int | None) -> Budget:
    """Return the budget for what a caller passed.

    Raises:
        InvalidArguments: The budget is invalid.
    """
    try:
        budget = value if isinstance(value, Budget) else Budget.model_validate(value or {})
        return (
            budget
            if max_steps is None
            else Budget.model_validate({**budget.model_dump(), "steps": max_steps})
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(piece) for piece in first["loc"])
        raise InvalidArguments(
            f"budget.{where}: {first['msg']}",
            hint="A budget has steps, tokens, cost (in dollars) and minutes.",
        ) from error
