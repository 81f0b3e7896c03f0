"""The tools of a team's first task: add tasks for other agents, wait for them, answer them, send them messages."""

import asyncio
from collections.abc import Sequence
from typing import NotRequired

from typing_extensions import TypedDict

from gemini.agents.loop.run_setup import Reply
from gemini.agents.loop.toolbox import ToolSelector
from gemini.agents.teamwork.files import AgentFiles
from gemini.agents.teamwork.graph import blocked
from gemini.agents.teamwork.part import TaskPart
from gemini.agents.teamwork.sources import origin_of_arguments
from gemini.agents.teamwork.workers import Workers
from gemini.errors import TaskRefused
from gemini.storage.team import Task
from gemini.tools import Effect, declare

GROUP = "team"


class Added(TypedDict):
    """A task that was added."""

    task: str
    status: str


class Sent(TypedDict):
    """The acceptance of a message or an answer."""

    success: bool


class TaskResult(TypedDict):
    """A task that has ended, or can't begin. `files_with_outside_text` is for the taint tracking of the run."""

    files_with_outside_text: NotRequired[list[str]]
    task: str
    agent: str
    status: str
    result: str | None
    reason: NotRequired[str]
    files: list[str]
    urls: list[str]


class Question(TypedDict):
    """A question of a task's agent."""

    task: str
    agent: str
    question: str


class Waited(TypedDict):
    """The tasks that have ended, the questions to answer, and the ids of the tasks that are unfinished."""

    tasks: list[TaskResult]
    questions: list[Question]
    unfinished: list[str]


class TaskTools:
    """The tools of one team's first task.

    Args:
        part: The part of the queue in its run.
        workers: The workers.
        files: The files of agents.
    """

    def __init__(self, part: TaskPart, workers: Workers, files: AgentFiles) -> None:
        self._part = part
        self._first = part.task
        self._workers = workers
        self._queue = workers.queue
        self._files = files

    def selectors(self) -> list[ToolSelector]:
        """Return the tools."""
        return [self.task_add, self.task_wait, self.task_answer, self.agent_message]

    @declare(effect=Effect.WRITE, group=GROUP, repeatable=True)
    async def task_add(
        self,
        agent: str,
        brief: str,
        expects: str,
        files: Sequence[str] = (),
        after: Sequence[str] = (),
    ) -> Added:
        """Add a task for an agent, which begins by itself. The same brief again returns the same task.

        Args:
            agent: The agent's name.
            brief: Everything that the agent must know: it sees nothing else of your conversation.
            expects: How you will judge the result.
            files: Paths of files that the agent needs.
            after: Ids of tasks that must be done first.
        """
        (await self._files.read()).get(agent)
        if agent == self._first.agent:
            raise TaskRefused("you can't delegate to yourself", hint="Choose another agent.")
        # Ids and names come from results, too, but carry no instructions.
        origin = origin_of_arguments("brief", "expects", "files")
        task = self._queue.add(self._first, agent, brief, expects, files, after, origin=origin)
        self._workers.changed(task.id)
        return {"task": task.id, "status": task.status}

    @declare(effect=Effect.READ, untrusted=True, group=GROUP)
    async def task_wait(self, tasks: Sequence[str] = ()) -> Waited:
        """Wait for tasks, or for a question of one of them, and return results with their sources.

        Args:
            tasks: Ids; all tasks by default.
        """
        for task_id in tasks:
            self._queue.task(task_id, self._first.team)
        waited = self._waited(tasks)
        if waited["unfinished"] and not waited["questions"]:
            async with self._part.parked("tasks"):
                waited = await self._wait(tasks)
        return waited

    async def _wait(self, wanted: Sequence[str]) -> Waited:
        changed = asyncio.Event()
        end = self._workers.on_change(lambda _: changed.set())
        try:
            while True:
                waited = self._waited(wanted)
                if waited["questions"] or not waited["unfinished"]:
                    return waited
                await changed.wait()
                changed.clear()
        finally:
            end()

    def _waited(self, wanted: Sequence[str]) -> Waited:
        everything = self._queue.store.tasks(self._first.team)
        stuck = blocked(everything)
        tasks = [task for task in everything if task.parent is not None]
        asked: list[Question] = [
            {"task": task.id, "agent": task.agent, "question": task.question}
            for task in tasks
            if task.question is not None and task.answer is None
        ]
        ended = [task for task in tasks if (not wanted or task.id in wanted)]
        results = [_result(task, stuck.get(task.id)) for task in ended if task.is_ended or task.id in stuck]
        unfinished = [task.id for task in ended if not task.is_ended and task.id not in stuck]
        return {"tasks": results, "questions": asked, "unfinished": unfinished}

    @declare(effect=Effect.WRITE, group=GROUP, repeatable=True)
    def task_answer(self, task: str, text: str) -> Sent:
        """Answer the question of a task's agent."""
        found = self._queue.task(task, self._first.team)
        if found.answer is None:
            self._workers.answer(task, Reply(text, self._first.agent, origin_of_arguments("text")))
        return {"success": True}

    @declare(effect=Effect.WRITE, group=GROUP, repeatable=True)
    async def agent_message(self, agent: str, text: str) -> Sent:
        """Send an agent a message, which it gets before its next step, or with its next task."""
        (await self._files.read()).get(agent)
        if not text.strip():
            raise TaskRefused("the message is empty")
        self._queue.post(
            self._first.team, agent, f"the {self._first.agent}", text, origin_of_arguments("text")
        )
        return {"success": True}


def _result(task: Task, why: str | None) -> TaskResult:
    sources = task.sources
    found: TaskResult = {
        "task": task.id,
        "agent": task.agent,
        "status": task.status if why is None else "blocked",
        "result": task.result,
        "files": sources.get("files", []),
        "urls": sources.get("urls", []),
    }
    if tainted := sources.get("tainted", []):
        found["files_with_outside_text"] = tainted
    reason = (
        task.reason if why is None else f"{why} has ended without being done, and this task comes after it"
    )
    if reason:
        found["reason"] = reason
    return found
