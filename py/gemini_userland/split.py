"""`split`: divide a file into files (POSIX, and GNU coreutils manual, 5.3)."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count as counting

from gemini_userland.counts import BadValue, count, parse_count
from gemini_userland.invocation import Invocation, is_substitution
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import STANDARD_INPUT, encode, pieces, read

SYNTAX = Syntax(
    short="a:b:C:del:n:t:ux",
    long={
        "suffix-length=": "a",
        "additional-suffix=": "additional-suffix",
        "bytes=": "b",
        "line-bytes=": "C",
        "numeric-suffixes=?": "numeric",
        "hex-suffixes=?": "hex",
        "elide-empty-files": "e",
        "filter=": "filter",
        "lines=": "l",
        "number=": "n",
        "separator=": "t",
        "unbuffered": "u",
        "verbose": "verbose",
    },
    help="""
Usage: split [OPTION]... [FILE [PREFIX]]
Write pieces of FILE, or of standard input, to PREFIXaa, PREFIXab, ... (default PREFIX: x), of 1000 lines each.

  -l, --lines=N        put N lines in each file
  -b, --bytes=SIZE     put SIZE bytes in each
  -C, --line-bytes=SIZE  put whole lines of at most SIZE bytes in each
  -n, --number=CHUNKS  make N files; K/N prints only the Kth; l/N and l/K/N keep lines whole; r/N and r/K/N deal out
                       lines
  -a, --suffix-length=N  use N letters (default: 2)
  -d, -x               use numbers, or hexadecimal ones; --numeric-suffixes=FROM and --hex-suffixes=FROM begin with FROM
      --additional-suffix=TEXT  append TEXT to the names
  -e, --elide-empty-files  write no empty files with -n
  -t, --separator=C    lines end with C instead of a newline; '\\0' is a null byte
      --filter=COMMAND  run COMMAND with each piece as its input and the name in $FILE
      --verbose        say which file is written
""",
)
ALPHABETS = {"a": "abcdefghijklmnopqrstuvwxyz", "d": "0123456789", "x": "0123456789abcdef"}
DEFAULT_LENGTH = 2


class _Names:
    """The names of the files: `xaa` to `xyz`, then `xzaaa` and so on where the length isn't given."""

    def __init__(self, given: Arguments, prefix: str, files: int) -> None:
        kind, start = "a", 0
        for name, value in given.items:
            if name in ("d", "numeric", "x", "hex"):
                kind = name[0] if name in ("d", "x") else {"numeric": "d", "hex": "x"}[name]
                start = int(value, 16 if kind == "x" else 10) if value else start
        self._alphabet = ALPHABETS[kind]
        length = int(given.last("a", "0"))
        needed = 1
        while len(self._alphabet) ** needed < files + start:
            needed += 1
        if files and length and length < needed:
            raise BadValue(f"the suffix length needs to be at least {needed}")
        self._grows = not length and not files and not start
        self._length = length or max(DEFAULT_LENGTH, needed if files else 0)
        self._prefix, self._suffix = prefix, given.last("additional-suffix", "")
        self._numbers = counting(start)

    def __next__(self) -> str:
        number = next(self._numbers)
        size, length = len(self._alphabet), self._length
        head = ""
        if self._grows:
            # The last letter of the alphabet begins longer suffixes.
            while number >= (room := (size - 1) * size ** (length - 1)):
                number -= room
                head += self._alphabet[-1]
                length += 1
        elif number >= size**length:
            raise BadValue("output file suffixes exhausted")
        digits = ""
        for _ in range(length):
            number, digit = divmod(number, size)
            digits = self._alphabet[digit] + digits
        return f"{self._prefix}{head}{digits}{self._suffix}"


@dataclass(frozen=True)
class _Chunks:
    """A parsed `-n`: how lines are treated (`l`, `r` or none), the only chunk to print (or 0), and their number."""

    kind: str
    only: int
    number: int


async def split(invocation: Invocation) -> int:
    """Write the pieces; return 1 for wrong options and files that can't be read or written."""
    arguments = [f"-l{word[1:]}" if re.fullmatch(r"-\d+", word) else word for word in invocation.argv[1:]]
    given = SYNTAX.parse(invocation, arguments)
    if isinstance(given, int):
        return given
    kinds = [name for name, _ in given.items if name in ("l", "b", "C", "n")]
    if len(kinds) > 1:
        return SYNTAX.usage_error(invocation, "cannot split in more than one way")
    if len(given.operands) > 2:
        return SYNTAX.usage_error(invocation, f"extra operand '{given.operands[2]}'")
    name, prefix = [*given.operands, *["-", "x"][len(given.operands) :]]
    try:
        end = _separator(given)
        chunks = _chunks(given.last("n", "1")) if kinds == ["n"] else None
        _check(given)
        if chunks is not None and chunks.kind != "r" and _is_pipe(invocation, name):
            raise BadValue(f"{name}: cannot determine file size")
        data = _content(invocation, name)
        parts = _parts(data, given, kinds[0] if kinds else "l", end, chunks)
        if chunks is not None and chunks.only:
            invocation.stdout.write(list(parts)[chunks.only - 1])
            return 0
        names = _Names(given, prefix, chunks.number if chunks else 0)
        return await _write(invocation, given, parts, names, name)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1


