"""Tests for saving and restoring terminals."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gemini.errors import GeminiError
from gemini.storage.database import open_database
from gemini.storage.migrations import MIGRATIONS
from gemini.storage.terminals import TerminalStore

# The number of migrations before the one that adds a column for the shell's state.
BEFORE_SHELLS = 4


def never(problem: GeminiError) -> None:
    pytest.fail(str(problem))


def test_states_are_restored_in_order_of_creation(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        store = TerminalStore(database, never)
        for number in (10, 9, 1):
            store.save(f"term-{number}", {"cwd": "/project", "env": {"N": str(number)}})
        store.save("term-10", {"cwd": "/home"})
        store.forget("term-9")
        store.forget("term-that-never-was")

    with closing(open_database(tmp_path)) as database:
        assert TerminalStore(database, never).load() == [
            ("term-10", {"cwd": "/home", "shell": None}),
            ("term-1", {"cwd": "/project", "env": {"N": "1"}, "shell": None}),
        ]


def test_a_damaged_state_of_an_earlier_version_costs_no_other(tmp_path: Path) -> None:
    connection = sqlite3.connect(":memory:")
    for migrate in MIGRATIONS[:BEFORE_SHELLS]:
        migrate(connection)
    states = ['{"cwd": "/", "shell": "one"}', "[1]", "no JSON"]
    connection.executemany(
        "INSERT INTO terminals VALUES (?, ?, ?, 0)",
        [(f"term-{number}", number, state) for number, state in enumerate(states)],
    )
    MIGRATIONS[BEFORE_SHELLS](connection)
    rows = connection.execute("SELECT state, shell FROM terminals ORDER BY position").fetchall()
    assert rows == [('{"cwd":"/"}', "one"), ("[1]", None), ("no JSON", None)]


def test_a_state_that_is_no_object_is_passed_on(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        with database.transaction() as connection:
            connection.execute(
                "INSERT INTO terminals (id, position, state, updated, shell) VALUES ('a', 1, '[1]', 0, NULL)"
            )
        assert TerminalStore(database, never).load() == [("a", [1])]


def test_the_shell_s_state_is_saved_when_it_has_changed(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        store = TerminalStore(database, never)
        store.save("a", {"cwd": "/", "shell": "one"})
        store.save("a", {"cwd": "/tmp", "shell": "one"})
        assert store.load() == [("a", {"cwd": "/tmp", "shell": "one"})]
        store.save("a", {"cwd": "/tmp", "shell": "two"})

    with closing(open_database(tmp_path)) as database:
        store = TerminalStore(database, never)
        assert store.load() == [("a", {"cwd": "/tmp", "shell": "two"})]
        store.save("a", {"cwd": "/etc", "shell": "two"})
        assert store.load() == [("a", {"cwd": "/etc", "shell": "two"})]


def test_a_forgotten_terminal_comes_last_when_created_again() -> None:
    store = TerminalStore(open_database(None), never)
    store.save("a", {})
    store.save("b", {})
    store.forget("a")
    store.save("a", {"again": True})
    assert store.load() == [("b", {"shell": None}), ("a", {"again": True, "shell": None})]


def test_a_failing_database_is_reported_and_terminals_continue() -> None:
    database, problems = open_database(None), list[GeminiError]()
    store = TerminalStore(database, problems.append)
    database.close()
    store.save("a", {})
    store.forget("a")
    assert [type(problem).__name__ for problem in problems] == ["DatabaseUnusable"] * 2
