"""Tests for opening, migrating and checking the database, and for damage."""

import random
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gemini.errors import DatabaseNewer, DatabaseUnusable, StorageProblem
from gemini.storage.database import NAME, Database, open_database, open_or_use_memory
from gemini.storage.migrations import MIGRATIONS, Migration
from gemini.storage.settings import Settings


def make(name: str) -> Migration:
    """Return a migration that creates a table and records that it ran."""

    def migration(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE IF NOT EXISTS ran (name TEXT)")
        connection.execute(f"CREATE TABLE {name} (value)")
        connection.execute("INSERT INTO ran VALUES (?)", (name,))

    return migration


def fail(connection: sqlite3.Connection) -> None:
    connection.execute("CREATE TABLE half (value)")
    connection.execute("INSERT INTO nowhere VALUES (1)")


ONE, TWO, THREE = make("one"), make("two"), make("three")


def ran(database: Database) -> list[str]:
    return [name for (name,) in database.rows("SELECT name FROM ran")]


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_a_new_database_gets_every_migration_in_order_and_no_backup(tmp_path: Path) -> None:
    with closing(open_database(tmp_path, [ONE, TWO, THREE])) as database:
        assert ran(database) == ["one", "two", "three"]
        assert database.rows("PRAGMA journal_mode") == [("wal",)]
    assert names(tmp_path) == {NAME}


def test_an_older_database_gets_the_rest_with_a_backup_before_each(tmp_path: Path) -> None:
    with closing(open_database(tmp_path, [ONE])) as database, database.transaction() as connection:
        connection.execute("INSERT INTO one VALUES ('saved')")

    with closing(open_database(tmp_path, [ONE, TWO, THREE])) as database:
        assert ran(database) == ["one", "two", "three"]
        assert database.rows("SELECT value FROM one") == [("saved",)]

    assert names(tmp_path) == {NAME, "before-migration-2.db", "before-migration-3.db"}
    for number, before in ((2, ["one"]), (3, ["one", "two"])):
        with closing(sqlite3.connect(tmp_path / f"before-migration-{number}.db")) as backup:
            assert [name for (name,) in backup.execute("SELECT name FROM ran")] == before
            assert backup.execute("SELECT value FROM one").fetchall() == [("saved",)]


def test_migrations_run_once(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(open_database(tmp_path, [ONE, TWO])) as database:
            assert ran(database) == ["one", "two"]


def test_a_failed_migration_changes_nothing(tmp_path: Path) -> None:
    open_database(tmp_path, [ONE]).close()
    with pytest.raises(DatabaseUnusable, match="nowhere"):
        open_database(tmp_path, [ONE, TWO, fail])
    with closing(open_database(tmp_path, [ONE, TWO])) as database:
        assert ran(database) == ["one", "two"]
        assert not database.rows("SELECT name FROM sqlite_master WHERE name = 'half'")


def test_a_later_version_is_refused_and_unchanged(tmp_path: Path) -> None:
    open_database(tmp_path, [ONE, TWO]).close()
    before = (tmp_path / NAME).read_bytes()

    with pytest.raises(DatabaseNewer) as caught:
        open_database(tmp_path, [ONE])
    assert caught.value.data == {"version": 2, "known": 1}
    assert caught.value.hint

    assert (tmp_path / NAME).read_bytes() == before
    assert names(tmp_path) == {NAME}


def test_the_surface_runs_in_memory_if_the_database_is_newer(tmp_path: Path) -> None:
    open_database(tmp_path, [*MIGRATIONS, ONE]).close()
    database, problem = open_or_use_memory(tmp_path)
    assert isinstance(problem, DatabaseNewer)
    assert database.folder is None
    Settings(database).set("theme", "dark")
    assert Settings(database).get("theme") == "dark"


def test_a_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / NAME)) as other:
        other.execute("CREATE TABLE theirs (value)")
    with pytest.raises(DatabaseUnusable, match="another program"):
        open_database(tmp_path)
    with closing(sqlite3.connect(tmp_path / NAME)) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("theirs",)]


def filled(folder: Path) -> bytes:
    """Create a database of some pages, close it, and return its bytes."""
    with closing(open_database(folder)) as database:
        settings = Settings(database)
        for number in range(200):
            settings.set(f"name-{number}", "x" * 200)
    return (folder / NAME).read_bytes()


@pytest.mark.parametrize("kind", ["noise", "header", "page", "cut"])
def test_a_damaged_database_is_set_aside_reported_and_replaced(tmp_path: Path, kind: str) -> None:
    sound = filled(tmp_path)
    noise = random.Random(1).randbytes(len(sound))
    damaged = {
        "noise": noise,
        "header": noise[:100] + sound[100:],
        "page": sound[:8192] + noise[8192:12288] + sound[12288:],
        "cut": sound[: len(sound) // 2],
    }[kind]
    (tmp_path / NAME).write_bytes(damaged)

    database, problem = open_or_use_memory(tmp_path)
    with closing(database):
        assert problem is not None
        assert problem is database.damage
        aside = Path(problem.data["set_aside"])
        assert aside.read_bytes() == damaged
        assert aside.name in problem.message
        assert database.folder == tmp_path
        Settings(database).set("after", True)

    with closing(open_database(tmp_path)) as again:
        assert again.damage is None
        assert Settings(again).get("after") is True
        assert Settings(again).get("name-1") is None
    assert names(tmp_path) == {NAME, aside.name}


def test_two_damaged_databases_are_both_set_aside(tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / NAME).write_bytes(b"no database %d" % number * 100)
        open_database(tmp_path).close()
    aside = sorted(path.read_bytes()[:13] for path in tmp_path.glob("damaged-*"))
    assert aside == [b"no database 0", b"no database 1"]


def test_a_transaction_that_raises_changes_nothing(tmp_path: Path) -> None:
    with closing(open_database(tmp_path)) as database:
        with pytest.raises(KeyError), database.transaction() as connection:
            connection.execute("INSERT INTO settings VALUES ('a', '1')")
            raise KeyError
        assert database.rows("SELECT * FROM settings") == []
        Settings(database).set("b", 2)
        assert database.rows("SELECT * FROM settings") == [("b", "2")]


def test_a_missing_folder_raises_with_its_reason(tmp_path: Path) -> None:
    with pytest.raises(StorageProblem, match="unable to open"):
        open_database(tmp_path / "nowhere")


def test_a_database_in_memory_writes_no_file(tmp_path: Path) -> None:
    database = open_database(None)
    Settings(database).set("a", [1, {"b": None}])
    assert Settings(database).get("a") == [1, {"b": None}]
    assert Settings(database).get("other", "default") == "default"
    assert names(tmp_path) == set()
