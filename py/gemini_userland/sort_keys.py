"""The keys of `sort`: the parts of lines to compare, and how their values are ordered."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gemini_userland.options import Arguments
from gemini_userland.text import encode

ORDERING = "bdfghiMnrRV"
SORTS = {
    "general-numeric": "g",
    "human-numeric": "h",
    "month": "M",
    "numeric": "n",
    "random": "R",
    "version": "V",
}
MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
UNITS = {b"K": 1, b"k": 1, b"M": 2, b"G": 3, b"T": 4, b"P": 5, b"E": 6}
NUMBER = re.compile(rb"\s*(-?\d*\.?\d*)")
FLOAT = re.compile(rb"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)")
SIZE = re.compile(rb"\s*(-?)(\d*\.?\d*)([KkMGTPE]?)")
VERSION = re.compile(rb"(\D*)(\d*)")
SUFFIX = re.compile(rb"(?:\.[A-Za-z~][A-Za-z0-9~]*)*$")
TILDE = ord("~")
POSITION = re.compile(rf"(\d+)(?:\.(\d*))?([{ORDERING}]*)")


@dataclass(frozen=True)
class Key:
    """A sort key: the part of a line to compare, and the ordering.

    Attributes:
        letters: The ordering options; `b` skips the blanks at the start of the whole key.
        skips: Whether blanks are skipped before the start and before the end are counted.
        start: The first field and its first character, from 1.
        end: The last field and its last character; 0 is the end of the field.
        separator: The field separator; None separates fields at blanks.
        whole: Whether the key is the whole line.
    """

    letters: str
    start: tuple[int, int] = (1, 1)
    end: tuple[int, int] | None = None
    separator: bytes | None = None
    whole: bool = True
    skips: tuple[bool, bool] = (False, False)

    def part(self, line: bytes) -> bytes:
        """Return the part of a line to compare."""
        if self.whole:
            return line
        start, end = self.span(line)
        return line[start:end]

    def span(self, line: bytes) -> tuple[int, int]:
        """Return the start and the end of the part; the end may be before the start."""
        if self.whole:
            return 0, len(line)
        fields = fields_of(line, self.separator)
        start = self._offset(fields, line, self.start, skips=self.skips[0])
        if self.end is None:
            return start, len(line)
        field, character = self.end
        if character == 0:
            return start, fields[field - 1][1] if field <= len(fields) else len(line)
        return start, self._offset(fields, line, (field, character + 1), skips=self.skips[1])

    def _offset(
        self, fields: list[tuple[int, int]], line: bytes, place: tuple[int, int], *, skips: bool
    ) -> int:
        field, character = place
        if field > len(fields):
            return len(line)
        start, end = fields[field - 1]
        if skips:
            while start < end and line[start : start + 1] in b" \t":
                start += 1
        return min(start + character - 1, len(line))

    def reader(self) -> Callable[[bytes], Any]:
        """Return a function that returns the value of a line to compare."""
        letter = next((letter for letter in self.letters if letter in _VALUES), "")
        if letter:
            convert = _VALUES[letter]
        elif set("bdfi") & set(self.letters):
            convert = self._text
        else:
            return bytes if self.whole else self._part_reader()
        if self.whole:
            return convert
        part = self._part_reader()
        return lambda line: convert(part(line))

    def _part_reader(self) -> Callable[[bytes], bytes]:
        """Return `part`, or, for complete fields, a single search for it."""
        (first, character), (last, until) = self.start, self.end or (0, 0)
        one_byte = self.separator is None or len(self.separator) == 1
        if any(self.skips) or character != 1 or until or (self.end and last < first) or not one_byte:
            return self.part
        if self.separator is None:
            skipped, field = rb"(?:[ \t]*[^ \t]+)", rb"(?:[ \t]*[^ \t]+){%d}" % (last - first + 1)
        else:
            mark = re.escape(self.separator)
            skipped, field = (
                rb"(?:[^%s]*%s)" % (mark, mark),
                rb"[^%s]*(?:%s[^%s]*){%d}"
                % (
                    *(mark, mark, mark),
                    last - first,
                ),
            )
        wanted = rb".*" if self.end is None else rb"%s|.*" % field
        find = re.compile(rb"%s{%d}(%s)" % (skipped, first - 1, wanted), re.DOTALL).match

        def part(line: bytes) -> bytes:
            match = find(line)
            return match[1] if match else b""

        return part

    def _text(self, part: bytes) -> bytes:
        if "b" in self.letters:
            part = part.lstrip(b" \t")
        if "d" in self.letters:
            part = re.sub(rb"[^A-Za-z0-9 \t]", b"", part)
        elif "i" in self.letters:
            part = re.sub(rb"[^ -~]", b"", part)
        return part.upper() if "f" in self.letters else part


def read_keys(given: Arguments) -> list[Key]:
    """Return the keys of a call, or the whole line.

    Raises:
        ValueError: One of them is invalid, or its letters contradict each other; the message is GNU's.
    """
    letters = "".join(letter for letter in ORDERING if letter in given)
    letters += "".join(letter for letter in SORTS.get(given.last("sort", ""), "") if letter not in letters)
    separator = _separator(given.all("t"))
    keys = [_key(text, letters, separator) for text in given.all("k")] or [Key(letters)]
    for key in keys:
        _refuse_contradiction(key.letters)
    return keys


def seed_random_order(seed: bytes) -> None:
    """Set the 16 bytes that decide the order of `-R`."""
    _VALUES["R"] = lambda part: hashlib.md5(seed + part + b"\0", usedforsecurity=False).digest()


def _separator(given: list[str]) -> bytes | None:
    found: set[bytes] = set()
    for text in given:
        mark = b"\0" if text == "\\0" else encode(text)
        if not mark:
            raise ValueError("empty tab")
        if len(mark) > 1:
            raise ValueError(f"multi-character tab '{text}'")
        found.add(mark)
    if len(found) > 1:
        raise ValueError("incompatible tabs")
    return found.pop() if found else None


def _refuse_contradiction(letters: str) -> None:
    kinds = [letter in letters for letter in "nghM"] + [any(letter in letters for letter in "VRdi")]
    if sum(kinds) > 1:
        ignored = "i" if "d" in letters else ""
        shown = "".join(one for one in "dfghiMnRV" if one in letters and one not in ignored)
        raise ValueError(f"options '-{shown}' are incompatible")


def _key(text: str, letters: str, separator: bytes | None) -> Key:
    first, comma, second = text.partition(",")
    start, own = _position(text, first, "at field start")
    end, more = _position(text, second, "after ','") if comma else (None, "")
    limit = (end[0], end[1] or 0) if end else None
    place = (start[0], 1 if start[1] is None else start[1])
    if place[1] == 0:
        raise ValueError(f"character offset is zero: invalid field specification '{text}'")
    if not own + more:
        own = more = letters
    # The letters of both ends count for the key, but for b.
    used = (own + more).replace("b", "") + ("b" if "b" in own else "")
    return Key(used, place, limit, separator, whole=False, skips=("b" in own, "b" in more))


def _position(text: str, part: str, where: str) -> tuple[tuple[int, int | None], str]:
    """Read `FIELD[.CHARACTER][LETTERS]`, one end of the key `text`.

    Raises:
        ValueError: It isn't a position; the message is GNU's.
    """
    match = POSITION.match(part)
    if match is None:
        raise ValueError(f"invalid number {where}: invalid count at start of '{part}'")
    if match[2] == "":
        after = part.partition(".")[2]
        raise ValueError(f"invalid number after '.': invalid count at start of '{after}'")
    if int(match[1]) == 0:
        raise ValueError(f"field number is zero: invalid field specification '{text}'")
    if match.end() < len(part):
        raise ValueError(f"stray character in field spec: invalid field specification '{text}'")
    return (int(match[1]), None if match[2] is None else int(match[2])), match[3]


def fields_of(line: bytes, separator: bytes | None) -> list[tuple[int, int]]:
    """Return the span of each field; blanks belong to the field that follows them."""
    if separator is None:
        return [match.span() for match in re.finditer(rb"[ \t]*[^ \t]+|[ \t]+$", line)] or [(0, 0)]
    spans: list[tuple[int, int]] = []
    start = 0
    for piece in line.split(separator):
        spans.append((start, start + len(piece)))
        start += len(piece) + len(separator)
    return spans


def _number(part: bytes) -> float:
    match = NUMBER.match(part)
    text = match[1] if match else b""
    # A float can't distinguish integers above 2**53.
    if text.lstrip(b"-").isdigit():
        return int(text)
    return float(text) if text.strip(b"-.") else 0


def _general(part: bytes) -> tuple[int, float]:
    match = FLOAT.match(part)
    return (1, float(match[1])) if match else (0, 0.0)


def _size(part: bytes) -> tuple[int, int, float]:
    match = SIZE.match(part)
    if match is None or not match[2].strip(b"."):
        return (0, 0, 0.0)
    sign = -1 if match[1] else 1
    return (sign, sign * UNITS.get(match[3], 0), sign * float(match[2]))


def _month(part: bytes) -> int:
    name = part.strip()[:3].decode("ascii", "replace").upper()
    return MONTHS.index(name) + 1 if name in MONTHS else 0


def version_key(part: bytes) -> tuple[int, list[Any], list[Any]]:
    """Return the key of `filevercmp` (gnulib): empty names first, then those with a period, then by name and suffix."""
    return (
        0 if not part else 1 if part.startswith(b".") else 2,
        _version_parts(SUFFIX.sub(b"", part)),
        _version_parts(part),
    )


def _version_parts(text: bytes) -> list[Any]:
    """Return strings and numbers in turn. `~` sorts before the end of a text, letters before other characters."""
    parts: list[Any] = []
    for letters, digits in VERSION.findall(text):
        orders = [
            -1 if one == TILDE else one if chr(one).isalpha() and one < 128 else one + 256 for one in letters
        ]
        parts += [[*orders, 0], int(digits or 0)]
    return parts


_VALUES: dict[str, Callable[[bytes], Any]] = {
    "n": _number,
    "g": _general,
    "h": _size,
    "M": _month,
    "V": version_key,
}
seed_random_order(secrets.token_bytes(16))
