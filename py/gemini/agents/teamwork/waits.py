"""Describes waits of tasks, for the panel, for scripts and for the reason of a failure."""

from collections.abc import Sequence

from gemini.agents.teamwork.queue import Queue
from gemini.storage.team import Task, TaskWait

MOST_TASKS = 3
LONGEST = 80


class Waits:
    """The waits of one team's tasks.

    Args:
        queue: The queue.
        tasks: All tasks of the team.
        to_user: Whether the user reads the words, as in "your consent".
    """

    def __init__(self, queue: Queue, tasks: Sequence[Task], *, to_user: bool = False) -> None:
        self._queue = queue
        self._tasks = tasks
        self._user, self._users = ("you", "your") if to_user else ("the user", "the user's")

    def of(self, task: Task) -> str | None:
        """Return what a task waits for, such as `a slot: 3 agents work at once`; None if it works or has ended."""
        if task.status == "parked":
            return self._while_parked(task)
        if task.status != "waiting":
            return None
        if not self._queue.is_open(task.team):
            return f"{self._user} to continue the team"
        before = [each for each in self._tasks if each.id in task.after and each.status != "done"]
        if before:
            return _named(before)
        if self._queue.backs_off(task):
            return "its next attempt"
        return self._turn(task)

    def all(self) -> dict[str, str]:
        """Return what each task that waits waits for, by its id."""
        found = {task.id: self.of(task) for task in self._tasks}
        return {task_id: wait for task_id, wait in found.items() if wait is not None}

    def _while_parked(self, task: Task) -> str:
        if task.waits == "question":
            leader = next((each.agent for each in self._tasks if each.id == task.parent), None)
            answers = self._user if leader is None else f"{leader} or {self._user}"
            return f"an answer of {answers} to {_quote(task.question or '')}"
        if task.waits == "tasks":
            others = [each for each in self._tasks if each.parent is not None and not each.is_ended]
            return "; ".join(map(self._with_wait, others[:MOST_TASKS])) or "its tasks"
        return self._in_a_call(task.waits) or self._turn(task)

    def _in_a_call(self, waits: TaskWait | None) -> str | None:
        if waits == "consent":
            return f"{self._users} consent to a call"
        if waits == "call":
            return "the end of a call"
        return f"{self._user} to resume its run" if waits == "pause" else None

    def _turn(self, task: Task) -> str:
        """Return the obstacle to a task that is ready."""
        other = self._queue.busy_with(task)
        if other is None:
            return f"a slot: {self._queue.slots} agents work at once"
        where = "" if other.team == task.team else " of another team"
        wait = self._in_a_call(other.waits)
        why = "" if wait is None else f", which waits for {wait}"
        return f"another task of {task.agent}{where}, {_quote(other.brief)}{why}"

    def _with_wait(self, task: Task) -> str:
        wait = self.of(task)
        return _named([task]) if wait is None else f"{_named([task])}, which waits for {wait}"


def _named(tasks: Sequence[Task]) -> str:
    more = f" and {len(tasks) - MOST_TASKS} more" if len(tasks) > MOST_TASKS else ""
    return ", ".join(f"{each.agent}: {_quote(each.brief)}" for each in tasks[:MOST_TASKS]) + more


def _quote(text: str) -> str:
    line = text.strip().partition("\n")[0]
    return f"“{line}”" if len(line) <= LONGEST else f"“{line[:LONGEST]}…”"
