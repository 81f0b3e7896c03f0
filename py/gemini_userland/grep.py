"""`grep`: print the lines that match patterns."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch

from gemini_userland.blocks import within_lines
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.patterns import compile_posix
from gemini_userland.text import decode, encode, line_count, lines, read

SYNTAX = Syntax(
    numbers={
        **{letter: Number("{}: invalid context length argument") for letter in "ABC"},
        "m": Number("invalid max count", minimum=-sys.maxsize),
    },
    short="aA:bB:cC:d:e:Ef:FGhHiIlLm:noPqrRsTUvVwxyzZ0123456789",
    long={
        "regexp=": "e",
        "file=": "f",
        "extended-regexp": "E",
        "fixed-strings": "F",
        "basic-regexp": "G",
        "perl-regexp": "P",
        "ignore-case": "i",
        "no-ignore-case": "no-ignore-case",
        "invert-match": "v",
        "word-regexp": "w",
        "line-regexp": "x",
        "count": "c",
        "color=?": "color",
        "colour=?": "color",
        "files-without-match": "L",
        "files-with-matches": "l",
        "max-count=": "m",
        "only-matching": "o",
        "quiet": "q",
        "silent": "q",
        "no-messages": "s",
        "byte-offset": "b",
        "with-filename": "H",
        "no-filename": "h",
        "line-number": "n",
        "null": "Z",
        "null-data": "z",
        "after-context=": "A",
        "before-context=": "B",
        "context=": "C",
        "text": "a",
        "binary-files=": "binary-files",
        "recursive": "r",
        "dereference-recursive": "R",
        "include=": "include",
        "exclude=": "exclude",
        "exclude-dir=": "exclude-dir",
    },
    wrong_usage=2,
    help="""
Usage: grep [OPTION]... PATTERN [FILE]...
Print the lines of each FILE, or of standard input, that match PATTERN.

  -E, -F, -P, -G          PATTERN is extended, plain text, Perl-compatible, basic (default)
  -e PATTERN, -f FILE     use PATTERN, may be repeated; read patterns from FILE, one per line
  -i, -v, -w, -x          ignore case; select lines that don't match; match whole words; match whole lines
  -c, -l, -L, -q          print counts; names of files with matches, without matches; nothing
  -o, -n, -b              print only the matches; with line numbers; with offsets
  -h, -H, -Z              print no file names; file names; a null byte after file names
  -A, -B, -C NUMBER       print NUMBER lines after, before, around each match
  -m NUMBER               stop after NUMBER lines of a file
  -r, -R                  search directories; filter with --include, --exclude, --exclude-dir=GLOB
  -a, -I, -s              treat binary files as text; skip them; hide messages about unreadable files
""",
)
BINARY_AHEAD = 32_768


@dataclass(frozen=True)
class Matcher:
    """The patterns, as one expression for whole contents and for lines."""

    expression: re.Pattern[bytes]
    inverted: bool

    def selects(self, line: bytes) -> bool:
        """Return whether the line is selected."""
        return (self.expression.search(line) is not None) != self.inverted

    def for_block(self, data: bytes) -> re.Pattern[bytes] | None:
        """Return an expression that matches once in each selected line, up to its end, if there is one."""
        source = within_lines(self.expression, ascii_only=data.isascii())
        return None if source is None else re.compile(rb"(?:%s)[^\n]*" % source, self.expression.flags)


async def grep(invocation: Invocation) -> int:
    """Return 0 if a line was selected, 1 if none was, 2 after an error."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    operands = list(given.operands)
    patterns = _patterns(invocation, given, operands)
    if patterns is None:
        invocation.stderr.write(
            b"Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n"
        )
        return 2
    try:
        matcher = Matcher(_compile(given, patterns), "v" in given)
    except re.error as problem:
        invocation.error(str(problem.msg))
        return 2
    return Search(invocation, given, matcher).run(operands)


def _patterns(invocation: Invocation, given: Arguments, operands: list[str]) -> list[str] | None:
    patterns = [line for text in given.all("e") for line in text.split("\n")]
    for name in given.all("f"):
        patterns += decode(read(invocation, name)).removesuffix("\n").split("\n")
    if "e" in given or "f" in given:
        return patterns
    return operands.pop(0).split("\n") if operands else None


