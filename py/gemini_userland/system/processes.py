"""`ps` and `top`: the shells of all terminals, their subshells and jobs."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable, Sequence
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation, Process
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.system.clock import up

UNKNOWN = "-"
DEFAULT_DELAY_S = 3.0
PS = Syntax(
    short="AaedfFjlwyPcNTo:p:C:u:U:t:q:g:G:s:O:HLmMVh",
    long={
        **dict.fromkeys(("no-headers", "no-heading"), "no-headers"),
        "pid=": "p",
        "quick-pid=": "q",
        "ppid=": "ppid",
        "format=": "o",
        "forest": "H",
        "sort=": "sort",
        "deselect": "N",
        "Group=": "G",
        "group=": "g",
        "sid=": "s",
        "tty=": "t",
        "user=": "u",
        "User=": "U",
        "cumulative": "w",
        "headers": "w",
        **dict.fromkeys(("cols=", "columns=", "width=", "rows=", "lines="), "width"),
        "context": "M",
    },
    answer={"V": "version"},
    refused={
        "H": "there is no tree: `ps -o pid,ppid,args` prints whose child each is",
        "L": "processes have one thread: leave it out",
        "T": "processes have one thread: leave it out",
        "m": "processes have one thread: leave it out",
        "M": "there are no security contexts: leave it out",
        "P": "there is one processor: leave it out",
        "O": "name the columns with -o",
        "c": "there are no classes of scheduling: leave it out",
        "h": "use --no-headers",
    },
    help="""
Usage: ps [OPTION]...
Print the processes of this terminal: its shell, and its subshells and jobs.
Commands run in their shell's process. What isn't known of a process is "-".

  -e, -A, a, x   print the processes of all terminals
  -f, u          print more about each
  -o COLUMNS     print pid, ppid, pgid, sid, user, tty, stat, start, etime, etimes, comm or args
  -p PIDS, --ppid PIDS, -C NAMES, -g GROUPS, -s SESSIONS, -t TERMINALS, -u USERS
                 print only these; with -N, all others
      --sort KEYS    in the order of these columns; a - before one turns it around
      --no-headers   print no headings
""",
)
TOP = Syntax(
    numbers={"n": Number("-n requires a positive number, not '{}'", 1)},
    short="bcd:n:p:uHio:w",
    help="""
Usage: top [OPTION]...
Print all processes, as ps does, once.

  -b        the same
  -n COUNT  print them COUNT times, one after another
  -d SECS   wait SECS between (default 3)
