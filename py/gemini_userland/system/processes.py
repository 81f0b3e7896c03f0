"""`ps`: the shells of all terminals, their subshells and jobs."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemini_userland.invocation import Invocation, Process
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.system.process_columns import (
    ALIASES,
    BRIEF,
    COLUMNS,
    KINDS,
    LONG,
    SHORT,
    program_of,
)

PS = Syntax(
    short="AaedfFjlwySZPcNTo:p:C:u:U:t:q:g:G:s:O:HLmMVh",
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
        **dict.fromkeys(("cols=", "columns=", "width="), "width"),
        **dict.fromkeys(("rows=", "lines="), "w"),
        "context": "M",
    },
    answer={"V": "version"},
    numbers={"width": Number("columns must be a number, not '{}'", 1)},
    refused={
        "H": "there is no tree: `ps -o pid,ppid,args` prints whose child each is",
        "L": "processes have one thread: leave it out",
        "T": "processes have one thread: leave it out",
        "m": "processes have one thread: leave it out",
        "M": "there are no security contexts: leave it out",
        "Z": "there are no security contexts: leave it out",
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


class UnknownColumn(Exception):
    """There is no column of that name."""


class InvalidList(Exception):
    """A list of processes or terminals has something else; the text says what."""


@dataclass(frozen=True)
class _Bsd:
    """Operands of the command line in BSD's way, without a dash: `aux`, `h`, numbers of processes."""

    letters: str
    pids: tuple[str, ...]


def _bsd(words: Sequence[str]) -> _Bsd | str:
    """Return BSD's words, or the one that isn't supported."""
    pids = [pid for word in words for pid in word.split(",") if re.fullmatch(r"[\d,]+", word)]
    letters = [word for word in words if not re.fullmatch(r"[\d,]+", word)]
    wrong = next((word for word in letters if not re.fullmatch(r"[auxwTh]+", word)), None)
    return _Bsd("".join(letters), tuple(pids)) if wrong is None else wrong


async def ps(invocation: Invocation) -> int:
    """Print processes; return 1 if there are none."""
    given = PS.parse(invocation)
    if isinstance(given, int):
        return given
    bsd = _bsd(given.operands)
    if isinstance(bsd, str):
        invocation.error(f"{bsd} isn't supported: use `ps aux`, `ps -ef` or `ps -o COLUMNS`")
        return 1
    try:
        columns = _columns(given, bsd)
        found = _select(invocation, given, bsd)
    except UnknownColumn as error:
        invocation.stderr.write(f'error: unknown user-defined format specifier "{error}"\n'.encode())
        return 1
    except InvalidList as error:
        invocation.stderr.write(f"error: {error}\n".encode())
        return 1
    problem = _sort(invocation, found, given.all("sort"))
    if problem:
        invocation.error(problem)
        return 1
    headed = "no-headers" not in given and "h" not in bsd.letters
    for line in _table(invocation, found, columns, headed=headed):
        invocation.print(line[: given.number("width")])
    return 0 if found else 1


@dataclass(frozen=True)
class _Chosen:
    """A column that is printed; `heading` and `width` replace its own."""

    name: str
    heading: str | None = None
    width: int | None = None


def _columns(given: Arguments, bsd: _Bsd) -> list[_Chosen]:
    """Return the columns that are printed."""
    if "y" in given and "l" not in given:
        raise InvalidList("modifier -y without format -l makes no sense")
    if names := given.all("o"):
        return [_chosen(name) for value in names for name in re.split(r"[,\s]+", value.strip())]
    letter = next((name for name in "fFjl" if name in given), "")
    if letter:
        kind = KINDS[f"{letter}y" if "y" in given else letter]
    else:
        kind = LONG if "u" in bsd.letters else BRIEF if bsd.pids or set("axT") & set(bsd.letters) else SHORT
    return [_Chosen(name, "CMD" if name == "comm" else None) for name in kind.split()]


