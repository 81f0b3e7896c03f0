"""`sort`: sort lines by bytes, as in the C locale."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from itertools import compress, count, islice
from operator import eq
from typing import Any

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import all_lines, decode, encode, write

SYNTAX = Syntax(
    short="bcCdfghik:mMno:rRst:uVzT:S:",
    long={
        "ignore-leading-blanks": "b",
        "check=?": "c",
        "dictionary-order": "d",
        "ignore-case": "f",
        "general-numeric-sort": "g",
        "human-numeric-sort": "h",
        "key=": "k",
        "merge": "m",
        "month-sort": "M",
        "numeric-sort": "n",
        "output=": "o",
        "reverse": "r",
        "random-sort": "R",
        "stable": "s",
        "field-separator=": "t",
        "unique": "u",
        "version-sort": "V",
        "zero-terminated": "z",
        "parallel=": "parallel",
    },
    wrong_usage=2,
    help="""
Usage: sort [OPTION]... [FILE]...
Print the sorted lines of all FILEs.

  -n, -g, -h, -M, -V      compare numbers, floating-point numbers, sizes such as 2K, months, versions
  -R                      sort randomly
  -b, -d, -f              ignore leading blanks; compare only blanks and alphanumerics; ignore case
  -k, --key=FROM[,TO]     compare these fields; FROM and TO are FIELD[.CHARACTER][LETTERS], with letters as above
  -t, --field-separator=C use C as the field separator (default: blanks)
  -r, --reverse           reverse the order
  -s, --stable            preserve the order of lines with equal keys
  -u, --unique            print only the first of equal lines
  -c, -C, --check         only check whether the input is sorted; -C without a message
  -o, --output=FILE       write to FILE, which may be an input file
  -z, --zero-terminated   end lines with a null byte
""",
)
ORDERING = "bdfghiMnrRV"
MONTHS = ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"]
UNITS = {b"K": 1, b"k": 1, b"M": 2, b"G": 3, b"T": 4, b"P": 5, b"E": 6}
# The number at the start of a line: "" if there is none, one that `int` refuses if it has a fraction.
WHOLE = re.compile(rb"[ \t]*(-?\d*\.?\d*).*\n")
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
        letters: The ordering options.
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

    def part(self, line: bytes) -> bytes:
        """Return the part of a line to compare."""
        if self.whole:
            return line
        fields = _fields(line, self.separator)
        start = self._offset(fields, line, self.start[0], self.start[1])
        if self.end is None:
            return line[start:]
        field, character = self.end
        if character == 0:
            return line[start : fields[field - 1][1] if field <= len(fields) else len(line)]
        return line[start : self._offset(fields, line, field, character + 1)]

    def _offset(self, fields: list[tuple[int, int]], line: bytes, field: int, character: int) -> int:
        if field > len(fields):
            return len(line)
        start, end = fields[field - 1]
        if "b" in self.letters:
            while start < end and line[start : start + 1] in b" \t":
                start += 1
        return min(start + character - 1, len(line))

    def reader(self) -> Callable[[bytes], Any]:
        """Return a function that returns the value of a line to compare."""
        letter = next((letter for letter in self.letters if letter in _VALUES), "")
        if letter:
            convert = _VALUES[letter]
        elif set("bdf") & set(self.letters):
            convert = self._text
        else:
            return bytes if self.whole else self._part_reader()
        if self.whole:
            return convert
        part = self._part_reader()
        return lambda line: convert(part(line))

    def _part_reader(self) -> Callable[[bytes], bytes]:
        """Return `part`, or for whole fields one search for it."""
        (first, character), (last, until) = self.start, self.end or (0, 0)
        one_byte = self.separator is None or len(self.separator) == 1
        if "b" in self.letters or character != 1 or until or (self.end and last < first) or not one_byte:
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
        return part.upper() if "f" in self.letters else part


async def sort(invocation: Invocation) -> int:
    """Sort, merge or check the lines of the operands."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    end = b"\0" if "z" in given else b"\n"
    found, failed = all_lines(invocation, given.operands, end)
    if failed:
        return 2
    try:
        keys = _keys(given)
    except ValueError as problem:
        invocation.error(str(problem))
        return 2
    if (check := given.last_of("c", "C")) is not None:
        return _check(invocation, given, found, _comparison(given, keys), quiet=check == "C")
    found = _sorted(given, found, keys)
    if "u" in given:
        found = _unique(found, keys)
    printed = end.join([*found, b""])
    write(invocation, given.last("o"), printed)
    return 0


def _sorted(given: Arguments, found: list[bytes], keys: list[Key]) -> list[bytes]:
    """Sort by the last resort, then by each key from the last to the first; Python's sort is stable."""
    last_resort = "s" not in given and "u" not in given
    [key, *others] = keys
    numbers = _numbers(found) if not others and key.whole and key.letters.strip("r") == "n" else None
    if numbers is not None:
        key_of = iter(numbers)
        # Python's sort asks for each line's key once, in order.
        found.sort(key=lambda _: next(key_of), reverse="r" in key.letters)
        if last_resort:
            _sort_ties(found, sorted(numbers, reverse="r" in key.letters), backwards="r" in given)
        return found
    if last_resort:
        found.sort(reverse="r" in given)
    for key in reversed(keys):
        if not (last_resort and key.whole and not key.letters.strip("r")):
            found.sort(key=key.reader(), reverse="r" in key.letters)
    return found


