"""A team: the handle that scripts get, with its graph of tasks."""

import asyncio
from collections.abc import AsyncIterator, Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from gemini.agents.loop.run_setup import Reply
from gemini.agents.runs.handle import Run
from gemini.agents.teamwork.budgets import spent
from gemini.agents.teamwork.graph import blocked
from gemini.agents.teamwork.queue import ORIGIN, Sources
from gemini.agents.teamwork.sources import origin_of_script
from gemini.agents.teamwork.waits import Waits
from gemini.agents.teamwork.workers import Workers
from gemini.errors import RunEnded, TaskRefused
from gemini.storage.team import Task


@dataclass(frozen=True)
class TaskQuestion:
    """A question of a task that waits for an answer.

    Attributes:
        for_user: Whether only a user answers it: the first task's question. An agent answers the others, or a user.
    """

    task: str
    agent: str
    question: str
    for_user: bool


@dataclass(frozen=True)
class TeamOutcome:
    """The outcome of a team.

    Attributes:
        status: `dead` means that the first task failed, or reached a limit.
        result: The answer; the partial result if the team ended early.
        reason: Why it ended without being done.
        sources: `{files: [path], urls: [address]}` of all tasks.
        tokens: The tokens of all runs.
        cost: Of all runs, in US dollars.
    """

    status: Literal["done", "dead", "cancelled"]
    result: str | None
    reason: str | None
    sources: Sources
    tokens: int
    cost: float


