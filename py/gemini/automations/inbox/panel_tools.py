"""The action of the Inbox panel. The answers are the actions of the other rooms' panels."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Literal

from typing_extensions import TypedDict

from gemini.agents.events import RunRow
from gemini.agents.memory.memory import Memories, MemoryRow
from gemini.automations.inbox.questions import Questions
from gemini.automations.schedules.rows import ScheduleRow
from gemini.tools import Effect, declare

if TYPE_CHECKING:
    # The modules of runs, teams and schedules load on first use.
    from gemini.agents.runs.runs import Runs
    from gemini.agents.teamwork.teams import Teams
    from gemini.automations.schedules.schedules import Schedules
    from gemini.storage.team import Task


class AskedRow(TypedDict):
    """A question of an agent. `task` and `team` are set if a team's or a schedule's task asks it.

    `leader` is the agent that answers it, or asks the user; None if the user answers it.
    """

    kind: Literal["run", "task"]
    run_id: str | None
    team: str | None
    task: str | None
    agent: str
    about: str
    question: str
    leader: str | None


class AwayRow(TypedDict):
    """A run that waits for the companion, which its model needs; `since` in ISO 8601."""

    run_id: str
    agent: str
    about: str
    since: str


class CutOffRow(TypedDict):
    """A question of a power's owner whose page was closed before the answer; `at` in ISO 8601."""

    run_id: str
    text: str
    at: str


class Waiting(TypedDict):
    """All that waits for the user.

    Agents' questions, runs without their companion, cut-off questions, memories and schedules to approve, missed slots.
    """

    asked: list[AskedRow]
    away: list[AwayRow]
    cut_off: list[CutOffRow]
    memories: list[MemoryRow]
    schedules: list[ScheduleRow]
    missed: list[ScheduleRow]


class InboxTools:
    """The action of the Inbox panel.

    Args:
        questions: The saved questions of powers' owners.
        runs: Returns the surface's runs.
        teams: Returns its teams.
        memories: The memories of agents.
        schedules: Returns its schedules.
        away: Returns the runs that have waited for the companion for long.
    """

    def __init__(
        self,
        questions: Questions,
        runs: "Callable[[], Runs]",
        teams: "Callable[[], Teams]",
        memories: Memories,
        schedules: "Callable[[], Schedules]",
        away: Callable[[], list[RunRow]],
    ) -> None:
        self._questions = questions
        self._runs = runs
        self._teams = teams
        self._memories = memories
        self._schedules = schedules
        self._away = away

    @declare(effect=Effect.READ, untrusted=True, person_only=True, unlogged=True, action="list_inbox")
    def inbox_list(self) -> Waiting:
        """List all that waits for the user."""
        tasks = self._tasks()
        of_tasks = {task.run_id for task, _ in tasks}
        schedules = self._schedules().rows()
        runs = [run for run in self._runs() if run.question is not None and run.id not in of_tasks]
        return {
            "asked": [
                *(_ask(task, leader) for task, leader in tasks),
                *(
                    AskedRow(
                        kind="run",
                        run_id=run.id,
                        team=None,
                        task=None,
                        agent=run.agent,
                        about=run.task,
                        question=run.question or "",
                        leader=None,
                    )
                    for run in runs
                ),
            ],
            "away": [
                {
                    "run_id": row["id"],
                    "agent": row["agent"],
                    "about": row["task"],
                    "since": _iso(row["away_since"] or row["began"]),
                }
                for row in self._away()
            ],
            "cut_off": [
                {"run_id": each.run_id, "text": each.text, "at": _iso(each.at)}
                for each in self._questions.cut_off()
            ],
            "memories": [row for row in self._memories.rows() if not row["approved"]],
            "schedules": [row for row in schedules if not row["approved"]],
            "missed": [row for row in schedules if row["missed"]],
        }

    def _tasks(self) -> "list[tuple[Task, str | None]]":
        """Return the tasks of unfinished teams that ask something, with the leader unless it asks itself."""
        teams = self._teams()
        return [
            (task, None if task.parent is None else tasks[0].agent)
            for tasks in (teams.get(team).tasks for team in teams.unfinished())
            for task in tasks
            if task.question is not None and task.answer is None and not task.is_ended
        ]


def _ask(task: "Task", leader: str | None) -> AskedRow:
    return {
        "kind": "task",
        "run_id": task.run_id,
        "team": task.team,
        "task": task.id,
        "agent": task.agent,
        "about": task.brief,
        "question": task.question or "",
        "leader": leader,
    }


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
