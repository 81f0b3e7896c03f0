"""Budgets of a team: a task's budget comes out of the rest of the team's, and each agent has one a day."""

from collections.abc import Sequence
from typing import TypeVar

from gemini.agents.guard.budget import STEPS, Budget, BudgetSpent
from gemini.agents.teamwork.definitions import DayBudget, RunBudget
from gemini.storage.team import Task

Number = TypeVar("Number", int, float)


def budget_of_run(own: RunBudget, team: Budget, tasks: Sequence[Task], age_s: float) -> Budget:
    """Return the budget of a task's run: the agent's, but at most the rest of the team's.

    Args:
        own: The agent's limits.
        team: The team's limits.
        tasks: The tasks of the team.
        age_s: The time since the team was started, in seconds.

    Raises:
        BudgetSpent: Nothing is left.
    """
    require_rest(team, tasks)
    tokens, cost = spent(tasks)
    left_minutes = None if team.minutes is None else team.minutes - age_s / 60
    if left_minutes is not None and left_minutes <= 0:
        raise BudgetSpent(f"the team's {team.minutes:g} minutes are used up")
    return Budget(
        steps=own.steps or STEPS,
        tokens=_least(own.tokens, None if team.tokens is None else team.tokens - tokens),
        cost=_least(own.cost, None if team.cost is None else team.cost - cost),
        minutes=_least(own.minutes, left_minutes),
    )


def require_rest(team: Budget, tasks: Sequence[Task]) -> None:
    """Check that the tasks of a team together are within its budget.

    Raises:
        BudgetSpent: They aren't.
    """
    tokens, cost = spent(tasks)
    if team.tokens is not None and tokens >= team.tokens:
        raise BudgetSpent(f"the team's budget of {team.tokens:,} tokens is used up")
    if team.cost is not None and cost >= team.cost:
        raise BudgetSpent(f"the team's budget of ${team.cost:g} is used up")


def require_day(agent: str, day: DayBudget, spent_today: tuple[int, float]) -> None:
    """Check that an agent is within its budget of the day.

    Raises:
        BudgetSpent: It isn't.
    """
    tokens, cost = spent_today
    if day.tokens is not None and tokens >= day.tokens:
        raise BudgetSpent(f"the budget of {agent} for today, {day.tokens:,} tokens, is used up")
    if day.cost is not None and cost >= day.cost:
        raise BudgetSpent(f"the budget of {agent} for today, ${day.cost:g}, is used up")


def spent(tasks: Sequence[Task]) -> tuple[int, float]:
    """Return the tokens and dollars that tasks have spent together."""
    return sum(task.tokens for task in tasks), sum(task.cost for task in tasks)


def _least(one: Number | None, other: Number | None) -> Number | None:
    values = [value for value in (one, other) if value is not None]
    return min(values) if values else None
