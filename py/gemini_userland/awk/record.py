"""The record and its fields."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, cast

from gemini_userland.awk.errors import RunError
from gemini_userland.awk.patterns import pattern
from gemini_userland.awk.values import Value, number, placed

# Python's `split` parts at these, too, but awk only at blanks, tabs and newlines.
ODD_SPACES = re.compile("[\v\f\r\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")
_WORD = re.compile(r"[^ \t\n]+")
MOST_FIELDS = 1 << 24

Splitter = Callable[[str], list[str]]
"""Parts a text into fields."""


def words(text: str) -> list[str]:
    """Return what stands between blanks, tabs and newlines."""
    if text.isprintable() or not ODD_SPACES.search(text):
        return text.split()
    return _WORD.findall(text)


class Literal:
    """Splits text at a string."""

    def __init__(self, separator: str) -> None:
        self.separator = separator

    def __call__(self, text: str) -> list[str]:
        """Return the parts; an empty text has none."""
        return text.split(self.separator) if text else []


@lru_cache(maxsize=50)
def separated(separator: str, *, folds: bool = False, literal: bool = True) -> Splitter:
    """Return the function that parts a text at a separator.

    Args:
        separator: A blank for words, "" for characters, another character, or an expression.
        folds: Whether the expression ignores case.
        literal: Whether one character stands for itself.
    """
    if separator == " " and literal:
        return words
    if separator == "":
        return list
    if len(separator) == 1 and literal and separator != "\\" and not (folds and separator.isalpha()):
        return Literal(separator)
    found = pattern(separator, folds)
    if found.literal is not None:
        return Literal(found.literal)
    if found.is_plain and not found.can_be_empty and not found.compiled.groups:
        split = found.compiled.split
        return lambda text: split(text) if text else []  # type: ignore[return-value]
    return lambda text: found.split(text)[0] if text else []


class Record:
    """`$0`, its fields and NF.

    Attributes:
        line: The record; None while a field has changed and it isn't needed.
        parts: The fields; None while they aren't needed.
        split: Parts a record into fields.
        separator: Returns OFS.
        is_plain: The record has no spaces at which Python would part it, but not awk.
        limit: How many fields are needed; None for all.
        text: Converts a value to a string.
    """

    __slots__ = ("is_plain", "limit", "line", "parts", "separator", "split", "text")

    def __init__(self, separator: Callable[[], str], text: Callable[[Value], str]) -> None:
        self.line: Value = ""
        self.parts: list[Value] | None = None
        self.split: Callable[[str], list[Value]] = words  # type: ignore[assignment]
        self.is_plain = False
        self.limit: int | None = None
        self.separator = separator
        self.text = text

    def whole(self) -> str:
        """Return $0."""
        line = self.line
        if line is None:
            text = self.text
            parts: list[Any] = self.fields()
            try:
                line = self.separator().join(parts)
            except TypeError:
                # Some are numbers.
                line = self.separator().join(
                    [part if part.__class__ is str else text(part) for part in parts]
                )
            self.line = line
        return line  # type: ignore[return-value]

    def fields(self) -> list[Value]:
        """Return all fields."""
        parts = self.parts
        if parts is None:
            line: Any = self.line
            parts = self.parts = line.split() if self.is_plain and self.split is words else self.split(line)
        return parts

    def cut(self) -> list[Value]:
        """Return the fields up to the limit; missing ones are ""."""
        line: Any = self.line
        limit = self.limit or 0
        parts: list[Value]
        parts = line.split(None, limit) if self.is_plain and self.split is words else self.split(line)
        if len(parts) < limit:
            parts.extend([""] * (limit - len(parts)))
        self.parts = parts
        return parts

    def cutter(self) -> tuple[Splitter, str | None, bool]:
        """Return how to make the fields of a record, at least those up to the limit.

        Returns:
            A function that does it, and the separator by which `str.split` does it if the last value is true.
        """
        splitter = cast(Splitter, self.split)
        if self.is_plain and splitter is words:
            return splitter, None, True
        # Python parts also an empty text, which matters where the fields are counted.
        if isinstance(splitter, Literal) and self.limit is not None:
            return splitter, splitter.separator, True
        return splitter, None, False

    def field(self, at: int) -> Value:
        """Return the field at a position from 0; a missing one is "", which is no number."""
        parts = self.parts
        if parts is None:
            parts = self.fields()
        return parts[at] if at < len(parts) else ""

    def last(self) -> Value:
        """Return `$NF`."""
        parts = self.fields()
        return parts[-1] if parts else self.whole()

    def at(self, index: float) -> Value:
        """Return the field with this number, 0 for the whole record.

        Raises:
            RunError: The number is negative.
        """
        at = int(index)
        if at <= 0:
            if at < 0:
                raise RunError(f"negative field index ${at}")
            return self.whole()
        parts = self.parts
        if parts is None:
            parts = self.fields()
        return parts[at - 1] if at <= len(parts) else ""

    def put(self, index: Value, value: Value) -> Value:
        """Set a field and return the value."""
        at = int(number(index))
        if at < 0 or at > MOST_FIELDS:
            raise RunError(f"{'negative' if at < 0 else 'too large'} field index ${at}")
        if at == 0:
            return self.reset(value)
        parts = self.fields()
        if at > len(parts):
            parts.extend([""] * (at - len(parts)))
        parts[at - 1] = placed(value)
        self.line = None
        return value

    def put_at(self, at: int, value: Value, marks: bool) -> Value:
        """Set a field at a position from 0 and return the value.

        `marks` says whether it matters that a string isn't the input's.
        """
        parts = self.fields()
        if at >= len(parts):
            parts.extend([""] * (at + 1 - len(parts)))
        parts[at] = placed(value) if marks else value
        self.line = None
        return value

    def replace(self, text: str) -> None:
        """Set the whole record where it doesn't matter that the text isn't the input's."""
        self.is_plain = False
        self.line, self.parts = text, None

    def reset(self, value: Value) -> Value:
        """Set the whole record and return the value."""
        self.is_plain = False
        self.line, self.parts = (placed(value) if isinstance(value, str) else self.text(value)), None
        return value

    def resize(self, value: Value) -> None:
        """Set NF.

        Raises:
            RunError: There can't be so many fields.
        """
        count = int(number(value))
        if count < 0 or count > MOST_FIELDS:
            raise RunError(f"NF set to {count}")
        parts = self.fields()
        del parts[count:]
        parts.extend([""] * (count - len(parts)))
        self.line = None


def field_at(parts: list[str], line: str, index: float) -> str:
    """Return the field with this number, 0 for the whole record.

    Raises:
        RunError: The number is negative.
    """
    at = int(index)
    if at > 0:
        return parts[at - 1] if at <= len(parts) else ""
    if at < 0:
        raise RunError(f"negative field index ${at}")
    return line
