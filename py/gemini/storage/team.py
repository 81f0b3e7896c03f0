"""Save teams: tasks with their leases, the edges between them, messages, and what agents spend by day."""

import sqlite3
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal

from gemini.core.encoding import decode, encode
from gemini.storage.claims import BUSY, CLAIM, COLUMNS, NEXT, UNPARK
from gemini.storage.database import Database
from gemini.storage.spending import SpendingStore

TaskStatus = Literal["waiting", "running", "parked", "done", "dead", "cancelled"]
"""`parked`: it has begun and waits, as `waits` says, without a slot. `dead`: it failed too often, or reached a limit; a
user can retry it."""
TaskWait = Literal["question", "tasks", "consent", "call", "pause", "slot"]
"""The reason why a task is parked: an answer to its question, other tasks, the user's consent to a call, the end of a
call that has the consent, the user to resume its run, or a slot to go on."""

ADD = """
INSERT INTO tasks (id, team, parent, agent, brief, expects, files, options, status, ready, added)
VALUES (:id, :team, :parent, :agent, :brief, :expects, :files, :options, 'waiting', :added, :added)
"""
# The first tasks are deleted; the others are then without a team.
FORGET = """
DELETE FROM tasks WHERE parent IS NULL AND team NOT IN (
    SELECT team FROM tasks WHERE status IN ('waiting', 'running', 'parked')
    UNION SELECT * FROM (SELECT team FROM tasks WHERE parent IS NULL ORDER BY seq DESC LIMIT ?))
"""
SAME_MESSAGE = """
SELECT 1 FROM messages WHERE team = ? AND agent = ? AND task_id IS ? AND sender = ? AND body = ? AND run_id IS NULL
"""
POST = """
INSERT INTO messages (team, agent, task_id, sender, body, origin, sent) VALUES (?, ?, ?, ?, ?, ?, ?)
"""


@dataclass(frozen=True)
class Task:
    """A task of a team; the columns of the table `tasks`, plus `after`.

    Attributes:
        after: The ids of the tasks that must be done first.
        options: The parameters of the first task: budget and whether a user can answer.
        sources: `{files: [path], urls: [address]}`.
        tokens: The tokens of all its runs.
        cost: Of all its runs, in US dollars.
    """

    id: str
    team: str
    parent: str | None
    agent: str
    brief: str
    expects: str
    files: list[str]
    options: dict[str, Any]
    status: TaskStatus
    waits: TaskWait | None
    stopping: bool
    failures: int
    ready: float
    run_id: str | None
    owner: str | None
    until: float
    question: str | None
    answer: str | None
    result: str | None
    reason: str | None
    sources: dict[str, list[str]]
    tokens: int
    cost: float
    run_tokens: int
    run_cost: float
    added: float
    ended: float | None
    after: tuple[str, ...] = ()

    @property
    def is_ended(self) -> bool:
        """Return whether the task has ended, unless a user retries it."""
        return self.status in ("done", "dead", "cancelled")


@dataclass(frozen=True)
class TeamMessage:
    """A message to an agent. `origin` is where its text from outside comes from; None if it has none."""

    seq: int
    sender: str
    body: str
    origin: str | None