def _compile(given: Arguments, patterns: list[str]) -> re.Pattern[bytes]:
    kind = given.last_of("E", "F", "P", "G") or "G"
    flags = re.MULTILINE | (re.IGNORECASE if "i" in given or "y" in given else 0)
    translated: list[bytes] = []
    for pattern in patterns:
        if kind == "F":
            translated.append(re.escape(encode(pattern)))
        elif kind == "P":
            translated.append(_perl(encode(pattern)))
        else:
            translated.append(compile_posix(pattern, extended=kind == "E").pattern)
    # POSIX requires the longest alternative; Python takes the first.
    translated.sort(key=len, reverse=True)
    whole = translated[0] if len(translated) == 1 else b"|".join(b"(?:%s)" % one for one in translated)
    if "x" in given:
        whole = rb"^(?:%s)$" % whole
    elif "w" in given:
        whole = rb"(?<!\w)(?:%s)(?!\w)" % whole
    return re.compile(whole, flags)


def _perl(pattern: bytes) -> bytes:
    r"""Replace syntax that Python lacks: `\h`, and `\K`, after which the match begins."""
    pattern = re.sub(rb"\\h", rb"[ \\t]", pattern)
    before, reset, after = pattern.partition(rb"\K")
    return b"(?:%s)(?P<match>%s)" % (before, after) if reset else pattern


