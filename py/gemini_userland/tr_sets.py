"""The strings of `tr`: bytes, ranges, classes and repeats (POSIX `tr`, "EXTENDED DESCRIPTION")."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass, field

from gemini_userland.counts import BadValue

_UPPER, _LOWER = string.ascii_uppercase.encode(), string.ascii_lowercase.encode()
_DIGITS, _PUNCTUATION = string.digits.encode(), string.punctuation.encode()
_LETTERS = _UPPER + _LOWER
CLASSES: dict[str, bytes] = {
    "alnum": _DIGITS + _LETTERS,
    "alpha": _LETTERS,
    "blank": b"\t ",
    "cntrl": bytes([*range(32), 127]),
    "digit": _DIGITS,
    "graph": bytes(range(33, 127)),
    "lower": _LOWER,
    "print": bytes(range(32, 127)),
    "punct": bytes(sorted(_PUNCTUATION)),
    "space": b"\t\n\v\f\r ",
    "upper": _UPPER,
    "xdigit": _DIGITS + b"ABCDEFabcdef",
}
_ESCAPES = {97: 7, 98: 8, 102: 12, 110: 10, 114: 13, 116: 9, 118: 11, 92: 92}
_FILL = -1


@dataclass
class Set:
    """A parsed string.

    Attributes:
        parts: Its bytes in order, as (byte, number); the number is -1 for `[c*]`, which fills.
        classes: The classes `[:name:]` by the position of their first byte.
        equivalents: Whether it has `[=c=]`.
        ends_with_class: Whether its last item is a class.
        warnings: Remarks about its spelling.
    """

    parts: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    classes: dict[int, str] = field(default_factory=dict[int, str])
    equivalents: bool = False
    ends_with_class: bool = False
    warnings: list[str] = field(default_factory=list[str])

    @property
    def fills(self) -> int:
        """The number of `[c*]` constructs."""
        return sum(number == _FILL for _, number in self.parts)

    def add(self, found: bytes) -> None:
        """Append bytes."""
        self.parts += [(byte, 1) for byte in found]
        self.ends_with_class = False

    def bytes(self, length: int = 0) -> bytes:
        """Return the bytes; `[c*]` fills up to `length`."""
        fixed = sum(number for _, number in self.parts if number != _FILL)
        room = max(0, length - fixed)
        return b"".join(bytes([byte]) * (room if number == _FILL else number) for byte, number in self.parts)


def complement(chosen: bytes) -> bytes:
    """Return the other bytes, in ascending order."""
    excluded = set(chosen)
    return bytes(byte for byte in range(256) if byte not in excluded)


def parse_set(text: bytes) -> Set:
    """Parse a string.

    Raises:
        BadValue: A class, range or repeat is invalid.
    """
    found = Set()
    values, escaped = _unescape(text, found.warnings)
    # Escaped bytes are marked so that they match no syntax.
    marks = bytes(0 if mark else value for value, mark in zip(values, escaped, strict=True))
    at = 0
    while at < len(values):
        if len(values) - at > 2:
            after = _bracket(found, values, marks, at) if marks[at] == ord("[") else 0
            if after:
                at = after
                continue
            if marks[at + 1] == ord("-"):
                found.add(_range(values[at], values[at + 2]))
                at += 3
                continue
        found.add(values[at : at + 1])
        at += 1
    return found


def _unescape(text: bytes, warnings: list[str]) -> tuple[bytes, list[bool]]:
    values, escaped = bytearray(), list[bool]()
    at = 0
    while at < len(text):
        byte = text[at]
        at += 1
        if byte != 92:
            escaped.append(False)
        elif at == len(text):
            warnings.append("an unescaped backslash at end of string is not portable")
            escaped.append(False)
        else:
            escaped.append(True)
            octal = re.compile(rb"[0-3][0-7]{0,2}|[4-7][0-7]?").match(text, at)
            if octal:
                at = octal.end()
                byte = int(octal[0], 8)
            else:
                byte = _ESCAPES.get(text[at], text[at])
                at += 1
        values.append(byte)
    return bytes(values), escaped


def _bracket(found: Set, values: bytes, marks: bytes, at: int) -> int:
    """Add the class, equivalence or repeat that begins at `at`; return its end, or 0 if there is none."""
    repeats = re.compile(rb"\[.\*([^\0\]]*)\]", re.DOTALL).match(marks, at)
    named = re.compile(rb"\[([:=])(.*?)\1\]", re.DOTALL).match(marks, at)
    if named:
        kind, name = named[1], values[named.start(2) : named.end(2)]
        if _add_named(found, kind, name, may_repeat=repeats is not None):
            return named.end()
    if repeats is None:
        # `[\**3]`: the repeated byte may be escaped.
        repeats = re.compile(rb"\[\0\*([^\0\]]*)\]").match(marks, at)
    if repeats is None:
        return 0
    digits = repeats[1].decode("latin-1")
    if not re.fullmatch(r"0[0-7]*|[1-9]\d*|", digits):
        raise BadValue(f"invalid repeat count '{digits}' in [c*n] construct")
    number = int(digits or "0", 8 if digits.startswith("0") else 10)
    found.parts.append((values[at + 1], number or _FILL))
    found.ends_with_class = False
    return repeats.end()


def _add_named(found: Set, kind: bytes, name: bytes, *, may_repeat: bool) -> bool:
    if kind == b":":
        word = name.decode("latin-1")
        if not word:
            raise BadValue("missing character class name '[::]'")
        if word not in CLASSES:
            if may_repeat:
                return False
            raise BadValue(f"invalid character class '{word}'")
        found.classes[len(found.bytes())] = word
        found.add(CLASSES[word])
        found.ends_with_class = True
        return True
    if not name:
        raise BadValue("missing equivalence class character '[==]'")
    if len(name) != 1:
        if may_repeat:
            return False
        raise BadValue(f"{name.decode('latin-1')}: equivalence class operand must be a single character")
    found.add(name)
    found.equivalents = True
    return True


def _range(first: int, last: int) -> bytes:
    if first > last:
        shown = "-".join(chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}" for byte in (first, last))
        raise BadValue(f"range-endpoints of '{shown}' are in reverse collating sequence order")
    return bytes(range(first, last + 1))
