"""The run that a message may continue."""

import time
from typing import Any, NamedTuple

from gemini.agents.record.journal import Journal

DAY_S = 86_400
Row = dict[str, Any]


class Candidate(NamedTuple):
    """A finished run that the user began.

    Attributes:
        run_id: Its id.
        tasks: The user's tasks of it and of the runs that it continues, oldest first.
    """

    run_id: str
    tasks: list[str]


def find_candidate(journal: Journal) -> Candidate | None:
    """Return the user's newest run; None if there is none, it still works, or it ended more than a day ago.

    Runs of scripts, agents, teams and clients don't count: their tasks may be an attacker's.
    """
    rows: dict[str, Row] = {row["id"]: row for row in journal.rows()}
    newest = max((row for row in rows.values() if _is_users(row)), key=lambda row: row["began"], default=None)
    if newest is None or newest["outcome"] is None:
        return None
    if time.time() - newest["began"] - newest["outcome"]["spent"]["seconds"] > DAY_S:
        return None
    return Candidate(newest["id"], _tasks(newest, rows))


def _is_users(row: Row) -> bool:
    return bool(row["row"].get("by_user"))


def _tasks(row: Row, rows: dict[str, Row]) -> list[str]:
    tasks: list[str] = []
    before: Row | None = row
    while before is not None and _is_users(before):
        tasks.insert(0, before["row"]["task"])
        before = rows.get(before["row"].get("continues") or "")
    return tasks