class Search:
    """A call of grep."""

    def __init__(self, invocation: Invocation, given: Arguments, matcher: Matcher) -> None:
        self._invocation = invocation
        self._given = given
        self._matcher = matcher
        self._end = b"\0" if "z" in given else b"\n"
        context = given.number("C", int("".join(name for name, _ in given.items if name.isdigit()) or "0"))
        self._before, self._after = given.number("B", context), given.number("A", context)
        self._max_count = given.number("m", -1)
        self._included, self._excluded = given.all("include"), given.all("exclude")
        # Asking `given` for each of many files or lines would take most of the time.
        self._wants_count, self._quiet = "c" in given and "q" not in given, "q" in given
        self._listed = given.last_of("l", "L")
        self._summarizes = given.last_of("c", "l", "L", "q") is not None
        self._after_name = "\0" if "Z" in given else "\n"
        self._only_matches, self._numbered = "o" in given, "n" in given
        self._in_blocks = self._end == b"\n" and self._max_count < 0
        self._named = False
        self._printed = False
        self._failed = False

    def run(self, names: list[str]) -> int:
        """Search the operands and return the exit code."""
        recursive = self._given.last_of("r", "R") is not None
        paths = names or (["."] if recursive else ["-"])
        one = self._given.last_of("H", "h")
        self._named = one == "H" or (one is None and (recursive or len(paths) > 1))
        selected = False
        for path in self._files(paths, recursive=recursive, bare=not names and recursive):
            selected = self._file(path) or selected
            if selected and self._quiet:
                return 0
        return 2 if self._failed else 0 if selected else 1

    def _files(self, paths: list[str], *, recursive: bool, bare: bool) -> Iterator[str]:
        for path in paths:
            whole = self._invocation.path(path)
            if path == "-" or not os.path.isdir(whole):
                if recursive is False or path == "-" or self._wanted(os.path.basename(path)):
                    yield path
            elif not recursive:
                self._complain(path, "Is a directory", fails=False)
            else:
                for found in self._walk(whole):
                    relative = found[len(whole) :].lstrip("/")
                    yield relative if bare else f"{path.rstrip('/')}/{relative}"

    def _walk(self, top: str) -> Iterator[str]:
        skipped = self._given.all("exclude-dir")
        for directory, directories, files in os.walk(top, followlinks="R" in self._given):
            directories[:] = [
                name for name in directories if not any(fnmatch(name, glob) for glob in skipped)
            ]
            for name in files:
                path = f"{directory.rstrip('/')}/{name}"
                # -r reads links only where the command line names them.
                if self._wanted(name) and ("R" in self._given or not os.path.islink(path)):
                    yield path

    def _wanted(self, name: str) -> bool:
        if any(fnmatch(name, glob) for glob in self._excluded):
            return False
        return not self._included or any(fnmatch(name, glob) for glob in self._included)

    def _complain(self, path: str, reason: str, *, fails: bool = True) -> None:
        self._failed = self._failed or fails
        if "s" not in self._given:
            self._invocation.error(f"{path}: {reason}")

    def _file(self, path: str) -> bool:
        try:
            data = read(self._invocation, path)
        except OSError as error:
            self._complain(path, error.strerror or str(error))
            return False
        # Most files have no match: one search of the whole content is faster than one for each line.
        if not self._matcher.inverted and not self._matcher.expression.search(data):
            return self._summary(path, 0)
        if self._is_binary(data) and not self._summarizes:
            return self._binary(path, data)
        block = self._matcher.for_block(data) if self._in_blocks else None
        if block is not None and self._summarizes:
            return self._summary(path, self._count(block, data))
        if block is not None and not (self._before or self._after or self._only_matches):
            return self._print_block(path, block, data)
        rows = lines(data, self._end)
        indexes = self._indexes(rows)
        if self._summarizes:
            return self._summary(path, len(indexes))
        self._print(path, rows, indexes)
        return bool(indexes)

    def _indexes(self, rows: list[bytes]) -> list[int]:
        indexes = [at for at, row in enumerate(rows) if self._matcher.selects(row)]
        return indexes[: self._max_count] if self._max_count >= 0 else indexes

    def _is_binary(self, data: bytes) -> bool:
        return self._end != b"\0" and b"\0" in data[:BINARY_AHEAD] and "a" not in self._given

    def _binary(self, path: str, data: bytes) -> bool:
        if not self._indexes(lines(data, self._end)):
            return False
        if "I" not in self._given:
            self._invocation.print(f"Binary file {path} matches")
        return "I" not in self._given

    def _count(self, block: re.Pattern[bytes], data: bytes) -> int:
        if not self._wants_count and not self._matcher.inverted:
            # The content has a match, and how many doesn't matter.
            return 1
        matched = len(block.findall(data))
        return line_count(data) - matched if self._matcher.inverted else matched

    def _print_block(self, path: str, block: re.Pattern[bytes], data: bytes) -> bool:
        """Print the selected lines; `block` matches from within a line to its end."""
        if data and data[-1:] != b"\n":
            data += b"\n"
        spans: list[tuple[int, int]] = []
        last = 0
        for match in block.finditer(data):
            start, end = data.rfind(b"\n", last, match.start()) + 1 or last, match.end() + 1
            spans.append((last, start) if self._matcher.inverted else (start, end))
            last = end
        if self._matcher.inverted:
            spans = [span for span in [*spans, (last, len(data))] if span[0] < span[1]]
        self._invocation.stdout.write(b"".join(self._rows(path, data, spans)))
        return bool(spans)

    def _rows(self, path: str, data: bytes, spans: list[tuple[int, int]]) -> Iterator[bytes]:
        if not self._named and not self._numbered:
            yield from (data[start:end] for start, end in spans)
            return
        number = at = 0
        for start, end in spans:
            number += data.count(b"\n", at, start)
            at = start
            for row in data[start : end - 1].split(b"\n"):
                yield from self._row(path, row, number, matched=True)
                number += 1
            at = end

    def _summary(self, path: str, count: int) -> bool:
        name = "(standard input)" if path == "-" else path
        if self._listed is not None:
            listed = (count > 0) == ("l" in self._given)
            if listed:
                self._invocation.print(name, end=self._after_name)
            # With -L, too, the exit code says whether a line matches (GNU grep 3.5 and later).
            return count > 0
        if self._wants_count:
            prefix = f"{name}{chr(0) if self._after_name == chr(0) else ':'}" if self._named else ""
            self._invocation.print(f"{prefix}{count}")
        return count > 0

    def _print(self, path: str, rows: list[bytes], indexes: list[int]) -> None:
        around = self._before or self._after
        last = -1
        selected = set(indexes)
        pieces: list[bytes] = []
        for at in indexes:
            first = max(at - self._before, last + 1)
            if (
                around
                and not self._only_matches
                and (self._printed or last >= 0)
                and first > last + 1 - (last < 0)
            ):
                pieces.append(b"--\n")
            for row in range(first, min(at + self._after, len(rows) - 1) + 1):
                if row > last and (row <= at or row not in selected):
                    pieces += self._row(path, rows[row], row, matched=row in selected)
                    last = row
                elif row > at:
                    break
            self._printed = True
        self._invocation.stdout.write(b"".join(pieces))

    def _row(self, path: str, row: bytes, at: int, *, matched: bool) -> Iterator[bytes]:
        mark = b":" if matched else b"-"
        prefix = b""
        if self._named:
            prefix = encode("(standard input)" if path == "-" else path) + (
                b"\0" if self._after_name == "\0" else mark
            )
        if self._numbered:
            prefix += b"%d%s" % (at + 1, mark)
        if not self._only_matches:
            yield prefix + row + self._end
        elif matched and not self._matcher.inverted:
            for match in self._matcher.expression.finditer(row):
                found = match["match"] if "match" in match.re.groupindex else match[0]
                if found:
                    yield prefix + found + self._end


async def egrep(invocation: Invocation) -> int:
    """Grep with -E."""
    invocation.argv[1:1] = ["-E"]
    return await grep(invocation)


async def fgrep(invocation: Invocation) -> int:
    """Grep with -F."""
    invocation.argv[1:1] = ["-F"]
    return await grep(invocation)
