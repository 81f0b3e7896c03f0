"""`diff`: compare two files or two directories (GNU diffutils manual)."""

from __future__ import annotations

import fnmatch
import os
import re
import shlex
from collections.abc import Callable
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.counts import BadValue
from gemini_userland.diff_colors import choose_colors
from gemini_userland.diff_columns import Columns, side_by_side
from gemini_userland.diff_formats import Difference, context, ed, forward_ed, normal, rcs, unified
from gemini_userland.diff_options import FORMATS, SYNTAX, UNSUPPORTED, ignores, normalizer, old_context
from gemini_userland.diff_script import Change, changes_between
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.patterns import compile_posix
from gemini_userland.tabs import Stops, expanded
from gemini_userland.text import STANDARD_INPUT, decode, lines, pieces, read

PRINTERS: dict[str, Callable[[Difference], bytes]] = {
    "normal": normal,
    "unified": unified,
    "context": context,
    "e": ed,
    "f": forward_ed,
    "n": rcs,
}
FUNCTION = re.compile(rb"^[A-Za-z$_]")
BINARY_SAMPLE = 1 << 16
DIFFERENT, TROUBLE = 1, 2


class Comparison:
    """A call of diff.

    Raises:
        BadValue: The options are wrong.
    """

    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self._invocation = invocation
        self._given = given
        self._format = self._chosen_format()
        self._context = self._chosen_context()
        terminal = invocation.columns is not None and invocation.env.get("TERM", "dumb") != "dumb"
        self._colors = choose_colors(given, is_terminal=terminal)
        self._key = normalizer(given)
        self._ignores = ignores(given)
        function = given.last("F")
        self._function = (
            compile_posix(function, extended=False) if function else FUNCTION if "p" in given else None
        )
        self._columns = Columns(
            given.number("W", 130),
            given.number("tabsize", 8),
            "t" in given,
            "left-column" in given,
            "suppress-common-lines" in given,
        )
        self._excluded = given.all("x") + [
            decode(line) for name in given.all("X") for line in lines(read(invocation, name))
        ]
        self._status = 0

    def _chosen_format(self) -> str:
        found = {FORMATS[name] for name, _ in self._given.items if name in FORMATS}
        if len(found) > 1:
            raise BadValue("conflicting output style options")
        return found.pop() if found else "normal"

    def _chosen_context(self) -> int:
        sizes = [int(value) for name, value in self._given.items if name in ("U", "C", "old") and value]
        return max(sizes) if sizes else 3

    def run(self, one: str, other: str) -> int:
        """Print the differences and return 1 if there are any, 2 if a file can't be read, else 0."""
        first, second = self._is_directory(one), self._is_directory(other)
        if first and second:
            self._directories(one, other, top=True)
        elif first or second:
            if "-" in (one, other):
                raise BadValue("cannot compare '-' to a directory")
            if first:
                self._files(f"{one.rstrip('/')}/{os.path.basename(other)}", other)
            else:
                self._files(one, f"{other.rstrip('/')}/{os.path.basename(one)}")
        else:
            self._files(one, other)
        return self._status

    def _differs(self) -> None:
        self._status = max(self._status, DIFFERENT)

    def _is_directory(self, name: str) -> bool:
        return name not in STANDARD_INPUT and os.path.isdir(self._invocation.path(name))

    def _names(self, folder: str) -> set[str]:
        found = os.listdir(self._invocation.path(folder))
        return {
            name
            for name in found
            if not any(fnmatch.fnmatchcase(name, pattern) for pattern in self._excluded)
        }

    def _directories(self, one: str, other: str, *, top: bool = False) -> None:
        names = [self._names(one), self._names(other)]
        start = self._given.last("S", "") if top else ""
        for name in sorted(names[0] | names[1]):
            if name < start:
                continue
            left, right = f"{one.rstrip('/')}/{name}", f"{other.rstrip('/')}/{name}"
            missing = [name not in side for side in names]
            filled = "N" in self._given or (missing[0] and "unidirectional-new-file" in self._given)
            if any(missing) and not filled:
                self._differs()
                self._invocation.print(f"Only in {other if missing[0] else one}: {name}")
            elif self._is_directory(left) or self._is_directory(right):
                self._subdirectories(left, right, missing)
            else:
                self._files(left, right, title=self._title(left, right))

    def _title(self, left: str, right: str) -> str:
        """Return the command line for two files: the options with their values, as GNU diff quotes them."""
        words = list(self._invocation.argv[1:])
        for operand in reversed(self._given.operands):
            # Options' values come before operands that are the same word.
            at = len(words) - 1 - words[::-1].index(operand)
            del words[at]
        quoted = (f"'{word}'" if "=" in word and "'" not in word else shlex.quote(word) for word in words)
        return " ".join(["diff", *quoted, shlex.quote(left), shlex.quote(right)])

    def _subdirectories(self, left: str, right: str, missing: list[bool]) -> None:
        kinds = [self._is_directory(left), self._is_directory(right)]
        if not any(missing) and not all(kinds):
            names = ["directory" if kind else "regular file" for kind in kinds]
            self._invocation.print(f"File {left} is a {names[0]} while file {right} is a {names[1]}")
            self._differs()
        elif any(missing):
            self._differs()
            present = right if missing[0] else left
            for name in sorted(self._names(present)):
                one, other = f"{left}/{name}", f"{right}/{name}"
                if "r" in self._given and not self._is_directory(f"{present}/{name}"):
                    self._files(one, other, title=self._title(one, other))
                elif "r" in self._given:
                    self._subdirectories(one, other, missing)
        elif "r" in self._given:
            self._directories(left, right)
        else:
            self._invocation.print(f"Common subdirectories: {left} and {right}")

    def _content(self, name: str) -> bytes:
        try:
            return read(self._invocation, name)
        except FileNotFoundError:
            if "N" in self._given or "unidirectional-new-file" in self._given:
                return b""
            raise

    def _files(self, one: str, other: str, title: str = "") -> None:
        given = self._given
        left, right = self._content(one), self._content(other)
        binary = b"\0" in left[:BINARY_SAMPLE] + right[:BINARY_SAMPLE] and "a" not in given
        if binary and left != right:
            self._differs()
            kind = "Files" if "q" in given else "Binary files"
            self._invocation.print(f"{kind} {one} and {other} differ")
            return
        rows = [pieces(self._without_returns(data)) for data in (left, right)]
        difference = self._difference(*rows)
        if difference.shown:
            self._differs()
        else:
            self._report_identical(one, other)
        if "q" in given:
            if difference.shown:
                self._invocation.print(f"Files {one} and {other} differ")
            return
        if not difference.shown and self._format != "y":
            return
        if title:
            self._invocation.print(title)
        self._print(difference, one, other)
        if self._format in ("e", "f"):
            self._report_missing_ends((one, rows[0]), (other, rows[1]))

    def _print(self, difference: Difference, one: str, other: str) -> None:
        if self._format in ("unified", "context"):
            self._heading(one, other)
        if self._format == "y":
            self._invocation.stdout.write(side_by_side(difference, self._columns))
        else:
            self._invocation.stdout.write(PRINTERS[self._format](difference))

    def _report_identical(self, one: str, other: str) -> None:
        if "s" in self._given:
            self._invocation.print(f"Files {one} and {other} are identical")

    def _report_missing_ends(self, *files: tuple[str, list[bytes]]) -> None:
        for name, rows in files:
            if rows and not rows[-1].endswith(b"\n"):
                self._invocation.error(f"{name}: No newline at end of file\n")
                self._status = TROUBLE

    def _difference(self, left: list[bytes], right: list[bytes]) -> Difference:
        wide = self._format in ("unified", "context")
        keys = [[self._key(row) for row in side] for side in (left, right)]
        if self._format in ("e", "f"):
            # A script can't say that the last line has no end.
            keys = [[key.removesuffix(b"\n") + b"\n" for key in side] for side in keys]
        horizon = max(self._context if wide else 0, self._given.number("horizon-lines", 0))
        changes = changes_between(*keys, horizon=horizon, minimal="d" in self._given)
        return Difference(
            left,
            right,
            changes,
            ignored=lambda change: self._is_ignored(change, left, right),
            context=self._context,
            show=self._expand if "t" in self._given else lambda line: line,
            initial="T" in self._given,
            function=self._function,
            plain_empty="suppress-blank-empty" in self._given,
            colors=self._colors,
        )

    def _is_ignored(self, change: Change, left: list[bytes], right: list[bytes]) -> bool:
        if self._ignores is None:
            return False
        return all(map(self._ignores, left[change.start : change.end] + right[change.begin : change.stop]))

    def _without_returns(self, data: bytes) -> bytes:
        return data.replace(b"\r\n", b"\n") if "strip-trailing-cr" in self._given else data

    def _expand(self, line: bytes) -> bytes:
        return expanded(line, Stops((), self._given.number("tabsize", 8)))

    def _heading(self, one: str, other: str) -> None:
        labels = self._given.all("label")
        marks = ("---", "+++") if self._format == "unified" else ("***", "---")
        for number, (mark, name) in enumerate(zip(marks, (one, other), strict=True)):
            label = labels[number] if number < len(labels) else f"{name}\t{self._time(name)}"
            line = f"{mark} {label}".encode("utf-8", "surrogateescape")
            self._invocation.stdout.write(self._colors.paint("hd", line) + b"\n")

    def _time(self, name: str) -> str:
        try:
            modified = os.stat(self._invocation.path(name)).st_mtime_ns
        except OSError:
            modified = 0
        when = datetime.fromtimestamp(modified // 10**9, zone_of(self._invocation))
        return f"{when:%Y-%m-%d %H:%M:%S}.{modified % 10**9:09d} {when:%z}"


async def diff(invocation: Invocation) -> int:
    """Return 0 if the operands are the same, 1 if they differ, 2 after an error."""
    given = SYNTAX.parse(invocation, old_context(invocation.argv[1:]))
    if isinstance(given, int):
        return given
    for name, _ in given.items:
        if name in UNSUPPORTED:
            invocation.error(UNSUPPORTED[name])
            return TROUBLE
    operands = given.operands
    try:
        comparison = Comparison(invocation, given)
        if (start := given.last("from-file")) is not None and operands:
            return max(comparison.run(start, name) for name in operands)
        if (target := given.last("to-file")) is not None and operands:
            return max(comparison.run(name, target) for name in operands)
        if len(operands) != 2:
            missing = operands[-1] if operands else invocation.name
            extra = (
                f"extra operand '{operands[2]}'"
                if len(operands) > 2
                else f"missing operand after '{missing}'"
            )
            return SYNTAX.usage_error(invocation, extra)
        return comparison.run(*operands)
    except (BadValue, re.error) as problem:
        invocation.error(str(problem))
        return TROUBLE
    except OSError as error:
        invocation.error(f"{_shown(invocation, error)}: {error.strerror}")
        return TROUBLE


def _shown(invocation: Invocation, error: OSError) -> str:
    """Return the operand that `error` is about, as the user typed it."""
    path = os.fsdecode(error.filename or "")
    return next((word for word in invocation.argv[1:] if invocation.path(word) == path), path)
