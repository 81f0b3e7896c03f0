"""The graph of a team's tasks: an edge leads from each task to those that come after it."""

from collections.abc import Collection, Sequence

from gemini.errors import TaskRefused
from gemini.storage.team import Task


def require_acyclic(tasks: Sequence[Task], task_id: str, after: Collection[str]) -> None:
    """Check that a task may come after others.

    Raises:
        TaskRefused: One of them doesn't exist, comes after the task itself, or is the leader's.
    """
    known = {task.id: task for task in tasks}
    for other in after:
        if other in known and known[other].parent is None:
            raise TaskRefused(
                "no task can come after the leader's", hint="The end of the leader's task ends all others."
            )
        if other not in known:
            raise TaskRefused(
                f"there is no task {other[:60]!r} to come after",
                hint=f"The tasks are: {', '.join(known) or 'none'}.",
            )
        if other == task_id or task_id in _before(known, other):
            raise TaskRefused(
                f"{task_id} can't come after {other}, which comes after {task_id}",
                hint="Remove one of the edges.",
            )


def blocked(tasks: Sequence[Task]) -> dict[str, str]:
    """Return the waiting tasks that can't begin, each with the task that has ended without being done."""
    known = {task.id: task for task in tasks}
    found: dict[str, str] = {}
    for task in tasks:
        if task.status != "waiting":
            continue
        why = next(
            (each for each in _before(known, task.id) if known[each].status in ("dead", "cancelled")), None
        )
        if why is not None:
            found[task.id] = why
    return found


def _before(known: dict[str, Task], task_id: str) -> list[str]:
    """Return all tasks that come before a task, in the order of a search in breadth."""
    found: list[str] = []
    left = list(known[task_id].after)
    while left:
        each = left.pop(0)
        if each in known and each not in found:
            found.append(each)
            left += known[each].after
    return found
