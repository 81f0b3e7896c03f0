"""The surface's SQLite database: open, check and migrate it, and set a damaged one aside.

In the browser, its folder is the origin private file system itself (web/kernel/database), so a committed transaction
survives the death of the worker. Format: https://www.sqlite.org/fileformat2.html, in WAL mode.
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
# The earlier versions of files.
HISTORY_NAME = "history.db"
# The archive of an import (exchange.py), from its validation until the import is done.
IMPORT_IN_PROGRESS = "import-begun.tar.gz"
# "gmni": distinguishes our databases from others (https://www.sqlite.org/pragma.html#pragma_application_id).
APPLICATION_ID = 0x676D6E69
# The files of a database. Journals come first, so that none is left without its database.
ENDINGS = ("-wal", "-journal", "")
# What a database consists of. Modules of SQLite create tables of their own, whose text depends on its version.
SCHEMA = """
SELECT type, name, CASE WHEN name IN (SELECT name FROM pragma_table_list WHERE type = 'shadow') THEN NULL ELSE sql END
FROM sqlite_master
"""
DAMAGE = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Database:
    """An open database with the tables of this version.

    Attributes:
        connection: The connection, in autocommit mode; make changes in `transaction`.
        folder: The absolute path of its folder; None in memory.
        damage: The error of the damaged database that this one replaced.
    """

    def __init__(self, connection: sqlite3.Connection, folder: Path | None) -> None:
        self.connection = connection
        self.folder = folder
        self.damage: DatabaseDamaged | None = None
        self._is_changing = False

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query.

        Raises:
            StorageProblem, StorageFull: The database can't be read.
        """
        with _typed_errors():
            return self.connection.execute(query, parameters).fetchall()

    def rows_by_name(self, query: str, values: dict[str, Any]) -> list[tuple[Any, ...]]:
        """Return the rows of a query with named parameters. Raises as `rows` does."""
        with _typed_errors():
            return self.connection.execute(query, values).fetchall()

    @contextmanager
    def transaction(self) -> Generator[sqlite3.Connection]:
        """Commit the changes of the block, all or none. The block must not await.

        A block inside another one joins it: the outer one commits the changes of both.

        Raises:
            StorageProblem, StorageFull: The changes can't be written; none was.
        """
        if self._is_changing:
            yield self.connection
            return
        self._is_changing = True
        try:
            with _typed_errors(), _transaction(self.connection):
                yield self.connection
        finally:
            self._is_changing = False

    def copy_to(self, path: Path) -> None:
        """Write a copy of the database to a new file.

        Raises:
            StorageProblem, StorageFull: The copy can't be written.
        """
        _copy(self.connection, path)

    def replace_with(self, other: "Database") -> None:
        """Replace all contents with those of another database of this version, atomically.

        Raises:
            StorageProblem, StorageFull: The contents can't be written; none were.
        """
        with _typed_errors():
            other.connection.backup(self.connection)

    def require_known_schema(self) -> None:
        """Check that the database has the tables of this version and nothing else that could run with a change.

        Raises:
            DatabaseUnusable: It has a trigger, a view, or a table of another form.
        """
        with closing(open_database(None)) as fresh:
            unknown = set(self.rows(SCHEMA)) ^ set(fresh.rows(SCHEMA))
        if unknown:
            kind, name, _ = min(unknown, key=lambda row: row[:2])
            raise DatabaseUnusable(f"The {kind} {name!r} isn't as this version creates it.")

    def close(self) -> None:
        """Close the connection."""
        self.connection.close()


def open_database(
    folder: Path | None, migrations: Sequence[Migration] = MIGRATIONS, name: str = NAME, *, check: bool = True
) -> Database:
    """Open or create the database of a folder. A damaged one is set aside first.

    Before each migration of a database that has been used, a copy is saved as `before-migration-<number>.db`.

    Args:
        folder: The absolute path of the folder; None for a database in memory.
        migrations: The migrations that create the tables, in order. Their number is the version of the database.
        name: The name of the file.
        check: Whether to read the entire database to find damage now.

    Raises:
        DatabaseNewer: A later version of the surface wrote the database; it is unchanged.
        DatabaseUnusable: The database can't be opened or migrated; it is unchanged.
        StorageFull: There is no space for the database.
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
            f"The database was damaged: {damage.message}. It is set aside as {aside}; an empty one replaces it.",
            hint="Files are not affected. Python's sqlite3 may still be able to read a part of it.",
            data={"set_aside": str(aside)},
        )
        return database


def open_or_use_memory(
    folder: Path | None, migrations: Sequence[Migration] = MIGRATIONS, name: str = NAME, *, check: bool = True
) -> tuple[Database, StorageProblem | StorageFull | None]:
    """Open a database, or one in memory if it can't be used; return it with the error."""
    try:
        database = open_database(folder, migrations, name, check=check)
    except (StorageProblem, StorageFull) as problem:
        return open_database(None, migrations), problem
    return database, database.damage


def _open(
    path: str, migrations: Sequence[Migration], folder: Path | None = None, *, check: bool = True
) -> sqlite3.Connection:
    with _typed_errors():
        connection = sqlite3.connect(path, isolation_level=None)
        try:
            # In this order, WAL needs no memory shared between processes, which Emscripten lacks.
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
    """Return the number of migrations that the database has had."""
    [version] = connection.execute("PRAGMA user_version").fetchone()
    [application] = connection.execute("PRAGMA application_id").fetchone()
    [tables] = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if tables and application != APPLICATION_ID:
        raise DatabaseUnusable("This is a database of another program.", hint="Move it to another folder.")
    if version > newest:
        raise DatabaseNewer(
            f"A later version of the surface wrote the database: {version}, and this one knows {newest}.",
            hint="Reload the page to get the newest surface. Until then, the database is neither read nor changed.",
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
        # A full disk may already have ended the transaction.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _copy(connection: sqlite3.Connection, path: Path) -> None:
    """Write a copy, which gets its name only when it is complete."""
    part = path.with_name(f"{path.name}.part")
    with _typed_errors():
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
def _typed_errors() -> Generator[None]:
    """Raise errors of SQLite and the system as errors of the surface."""
    try:
        yield
    except sqlite3.Error as error:
        # Errors of Python's module itself have no code.
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code in DAMAGE:
            raise DatabaseDamaged(str(error)) from error
        if code == sqlite3.SQLITE_FULL:
            raise StorageFull(
                "the storage is full, so the database was not changed",
                hint="Delete files that you don't need.",
            ) from error
        raise DatabaseUnusable(f"The database can't be used: {error}.") from error
    except OSError as error:
        raise DatabaseUnusable(f"The database can't be used: {error}.") from error
