"""Comma-separated values (`--csv`; RFC 4180 and gawk's manual, "Working With Comma Separated Value Files")."""

from __future__ import annotations

import re

# A line, with the newlines in quotes.
_LINE = re.compile(r'[^"\n]*(?:"[^"]*"[^"\n]*)*')
_FIELD = re.compile(r'"((?:[^"]|"")*)"?([^,]*)|[^,]*')


class CsvRecords:
    """Ends of records: newlines outside of quotes."""

    def search(self, text: str, start: int = 0) -> tuple[int, int] | None:
        """Return the start and end of the first separator from `start` on, or None."""
        match = _LINE.match(text, start)
        end = match.end() if match else start
        if not text.startswith("\n", end):
            return None
        return (end - 1 if end > start and text[end - 1] == "\r" else end), end + 1


def csv_fields(text: str) -> list[str]:
    """Return the fields of a record. Quotes around a field don't belong to it, and two in it are one."""
    if '"' not in text:
        return text.split(",") if text else []
    fields: list[str] = []
    at = 0
    while at <= len(text):
        match = _FIELD.match(text, at)
        assert match is not None
        quoted, rest = match.groups()
        fields.append(match[0] if quoted is None else quoted.replace('""', '"') + rest)
        at = match.end() + 1
    return fields
