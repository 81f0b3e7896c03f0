"""`tail`: print the last lines or bytes of files."""

from __future__ import annotations

import re

from gemini_userland.counts import BadValue
from gemini_userland.head import amount, each
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import pieces

SYNTAX = Syntax(
    short="c:n:qvzfFs:",
    long={
        "bytes=": "c",
        "lines=": "n",
        "quiet": "q",
        "silent": "q",
        "verbose": "v",
        "zero-terminated": "z",
        "follow=?": "f",
        "retry": "retry",
        "pid=": "pid",
        "max-unchanged-stats=": "max-unchanged-stats",
        "sleep-interval=": "s",
    },
    help="""
Usage: tail [OPTION]... [FILE]...
Print the last 10 lines of each FILE, or of standard input. Several files have headings.

  -n, --lines=[+]N       print the last N lines; with + from line N
  -c, --bytes=[+]N       print the last N bytes; with + from byte N
  -q, --quiet, --silent  print no headings
  -v, --verbose          print a heading for one file, too
  -z, --zero-terminated  end lines with a null byte
  -f, --follow           print what is appended, until the command is stopped
  -F                     the same, also if a file is replaced; --retry waits for files that aren't there
      --pid=PID          with -f, end when the process ends
  -s, --sleep-interval=SECONDS  with -f, look for more every SECONDS

N may have a unit: b (512), kB (1000), K (1024), MB, M, and so on.
""",
)
# `tail -5`, `tail +5`, `tail -5cf`: a count, a unit of bytes or lines, and `f`.
OLD = re.compile(r"([-+])(\d*)([bcl]?)(f?)")


async def tail(invocation: Invocation) -> int:
    """Print the end of each input; return 1 if one can't be read."""
    try:
        given = SYNTAX.parse(invocation, modern(invocation.argv[1:]))
        if isinstance(given, int):
            return given
        kind, sign, number = amount(given)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    if ({"f", "F"} & {name for name, _ in given.items}) and given.operands not in ([], ["-"]):
        # The shell follows files itself; what reads a pipe ends with it.
        invocation.error("-f has no units of counts here: write the number itself")
        return 1
    if "retry" in given:
        invocation.error("warning: --retry ignored; --retry is useful only when following")
    if "pid" in given:
        invocation.error("warning: PID ignored; --pid=PID is useful only when following")
    end = b"\0" if "z" in given else b"\n"
    start = max(0, number - 1)

    def select(data: bytes) -> bytes:
        parts = data if kind == "c" else pieces(data, end)
        chosen = parts[start if sign == "+" else max(0, len(parts) - number) :]
        return chosen if isinstance(chosen, bytes) else b"".join(chosen)

    return each(invocation, given, select)


def modern(arguments: list[str]) -> list[str]:
    """Return arguments with a first one like `-5` or `+5`, which GNU accepts with at most one file, as options.

    Raises:
        BadValue: A count comes before several files.
    """
    match = OLD.fullmatch(arguments[0]) if arguments else None
    if match is None or arguments[0] in ("-", "-c", "-f"):
        return arguments
    if len(arguments) > 2:
        if match[1] == "+" or not match[2]:
            return arguments
        raise BadValue(f"option used in invalid context -- {match[2][0]}")
    number = int(match[2] or 10) * (512 if match[3] == "b" else 1)
    sign = "+" if match[1] == "+" else ""
    kind = "c" if match[3] in ("b", "c") and match[3] else "n"
    return [*(["-f"] if match[4] else []), f"-{kind}{sign}{number}", *arguments[1:]]