class TeamStore:
    """The queue's tables. Every method raises StorageProblem or StorageFull if it fails."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.spending = SpendingStore(database)

    def transaction(self) -> AbstractContextManager[sqlite3.Connection]:
        """Commit all changes of the block together, including changes to other stores of the database."""
        return self._database.transaction()

    def forget_teams(self, most: int) -> None:
        """Delete all but the newest teams that have ended."""
        with self.transaction() as connection:
            connection.execute(FORGET, (most,))
            for table, column in (("tasks", "team"), ("messages", "team"), ("task_edges", "task_id")):
                known = (
                    "SELECT id FROM tasks"
                    if column == "task_id"
                    else "SELECT id FROM tasks WHERE parent IS NULL"
                )
                connection.execute(f"DELETE FROM {table} WHERE {column} NOT IN ({known})")

    def add(self, task: dict[str, Any], after: tuple[str, ...]) -> None:
        """Save a new task: `{id, team, parent, agent, brief, expects, files, options, added}`."""
        with self.transaction() as connection:
            connection.execute(
                ADD, {**task, "files": encode(task["files"]), "options": encode(task["options"])}
            )
            self.set_after(task["id"], after)

    def task(self, task_id: str) -> Task | None:
        """Return a task; None if there is none with this id."""
        rows = self._database.rows(f"SELECT {COLUMNS} FROM tasks WHERE id = ?", task_id)
        return self._task(rows[0]) if rows else None

    def tasks(self, team: str) -> list[Task]:
        """Return the tasks of a team in the order in which they were added."""
        edges: dict[str, list[str]] = {}
        query = (
            "SELECT task_id, after_id FROM task_edges JOIN tasks ON id = task_id WHERE team = ? ORDER BY 1, 2"
        )
        for task_id, after in self._database.rows(query, team):
            edges.setdefault(task_id, []).append(after)
        rows = self._database.rows(f"SELECT {COLUMNS} FROM tasks WHERE team = ? ORDER BY seq", team)
        return [_task(row, tuple(edges.get(row[0], ()))) for row in rows]

    def unfinished(self) -> list[str]:
        """Return the ids of the teams that haven't ended, oldest first."""
        rows = self._database.rows(
            "SELECT team FROM tasks WHERE status IN ('waiting', 'running', 'parked') GROUP BY team ORDER BY min(seq)"
        )
        return [team for (team,) in rows]

    def newest(self, most: int) -> list[str]:
        """Return the ids of the newest teams, the newest first."""
        rows = self._database.rows(
            "SELECT id FROM tasks WHERE parent IS NULL ORDER BY seq DESC LIMIT ?", most
        )
        return [team for (team,) in rows]

    def claim(
        self, owner: str, teams: list[str], run_id: str, *, now: float, until: float, slots: int
    ) -> Task | None:
        """Claim the next task that can run, in one statement, and return it.

        Args:
            owner: The owner of the lease.
            teams: Only tasks of these teams are claimed.
            run_id: The id of the task's run, if it has none yet.
            now: The time.
            until: The end of the lease.
            slots: How many tasks may run at once.
        """
        with self.transaction() as connection:
            row = connection.execute(
                CLAIM,
                {
                    **{"owner": owner, "teams": encode(teams), "run_id": run_id},
                    **{"now": now, "until": until, "slots": slots},
                },
            ).fetchone()
        return None if row is None else self._task(row)

    def next_time(self, owner: str, teams: list[str], now: float) -> float | None:
        """Return the next time at which a task becomes ready or a lease of another owner expires."""
        [(found,)] = self._database.rows(NEXT, encode(teams), now, owner)
        return found

    def expire_others(self, owner: str) -> None:
        """End the leases of other owners."""
        with self.transaction() as connection:
            connection.execute("UPDATE tasks SET until = 0 WHERE owner IS NOT ?", (owner,))

    def renew(self, task_id: str, owner: str, until: float) -> bool:
        """Extend a lease; return False if the owner has lost it."""
        with self.transaction() as connection:
            changed = connection.execute(
                "UPDATE tasks SET until = ? WHERE id = ? AND owner = ? AND status = 'running'",
                (until, task_id, owner),
            )
            return changed.rowcount == 1

    def park(self, task_id: str, owner: str, waits: TaskWait) -> None:
        """Free the slot of a task that waits; the lease remains."""
        self._change(
            "UPDATE tasks SET status = 'parked', waits = ? WHERE id = ? AND owner = ?",
            *(waits, task_id, owner),
        )

    def unpark(self, task_id: str, owner: str, *, now: float, until: float, slots: int) -> bool:
        """Take a slot again; return False if there is none, or if another task of the agent works."""
        with self.transaction() as connection:
            values = {"id": task_id, "owner": owner, "now": now, "until": until, "slots": slots}
            return connection.execute(UNPARK, values).fetchone() is not None

    def busy_with(self, task: Task, owner: str, teams: list[str], now: float) -> Task | None:
        """Return the task that keeps a task's agent busy; None if its agent is free."""
        values = {"id": task.id, "owner": owner, "now": now, "teams": encode(teams)}
        rows = self._database.rows_by_name(BUSY, values)
        return self.task(rows[0][0]) if rows else None

    def spend(self, task_id: str, tokens: int, cost: float, day: str) -> None:
        """Record the usage of the task's run so far, for the task and for its agent's day."""
        with self.transaction() as connection:
            found = connection.execute(
                "SELECT agent, run_tokens, run_cost FROM tasks WHERE id = ?", (task_id,)
            ).fetchone()
            agent, tokens_before, cost_before = found
            more = (tokens - tokens_before, cost - cost_before)
            if more == (0, 0):
                return
            connection.execute(
                "UPDATE tasks SET tokens = tokens + ?, cost = cost + ?, run_tokens = ?, run_cost = ? WHERE id = ?",
                (*more, tokens, cost, task_id),
            )
            self.spending.add(agent, *more, day)

    def end(
        self,
        task_id: str,
        status: TaskStatus,
        *,
        result: str | None,
        reason: str | None,
        sources: dict[str, list[str]],
        now: float,
    ) -> None:
        """Save the end of a task, and free its lease."""
        self._change(
            "UPDATE tasks SET status = ?, result = ?, reason = ?, sources = ?, ended = ?, owner = NULL, until = 0,"
            " waits = NULL, question = NULL, answer = NULL, failures = failures + (? = 'dead') WHERE id = ?",
            *(status, result, reason, encode(sources), now, status, task_id),
        )

    def back_off(self, task_id: str, reason: str, ready: float) -> None:
        """Let a task that has failed run again, from `ready` on, as a new run."""
        self._change(
            "UPDATE tasks SET status = 'waiting', failures = failures + 1, ready = ?, reason = ?, owner = NULL,"
            " until = 0, waits = NULL, run_id = NULL, run_tokens = 0, run_cost = 0, question = NULL, answer = NULL"
            " WHERE id = ?",
            *(ready, reason, task_id),
        )

    def retry(self, task_id: str, now: float) -> None:
        """Let a task that has ended run again: its run, if that couldn't continue, else a new one."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE tasks SET run_id = NULL, run_tokens = 0, run_cost = 0 WHERE id = ?"
                " AND NOT EXISTS (SELECT 1 FROM runs WHERE runs.id = run_id AND outcome IS NULL)",
                (task_id,),
            )
            connection.execute(
                "UPDATE tasks SET status = 'waiting', failures = 0, ready = ?, stopping = 0, ended = NULL WHERE id = ?",
                (now, task_id),
            )

    def stop(self, task_id: str, now: float) -> None:
        """Cancel a task: at once if it waits, else when its run has been cancelled."""
        with self.transaction() as connection:
            connection.execute(
                "UPDATE tasks SET status = 'cancelled', ended = ? WHERE id = ? AND status = 'waiting'",
                (now, task_id),
            )
            connection.execute(
                "UPDATE tasks SET stopping = 1 WHERE id = ? AND status IN ('running', 'parked')", (task_id,)
            )

    def ask(self, task_id: str, question: str) -> None:
        """Save a task's question; an answer that the same question already has stays."""
        self._change(
            "UPDATE tasks SET answer = CASE WHEN question = ?1 THEN answer END, question = ?1 WHERE id = ?2",
            *(question, task_id),
        )

    def answer(self, task_id: str, text: str | None) -> None:
        """Save the answer to a task's question; None removes the question, too."""
        if text is None:
            self._change("UPDATE tasks SET question = NULL, answer = NULL WHERE id = ?", task_id)
        else:
            self._change("UPDATE tasks SET answer = ? WHERE id = ?", text, task_id)

    def edit(self, task_id: str, brief: str, expects: str, options: dict[str, Any]) -> None:
        """Change what a task is about."""
        self._change(
            "UPDATE tasks SET brief = ?, expects = ?, options = ? WHERE id = ?",
            *(brief, expects, encode(options), task_id),
        )

    def set_after(self, task_id: str, after: tuple[str, ...]) -> None:
        """Replace the tasks that must be done before a task."""
        with self.transaction() as connection:
            connection.execute("DELETE FROM task_edges WHERE task_id = ?", (task_id,))
            connection.executemany(
                "INSERT INTO task_edges VALUES (?, ?)", [(task_id, each) for each in after]
            )

    def post(
        self,
        team: str,
        agent: str,
        sender: str,
        body: str,
        *,
        origin: str | None,
        task_id: str | None,
        now: float,
    ) -> None:
        """Save a message, unless the same one is waiting already."""
        values = (team, agent, task_id, sender, body)
        with self.transaction() as connection:
            if connection.execute(SAME_MESSAGE, values).fetchone() is None:
                connection.execute(POST, (*values, origin, now))

    def waiting_messages(self, task: Task) -> list[TeamMessage]:
        """Return the messages that a task's run hasn't got yet."""
        rows = self._database.rows(
            "SELECT seq, sender, body, origin FROM messages"
            " WHERE team = ? AND agent = ? AND run_id IS NULL AND (task_id IS NULL OR task_id = ?) ORDER BY seq",
            *(task.team, task.agent, task.id),
        )
        return [TeamMessage(*row) for row in rows]

    def delivered(self, messages: list[TeamMessage], run_id: str) -> None:
        """Record that a run has got messages."""
        with self.transaction() as connection:
            connection.executemany(
                "UPDATE messages SET run_id = ? WHERE seq = ?",
                [(run_id, message.seq) for message in messages],
            )

    def provided(self) -> set[str]:
        """Return the names of the agents whose files the surface has written."""
        return {name for (name,) in self._database.rows("SELECT name FROM agents WHERE provided = 1")}

    def note_provided(self, name: str) -> None:
        """Record that the surface has written the file of an agent."""
        self._change("INSERT OR REPLACE INTO agents (name, day, provided) VALUES (?, '', 1)", name)

    def _change(self, statement: str, *values: Any) -> None:
        with self.transaction() as connection:
            connection.execute(statement, values)

    def _task(self, row: tuple[Any, ...]) -> Task:
        after = self._database.rows("SELECT after_id FROM task_edges WHERE task_id = ? ORDER BY 1", row[0])
        return _task(row, tuple(each for (each,) in after))


def _task(row: tuple[Any, ...], after: tuple[str, ...]) -> Task:
    named: dict[str, Any] = dict(zip(COLUMNS.split(", "), row, strict=True))
    for column in ("files", "options", "sources"):
        named[column] = decode(named[column])
    named["stopping"] = bool(named["stopping"])
    return Task(**named, after=after)