def _sort_ties(ordered: list[bytes], numbers: list[int], *, backwards: bool) -> None:
    """Sort the lines whose numbers are equal."""
    done = 0
    for start in compress(count(), map(eq, numbers, islice(numbers, 1, None))):
        if start >= done:
            done = start
            while done < len(numbers) and numbers[done] == numbers[start]:
                done += 1
            ordered[start:done] = sorted(ordered[start:done], reverse=backwards)


def _numbers(found: list[bytes]) -> list[int] | None:
    """Return the number at the start of each line if all are whole ones, else None. All are read at once."""
    try:
        numbers = [int(number or 0) for number in WHOLE.findall(b"\n".join([*found, b""]))]
    except ValueError:
        return None
    return numbers if len(numbers) == len(found) else None


def _keys(given: Arguments) -> list[Key]:
    letters = "".join(letter for letter in ORDERING if letter in given)
    separator = encode(given.last("t", "").replace("\\0", "\0").replace("\\t", "\t")) or None
    keys = [_key(text, letters, separator) for text in given.all("k")]
    return keys or [Key(letters)]


def _key(text: str, letters: str, separator: bytes | None) -> Key:
    first, comma, second = text.partition(",")
    start, own = _position(text, first, "at field start")
    end, more = _position(text, second, "after ','") if comma else (None, "")
    limit = (end[0], end[1] or 0) if end else None
    place = (start[0], 1 if start[1] is None else start[1])
    if place[1] == 0:
        raise ValueError(f"character offset is zero: invalid field specification '{text}'")
    return Key(own + more or letters, place, limit, separator, whole=False)


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


def _fields(line: bytes, separator: bytes | None) -> list[tuple[int, int]]:
    """Return the span of each field; blanks belong to the field that follows them."""
    if separator is None:
        return [match.span() for match in re.finditer(rb"[ \t]*[^ \t]+|[ \t]+$", line)] or [(0, 0)]
    spans: list[tuple[int, int]] = []
    start = 0
    for piece in line.split(separator):
        spans.append((start, start + len(piece)))
        start += len(piece) + len(separator)
    return spans


def _comparison(given: Arguments, keys: list[Key]) -> Callable[[bytes, bytes], int]:
    last_resort = "s" not in given and "u" not in given
    backwards = "r" in given
    readers = [(key, key.reader()) for key in keys]

    def compare(one: bytes, other: bytes) -> int:
        for key, read in readers:
            left, right = read(one), read(other)
            if left != right:
                return (-1 if left < right else 1) * (-1 if "r" in key.letters else 1)
        if not last_resort or one == other:
            return 0
        return (-1 if one < other else 1) * (-1 if backwards else 1)

    return compare


def _check(
    invocation: Invocation,
    given: Arguments,
    found: list[bytes],
    compare: Callable[[bytes, bytes], int],
    *,
    quiet: bool,
) -> int:
    for number, (one, other) in enumerate(zip(found, found[1:], strict=False), 2):
        order = compare(one, other)
        if order > 0 or (order == 0 and "u" in given):
            if not quiet:
                name = given.operands[0] if given.operands else "-"
                invocation.error(f"{name}:{number}: disorder: {decode(other)}")
            return 1
    return 0


def _unique(found: list[bytes], keys: list[Key]) -> list[bytes]:
    readers = [key.reader() for key in keys]
    unique: list[bytes] = []
    last: list[Any] | None = None
    for line in found:
        values = [read(line) for read in readers]
        if values != last:
            unique.append(line)
            last = values
    return unique


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


def _version(part: bytes) -> tuple[int, list[Any], list[Any]]:
    """Return the key of `filevercmp` (gnulib): empty names first, then those with a period, then by name and suffix."""
    return (
        0 if not part else 1 if part.startswith(b".") else 2,
        _version_parts(SUFFIX.sub(b"", part)),
        _version_parts(part),
    )


def _version_parts(text: bytes) -> list[Any]:
    """Return texts and numbers in turn. `~` sorts before the end of a text, letters before other characters."""
    parts: list[Any] = []
    for letters, digits in VERSION.findall(text):
        orders = [
            -1 if one == TILDE else one if chr(one).isalpha() and one < 128 else one + 256 for one in letters
        ]
        parts += [[*orders, 0], int(digits or 0)]
    return parts


_SALT = secrets.token_bytes(8)
_VALUES: dict[str, Callable[[bytes], Any]] = {
    "n": _number,
    "g": _general,
    "h": _size,
    "M": _month,
    "V": _version,
    "R": lambda part: hashlib.blake2b(part, key=_SALT).digest(),
}
