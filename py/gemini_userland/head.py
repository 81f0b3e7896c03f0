"""`head`: print the first lines or bytes of files."""

from __future__ import annotations

import re
from collections.abc import Callable

from gemini_userland.counts import BadValue, count
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import pieces, read

SYNTAX = Syntax(
    short="c:n:qvz",
    long={
        "bytes=": "c",
        "lines=": "n",
        "quiet": "q",
        "silent": "q",
        "verbose": "v",
        "zero-terminated": "z",
    },
    help="""
Usage: head [OPTION]... [FILE]...
Print the first 10 lines of each FILE, or of standard input. Several files have headings.

  -n, --lines=[-]N       print the first N lines; with - all but the last N
  -c, --bytes=[-]N       print the first N bytes; with - all but the last N
  -q, --quiet, --silent  print no headings
  -v, --verbose          print a heading for one file, too
  -z, --zero-terminated  end lines with a null byte

N may have a unit: b (512), kB (1000), K (1024), MB, M, and so on.
""",
)
KINDS = {"n": "lines", "c": "bytes"}
# `head -5`, `head -5c`, `head -2kq`: a count with a unit and letters of options.
OLD = re.compile(r"-(\d+)([bkm]?)([clqvz]*)")


async def head(invocation: Invocation) -> int:
    """Print the beginning of each input; return 1 if one can't be read."""
    given = SYNTAX.parse(invocation, modern(invocation.argv[1:]))
    if isinstance(given, int):
        return given
    try:
        kind, sign, number = amount(given)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    end = b"\0" if "z" in given else b"\n"

    def select(data: bytes) -> bytes:
        parts = data if kind == "c" else pieces(data, end)
        chosen = parts[: max(0, len(parts) - number) if sign == "-" else number]
        return chosen if isinstance(chosen, bytes) else b"".join(chosen)

    return each(invocation, given, select)


# GNU's counts have 64 bits.
LARGEST = 2**64 - 1


def amount(given: Arguments) -> tuple[str, str, int]:
    """Return the unit (`n` for lines, `c` for bytes), the sign and the number that the options ask for.

    Raises:
        BadValue: It is no number.
    """
    kind = given.last_of("n", "c") or "n"
    text = given.last(kind, "10")
    sign = text[:1] if text[:1] in ("-", "+") else ""
    try:
        number = count(text.removeprefix(sign), "")
        if number > LARGEST:
            raise BadValue(
                f"invalid number of {KINDS[kind]}: '{text}': Value too large for defined data type"
            )
        return kind, sign, number
    except BadValue as problem:
        if str(problem).startswith("invalid"):
            raise
        raise BadValue(f"invalid number of {KINDS[kind]}: '{text}'") from problem


def modern(arguments: list[str]) -> list[str]:
    """Return arguments with a first one like `-5`, which GNU accepts there, as options."""
    match = OLD.fullmatch(arguments[0]) if arguments else None
    if match is None:
        return arguments
    number, unit, letters = match.groups()
    kind = "c" if "c" in letters or unit else "n"
    flags = [f"-{letter}" for letter in letters if letter in "qvz"]
    return [
        *flags,
        f"-{kind}{number}{'K' if unit == 'k' else unit.upper() if unit == 'm' else unit}",
        *arguments[1:],
    ]


def each(invocation: Invocation, given: Arguments, select: Callable[[bytes], bytes]) -> int:
    """Print a part of each input with headings; return 1 if an input can't be read."""
    names = given.operands or ["-"]
    titles = given.last_of("q", "v") or ("v" if len(names) > 1 else "q")
    status, first = 0, True
    for name in names:
        try:
            data = read(invocation, name)
        except IsADirectoryError as error:
            _title(invocation, name, titles, first)
            first = False
            shown = "standard input" if name == "-" else name
            invocation.error(f"error reading '{shown}': {error.strerror}")
            status = 1
            continue
        except OSError as error:
            invocation.error(f"cannot open '{name}' for reading: {error.strerror}")
            status = 1
            continue
        _title(invocation, name, titles, first)
        first = False
        invocation.stdout.write(select(data))
    return status


def _title(invocation: Invocation, name: str, titles: str, first: bool) -> None:
    if titles == "v":
        shown = "standard input" if name == "-" else name
        invocation.print(f"{'' if first else chr(10)}==> {shown} <==")