class Team:
    """A team at work. `await team` returns its TeamOutcome; `async for task in team` yields each task that changes.

    Args:
        team_id: The id of the team, and of its first task.
        workers: The workers.
        require_agent: Raises AgentMissing or AgentFileBroken if an agent can't be used.

    Attributes:
        id: The id, for `gemini.agents.resume_team`.
    """

    def __init__(self, team_id: str, workers: Workers, require_agent: Callable[[str], Any]) -> None:
        self.id = team_id
        self._workers = workers
        self._queue = workers.queue
        self._require_agent = require_agent

    @property
    def tasks(self) -> list[Task]:
        """The tasks, the first one included, in the order in which they were added."""
        return self._queue.store.tasks(self.id)

    def task(self, task_id: str) -> Task:
        """Return a task. Raises TaskMissing if the team has no such task."""
        return self._queue.task(task_id, self.id)

    @property
    def blocked(self) -> dict[str, str]:
        """The waiting tasks that can't begin, each with the task before it that has ended without being done."""
        return blocked(self.tasks)

    @property
    def waits(self) -> dict[str, str]:
        """The tasks that wait, each with its reason, such as `a slot: 3 agents work at once`."""
        return Waits(self._queue, self.tasks).all()

    def waits_for_user(self) -> dict[str, str]:
        """Return the same in words to the user, such as `your consent to a call`."""
        return Waits(self._queue, self.tasks, to_user=True).all()

    @property
    def questions(self) -> list[TaskQuestion]:
        """The questions that wait for an answer."""
        return [
            TaskQuestion(task.id, task.agent, task.question, task.parent is None)
            for task in self.tasks
            if task.question is not None and task.answer is None
        ]

    @property
    def outcome(self) -> TeamOutcome | None:
        """The outcome; None until the team ends."""
        tasks = self.tasks
        first = tasks[0]
        if first.status not in ("done", "dead", "cancelled"):
            return None
        tokens, cost = spent(tasks)
        return TeamOutcome(first.status, first.result, first.reason, _sources(tasks), tokens, cost)

    def run_of(self, task_id: str) -> Run | None:
        """Return the run of a task; None if it has none now."""
        self._queue.task(task_id, self.id)
        return self._workers.run_of(task_id)

    def __await__(self) -> Generator[Any, None, TeamOutcome]:
        return self._wait().__await__()

    async def _wait(self) -> TeamOutcome:
        async for _ in self:
            pass
        outcome = self.outcome
        assert outcome is not None
        return outcome

    async def __aiter__(self) -> AsyncIterator[Task]:
        changed: asyncio.Queue[str] = asyncio.Queue()
        end = self._workers.on_change(changed.put_nowait)
        shown: dict[str, Task] = {}
        try:
            while True:
                tasks = self.tasks
                for task in tasks:
                    if shown.get(task.id) != task:
                        shown[task.id] = task
                        yield task
                # The last runs end after the first task.
                if all(task.is_ended for task in self.tasks):
                    return
                await changed.get()
        finally:
            end()

    def answer(self, task_id: str, text: str) -> None:
        """Answer the question of a task.

        Raises:
            TaskMissing: The team has no such task.
            TaskRefused: The task asks nothing.
        """
        self._queue.task(task_id, self.id)
        origin = origin_of_script()
        self._workers.answer(task_id, Reply(text, None if origin is None else "a script", origin))

    def cancel(self) -> None:
        """Cancel the team with all its tasks. It has no effect on a team that has ended."""
        for task in self.tasks:
            self._workers.stop(task.id)

    def message(self, agent: str, text: str) -> None:
        """Send an agent of the team a message, which it gets before its next step, or with its next task."""
        self._require_open()
        origin = origin_of_script()
        self._queue.post(self.id, agent, "the user" if origin is None else "a script", text, origin)

    async def add(
        self, agent: str, brief: str, expects: str, files: Sequence[str] = (), after: Sequence[str] = ()
    ) -> Task:
        """Add a task to the plan; the orchestrator gets its result.

        Args:
            agent: The agent's name.
            brief: Everything that the agent must know.
            expects: How the result will be judged.
            files: Paths of files that the agent needs.
            after: Ids of tasks that must be done first.

        Raises:
            AgentMissing: There is no such agent.
            AgentFileBroken: The agent's file is broken.
            TaskRefused: The brief is too short or too long, `after` is invalid, or there are too many tasks.
            RunEnded: The team has ended.
        """
        self._require_open()
        await self._require_agent(agent)
        first = self._queue.task(self.id)
        if agent == first.agent:
            raise TaskRefused(f"{agent} leads the team", hint="Choose another agent.")
        task = self._queue.add(first, agent, brief, expects, files, after, origin=origin_of_script())
        self._workers.changed(task.id)
        return task

    def edit(self, task_id: str, *, brief: str | None = None, expects: str | None = None) -> None:
        """Change the brief of a task that waits.

        Raises:
            TaskMissing: The team has no such task.
            TaskRefused: The task has begun, or the brief is too short.
        """
        task = self._queue.task(task_id, self.id)
        self._queue.edit(
            task_id,
            task.brief if brief is None else brief,
            task.expects if expects is None else expects,
            # A brief with text from outside keeps some of it, however it was changed.
            origin=task.options.get(ORIGIN) or origin_of_script(),
        )
        self._workers.changed(task_id)

    def order(self, task_id: str, after: Sequence[str]) -> None:
        """Replace the tasks that must be done before a task that waits.

        Raises:
            TaskMissing: The team has no such task.
            TaskRefused: The task has begun, or would come after itself.
        """
        self._queue.task(task_id, self.id)
        self._queue.order(task_id, after)
        self._workers.changed(task_id)

    def stop(self, task_id: str) -> None:
        """Cancel a task. Raises TaskMissing if the team has no such task."""
        self._queue.task(task_id, self.id)
        self._workers.stop(task_id)

    def retry(self, task_id: str) -> None:
        """Let a task run again that failed too often, reached a limit or was cancelled.

        Raises:
            TaskMissing: The team has no such task.
            TaskRefused: The task hasn't ended that way, or the team has ended.
        """
        self._queue.task(task_id, self.id)
        self._queue.retry(task_id)
        self._workers.open(self.id)
        self._workers.changed(task_id)

    def _require_open(self) -> None:
        if self._queue.task(self.id).is_ended:
            raise RunEnded(f"the team {self.id} has ended", hint="Start another team.")


def _sources(tasks: Sequence[Task]) -> Sources:
    return {
        kind: list(dict.fromkeys(each for task in tasks for each in task.sources.get(kind, [])))
        for kind in ("files", "urls")
    }
