"""SQLite's values as its shell prints them."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

Value = str | bytes | int | float | None
Row = Sequence[Value]
KEYWORDS = frozenset(
    (
        "ADD",
        "ALL",
        "ALTER",
        "AND",
        "AS",
        "AUTOINCREMENT",
        "BETWEEN",
        "CASE",
        "CHECK",
        "COLLATE",
        "COMMIT",
        "CONSTRAINT",
        "CREATE",
        "DEFAULT",
        "DEFERRABLE",
        "DELETE",
        "DISTINCT",
        "DROP",
        "ELSE",
        "ESCAPE",
        "EXCEPT",
        "EXISTS",
        "FOREIGN",
        "FROM",
        "GROUP",
        "HAVING",
        "IN",
        "INDEX",
        "INSERT",
        "INTERSECT",
        "INTO",
        "IS",
        "ISNULL",
        "JOIN",
        "LIMIT",
        "NOT",
        "NOTNULL",
        "NULL",
        "ON",
        "OR",
        "ORDER",
        "PRIMARY",
        "REFERENCES",
        "SELECT",
        "SET",
        "TABLE",
        "THEN",
        "TO",
        "TRANSACTION",
        "UNION",
        "UNIQUE",
        "UPDATE",
        "USING",
        "VALUES",
        "WHEN",
        "WHERE",
    )
)
ESCAPED = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def real(number: float) -> str:
    """Return a float with 15 digits, as SQLite converts it to text."""
    if math.isinf(number):
        return "Inf" if number > 0 else "-Inf"
    text = f"{number:.15g}"
    mantissa, e, exponent = text.partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + e + exponent


def exact(number: float) -> str:
    """Return a float as a literal that has the same value."""
    if math.isinf(number):
        return "1e999" if number > 0 else "-1e999"
    mantissa, e, exponent = repr(number).partition("e")
    return (mantissa if "." in mantissa else mantissa + ".0") + e + exponent


def shown(value: Value, null: str) -> str:
    """Return a value as text; NULL is `null`."""
    if value is None:
        return null
    if isinstance(value, bytes):
        return value.split(b"\0")[0].decode("utf-8", "surrogateescape")
    return real(value) if isinstance(value, float) else str(value)


def literal(value: Value, *, escapes: bool = False) -> str:
    """Return a value as an SQL literal; with `escapes`, on one line."""
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return f"X'{value.hex()}'"
    if isinstance(value, float):
        return exact(value)
    if isinstance(value, int):
        return str(value)
    text = "'" + value.replace("'", "''") + "'"
    if escapes and ("\n" in value or "\r" in value):
        for character, code in (("\n", 10), ("\r", 13)):
            if character in value:
                mark = {"\n": "\\n", "\r": "\\r"}[character]
                text = f"replace({text.replace(character, mark)},'{mark}',char({code}))"
    return text


def identifier(name: str) -> str:
    """Return a name as SQL, in quotes if it needs them."""
    if re.fullmatch(r"[A-Za-z_]\w*", name) and name.upper() not in KEYWORDS:
        return name
    return '"' + name.replace('"', '""') + '"'


def json_string(text: str) -> str:
    """Return a text as a JSON string; other than ASCII stays as it is."""
    return (
        '"' + re.sub(r'[\x00-\x1f"\\]', lambda one: ESCAPED.get(one[0], f"\\u{ord(one[0]):04x}"), text) + '"'
    )
