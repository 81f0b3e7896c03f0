"""The agent tools, as agents call them."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict

from gemini.agents.results import RunStatus
from gemini.tools import Effect, declare, report_progress

if TYPE_CHECKING:
    # What runs consist of loads on first use.
    from gemini.agents.handle import Run
    from gemini.agents.runs import Runs
    from gemini.agents.steps import Outcome

STEPS = 30


class RunResult(TypedDict):
    run_id: str
    status: str
    result: str | None
    reason: str | None
    steps: int


class Success(TypedDict):
    success: bool


class AgentTools:
    """`runs` gives the surface's runs, made when they are first asked for."""

    def __init__(self, runs: "Callable[[], Runs]") -> None:
        self._runs = runs

    @declare(effect=Effect.SPEND, untrusted=True)
    async def agent_run(
        self,
        task: str,
        agent: str = "agent",
        strategy: Literal["react", "plan"] = "react",
        max_steps: int = STEPS,
    ) -> RunResult:
        """Have an agent work at a task, and wait for its end.

        Args:
            task: All that it knows.
            agent: A name for it.
        """
        return await _until_end(self._runs().start(task, agent=agent, strategy=strategy, max_steps=max_steps))

    @declare(effect=Effect.READ, untrusted=True)
    def agent_status(self, run_id: str | None = None) -> list[RunStatus]:
        """List runs with steps, tokens, cost; or one, with its last steps."""
        runs = self._runs()
        if run_id is None:
            return [run.row() for run in runs]
        run = runs.get(run_id)
        return [{**run.row(), "last_steps": [step.model_dump() for step in run.steps[-3:]]}]

    @declare(effect=Effect.WRITE)
    def agent_cancel(self, run_id: str) -> Success:
        """End a run."""
        run = self._runs().get(run_id)
        going = run.outcome is None
        run.cancel()
        return {"success": going}

    @declare(effect=Effect.SPEND, untrusted=True, group="dom")
    async def browser_run_agent(self, task: str) -> RunResult:
        """Have an agent do a task in the tabs, and wait for its end."""
        return await _until_end(self._runs().start(task, agent="browser", tools=["dom"]))


def _report(run: "Run", event: object) -> None:
    from gemini.agents.steps import Step

    # A run works in the context of the call that started it.
    if isinstance(event, Step):
        report_progress(len(run.steps), run.budget.steps)


async def _until_end(run: "Run") -> RunResult:
    """How a run ends; who gives the call up ends it."""
    end = run.on_event(lambda event: _report(run, event))
    try:
        outcome: Outcome = await run
    except asyncio.CancelledError:
        run.cancel()
        raise
    finally:
        end()
    return {
        "run_id": run.id,
        "status": outcome.status,
        "result": outcome.result,
        "reason": outcome.reason,
        "steps": len(run.steps),
    }
