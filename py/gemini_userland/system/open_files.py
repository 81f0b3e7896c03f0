"""`lsof`: files and ports that programs of the page have open, as far as they are known."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

from gemini_userland.invocation import Invocation, OpenFile
from gemini_userland.options import Arguments, Syntax

UNKNOWN = "-"
LSOF = Syntax(
    short="ts:np:c:u:aPwlb",
    long={"internet=": "i"},
    help="""
Usage: lsof [OPTION]... [FILE]...
Print open files: those of the terminals' shells and jobs, those of Python, and ports at which servers listen.
All Python programs share one process, so the program that has a file open isn't known, and its PID is "-".

  -i [TCP][:PORT]   print only ports
  -t                print only the PIDs that are known
  -p PIDS, -c NAME  print only what these have open
  -a                print only what all options select
  -n, -P, -w, -l, -b, -u USER, -s TCP:LISTEN   accepted; they change nothing here
""",
)
_ADDRESS = re.compile(r"(?:[46])?(?:tcp)?(?:@[^:]*)?(?::(?P<ports>[\d,-]+))?", re.IGNORECASE)
_INTERNET = re.compile(r"-(?P<others>[tnPwlba]*)i(?P<address>.*)")
_HEADINGS = ("COMMAND", "PID", "USER", "FD", "TYPE", "DEVICE", "SIZE/OFF", "NODE", "NAME")
_RIGHT = frozenset({"PID", "FD", "TYPE", "DEVICE", "SIZE/OFF", "NODE"})


async def lsof(invocation: Invocation) -> int:
    """Print open files; return 1 if there are none, or a file or port that is asked for isn't open."""
    given = LSOF.parse(invocation, list(_with_addresses(invocation.argv[1:])))
    if isinstance(given, int):
        return given
    found = [file for file in invocation.machine.files() if _is_selected(file, given, invocation)]
    if "t" in given:
        for pid in sorted({file.pid for file in found if file.pid is not None}):
            invocation.print(str(pid))
    elif found:
        for line in _table([list(_HEADINGS), *(_row(file, invocation) for file in found)]):
            invocation.print(line)
    return 0 if found else 1


def _with_addresses(words: Sequence[str]) -> Iterator[str]:
    """Yield the arguments with `-i`, whose value is optional and may be the next word, as `--internet=VALUE`."""
    rest = iter(words)
    for word in rest:
        match = _INTERNET.fullmatch(word)
        if match is None:
            yield word
            continue
        if match["others"]:
            yield f"-{match['others']}"
        following = next(rest, None) if not match["address"] else None
        is_address = bool(following) and _ADDRESS.fullmatch(following or "") is not None
        yield f"--internet={following if is_address else match['address']}"
        if following is not None and not is_address:
            yield from _with_addresses([following])


def _is_selected(file: OpenFile, given: Arguments, invocation: Invocation) -> bool:
    """Return whether the options select a file: one of them, or with `-a` all of them."""
    tests: list[bool] = []
    if "i" in given:
        tests.append(
            file.port is not None and any(_matches(address, file.port) for address in given.all("i"))
        )
    if "p" in given:
        tests.append(str(file.pid) in ",".join(given.all("p")).split(","))
    if "c" in given:
        tests.append(any(file.command.startswith(name) for name in given.all("c")))
    if given.operands:
        tests.append(file.name in {os.path.normpath(invocation.path(path)) for path in given.operands})
    return all(tests) if "a" in given or not tests else any(tests)


def _matches(address: str, port: int) -> bool:
    match = _ADDRESS.fullmatch(address)
    if match is None or match["ports"] is None:
        return match is not None
    ranges = [one.partition("-") for one in match["ports"].split(",")]
    return any(first.isdigit() and int(first) <= port <= int(last or first) for first, _, last in ranges)


def _row(file: OpenFile, invocation: Invocation) -> list[str]:
    pid = UNKNOWN if file.pid is None else str(file.pid)
    start = [file.command[:9], pid, invocation.env.get("USER", "user"), file.descriptor]
    if file.port is not None:
        return [*start, "IPv4", UNKNOWN, "0t0", "TCP", f"{file.name}:{file.port} (LISTEN)"]
    try:
        size = str(os.stat(file.name).st_size)
    except OSError:
        size = UNKNOWN
    return [*start, "DIR" if os.path.isdir(file.name) else "REG", UNKNOWN, size, UNKNOWN, file.name]


def _table(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        " ".join(
            cell.rjust(width) if heading in _RIGHT else cell.ljust(width)
            for cell, width, heading in zip(row, widths, _HEADINGS, strict=True)
        ).rstrip()
        for row in rows
    ]
