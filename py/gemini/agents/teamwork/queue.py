"""The queue: tasks wait for their turn, run under a lease, and end once."""

import json
import secrets
from collections.abc import Sequence
from typing import Any

from gemini.agents.loop.run_setup import Reply
from gemini.agents.runs.runs import new_run_id
from gemini.agents.teamwork.definitions import DAY_S, today
from gemini.agents.teamwork.graph import require_acyclic
from gemini.core.clock import Clock
from gemini.errors import TaskMissing, TaskRefused
from gemini.storage.team import Task, TaskStatus, TaskWait, TeamMessage, TeamStore

SLOTS = 3
LEASE_S = 60.0
# A task ends after this many failures, until a user retries it.
MAX_FAILURES = 5
FIRST_WAIT_S, MAX_WAIT_S = 2.0, 300.0
MAX_TASKS = 60
# Teams that have ended; the oldest are deleted first.
MAX_TEAMS = 50
# A specialist knows nothing but its brief.
MIN_BRIEF_CHARS, MIN_EXPECTS_CHARS = 40, 10
MAX_BRIEF_CHARS = 20_000
# The option with the source of text from outside in a brief.
ORIGIN = "origin"
# The options of a first task that does its work itself, and of the names of the only tools that it may have.
ALONE, ONLY = "alone", "only"
# The option of a first task that a schedule has started, with the schedule's id.
SCHEDULE = "schedule"
# The option of a team's first task with the run that started the team.
FAMILY = "family"
Sources = dict[str, list[str]]


