"""`.import`: put the lines of a file into a table."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Iterator

from gemini_userland.sqlite.session import Session


class ImportFailed(Exception):
    """The file can't be imported; the message is printed after `Error: `."""


def import_file(session: Session, arguments: list[str]) -> None:
    """Import a file, and create the table if it doesn't exist: its columns have the names of the first line.

    Raises:
        ImportFailed: The file can't be read, or the options are invalid.
    """
    file, table, separator, skipped = _arguments(session, arguments)
    try:
        with open(session.invocation.path(file), "rb") as source:
            text = source.read().decode("utf-8", "surrogateescape")
    except OSError as error:
        raise ImportFailed(f'cannot open "{file}"') from error
    # From here on, rows of CSV end as lines of files do.
    if session.style.newline == "\r\n":
        session.style.newline = "\n"
    reader = csv.reader(io.StringIO(text.removeprefix("\ufeff"), newline=""), delimiter=separator)
    for _ in range(skipped):
        next(reader, None)
    quoted = '"' + table.replace('"', '""') + '"'
    database = session.database
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({quoted})")]
    if not columns:
        columns = next(reader, list[str]())
        if not columns:
            raise ImportFailed(f"{file}: empty file")
        fields = ", ".join('"' + name.replace('"', '""') + '" TEXT' for name in columns)
        database.execute(f"CREATE TABLE {quoted}(\n{fields})")
    places = ",".join("?" * len(columns))
    try:
        database.execute("BEGIN")
        for row in _fill(session, file, reader, len(columns)):
            _insert(session, f"INSERT INTO {quoted} VALUES({places})", row, f"{file}:{reader.line_num}")
    finally:
        if database.in_transaction:
            database.execute("COMMIT")


def _arguments(session: Session, arguments: list[str]) -> tuple[str, str, str, int]:
    separator, skipped = session.style.separator, 0
    operands: list[str] = []
    rest = iter(arguments)
    for word in rest:
        if word in ("-csv", "--csv"):
            separator = ","
        elif word in ("-skip", "--skip"):
            count = next(rest, "")
            if not count.isdigit():
                raise ImportFailed(f"--skip needs a number of lines, not {count!r}")
            skipped = int(count)
        elif word.startswith("-"):
            raise ImportFailed(f'unknown option: "{word}".  Usage: .import [--csv] [--skip N] FILE TABLE')
        else:
            operands.append(word)
    if len(operands) != 2:
        raise ImportFailed(
            f"{'missing' if len(operands) < 2 else 'extra'} argument.  Usage: .import FILE TABLE"
        )
    if len(separator) != 1:
        raise ImportFailed("multi-character column separators not allowed for import")
    return operands[0], operands[1], separator, skipped


def _fill(session: Session, file: str, rows: Iterator[list[str]], count: int) -> Iterator[list[str | None]]:
    """Yield rows of `count` values; others are reported."""
    line = 0
    for row in rows:
        line = getattr(rows, "line_num", line + 1)
        found = len(row) or 1
        values: list[str | None] = [*row] or [""]
        if found < count:
            session.complain(
                f"{file}:{line}: expected {count} columns but found {found} - filling the rest with NULL"
            )
        elif found > count:
            session.complain(f"{file}:{line}: expected {count} columns but found {found} - extras ignored")
        yield [*values, *[None] * count][:count]


def _insert(session: Session, statement: str, row: list[str | None], place: str) -> None:
    try:
        session.database.execute(statement, row)
    except sqlite3.Error as error:
        session.complain(f"{place}: INSERT failed: {error}")
