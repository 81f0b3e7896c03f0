"""The agent tools, which agents call."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Literal

from gemini.agents.results import RunResult, RunStatus, Success
from gemini.errors import InvalidArguments
from gemini.tools import Effect, declare, report_progress
from gemini.tools.calls import acting_call

if TYPE_CHECKING:
    # The modules of runs load on first use.
    from gemini.agents.record.steps import Outcome
    from gemini.agents.runs.handle import Run
    from gemini.agents.runs.runs import Runs

STEPS = 30
AGENT = "agent"
RunTeam = Callable[[str, str | None, int], Awaitable[RunResult]]
"""Runs a team and returns the outcome: `run_team(task, leader, max_steps)`; the leader may be the usual one, None."""


class AgentTools:
    """The tools that run and control other agents.

    Args:
        runs: Returns the surface's runs, which are created on first use.
        run_team: Runs a team.
    """

    def __init__(self, runs: "Callable[[], Runs]", run_team: RunTeam) -> None:
        self._runs = runs
        self._run_team = run_team

    @declare(effect=Effect.SPEND, untrusted=True, lean=True)
    async def agent_run(
        self,
        task: str,
        agent: str = AGENT,
        strategy: Literal["react", "plan", "code", "team"] = "react",
        max_steps: int = STEPS,
        fork: bool = False,
    ) -> RunResult:
        """Run an agent on a task until it ends.

        Args:
            task: All that it must know.
            fork: Share your conversation.
        """
        tools = self._passed_on()
        if strategy == "team":
            if fork:
                raise InvalidArguments("fork: a team starts from its task alone")
            if tools is not None:
                raise InvalidArguments(
                    "strategy: a team's agents have the tools of their files, and you have fewer",
                    hint="Start one agent, which gets your tools, or do the task yourself.",
                )
            return await self._run_team(task, None if agent == AGENT else agent, max_steps)
        runs = self._runs()
        forks = _calling_run(runs) if fork else None
        run = runs.start(task, agent=agent, strategy=strategy, max_steps=max_steps, forks=forks, tools=tools)
        return await _until_end(run)

    @declare(effect=Effect.READ, untrusted=True, lean=True)
    def agent_status(self, run_id: str | None = None) -> list[RunStatus]:
        """List runs, or one with its last steps."""
        runs = self._runs()
        if run_id is None:
            return [run.row() for run in runs]
        run = runs.get(run_id)
        return [{**run.row(), "last_steps": [step.model_dump() for step in run.steps[-3:]]}]

    @declare(effect=Effect.WRITE)
    def agent_cancel(self, run_id: str) -> Success:
        """Cancel a run."""
        run = self._runs().get(run_id)
        was_running = run.outcome is None
        run.cancel()
        return {"success": was_running}

    @declare(effect=Effect.SPEND, untrusted=True, group="dom")
    async def browser_run_agent(self, task: str) -> RunResult:
        """Run an agent on a task in the browser tabs until it ends."""
        tools = self._passed_on()
        given = ["dom"] if tools is None else self._runs().in_group(tools, "dom")
        return await _until_end(self._runs().start(task, agent="browser", tools=given))

    def _passed_on(self) -> list[str] | None:
        """Return the tools that the calling run passes on, so that it can't get others by an agent that it starts."""
        call = acting_call()
        return None if call is None or call.run is None else self._runs().passed_on(call.run)


def _calling_run(runs: "Runs") -> "Run":
    """Return the run that makes the running call. Raises InvalidArguments if no run does."""
    call = acting_call()
    if call is None or call.run is None:
        raise InvalidArguments(
            "fork: only a run has a conversation to start from",
            hint="Describe in the task what it must know.",
        )
    return runs.get(call.run)


def _report(run: "Run", event: object) -> None:
    from gemini.agents.record.steps import Step

    # A run inherits the context of the call that started it, so this reports that call's progress.
    if isinstance(event, Step):
        report_progress(len(run.steps), run.budget.steps)


async def _until_end(run: "Run") -> RunResult:
    """Wait for a run's outcome; cancel the run if the call is cancelled."""
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
