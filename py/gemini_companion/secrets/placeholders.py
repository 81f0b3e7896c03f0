"""Placeholders: what Python has in place of a value, for one connection of one page."""

from __future__ import annotations

import re
import secrets
from typing import Protocol
from weakref import WeakKeyDictionary

PREFIX = "cs-secret-"
NAME = r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?"
RANDOM_BYTES = 16
# Unreserved characters of URLs, which encoders of URLs, JSON and HTML leave as they are.
PLACEHOLDER = re.compile(rf"{PREFIX}({NAME})-[0-9a-f]{{{2 * RANDOM_BYTES}}}")


def _escape(characters: str) -> str:
    """Return a pattern of one of the characters, plain or escaped as in URLs and JSON."""
    codes = "|".join(f"{ord(each):02x}" for each in characters)
    return rf"(?:[{re.escape(characters)}]|(?:%|\\u00)(?:{codes}))"


_HEX = "0123456789abcdef"
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"
ESCAPED = re.compile(
    (
        "".join(map(_escape, PREFIX))
        + _escape(_LETTERS)
        + "{1,40}?"
        + _escape("-")
        + _escape(_HEX)
        + f"{{{2 * RANDOM_BYTES}}}"
    ).encode(),
    re.IGNORECASE,
)
_ESCAPE = re.compile(rb"(?:%|\\u00)([0-9a-f]{2})", re.IGNORECASE)


def plain(escaped: bytes) -> str:
    """Return the text of a match of `ESCAPED` without escapes."""
    return _ESCAPE.sub(lambda code: bytes([int(code[1], 16)]), escaped).lower().decode("ascii", "replace")


class Connection(Protocol):
    """Identifies a connection of a page, as its questions do."""

    def __hash__(self) -> int: ...


class Visit:
    """The placeholders of one connection of a page. Those of another one mean nothing here."""

    def __init__(self) -> None:
        self._by_name: dict[str, str] = {}

    def placeholder(self, name: str) -> str:
        """Return the placeholder of a secret, the same each time."""
        if name not in self._by_name:
            self._by_name[name] = f"{PREFIX}{name}-{secrets.token_hex(RANDOM_BYTES)}"
        return self._by_name[name]

    def name(self, placeholder: str) -> str | None:
        """Return the name of the secret that a placeholder of this visit stands for, or None."""
        match = PLACEHOLDER.fullmatch(placeholder)
        name = match[1] if match else ""
        known = self._by_name.get(name)
        return name if known is not None and secrets.compare_digest(known, placeholder) else None


class Visits:
    """The visits of all pages, each as long as its connection."""

    def __init__(self) -> None:
        self._of: WeakKeyDictionary[Connection, Visit] = WeakKeyDictionary()

    def of(self, connection: Connection) -> Visit:
        """Return the visit of a connection."""
        return self._of.setdefault(connection, Visit())
