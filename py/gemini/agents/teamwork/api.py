"""The functions for scripts, which `gemini.agents` exports."""

from collections.abc import Sequence
from typing import Any, Literal

from gemini.agents.guard.budget import Budget
from gemini.agents.teamwork import current
from gemini.agents.teamwork.definitions import Definition
from gemini.agents.teamwork.handle import Team
from gemini.agents.teamwork.provided import ORCHESTRATOR
from gemini.agents.teamwork.teams import Teams


def create(
    name: str,
    role: str,
    *,
    prompt: str = "",
    model: str | None = None,
    tools: Sequence[str] | None = None,
    python: Literal["shared", "own"] | None = None,
    strategy: Literal["react", "plan", "code"] | None = None,
    budgets: dict[str, dict[str, float]] | None = None,
    color: str | None = None,
    replace: bool = False,
) -> Definition:
    """Write the file of an agent into `/home/user/.agents`, and return the agent.

    Args:
        name: The name: small letters, digits and dashes.
        role: The agent's part in a team, in a sentence.
        prompt: The agent's part of the system prompt.
        model: The id of a model in the settings.
        tools: Names of tools and groups. Defaults to every tool that doesn't spend money.
        python: `own` for its own Python; see docs/team.md.
        strategy: The strategy of its tasks.
        budgets: `{"run": {steps, tokens, cost, minutes}, "day": {tokens, cost}}`, with costs in dollars.
        color: The color in lists, as `#rrggbb`.
        replace: Whether to replace a file that exists.

    Raises:
        InvalidArguments: A field is invalid.
        AlreadyExists: The file exists.
        StorageProblem: The file can't be written.
        NotStarted: The surface isn't running.
    """
    given: dict[str, Any] = {
        "model": model,
        "tools": tools,
        "python": python,
        "strategy": strategy,
        "budgets": budgets,
        "color": color,
    }
    fields = {field: value for field, value in given.items() if value is not None}
    return current().files.create(name, role, replace=replace, prompt=prompt, **fields)


def team(
    task: str,
    *,
    agent: str = ORCHESTRATOR,
    budget: Budget | dict[str, Any] | None = None,
    attended: bool | None = None,
) -> Team:
    """Start a team on a task and return it. Its orchestrator divides the task among agents. Await it for the outcome.

    Args:
        task: The task, in plain language.
        agent: The agent that leads.
        budget: The limits of all runs together: `tokens`, `cost` in dollars, `minutes`; `steps` are the leader's.
            The rest comes from the leader's file.
        attended: Whether a user can answer the leader's questions. Defaults to whether a user is at the page.

    Raises:
        InvalidArguments: The task is empty, or the budget is invalid.
        NotStarted: The surface isn't running.
    """
    return current().start(task, agent=agent, budget=budget, attended=attended)


def resume_team(team_id: str) -> Team:
    """Resume a team that was interrupted when its page was closed. Its runs resume; none starts over.

    `gemini.agents.teams().unfinished()` lists the ids.

    Raises:
        TaskMissing: There is no team with that id.
        TeamProblem: The team has ended.
        NotStarted: The surface isn't running.
    """
    return current().resume(team_id)


def teams() -> Teams:
    """Return the teams of the surface: find them by id, and set how many agents work at once.

    Raises:
        NotStarted: The surface isn't running.
    """
    return current()