def _chosen(text: str) -> _Chosen:
    word, equals, heading = text.partition("=")
    word, _, width = word.partition(":")
    name = ALIASES.get(word.lower(), word.lower())
    if name not in COLUMNS or (width and not width.isdigit()):
        raise UnknownColumn(word)
    # A width keeps the side that the column is aligned to.
    sign = -1 if COLUMNS[name][1] < 0 else 1
    return _Chosen(name, heading if equals else None, sign * int(width) if width else None)


def _numbers(given: Arguments, name: str) -> set[str]:
    words = {word for value in given.all(name) for word in re.split(r"[,\s]+", value)}
    for word in words:
        if not re.fullmatch(r"-?\d+", word):
            raise InvalidList("process ID list syntax error")
        if int(word) <= 0:
            raise InvalidList("process ID out of range")
    return words


def _terminals(given: Arguments) -> set[str]:
    words = {word for value in given.all("t") for word in re.split(r"[,\s]+", value)}
    if any(not re.fullmatch(r"(?:/dev/)?(?:pts/\d+|tty\w*)|\d+|[-?]", word) for word in words):
        raise InvalidList("TTY could not be found")
    return {f"pts/{word}" if word.isdigit() else word.removeprefix("/dev/") for word in words}


def _select(invocation: Invocation, given: Arguments, bsd: _Bsd) -> list[Process]:
    machine = invocation.machine
    processes = sorted(machine.processes(), key=lambda process: process.pid)
    user = {invocation.env.get("USER", "user"), str(os.getuid()) if hasattr(os, "getuid") else "0"}
    facts: dict[str, Callable[[Process], set[str]]] = {
        "p": lambda one: {str(one.pid)},
        "q": lambda one: {str(one.pid)},
        "ppid": lambda one: {str(one.parent)},
        "C": lambda one: {program_of(one)},
        "g": lambda one: {str(one.group), str(one.session)},
        "s": lambda one: {str(one.session)},
        "t": lambda one: {f"pts/{one.terminal}"},
        **{name: lambda _: user for name in "uUG"},
    }
    lists = {"p": _numbers, "q": _numbers, "ppid": _numbers}
    chosen = {
        name: lists[name](given, name)
        if name in lists
        else set(re.split(r"[,\s]+", ",".join(given.all(name))))
        for name in facts
        if name in given and name != "t"
    }
    if "t" in given:
        chosen["t"] = _terminals(given)
    if bsd.pids:
        if "p" in chosen:
            raise InvalidList("process ID list syntax error")
        chosen["p"] = set(bsd.pids)

    def is_meant(one: Process) -> bool:
        if chosen:
            return any(facts[name](one) & words for name, words in chosen.items())
        if any(name in given for name in "eA") or set("ax") & set(bsd.letters):
            return True
        if "a" in given or "d" in given:
            return one.pid != one.session
        return one.terminal == machine.terminal

    return [one for one in processes if is_meant(one) is not ("N" in given)]


def _sort(invocation: Invocation, processes: list[Process], orders: Sequence[str]) -> str:
    """Sort processes by columns, the last one first; return the problem with the columns, or ""."""
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
    columns: Sequence[_Chosen],
    *,
    headed: bool,
) -> list[str]:
    rows = [[COLUMNS[one.name][2](process, invocation) for one in columns] for process in processes]
    headings = [COLUMNS[one.name][0] if one.heading is None else one.heading for one in columns]
    if headed and any(headings):
        rows.insert(0, headings)
    return [" ".join(_cells(row, columns)).rstrip() for row in rows]


def _cells(row: Sequence[str], columns: Sequence[_Chosen]) -> list[str]:
    widths = [COLUMNS[one.name][1] if one.width is None else one.width for one in columns]
    return [
        cell.rjust(width) if width > 0 else cell.ljust(-width)
        for cell, width in zip(row, widths, strict=True)
    ]
