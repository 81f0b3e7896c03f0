"""`.dump`, `.schema` and `.tables`: the structure and the content of a database as text."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator

from gemini_userland.sqlite.values import identifier, literal

LINE_WIDTH = 80


def _create(sql: str) -> str:
    """Return a statement; tables with quoted names are created only if they don't exist."""
    return re.sub(r"^CREATE TABLE (?=['\"])", "CREATE TABLE IF NOT EXISTS ", sql)


def dump(database: sqlite3.Connection, patterns: list[str]) -> Iterator[str]:
    """Yield the lines that create the database again.

    Args:
        database: The database.
        patterns: Patterns of LIKE for the names of tables; none for all.
    """
    yield "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\n"
    condition, values = _select("name", patterns)
    tables = database.execute(
        f"SELECT name, sql FROM sqlite_schema WHERE {condition} AND type='table' AND sql NOT NULL"
        " ORDER BY tbl_name='sqlite_sequence', rowid",
        values,
    ).fetchall()
    for name, sql in tables:
        if name == "sqlite_sequence":
            yield "DELETE FROM sqlite_sequence;\n"
        elif name.startswith("sqlite_stat"):
            yield "ANALYZE sqlite_schema;\n"
        elif name.startswith("sqlite_"):
            continue
        else:
            yield _create(sql) + ";\n"
        if not sql.upper().startswith("CREATE VIRTUAL"):
            for row in database.execute(f"SELECT * FROM {_quote(name)}"):
                values_text = ",".join(literal(value, escapes=True) for value in row)
                yield f"INSERT INTO {identifier(name)} VALUES({values_text});\n"
    rest = database.execute(
        f"SELECT sql FROM sqlite_schema WHERE {condition} AND sql NOT NULL"
        " AND type IN ('index','trigger','view') ORDER BY type COLLATE NOCASE",
        values,
    )
    for (sql,) in rest.fetchall():
        yield f"{sql};\n"
    yield "COMMIT;\n"


def _quote(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _select(column: str, patterns: list[str]) -> tuple[str, list[str]]:
    if not patterns:
        return "1", []
    return "(" + " OR ".join(f"{column} LIKE ? ESCAPE '\\'" for _ in patterns) + ")", patterns


def schema(database: sqlite3.Connection, pattern: str | None) -> Iterator[str]:
    """Yield the statements that created the tables, indexes, triggers and views."""
    condition, values = _select("tbl_name", [pattern] if pattern else [])
    rows = database.execute(
        f"SELECT type, name, sql FROM sqlite_schema WHERE {condition} AND sql NOT NULL ORDER BY rowid", values
    ).fetchall()
    for kind, name, sql in rows:
        text = _create(sql)
        if kind == "view":
            columns = database.execute(f"SELECT * FROM {_quote(name)} LIMIT 0").description
            text += f"\n/* {identifier(name)}({','.join(identifier(column[0]) for column in columns)}) */"
        yield text + ";\n"


def names(database: sqlite3.Connection, kinds: str, column: str, pattern: str | None) -> str:
    """Return the names of objects in columns, as `.tables` and `.indexes` print them."""
    condition, values = _select(column, [pattern] if pattern else [])
    # Attached databases have their names in front.
    schemas = [row[1] for row in database.execute("PRAGMA database_list")]
    found: list[str] = []
    for one in schemas:
        prefix = "" if one in ("main", "temp") else f"{one}."
        rows = database.execute(
            f"SELECT name FROM {_quote(one)}.sqlite_schema WHERE {condition} AND type IN ({kinds})"
            " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
            values,
        )
        found += [prefix + name for (name,) in rows]
    found.sort()
    if not found:
        return ""
    width = max(map(len, found))
    columns = max(1, LINE_WIDTH // (width + 2))
    count = -(-len(found) // columns)
    lines = ["  ".join(f"{name:<{width}}" for name in found[at::count]) + "\n" for at in range(count)]
    return "".join(lines)
