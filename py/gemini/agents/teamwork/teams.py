"""All teams of a surface: start them, and continue them after the page was closed."""

import asyncio
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from gemini.agents.guard.budget import Budget, budget_of
from gemini.agents.loop.toolbox import ToolSelector
from gemini.agents.results import RunResult
from gemini.agents.runs.runs import Runs
from gemini.agents.runs.spec import require_task
from gemini.agents.teamwork.files import AgentFiles
from gemini.agents.teamwork.handle import Team
from gemini.agents.teamwork.part import TaskPart
from gemini.agents.teamwork.provided import ORCHESTRATOR
from gemini.agents.teamwork.queue import FAMILY, SLOTS, Queue
from gemini.agents.teamwork.tools import TaskTools
from gemini.agents.teamwork.workers import Workers
from gemini.errors import RunMissing, TaskMissing, TeamProblem
from gemini.storage.team import TeamStore
from gemini.tools import Registry, report_progress


class Teams:
    """The teams of one surface.

    Args:
        runs: The runs of the surface.
        registry: The registry of its tools.
        store: The tables of the queue, in the database that has the runs, too.
        folders: The folders of agents' files; the project's comes first, new files go into the last one.

    Attributes:
        files: The files of agents.
        slots: How many agents work at once. Set it before the first team.
    """

    def __init__(self, runs: Runs, registry: Registry, store: TeamStore, folders: Sequence[Path]) -> None:
        self.files = AgentFiles(folders, store.provided, store.note_provided)
        self.slots = SLOTS
        self._runs = runs
        self._registry = registry
        self._store = store

    @cached_property
    def _workers(self) -> Workers:
        queue = Queue(self._store, self._runs.clock, self.slots)
        return Workers(queue, self._runs, self._registry, self.files, self._tools)

    def _tools(self, part: TaskPart) -> list[ToolSelector]:
        return TaskTools(part, self._workers, self.files).selectors()

    def start(
        self,
        task: str,
        *,
        agent: str = ORCHESTRATOR,
        budget: Budget | dict[str, Any] | None = None,
        attended: bool | None = None,
        more: dict[str, Any] | None = None,
    ) -> Team:
        """Start a team; see `gemini.agents.team`.

        Args:
            task: As described there, like the other arguments.
            agent: As there.
            budget: As there.
            attended: As there.
            more: Further options of the first task: `ORIGIN`, `ALONE`, `ONLY` and `SCHEDULE` of
                `gemini.agents.teamwork.queue`.
        """
        options: dict[str, Any] = dict(more or {})
        if budget is not None:
            options["budget"] = budget_of(budget, None).model_dump(exclude_unset=True)
        if attended is not None:
            options["attended"] = attended
        if (family := self._runs.current_family()) is not None:
            options[FAMILY] = family
        first = self._workers.queue.start(agent, require_task(task), options)
        self._workers.open(first.id)
        return self._team(first.id)

    async def run(self, task: str, leader: str | None, max_steps: int) -> RunResult:
        """Run a team and return its outcome, for the tool `agent_run`; cancel the team if the call is cancelled."""
        team = self.start(task, agent=leader or ORCHESTRATOR, budget={"steps": max_steps})
        try:
            async for _ in team:
                ended = [each for each in team.tasks if each.is_ended]
                report_progress(len(ended), len(team.tasks))
        except asyncio.CancelledError:
            team.cancel()
            raise
        first = team.tasks[0]
        return {
            "run_id": first.run_id or "",
            "status": "failed" if first.status == "dead" else first.status,
            "result": first.result,
            "reason": first.reason,
            "steps": self._steps(first.run_id or ""),
        }

    def _steps(self, run_id: str) -> int:
        """Return the number of steps of a run of this session; 0 if it never started."""
        try:
            return len(self._runs.get(run_id).steps)
        except RunMissing:
            return 0

    def resume(self, team_id: str) -> Team:
        """Resume a team that was interrupted when its page was closed; see `gemini.agents.resume_team`."""
        team = self.get(team_id)
        if all(task.is_ended for task in team.tasks):
            raise TeamProblem(f"the team {team_id} has ended", hint="Start another team.")
        self._workers.open(team_id)
        return team

    def get(self, team_id: str) -> Team:
        """Return a team, also one of an earlier session. Raises TaskMissing."""
        task = self._workers.queue.task(team_id)
        if task.parent is not None:
            raise TaskMissing(f"{team_id} is a task of the team {task.team}")
        return self._team(team_id)

    def unfinished(self) -> list[str]:
        """Return the ids of the teams that haven't ended, oldest first."""
        return self._store.unfinished()

    def newest(self, most: int) -> list[str]:
        """Return the ids of the newest teams, the newest first."""
        return self._store.newest(most)

    def is_open(self, team_id: str) -> bool:
        """Return whether a team is worked on; False for one that has ended, or was cut off."""
        return self._workers.queue.is_open(team_id)

    def note_consent(self, run_id: str, waits: bool) -> None:
        """Free the slot of a run that waits for the user's consent. It has no effect on a run of no team."""
        self._workers.note_consent(run_id, waits)

    def on_change(self, listener: Callable[[str], None]) -> Callable[[], None]:
        """Call `listener` with the id of each task that changes. Call the result to stop."""
        return self._workers.on_change(listener)

    def spent_today(self, agent: str) -> tuple[int, float]:
        """Return the tokens and the dollars that the tasks of an agent have spent today, in UTC."""
        return self._workers.queue.spent_today(agent)

    def spending(self, agent: str, days: int = 30) -> list[tuple[str, int, float]]:
        """Return each of the last days with the tokens and dollars that the tasks of an agent have spent, oldest first.

        A day is `YYYY-MM-DD` in UTC; the last one is today.
        """
        return self._workers.queue.spending(agent, days)

    def _team(self, team_id: str) -> Team:
        async def require_agent(name: str) -> None:
            (await self.files.read()).get(name)

        return Team(team_id, self._workers, require_agent)