class Queue:
    """The queue of one surface.

    Only one process has the database open (gemini/storage/database.py), so leases of earlier ones end at once.

    Args:
        store: The tables.
        clock: The clock of leases and waits.
        slots: How many tasks may run at once.

    Attributes:
        owner: The owner of this queue's leases.
        slots: How many tasks may run at once.
    """

    def __init__(self, store: TeamStore, clock: Clock, slots: int = SLOTS) -> None:
        self.owner = f"surface-{secrets.token_hex(4)}"
        self.store = store
        self._clock = clock
        self.slots = slots
        self._teams: list[str] = []
        store.expire_others(self.owner)

    def open(self, team: str) -> None:
        """Let tasks of a team be claimed. Tasks of other teams wait until a user continues them."""
        if team not in self._teams:
            self._teams.append(team)

    def is_open(self, team: str) -> bool:
        """Return whether tasks of a team are claimed."""
        return team in self._teams

    def close(self, team: str) -> None:
        """Let no task of a team be claimed, since it has ended."""
        if team in self._teams:
            self._teams.remove(team)

    def start(self, agent: str, brief: str, options: dict[str, Any]) -> Task:
        """Add the first task of a new team."""
        task_id = _new_id("team")
        with self.store.transaction():
            self.store.forget_teams(MAX_TEAMS - 1)
            self._add(task_id, task_id, None, agent, brief, "", (), options, ())
        self.open(task_id)
        return self.task(task_id)

    def add(
        self,
        parent: Task,
        agent: str,
        brief: str,
        expects: str,
        files: Sequence[str] = (),
        after: Sequence[str] = (),
        *,
        origin: str | None = None,
    ) -> Task:
        """Add a task, or return the one that the same agent already has for the same brief.

        Args:
            parent: The task whose run adds it.
            agent: The agent.
            brief: Everything that the agent must know.
            expects: How the result is judged.
            files: The paths of files that it needs.
            after: The ids of tasks that must be done first.
            origin: Where text from outside in the brief comes from; None if there is none.

        Raises:
            TaskRefused: The brief is too short or too long, there are too many tasks, or `after` is invalid.
        """
        _require_brief(brief, expects)
        tasks = self.store.tasks(parent.team)
        for task in tasks:
            if (task.parent, task.agent, task.brief) == (
                parent.id,
                agent,
                brief,
            ) and task.status != "cancelled":
                return task
        if parent.parent is not None:
            raise TaskRefused("only the first task of a team delegates", hint="Do the task yourself.")
        if len(tasks) > MAX_TASKS:
            raise TaskRefused(
                f"a team has at most {MAX_TASKS} tasks", hint="Work with the results that there are."
            )
        task_id = _new_id("task")
        require_acyclic(tasks, task_id, after)
        with self.store.transaction():
            options = {} if origin is None else {ORIGIN: origin}
            self._add(task_id, parent.team, parent.id, agent, brief, expects, files, options, after)
        return self.task(task_id)

    def _add(
        self,
        task_id: str,
        team: str,
        parent: str | None,
        agent: str,
        brief: str,
        expects: str,
        files: Sequence[str],
        options: dict[str, Any],
        after: Sequence[str],
    ) -> None:
        row = {
            **{"id": task_id, "team": team, "parent": parent, "agent": agent, "brief": brief},
            **{"expects": expects, "files": list(files), "options": options, "added": self._clock.wall()},
        }
        self.store.add(row, tuple(dict.fromkeys(after)))

    def task(self, task_id: str, team: str | None = None) -> Task:
        """Return a task, of a team if one is given. Raises TaskMissing."""
        found = self.store.task(task_id)
        if found is None or team not in (None, found.team):
            known = [] if team is None else [task.id for task in self.store.tasks(team)]
            raise TaskMissing(
                f"there is no task {task_id[:60]!r}",
                hint=f"The tasks are: {', '.join(known)}." if known else None,
            )
        return found

    def claim(self) -> Task | None:
        """Claim the next task that can run; None if there is none or no slot is free."""
        now = self._clock.wall()
        return self.store.claim(
            self.owner, self._teams, new_run_id(), now=now, until=now + LEASE_S, slots=self.slots
        )

    def busy_with(self, task: Task) -> Task | None:
        """Return the task that keeps a task's agent busy; None if its agent is free."""
        return self.store.busy_with(task, self.owner, self._teams, self._clock.wall())

    def backs_off(self, task: Task) -> bool:
        """Return whether a task that has failed isn't to be tried again yet."""
        return task.ready > self._clock.wall()

    def seconds_to_next(self) -> float | None:
        """Return the time until a task becomes ready; None if none waits for a time."""
        now = self._clock.wall()
        at = self.store.next_time(self.owner, self._teams, now)
        return None if at is None else max(0.0, at - now)

    def is_ours(self, task_id: str) -> bool:
        """Return whether this queue has the lease of a task."""
        return self.task(task_id).owner == self.owner

    def renew(self, task_id: str) -> None:
        """Extend the lease of a running task.

        Raises:
            TaskRefused: The lease is lost.
        """
        if not self.store.renew(task_id, self.owner, self._clock.wall() + LEASE_S):
            raise TaskRefused(f"another surface works on {task_id} now")

    def park(self, task_id: str, waits: TaskWait) -> None:
        """Free the slot of a task that waits."""
        self.store.park(task_id, self.owner, waits)

    def unpark(self, task_id: str) -> bool:
        """Take a slot for a task again; return False if none is free, or another task of its agent works."""
        now = self._clock.wall()
        return self.store.unpark(task_id, self.owner, now=now, until=now + LEASE_S, slots=self.slots)

    def spend(self, task_id: str, tokens: int, cost: float) -> None:
        """Record the usage of a task's run so far."""
        self.store.spend(task_id, tokens, cost, today(self._clock.wall()))

    def spent_today(self, agent: str) -> tuple[int, float]:
        """Return the tokens and dollars that an agent has spent today."""
        return self.store.spending.on(agent, today(self._clock.wall()))

    def spending(self, agent: str, days: int) -> list[tuple[str, int, float]]:
        """Return each of the last days with the tokens and dollars that an agent has spent, oldest first."""
        now = self._clock.wall()
        wanted = [today(now - ago * DAY_S) for ago in reversed(range(days))]
        found = self.store.spending.days(agent, wanted[0])
        return [(day, *found.get(day, (0, 0.0))) for day in wanted]

    def end(
        self,
        task: Task,
        status: TaskStatus,
        result: str | None,
        reason: str | None,
        sources: Sources | None = None,
    ) -> None:
        """Save the end of a task. The end of a team's first task ends the others, too."""
        now = self._clock.wall()
        with self.store.transaction():
            self.store.end(task.id, status, result=result, reason=reason, sources=sources or {}, now=now)
            if task.parent is None:
                for other in self.store.tasks(task.team):
                    self.store.stop(other.id, now)

    def fail(self, task: Task, result: str | None, reason: str, sources: Sources | None = None) -> None:
        """Save a failure: the task runs again later, or ends after too many. A team's first task isn't repeated."""
        now_saved = self.task(task.id)
        if now_saved.stopping:
            self.end(task, "cancelled", result, reason, sources)
            return
        failures = now_saved.failures + 1
        if failures >= MAX_FAILURES or task.parent is None:
            self.end(task, "dead", result, reason, sources)
            return
        wait_s = min(MAX_WAIT_S, FIRST_WAIT_S * 2 ** (failures - 1))
        with self.store.transaction():
            now = self._clock.wall()
            self.store.back_off(task.id, reason, now + wait_s)
            text = f"An earlier attempt at this task failed: {reason}"
            # The reason is a model's text, which may quote text from outside.
            self._post(task, "the queue", text, f"an earlier attempt of {task.agent}")

    def _post(self, task: Task, sender: str, text: str, origin: str | None) -> None:
        self.store.post(
            *(task.team, task.agent, sender, text), origin=origin, task_id=task.id, now=self._clock.wall()
        )

    def post(self, team: str, agent: str, sender: str, text: str, origin: str | None) -> None:
        """Send a message to an agent: its run gets it before its next step, or its next run does."""
        self.store.post(team, agent, sender, text, origin=origin, task_id=None, now=self._clock.wall())

    def messages(self, task: Task) -> list[TeamMessage]:
        """Return the messages that wait for a task's run."""
        return self.store.waiting_messages(task)

    def ask(self, task_id: str, question: str) -> Reply | None:
        """Save a question of a task's run; return the answer if it has been answered before."""
        self.store.ask(task_id, question)
        return stored_reply(self.task(task_id))

    def answer(self, task_id: str, reply: Reply) -> None:
        """Save the answer to a task's question.

        Raises:
            TaskRefused: The task asks nothing.
        """
        task = self.task(task_id)
        if task.question is None or task.answer is not None:
            raise TaskRefused(f"{task_id} asks nothing now")
        self.store.answer(task_id, json.dumps([reply.text, reply.sender, reply.origin]))

    def forget_question(self, task_id: str) -> None:
        """Remove a question whose answer the run has."""
        if self.task(task_id).question is not None:
            self.store.answer(task_id, None)

    def edit(self, task_id: str, brief: str, expects: str, *, origin: str | None = None) -> None:
        """Change the brief of a task that waits. Raises TaskRefused if it doesn't, or if the brief is too short."""
        _require_brief(brief, expects)
        if self.task(task_id).status != "waiting":
            raise TaskRefused(f"{task_id} has begun", hint="Send its agent a message, or cancel it.")
        self.store.edit(task_id, brief, expects, {} if origin is None else {ORIGIN: origin})

    def order(self, task_id: str, after: Sequence[str]) -> None:
        """Replace the tasks that must be done before a task that waits.

        Raises:
            TaskRefused: The task has begun, or would come after itself.
        """
        task = self.task(task_id)
        if task.status != "waiting":
            raise TaskRefused(f"{task_id} has begun")
        require_acyclic(self.store.tasks(task.team), task_id, after)
        self.store.set_after(task_id, tuple(dict.fromkeys(after)))

    def retry(self, task_id: str) -> None:
        """Let a task run again that has ended without being done. Raises TaskRefused for others."""
        task = self.task(task_id)
        if task.status not in ("dead", "cancelled"):
            raise TaskRefused(f"{task_id} is {task.status}", hint="Only tasks that failed can be retried.")
        if task.parent is not None and self.task(task.team).is_ended:
            raise TaskRefused("the team has ended", hint="Start another team.")
        self.store.retry(task_id, self._clock.wall())

    def stop(self, task_id: str) -> None:
        """Cancel a task: at once if it waits, else with its run."""
        self.store.stop(task_id, self._clock.wall())


def stored_reply(task: Task) -> Reply | None:
    """Return the saved answer to a task's question; None if there is none."""
    return None if task.answer is None else Reply(*json.loads(task.answer))


def _require_brief(brief: str, expects: str) -> None:
    if len(brief.strip()) < MIN_BRIEF_CHARS or len(expects.strip()) < MIN_EXPECTS_CHARS:
        raise TaskRefused(
            "the brief or what it expects is too short",
            hint=f"The agent knows nothing else: describe the task in at least {MIN_BRIEF_CHARS} characters, and "
            f"how you will judge the result in at least {MIN_EXPECTS_CHARS}.",
        )
    if len(brief) > MAX_BRIEF_CHARS:
        raise TaskRefused(
            f"the brief has over {MAX_BRIEF_CHARS:,} characters",
            hint="Write it to a file, and name the file.",
        )


def _new_id(kind: str) -> str:
    return f"{kind}-{secrets.token_hex(4)}"
