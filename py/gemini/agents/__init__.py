"""Agents: loops in which a language model uses the tools.

    run = gemini.agents.run("Which files here are larger than a megabyte?", model=model)
    async for step in run:
        print(step.number, step.text)
    print((await run).result)

Each name is loaded when it is first used.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gemini.core.lazy import names_of

if TYPE_CHECKING:
    from gemini.agents.budget import Budget, Spent
    from gemini.agents.conversation import MessageReader, current_messages
    from gemini.agents.handle import Run
    from gemini.agents.model import Model
    from gemini.agents.runs import Runs
    from gemini.agents.scripted import ScriptedModel, Turn, call, calls, say
    from gemini.agents.steps import Outcome, Step
    from gemini.agents.toolbox import ToolSelector
    from gemini.agents.usage import Usage

__all__ = [
    "Budget",
    "MessageReader",
    "Model",
    "Outcome",
    "Run",
    "Runs",
    "ScriptedModel",
    "Spent",
    "Step",
    "Turn",
    "Usage",
    "call",
    "calls",
    "current",
    "current_messages",
    "resume",
    "run",
    "say",
]

__getattr__ = names_of(
    __name__,
    {
        "Budget": "gemini.agents.budget",
        "MessageReader": "gemini.agents.conversation",
        "Model": "gemini.agents.model",
        "Outcome": "gemini.agents.steps",
        "Run": "gemini.agents.handle",
        "Runs": "gemini.agents.runs",
        "ScriptedModel": "gemini.agents.scripted",
        "Spent": "gemini.agents.budget",
        "Step": "gemini.agents.steps",
        "Turn": "gemini.agents.scripted",
        "Usage": "gemini.agents.usage",
        "call": "gemini.agents.scripted",
        "calls": "gemini.agents.scripted",
        "current_messages": "gemini.agents.conversation",
        "say": "gemini.agents.scripted",
    },
)


def __dir__() -> list[str]:
    return __all__


_runs: "Callable[[], Runs] | None" = None


def provide(runs: "Callable[[], Runs]") -> None:
    """Make the runs of a surface those of this interpreter; they are asked for when they are first needed."""
    global _runs  # noqa: PLW0603 - there is one surface in an interpreter
    _runs = runs


def current() -> "Runs":
    """The runs of this interpreter's surface: `model` and `price` are set here, and runs found by their ids.

    Without a surface they are runs with the tools that scripts declare, and last as long as Python does.
    """
    from gemini.agents.runs import Runs
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
    attended: bool | None = None,
) -> "Run":
    """Have an agent work at a task. It begins at once; await what this gives for the outcome.

    Args:
        task: In words.
        strategy: "react" goes step by step; "plan" plans a few steps ahead.
        model: What to ask, or the id of a model of the settings; by default the one that is set up.
        tools: Names of tools or groups, and typed functions with docstrings; all tools but those that spend money
            by default.
        agent: A name; the agent calls tools as `agent:<name>`.
        budget: The most that it may take: steps (30), tokens, cost in dollars, minutes.
        max_steps: Instead of the budget's.
        continues: A run that is over, whose conversation goes on.
        attended: Whether somebody answers what the agent asks; by default, whether a person is at the page.

    Raises:
        ModelMissing: no model is given, and none set up.
        InvalidArguments: the task is empty, or there is no such strategy or budget.
        UnknownTool: there is no such tool or group.
        RunMissing, RunProblem: there is nothing to continue, or it isn't over.
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
        attended=attended,
    )


def resume(
    run_id: str, *, model: "Model | None" = None, tools: "Sequence[ToolSelector] | None" = None
) -> "Run":
    """Go on with a run whose page was closed or killed, after the last step that was finished.

    `gemini.agents.current().unfinished()` has the ids. What reached outside, or changed something, is not done again.

    Raises:
        RunMissing: there is none of that id.
        RunEnded: it is over, or goes on already.
        ModelMissing: no model is given, and none set up.
    """
    return current().resume(run_id, model=model, tools=tools)