def _is_pipe(invocation: Invocation, name: str) -> bool:
    if name in STANDARD_INPUT:
        return invocation.stdin_size is None
    return name not in invocation.places and is_substitution(name)


def _content(invocation: Invocation, name: str) -> bytes:
    try:
        return read(invocation, name)
    except OSError as error:
        raise BadValue(f"cannot open '{name}' for reading: {error.strerror}") from error


def _check(given: Arguments) -> None:
    if not re.fullmatch(r"\d+", given.last("a", "0")):
        raise BadValue(f"invalid suffix length: '{given.last('a')}'")
    if "/" in given.last("additional-suffix", ""):
        raise BadValue(f"invalid suffix '{given.last('additional-suffix')}', contains directory separator")
    for name, base in (("numeric", r"\d*"), ("hex", r"[\da-fA-F]*")):
        value = given.last(name, "")
        if not re.fullmatch(base, value):
            raise BadValue(
                f"'{value}': invalid start value for {name}{'adecimal' if name == 'hex' else ''} suffix"
            )


def _separator(given: Arguments) -> bytes:
    values = given.all("t")
    if not values:
        return b"\n"
    byte = b"\0" if values[-1] == "\\0" else encode(values[-1])
    if not byte:
        raise BadValue("empty record separator")
    if len(byte) > 1:
        raise BadValue(f"multi-character separator '{values[-1]}'")
    if len(set(values)) > 1:
        raise BadValue("multiple separator characters specified")
    return byte


def _chunks(text: str) -> _Chunks:
    match = re.fullmatch(r"(?:([lr])/)?(?:([^/]+)/)?([^/]+)", text)
    kind, only, total = match.groups() if match else (None, None, text)
    number = parse_count(total)
    if not number:
        raise BadValue(f"invalid number of chunks: '{total}'")
    chosen = parse_count(only) if only else 0
    if chosen is None or (only and not 0 < chosen <= number):
        raise BadValue(f"invalid chunk number: '{only}'")
    return _Chunks(kind or "", chosen, number)


def _parts(data: bytes, given: Arguments, kind: str, end: bytes, chunks: _Chunks | None) -> Iterator[bytes]:
    if chunks is not None:
        yield from _number(data, chunks, end)
        return
    noun = "lines" if kind == "l" else "bytes"
    size = count(given.last(kind, "1000"), f"invalid number of {noun}", 1)
    if kind == "b":
        yield from (data[at : at + size] for at in range(0, len(data), size))
    elif kind == "l":
        rows = pieces(data, end)
        yield from (b"".join(rows[at : at + size]) for at in range(0, len(rows), size))
    else:
        yield from _whole_lines(data, size, end)


def _whole_lines(data: bytes, size: int, end: bytes) -> Iterator[bytes]:
    at = 0
    while at < len(data):
        stop = min(len(data), at + size)
        if stop < len(data):
            # The last end of a line within the size, or the size where one line is longer.
            stop = data.rfind(end, at, stop) + 1 or stop
        yield data[at:stop]
        at = stop


def _number(data: bytes, chunks: _Chunks, end: bytes) -> Iterator[bytes]:
    number = chunks.number
    if chunks.kind == "r":
        rows = pieces(data, end)
        yield from (b"".join(rows[at::number]) for at in range(number))
        return
    size = max(len(data), number) // number
    bounds = [min(at * size, len(data)) for at in range(number)] + [len(data)]
    if chunks.kind == "l":
        # A line belongs to the chunk that it begins in.
        bounds = [0, *(_line_start(data, bound, end) for bound in bounds[1:-1]), len(data)]
    yield from (data[start:stop] for start, stop in zip(bounds, bounds[1:], strict=False))


def _line_start(data: bytes, bound: int, end: bytes) -> int:
    """Return where the first line begins at or after `bound`."""
    found = data.find(end, bound - 1)
    return len(data) if found < 0 else found + 1


async def _write(
    invocation: Invocation, given: Arguments, parts: Iterator[bytes], names: _Names, source: str
) -> int:
    script = given.last("filter")
    for part in parts:
        if not part and "e" in given:
            continue
        name = next(names)
        if "verbose" in given:
            invocation.print(f"executing with FILE='{name}'" if script else f"creating file '{name}'")
        path = invocation.path(name)
        if (
            source not in STANDARD_INPUT
            and os.path.exists(path)
            and os.path.samefile(path, invocation.path(source))
        ):
            raise BadValue(f"'{name}' would overwrite input; aborting")
        if script is not None:
            if (status := await _filter(invocation, script, name, part)) != 0:
                invocation.error(f"with FILE={name}, exit {status} from command: {script}")
                return status
            continue
        try:
            with invocation.create(path) as file:
                file.write(part)
        except OSError as error:
            raise BadValue(f"{name}: {error.strerror}") from error
    return 0


async def _filter(invocation: Invocation, script: str, name: str, data: bytes) -> int:
    """Run a command with `data` as its input."""
    path = invocation.path(f".{os.path.basename(name)}.split")
    with invocation.create(path) as file:
        file.write(data)
    try:
        environment = {**invocation.env, "FILE": name}
        return await invocation.shell(f"{{ {script}\n}} < {shlex.quote(path)}", invocation.cwd, environment)
    finally:
        os.unlink(path)