""",
)


def _elapsed(process: Process) -> str:
    seconds = max(0, int(time.time() - process.started))
    days, hours, minutes = seconds // 86_400, seconds // 3600 % 24, seconds // 60 % 60
    clock = f"{minutes:02d}:{seconds % 60:02d}"
    return (f"{days}-" if days else "") + (f"{hours:02d}:" if hours or days else "") + clock


def _start(process: Process, invocation: Invocation) -> str:
    return f"{datetime.fromtimestamp(process.started, zone_of(invocation)):%H:%M}"


def _program(process: Process) -> str:
    return process.command.split(" ")[0].removesuffix(":")


Column = tuple[str, int, Callable[[Process, Invocation], str]]
"""The heading of a column, its width (negative to align left), and the text of a process."""


def _unknown(_: Process, __: Invocation) -> str:
    return UNKNOWN


COLUMNS: dict[str, Column] = {
    "pid": ("PID", 7, lambda process, _: str(process.pid)),
    "ppid": ("PPID", 7, lambda process, _: str(process.parent)),
    "pgid": ("PGID", 7, lambda process, _: str(process.group)),
    "sid": ("SID", 7, lambda process, _: str(process.session)),
    "user": ("USER", -8, lambda _, invocation: invocation.env.get("USER", "user")),
    "uid": ("UID", -8, lambda _, invocation: invocation.env.get("USER", "user")),
    "tty": ("TTY", -8, lambda process, _: f"pts/{process.terminal}"),
    "stat": ("STAT", -4, lambda process, _: "Ss" if process.parent == 1 else "S"),
    "start": ("START", 5, _start),
    "stime": ("STIME", 5, _start),
    "etime": ("ELAPSED", 11, lambda process, _: _elapsed(process)),
    "etimes": ("ELAPSED", 7, lambda process, _: str(max(0, int(time.time() - process.started)))),
    "time": ("TIME", 8, _unknown),
    "%cpu": ("%CPU", 4, _unknown),
    "%mem": ("%MEM", 4, _unknown),
    "vsz": ("VSZ", 6, _unknown),
    "rss": ("RSS", 5, _unknown),
    "c": ("C", 2, _unknown),
    "ni": ("NI", 3, _unknown),
    "pri": ("PRI", 3, _unknown),
    "comm": ("COMMAND", -15, lambda process, _: _program(process)),
    "cmd": ("CMD", -27, lambda process, _: process.command),
    "args": ("COMMAND", -27, lambda process, _: process.command),
}
ALIASES = {
    "command": "args",
    "ucmd": "comm",
    "pgrp": "pgid",
    "sess": "sid",
    "session": "sid",
    "tname": "tty",
    "tt": "tty",
    "pcpu": "%cpu",
    "pmem": "%mem",
    "cputime": "time",
    "state": "stat",
    "s": "stat",
    "ruser": "user",
    "euser": "user",
}
SHORT, FULL = "pid tty time comm", "uid pid ppid c stime tty time cmd"
KINDS = {
    "f": FULL,
    "F": FULL,
    "j": "pid pgid sid tty time comm",
    "l": "stat uid pid ppid pri ni tty time comm",
}
LONG = "user pid %cpu %mem vsz rss tty stat start time args"


class UnknownColumn(Exception):
    """There is no column of that name."""


async def ps(invocation: Invocation) -> int:
    """Print processes; return 1 if there are none."""
    # Letters without a dash are BSD's: `ps aux`.
    words = invocation.argv[1:]
    bsd = words[0] if words and re.fullmatch(r"[auxwTr]+", words[0]) else ""
    if words and not bsd and re.fullmatch(r"[a-zA-Z]+", words[0]):
        invocation.error(f"{words[0]} isn't supported: use `ps aux`, `ps -ef` or `ps -o COLUMNS`")
        return 1
    given = PS.parse(invocation, words[1:] if bsd else words)
    if isinstance(given, int):
        return given
    try:
        columns = _columns(given, bsd)
    except UnknownColumn as error:
        invocation.stderr.write(f'error: unknown user-defined format specifier "{error}"\n'.encode())
        return 1
    found = _selected(
        invocation, given, every=bool(set("aux") & set(bsd)) or any(name in given for name in "eAad")
    )
    problem = _sort(invocation, found, given.all("sort"))
    if problem:
        invocation.error(problem)
        return 1
    for line in _table(invocation, found, columns, headed="no-headers" not in given):
        invocation.print(line)
    return 0 if found else 1


def _columns(given: Arguments, bsd: str) -> list[tuple[str, str | None]]:
    """Return the names of the columns, and headings that replace their own."""
    names = [name for value in given.all("o") for name in re.split(r"[,\s]+", value)]
    if not names:
        letter = next((name for name in "fFjl" if name in given), "")
        kind = LONG if "u" in bsd else KINDS.get(letter, SHORT)
        return [(name, "CMD" if kind == SHORT and name == "comm" else None) for name in kind.split()]
    columns: list[tuple[str, str | None]] = []
    for name in names:
        word, equals, heading = name.partition("=")
        word = ALIASES.get(word.lower(), word.lower())
        if word not in COLUMNS:
            raise UnknownColumn(word)
        columns.append((word, heading if equals else None))
    return columns


def _selected(invocation: Invocation, given: Arguments, *, every: bool) -> list[Process]:
    machine = invocation.machine
    processes = sorted(machine.processes(), key=lambda process: process.pid)
    user = {invocation.env.get("USER", "user"), str(os.getuid()) if hasattr(os, "getuid") else "0"}
    facts: dict[str, Callable[[Process], set[str]]] = {
        "p": lambda one: {str(one.pid)},
        "q": lambda one: {str(one.pid)},
        "ppid": lambda one: {str(one.parent)},
        "C": lambda one: {_program(one)},
        "g": lambda one: {str(one.group), str(one.session)},
        "s": lambda one: {str(one.session)},
        "t": lambda one: {f"pts/{one.terminal}", f"/dev/pts/{one.terminal}"},
        **{name: lambda _: user for name in "uUG"},
    }
    chosen = {name: set(re.split(r"[,\s]+", ",".join(given.all(name)))) for name in facts if name in given}

    def is_meant(one: Process) -> bool:
        if chosen:
            return any(facts[name](one) & words for name, words in chosen.items())
        return every or one.terminal == machine.terminal

    return [one for one in processes if is_meant(one) is not ("N" in given)]


def _sort(invocation: Invocation, processes: list[Process], orders: Sequence[str]) -> str:
    """Sort processes by columns, the last one first; return what is wrong with the columns, or ""."""
    for key in reversed([key for order in orders for key in order.split(",")]):
        name = key.lstrip("+-").lower()
        name = ALIASES.get(name, name)
        if name not in COLUMNS:
            return f"error: unknown sort specifier: {key}"

        def value(process: Process, name: str = name) -> tuple[float, str]:
            text = (
                str(process.started) if name in ("start", "stime") else COLUMNS[name][2](process, invocation)
            )
            return (float(text), "") if re.fullmatch(r"-?\d+(\.\d+)?", text) else (0.0, text)

        processes.sort(key=value, reverse=key.startswith("-"))
    return ""


def _table(
    invocation: Invocation,
    processes: Sequence[Process],
    columns: Sequence[tuple[str, str | None]],
    *,
    headed: bool,
) -> list[str]:
    rows = [[COLUMNS[name][2](process, invocation) for name, _ in columns] for process in processes]
    headings = [COLUMNS[name][0] if heading is None else heading for name, heading in columns]
    if headed and any(headings):
        rows.insert(0, headings)
    return [" ".join(_cells(row, columns)).rstrip() for row in rows]


def _cells(row: Sequence[str], columns: Sequence[tuple[str, str | None]]) -> list[str]:
    widths = [COLUMNS[name][1] for name, _ in columns]
    return [
        cell.rjust(width) if width > 0 else cell.ljust(-width)
        for cell, width in zip(row, widths, strict=True)
    ]


async def top(invocation: Invocation) -> int:
    """Print all processes, several times if that is asked for."""
    given = TOP.parse(invocation)
    if isinstance(given, int):
        return given
    delay = given.last("d", str(DEFAULT_DELAY_S))
    if not re.fullmatch(r"\d+(\.\d+)?", delay):
        invocation.error(f"-d requires positive seconds, not '{delay}'")
        return 1
    for number in range(given.number("n", 1)):
        if number:
            await asyncio.sleep(float(delay))
            invocation.print("")
        found = _selected(invocation, given, every=True)
        now = datetime.now(zone_of(invocation))
        invocation.print(f"top - {now:%H:%M:%S} up {up(time.monotonic())}\nTasks: {len(found):3d} total\n")
        columns: list[tuple[str, str | None]] = [
            (name, None) for name in ("pid", "user", "tty", "stat", "etime", "args")
        ]
        for line in _table(invocation, found, columns, headed=True):
            invocation.print(line)
    return 0
