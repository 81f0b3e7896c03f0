"""The surface's SQLite database: checked, migrated, and set aside where it is damaged.

In the browser its folder is the origin private file system itself (web/kernel/database), so what a transaction wrote
is there after the worker was killed. Format: https://www.sqlite.org/fileformat2.html, in WAL mode.
"""

import os
import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gemini.errors import DatabaseDamaged, DatabaseNewer, DatabaseUnusable, StorageFull, StorageProblem
from gemini.storage.migrations import MIGRATIONS, Migration

NAME = "surface.db"
# What files were before they changed.
HISTORY_NAME = "history.db"
# Beside it: an import (exchange.py) from when it is known to be good until all of it is done.
IMPORT_BEGUN = "import-begun.tar.gz"
# "gmni": tells our databases from others (https://www.sqlite.org/pragma.html#pragma_application_id).
APPLICATION_ID = 0x676D6E69
# What a database consists of. The journals go first: without their database they are nobody's.
ENDINGS = ("-wal", "-journal", "")
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Database:
    """An open database with the tables of this version.

    Attributes:
        connection: In autocommit mode; changes belong in `transaction`.
        folder: Where it is kept, an absolute path; None in memory.
        damage: What happened to the one before, whose place it took.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path | None) -> None:
        self.connection = connection
        self.folder = folder
        self.damage: DatabaseDamaged | None = None

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """What a query finds.

        Raises:
            StorageProblem, StorageFull: it can't be read.
        """
        with _told():
            return self.connection.execute(query, parameters).fetchall()

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """All that is done within, or nothing of it.

        Raises:
            StorageProblem, StorageFull: it could not be written; nothing was.
        """
        with _told(), _transaction(self.connection):
            yield self.connection

    def copy_to(self, path: Path) -> None:
        """Write a copy, as it is now, to a file that isn't there yet.

        Raises:
            StorageProblem, StorageFull: it can't be written.
        """
        _copy(self.connection, path)

    def become(self, other: "Database") -> None:
        """Take the contents of another database of this version in place of one's own, all or nothing.

        Raises:
            StorageProblem, StorageFull: it could not be written; nothing was.
        """
        with _told():
            other.connection.backup(self.connection)

    def close(self) -> None:
        self.connection.close()


def open_database(
    folder: Path | None, migrations: Sequence[Migration] = MIGRATIONS, name: str = NAME, *, check: bool = True
) -> Database:
    """Open the database of a folder, made where it isn't there; a damaged one is set aside first.

    Before each migration of a database that has been used, a copy is kept as `before-migration-<number>.db`.

    Args:
        folder: An absolute path; None for a database in memory.
        migrations: What makes the tables, in order; their number is the version of the database.
        name: Of its file.
        check: Whether all of it is read, to find damage before it is met.

    Raises:
        DatabaseNewer: a later version of the surface wrote it; it is as it was.
        DatabaseUnusable: it can't be opened or migrated; it is as it was.
        StorageFull: there is no room for it.
    """
    if folder is None:
        return Database(_open(":memory:", migrations), None)
    path = str(folder / name)
    try:
        return Database(_open(path, migrations, folder, check=check), folder)
    except DatabaseDamaged as damage:
        aside = _set_aside(folder, name)
        database = Database(_open(path, migrations, folder), folder)
        database.damage = DatabaseDamaged(
            f"The database was damaged: {damage.message}. It is set aside as {aside}; an empty one took its place.",
            hint="Files are not affected. Python's sqlite3 may still read a part of it.",
            data={"set_aside": str(aside)},
        )
        return database


def open_or_do_without(
    folder: Path | None, migrations: Sequence[Migration] = MIGRATIONS, name: str = NAME, *, check: bool = True
) -> tuple[Database, StorageProblem | StorageFull | None]:
    """Open a database, in memory where the one that is kept can't be used; and what was wrong."""
    try:
        database = open_database(folder, migrations, name, check=check)
    except (StorageProblem, StorageFull) as problem:
        return open_database(None, migrations), problem
    return database, database.damage


def _open(
    path: str, migrations: Sequence[Migration], folder: Path | None = None, *, check: bool = True
) -> sqlite3.Connection:
    with _told():
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            # In this order: so WAL needs no memory that is shared with other processes, which Emscripten hasn't.
            connection.execute("PRAGMA locking_mode=exclusive")
            connection.execute("PRAGMA journal_mode=wal")
            [found] = connection.execute("PRAGMA quick_check(1)").fetchone() if check else ("ok",)
            if found != "ok":
                raise DatabaseDamaged(str(found))
            _migrate(connection, migrations, folder)
        except BaseException:
            connection.close()
            raise
    return connection


def _migrate(connection: sqlite3.Connection, migrations: Sequence[Migration], folder: Path | None) -> None:
    version = _version(connection, len(migrations))
    for number, migration in enumerate(migrations[version:], start=version + 1):
        if folder is not None and version > 0:
            _copy(connection, folder / f"before-migration-{number}.db")
        with _transaction(connection):
            migration(connection)
            connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version={number}")


def _version(connection: sqlite3.Connection, newest: int) -> int:
    """How many migrations it has had."""
    [version] = connection.execute("PRAGMA user_version").fetchone()
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables and application != APPLICATION_ID:
        raise DatabaseUnusable("This is a database of another program.", hint="Move it away.")
    if version > newest:
        raise DatabaseNewer(
            f"A later version of the surface wrote the database: {version}, and this one knows {newest}.",
            hint="Reload the page to get the newest surface. Until then nothing is read from it, or lost.",
            data={"version": version, "known": newest},
        )
    return version


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A full disk may have ended it already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _copy(connection: sqlite3.Connection, path: Path) -> None:
    """A copy that is whole once it has its name."""
    part = path.with_name(f"{path.name}.part")
    with _told():
        part.unlink(missing_ok=True)
        with closing(sqlite3.connect(part)) as target:
            connection.backup(target)
        _flush(part)
        os.replace(part, path)


def _flush(path: Path) -> None:
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _set_aside(folder: Path, name: str) -> Path:
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H-%M-%S.%fZ")
    aside = folder / f"damaged-{stamp}-{name}"
    for ending in ENDINGS:
        if os.path.exists(f"{folder / name}{ending}"):
            os.rename(f"{folder / name}{ending}", f"{aside}{ending}")
    return aside


@contextmanager
def _told() -> Generator[None]:
    """SQLite's and the system's errors as the surface's own."""
    try:
        yield
    except sqlite3.Error as error:
        # Errors of Python's module itself have no code.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in DAMAGE:
            raise DatabaseDamaged(str(error)) from error
        if code == sqlite3.SQLITE_FULL:
            raise StorageFull(
                "the storage is full, so the database was not changed", hint="Delete what isn't needed."
            ) from error
        raise DatabaseUnusable(f"The database can't be used: {error}.") from error
    except OSError as error:
        raise DatabaseUnusable(f"The database can't be used: {error}.") from error
