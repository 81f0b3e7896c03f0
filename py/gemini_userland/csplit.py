"""`csplit`: divide a file at lines that match (POSIX, and GNU coreutils manual, 5.4)."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.patterns import compile_posix
from gemini_userland.text import pieces, read

SYNTAX = Syntax(
    numbers={"n": Number("invalid number: '{}'", minimum=1)},
    short="b:f:kn:sqz",
    long={
        "suffix-format=": "b",
        "prefix=": "f",
        "keep-files": "k",
        "suppress-matched": "suppress-matched",
        "digits=": "n",
        "quiet": "s",
        "silent": "s",
        "elide-empty-files": "z",
    },
    help="""
Usage: csplit [OPTION]... FILE PATTERN...
Write the pieces of FILE (- is standard input) between the lines that the PATTERNs name to xx00, xx01, ..., and print
their sizes.

  -b, --suffix-format=FORMAT  use printf's FORMAT instead of %02d
  -f, --prefix=PREFIX    use PREFIX instead of xx
  -k, --keep-files       keep the files after an error
  -n, --digits=N         use N digits
  -s, --quiet, --silent  don't print the sizes
  -z, --elide-empty-files  write no empty files
      --suppress-matched   leave the lines out that match

A PATTERN is a line number, /REGEX/[OFFSET], or %REGEX%[OFFSET] to skip a part. {N} repeats the previous one N times,
{*} as often as possible.
""",
)


@dataclass
class _Pattern:
    """A pattern with its repetitions; `times` is None for {*}."""

    text: str
    line: int = 0
    regex: re.Pattern[bytes] | None = None
    skips: bool = False
    offset: int = 0
    times: int | None = 0


class _Splitting:
    """The input, and the files that are written."""

    def __init__(self, invocation: Invocation, given: Arguments, rows: list[bytes]) -> None:
        self._invocation = invocation
        self._given = given
        self._rows = rows
        # The first line that isn't written yet, from 0, and the number of the current one, from 1.
        self._at = 0
        self._current = 0
        self._names: list[str] = []
        self._suffix = given.last("b") or f"%0{given.number('n', 2)}d"

    def run(self, patterns: list[_Pattern]) -> None:
        """Write all files.

        Raises:
            BadValue: A pattern names no line.
        """
        for pattern in patterns:
            turn = 0
            while pattern.times is None or turn <= pattern.times:
                split = self._lines if pattern.regex is None else self._match
                if not split(pattern, turn):
                    return
                turn += 1
        self._create(self._rows[self._at :])

    def _lines(self, pattern: _Pattern, turn: int) -> bool:
        stop = pattern.line * (turn + 1) - 1
        drops = "suppress-matched" in self._given
        on = f" on repetition {turn}" if turn else ""
        problem = f"'{pattern.text}': line number out of range{on}"
        if drops and self._at >= len(self._rows):
            self._create([])
            raise BadValue(problem)
        start, self._at = self._at, max(self._at, min(stop, len(self._rows)))
        self._create(self._rows[start : self._at])
        if stop > len(self._rows) or (self._at >= len(self._rows) and not drops):
            raise BadValue(problem)
        self._current = self._at
        if drops:
            self._drop()
        return True

    def _match(self, pattern: _Pattern, turn: int) -> bool:
        """Write up to a match; return False if {*} has found the last one."""
        at = self._current
        while at < len(self._rows) and not self._matches(pattern, at):
            at += 1
        if at >= len(self._rows):
            if not pattern.skips:
                self._create(self._rows[self._at :])
            if pattern.times is None:
                return False
            on = f" on repetition {turn}" if turn else ""
            raise BadValue(f"'{pattern.text}': match not found{on}")
        stop = at + pattern.offset
        if stop < self._at or stop > len(self._rows):
            if not pattern.skips:
                self._create(self._rows[self._at :] if stop > len(self._rows) else [])
            raise BadValue(f"'{pattern.text}': line number out of range")
        if not pattern.skips:
            self._create(self._rows[self._at : stop])
        self._at = stop
        self._current = max(at, stop) + 1
        if "suppress-matched" in self._given:
            self._drop()
        return True

    def _matches(self, pattern: _Pattern, at: int) -> bool:
        return (
            pattern.regex is not None and pattern.regex.search(self._rows[at].removesuffix(b"\n")) is not None
        )

    def _drop(self) -> None:
        self._at = min(self._at + 1, len(self._rows))
        self._current = max(self._current, self._at)

    def _create(self, rows: list[bytes]) -> None:
        data = b"".join(rows)
        if not data and "z" in self._given:
            return
        name = self._given.last("f", "xx") + self._suffix % len(self._names)
        with self._invocation.create(self._invocation.path(name)) as file:
            file.write(data)
        self._names.append(name)
        if "s" not in self._given and "q" not in self._given:
            self._invocation.print(str(len(data)))

    def remove(self) -> None:
        """Remove the files that were written."""
        for name in self._names:
            os.unlink(self._invocation.path(name))


async def csplit(invocation: Invocation) -> int:
    """Write the pieces; return 1 for a pattern that names no line, or a file that can't be read."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if len(given.operands) < 2:
        missing = f"missing operand after '{given.operands[0]}'" if given.operands else "missing operand"
        return SYNTAX.usage_error(invocation, missing)
    name, *words = given.operands
    try:
        _check_suffix(given.last("b"))
        patterns = _patterns(words)
        rows = pieces(read(invocation, name))
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    except OSError as error:
        invocation.error(f"cannot open '{name}' for reading: {error.strerror}")
        return 1
    splitting = _Splitting(invocation, given, rows)
    try:
        splitting.run(patterns)
    except BadValue as problem:
        invocation.error(str(problem))
        if "k" not in given:
            splitting.remove()
        return 1
    return 0


def _check_suffix(suffix: str | None) -> None:
    if suffix is None:
        return
    directives = re.findall(r"%(?!%)", suffix.replace("%%", ""))
    if not directives:
        raise BadValue("missing % conversion specification in suffix")
    if len(directives) > 1:
        raise BadValue("too many % conversion specifications in suffix")
    if not re.search(r"%[-+ #0']*\d*(?:\.\d+)?[diouxX]", suffix):
        raise BadValue("invalid conversion specifier in suffix: use %d, %o, %x or %X")


def _patterns(words: list[str]) -> list[_Pattern]:
    found: list[_Pattern] = []
    for word in words:
        repetition = re.fullmatch(r"\{(\*|\d+)\}", word)
        if repetition and found:
            found[-1].times = None if repetition[1] == "*" else int(repetition[1])
        elif word[:1] in ("/", "%"):
            found.append(_regex(word))
        elif re.fullmatch(r"\d+", word):
            if int(word) == 0:
                raise BadValue(f"{word}: line number must be greater than zero")
            earlier = max((pattern.line for pattern in found), default=0)
            if int(word) < earlier:
                raise BadValue(f"line number '{word}' is smaller than preceding line number, {earlier}")
            found.append(_Pattern(word, line=int(word)))
        else:
            raise BadValue(f"'{word}': invalid pattern")
    return found


def _regex(word: str) -> _Pattern:
    source, closing, offset = word[1:].rpartition(word[0])
    if not closing:
        raise BadValue(f"{word}: closing delimiter '{word[0]}' missing")
    if not re.fullmatch(r"([-+]?\d+)?", offset):
        raise BadValue(f"{word}: integer expected after delimiter")
    try:
        regex = compile_posix(source, extended=False)
    except re.error as error:
        raise BadValue(f"{word}: invalid regular expression: {error}") from error
    return _Pattern(word, regex=regex, skips=word[0] == "%", offset=int(offset or 0))
