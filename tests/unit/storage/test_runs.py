"""Stored runs: which are deleted first."""

import json
import sqlite3
from pathlib import Path

from gemini.storage.database import open_database
from gemini.storage.migrations import MIGRATIONS
from gemini.storage.runs import MAX_ENDED, RunStore

BEFORE_FAMILIES = [migrate.__name__ for migrate in MIGRATIONS].index("_families_of_runs")


def test_the_runs_of_a_team_count_as_one(tmp_path: Path) -> None:
    store = RunStore(open_database(tmp_path))

    def run(run_id: str, family: str | None = None) -> None:
        store.begin(run_id, {"family": family})
        store.end(run_id, {})

    run("mine")
    for number in range(MAX_ENDED):
        run(f"task-{number}", "team")
    store.begin("works", {"family": "team-2"})
    run("part", "team-2")
    assert {"mine", "task-0", "part"} <= {row["id"] for row in store.rows()}
    for number in range(MAX_ENDED - 1):
        run(f"later-{number}")
    # The family of the unfinished run stays; of the others, the oldest is deleted.
    left = {row["id"] for row in store.rows()}
    assert "mine" not in left and {"task-0", "part", "works", "later-0"} <= left
    run("last")
    left = {row["id"] for row in store.rows()}
    assert not any(each.startswith("task-") for each in left) and {"part", "later-0"} <= left


def test_stored_runs_of_teams_are_migrated() -> None:
    connection = sqlite3.connect(":memory:")
    for migrate in MIGRATIONS[:BEFORE_FAMILIES]:
        migrate(connection)
    rows = [("a", json.dumps({"team": "team-1"})), ("b", json.dumps({"team": None})), ("c", "no JSON")]
    connection.executemany("INSERT INTO runs (id, row, began) VALUES (?, ?, 0)", rows)
    MIGRATIONS[BEFORE_FAMILIES](connection)
    families = connection.execute("SELECT family FROM runs ORDER BY id").fetchall()
    assert families == [("team-1",), ("b",), ("c",)]
