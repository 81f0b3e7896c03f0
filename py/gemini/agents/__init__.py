"""Agents: loops in which a language model uses tools.

    run = gemini.agents.run("Which files here are larger than a megabyte?", model=model)
    async for step in run:
        print(step.number, step.text)
    print((await run).result)

Each name is loaded on first use.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gemini.core.loading import lazy_attributes
from gemini.errors import NotStarted

if TYPE_CHECKING:
    from gemini.agents.guard.budget import Budget, Spent
    from gemini.agents.loop.conversation import MessageReader, current_messages
    from gemini.agents.loop.toolbox import ToolSelector
    from gemini.agents.record.steps import Outcome, Step
    from gemini.agents.runs.handle import Run
    from gemini.agents.runs.runs import Runs
    from gemini.agents.teamwork.api import create, resume_team, team, teams
    from gemini.models.interface.model import Model
    from gemini.models.interface.sampling import Sampling
    from gemini.models.interface.scripted import ScriptedModel, Turn, call, calls, say
    from gemini.models.interface.usage import Usage

__all__ = [
    "Budget",
    "MessageReader",
    "Model",
    "Outcome",
    "Run",
    "Runs",
    "Sampling",
    "ScriptedModel",
    "Spent",
    "Step",
    "Turn",
    "Usage",
    "call",
    "calls",
    "create",
    "current",
    "current_messages",
    "remember",
    "resume",
    "resume_team",
    "run",
    "say",
    "team",
    "teams",
]

__getattr__ = lazy_attributes(
    __name__,
    {
        "Budget": "gemini.agents.guard.budget",
        "MessageReader": "gemini.agents.loop.conversation",
        "Model": "gemini.models.interface.model",
        "Outcome": "gemini.agents.record.steps",
        "Run": "gemini.agents.runs.handle",
        "Runs": "gemini.agents.runs.runs",
        "Sampling": "gemini.models.interface.sampling",
        "ScriptedModel": "gemini.models.interface.scripted",
        "Spent": "gemini.agents.guard.budget",
        "Step": "gemini.agents.record.steps",
        "Turn": "gemini.models.interface.scripted",
        "Usage": "gemini.models.interface.usage",
        "call": "gemini.models.interface.scripted",
        "calls": "gemini.models.interface.scripted",
        "create": "gemini.agents.teamwork.api",
        "current_messages": "gemini.agents.loop.conversation",
        "resume_team": "gemini.agents.teamwork.api",
        "say": "gemini.models.interface.scripted",
        "team": "gemini.agents.teamwork.api",
        "teams": "gemini.agents.teamwork.api",
    },
)


def __dir__() -> list[str]:
    return __all__


_runs: "Callable[[], Runs] | None" = None


def provide(runs: "Callable[[], Runs]") -> None:
    """Set the function that returns the surface's runs. It is called when they are first needed."""
    global _runs  # noqa: PLW0603 - there is one surface in an interpreter
    _runs = runs


def current() -> "Runs":
    """Return the runs of this interpreter's surface: set `model` and `price` here, and find runs by id.

    Without a surface, the runs have the tools that scripts declare, and last as long as the interpreter.
    """
    from gemini.agents.runs.runs import Runs
    from gemini.tools import registry

    if _runs is None:
        alone = Runs(registry)
        provide(lambda: alone)
        return alone
    return _runs()


def run(
    task: str,
    *,
    strategy: str = "react",
    model: "Model | str | None" = None,
    tools: "Sequence[ToolSelector] | None" = None,
    agent: str = "agent",
    budget: "Budget | dict[str, Any] | None" = None,
    max_steps: int | None = None,
    continues: "Run | str | None" = None,
    forks: "Run | None" = None,
    attended: bool | None = None,
    sampling: "Sampling | dict[str, Any] | None" = None,
) -> "Run":
    """Start an agent on a task and return its run. The run starts immediately; await it for the outcome.

    Args:
        task: The task, in plain language.
        strategy: `"react"` works step by step; `"plan"` plans a few steps ahead; `"code"` writes Python
            over all tools.
        model: A model, or the id of a model in the settings. Defaults to the configured model.
        tools: Names of tools or groups, and typed functions with docstrings. Defaults to every tool that doesn't
            spend money: some at first, by the words of the task, and others when the model finds them.
        agent: The agent's name. It calls tools as `agent:<name>`.
        budget: The limits of the run: `steps` (30 by default), `tokens`, `cost` in dollars, `minutes`.
        max_steps: Overrides the budget's `steps`.
        continues: A run that has ended, whose conversation this run continues.
        forks: A run, perhaps unfinished, from whose conversation so far this run starts. That run continues on its own.
        attended: Whether a user can answer the agent's questions. Defaults to whether a user is at the page.
        sampling: Settings of the model for this run: `temperature`, `top_p`, `max_tokens` of an answer, and `effort`
            (`minimal`, `low`, `medium`, `high`). Otherwise, the settings' values apply.

    Raises:
        ModelMissing: No model is given and none is configured.
        InvalidArguments: The task is empty, or the strategy, the budget or the sampling is invalid.
        UnknownTool: A tool or a group doesn't exist.
        RunMissing: The run to continue doesn't exist.
        RunProblem: The run to continue hasn't ended.
    """
    return current().start(
        task,
        strategy=strategy,
        model=model,
        tools=tools,
        agent=agent,
        budget=budget,
        max_steps=max_steps,
        continues=continues,
        forks=forks,
        attended=attended,
        sampling=sampling,
    )


def remember(text: str, agent: str = "agent") -> "dict[str, Any]":
    """Save a fact that runs of an agent find by `memory_read`.

    Args:
        text: One fact, in a sentence of at most 500 characters.
        agent: The agent's name.

    Returns:
        The memory, `{id, agent, text, source, approved, at}`. Called by an agent that has read text from outside, it
        waits until the user approves it.

    Raises:
        NotStarted: There is no surface, whose storage has the memories.
        InvalidArguments: The text has no words, or is too long.
        MemoryProblem: The agent has 1,000 memories.
    """
    memory = current().memory
    if memory is None:
        raise NotStarted("there is no surface to remember in", hint="Call `await gemini.start()` first.")
    return {**memory.remember(agent, text)}


def resume(
    run_id: str, *, model: "Model | None" = None, tools: "Sequence[ToolSelector] | None" = None
) -> "Run":
    """Resume a run that was interrupted when its page was closed, after its last finished step.

    `gemini.agents.current().unfinished()` lists the ids. A call that may have changed something isn't repeated.

    Raises:
        RunMissing: There is no run with that id.
        RunEnded: The run has ended, or is already running.
        ModelMissing: No model is given and none is configured.
    """
    return current().resume(run_id, model=model, tools=tools)
