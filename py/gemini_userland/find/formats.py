"""The lines of `find` about a file: the formats of `-printf` and the line of `-ls`.

Source: the GNU findutils manual, "Print File Information".
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Callable, Mapping
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.date_format import formatted
from gemini_userland.find.entry import Entry, letter_of
from gemini_userland.find.owners import group_names, user_names
from gemini_userland.find.query import FindError, Query
from gemini_userland.find.times import DAY, NANO, time_of

ESCAPES = dict(zip("abfnrtv\\", "\a\b\f\n\r\t\v\\", strict=True))
HALF_A_YEAR_S = 365.25 * DAY / 2
TIMES = "ACT"
# As `ctime` writes them.
CTIMES = "act"
_PIECE = re.compile(
    r"\\(?P<octal>[0-7]{1,3})|\\(?P<escape>.?)"
    r"|%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?(?P<kind>[ACT](?P<part>.?)|.?)|(?P<text>[^\\%]+)",
    re.DOTALL,
)
Piece = Callable[[Entry], str]


class Format:
    """A format of `-printf`.

    Args:
        query: The call.
        text: The format.

    Raises:
        FindError: The format ends within a directive.
    """

    def __init__(self, query: Query, text: str) -> None:
        self._query = query
        self._values = _values(query.invocation.env)
        self._pieces: list[str | Piece] = []
        for match in _PIECE.finditer(text):
            if match["escape"] == "c":
                break
            self._pieces.append(self._piece(match))

    def apply(self, entry: Entry) -> str:
        """Return the text for a file."""
        return "".join(piece if isinstance(piece, str) else piece(entry) for piece in self._pieces)

    def _piece(self, match: re.Match[str]) -> str | Piece:
        if match["text"]:
            return match["text"]
        if match["octal"]:
            return os.fsdecode(bytes([int(match["octal"], 8) & 0xFF]))
        if match["escape"] is not None:
            return self._escape(match["escape"])
        return self._directive(match)

    def _escape(self, letter: str) -> str:
        if letter in ESCAPES:
            return ESCAPES[letter]
        problem = f"unrecognized escape `\\{letter}'" if letter else "escape `\\' followed by nothing at all"
        self._query.invocation.error(f"warning: {problem}")
        return "\\" + letter

    def _directive(self, match: re.Match[str]) -> str | Piece:
        kind, part = match["kind"], match["part"]
        if kind == "%":
            return "%"
        if kind == "":
            raise FindError("error: % at end of format string")
        if kind in TIMES:
            problem = f"format directive `%{kind}' should be followed by another character"
            self._query.invocation.error(f"warning: {problem}")
            return match[0]
        if kind in CTIMES:
            value: Callable[[Entry], object] = lambda entry: self._time(entry, kind.upper(), " ")  # noqa: E731
        elif kind[0] in TIMES:
            value = lambda entry: self._time(entry, kind[0], part)  # noqa: E731
        elif kind in self._values:
            value = self._values[kind]
        else:
            self._query.invocation.error(f"warning: unrecognized format directive `%{kind}'")
            return match[0]
        flags = match["flags"] if kind in "md" else match["flags"].replace("0", "")
        number = {"m": "o", "d": "d"}.get(kind, "s")
        precision = "" if match["precision"] is None else "." + match["precision"]
        form = f"%{flags}{match['width']}{precision}{number}"
        if form == "%s":
            return lambda entry: str(value(entry))
        if number == "o" and "#" in flags:
            # C writes 0755 where Python writes 0o755.
            form = form.replace("#", "").replace("o", "s")
            return lambda entry: form % f"0{value(entry):o}"
        return lambda entry: form % value(entry)

    def _time(self, entry: Entry, letter: str, part: str) -> str:
        stamp = time_of(entry.status, {"T": "m"}.get(letter, letter.lower()))
        return _time_text(self._query, stamp, part)


def _time_text(query: Query, stamp: int, part: str) -> str:
    when = datetime.fromtimestamp(stamp // NANO, zone_of(query.invocation))
    # GNU's fractions have ten digits.
    fraction = f".{stamp % NANO:09d}0"
    match part:
        case "@":
            return f"{stamp // NANO}{fraction}"
        case "+":
            return formatted(when, "%Y-%m-%d+%H:%M:%S") + fraction
        case "S":
            return f"{when:%S}{fraction}"
        case "T" | "X":
            return f"{when:%H:%M:%S}{fraction}"
        case " ":
            return f"{when:%a %b} {when.day:2d} {when:%H:%M:%S}{fraction} {when:%Y}"
        case "c":
            return f"{when:%a %b} {when.day:2d} {when:%H:%M:%S} {when:%Y}"
        case _:
            return formatted(when, f"%{part}")


def _values(env: Mapping[str, str]) -> dict[str, Callable[[Entry], object]]:
    return {
        "b": lambda entry: entry.blocks,
        "d": lambda entry: entry.depth,
        "D": lambda entry: entry.status.st_dev,
        "f": _last_part,
        "F": lambda entry: "memfs",
        "g": lambda entry: group_names(env, entry.status.st_gid),
        "G": lambda entry: entry.status.st_gid,
        "h": _folder_of,
        "H": lambda entry: entry.top,
        "i": lambda entry: entry.status.st_ino,
        "k": lambda entry: -(-entry.blocks // 2),
        "l": lambda entry: entry.target,
        "m": lambda entry: stat.S_IMODE(entry.status.st_mode),
        "M": lambda entry: stat.filemode(entry.status.st_mode),
        "n": lambda entry: entry.status.st_nlink,
        "p": lambda entry: entry.path,
        "P": lambda entry: entry.within_top,
        "s": lambda entry: entry.status.st_size,
        "S": _density,
        "u": lambda entry: user_names(env, entry.status.st_uid),
        "U": lambda entry: entry.status.st_uid,
        "y": lambda entry: entry.kind,
        "Y": _far_type,
    }


def _folder_of(entry: Entry) -> str:
    path = entry.path.rstrip("/")
    folder, slash, _ = path.rpartition("/")
    if slash or path == "":
        return folder
    # A starting point such as `a/` is its own folder.
    return path if entry.path.endswith("/") else "."


def _last_part(entry: Entry) -> str:
    return entry.path[len(entry.path.rstrip("/").rpartition("/")[0]) :].lstrip("/") or "/"


def _density(entry: Entry) -> str:
    size = entry.status.st_size
    return f"{entry.blocks * 512 / size:g}" if size else "1"


def _far_type(entry: Entry) -> str:
    if letter_of(os.lstat(entry.place).st_mode) != "l":
        return entry.kind
    try:
        return letter_of(os.stat(entry.place).st_mode)
    except FileNotFoundError:
        return "N"
    except OSError as error:
        return "L" if error.errno == errno.ELOOP else "?"


def list_line(query: Query, entry: Entry) -> str:
    """Return the line that `-ls` prints."""
    status, env = entry.status, query.invocation.env
    when = datetime.fromtimestamp(status.st_mtime, zone_of(query.invocation))
    recent = -3600 <= query.started - status.st_mtime < HALF_A_YEAR_S
    date = formatted(when, "%b %e %H:%M" if recent else "%b %e  %Y")
    owner = f"{user_names(env, status.st_uid):8} {group_names(env, status.st_gid):8}"
    arrow = f" -> {_escaped(entry.target)}" if entry.kind == "l" else ""
    return (
        f"{status.st_ino:9} {-(-entry.blocks // 2):6} {stat.filemode(status.st_mode)} {status.st_nlink:3} "
        f"{owner} {status.st_size:8} {date} {_escaped(entry.path)}{arrow}\n"
    )


_CONTROLS = {7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r"}


def _escaped(name: str) -> str:
    def written(byte: int) -> str:
        if byte in _CONTROLS:
            return _CONTROLS[byte]
        if byte < 32 or byte > 126:
            return f"\\{byte:03o}"
        return "\\" + chr(byte) if chr(byte) in ' "\\' else chr(byte)

    return "".join(written(byte) for byte in os.fsencode(name))
