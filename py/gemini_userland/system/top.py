"""`top`: all processes and the memory, as procps 4 prints them in batch mode, without what isn't known."""

from __future__ import annotations

import asyncio
import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation, Process
from gemini_userland.options import Arguments, Syntax
from gemini_userland.system.clock import up
from gemini_userland.system.process_columns import program_of

DELAY_S = 3.0
UNKNOWN = "-"
# The letters of units of memory, each a power of 1024.
UNITS = {letter: power for power, letter in enumerate("kmgtpe", 1)}
# The fields with their widths (negative to align left). Those without a value aren't known.
FIELDS = {
    "PID": 7,
    "USER": -8,
    "PR": 3,
    "NI": 3,
    "VIRT": 7,
    "RES": 6,
    "SHR": 6,
    "S": 1,
    "%CPU": 5,
    "%MEM": 5,
    "TIME+": 9,
    "COMMAND": -1,
}
SYNTAX = Syntax(
    short="bcd:e:E:HiOn:o:p:sSu:U:w::1hV",
    long={
        "batch-mode": "b",
        "cmdline-toggle": "c",
        "delay=": "d",
        "scale-task-mem=": "e",
        "scale-summary-mem=": "E",
        "threads-show": "H",
        "idle-toggle": "i",
        "list-fields": "O",
        "iterations=": "n",
        "sort-override=": "o",
        "pid=": "p",
        "secure-mode": "s",
        "accum-time-toggle": "S",
        "filter-only-euser=": "u",
        "filter-any-user=": "U",
        "width=?": "w",
        "single-cpu-toggle": "1",
    },
    answer={"h": "help", "V": "version"},
    refused={
        "H": "processes have one thread: leave it out",
        "i": "which processes are idle isn't known: leave it out",
    },
    help="""
Usage: top [OPTION]...
Print the memory and all processes, once. What isn't known of a process is "-".

  -b, --batch-mode                  the same
  -n, --iterations COUNT            print them COUNT times, one after another
  -d, --delay SECS                  wait SECS between (default 3)
  -c, --cmdline-toggle              print whole command lines
  -p, --pid PIDS                    print only these processes
  -u, -U, --filter-any-user USER    print only those of USER; of all others with a ! before it
  -o, --sort-override FIELD         sort by PID, USER or COMMAND, upwards with a - before it
  -O, --list-fields                 print the names of the fields
  -E, --scale-summary-mem UNIT      print the memory in k, m, g, t, p or e
  -w, --width COLUMNS               print no wider
  -e UNIT, -s, -S, -1               accepted; they change nothing here
""",
)


class WrongValue(Exception):
    """An option has a wrong value; the text says which."""


@dataclass(frozen=True)
class _Choice:
    """The options, checked."""

    count: int
    delay: float
    pids: frozenset[int]
    field: str
    upwards: bool
    unit: str
    others: bool
    whole: bool
    width: int | None


def _with_widths(words: Sequence[str]) -> Iterator[str]:
    """Yield the arguments with the width, which may be the next word, in the word of its option."""
    before = ""
    for word in words:
        if word.isdigit() and re.fullmatch(r"-[a-zA-Z1]*w|--width", before):
            before = f"{before}={word}" if before.startswith("--") else before + word
            continue
        if before:
            yield before
        before = word
    if before:
        yield before


def _checked(given: Arguments, invocation: Invocation) -> _Choice:
    if given.operands:
        raise WrongValue(f"unknown option '{given.operands[0]}'")
    count, delay = given.last("n", "1"), given.last("d", str(DELAY_S))
    if not re.fullmatch(r"0*[1-9]\d*", count):
        raise WrongValue(f"bad iterations argument '{count}'")
    if not re.fullmatch(r"\d+\.?\d*|\.\d+", delay):
        raise WrongValue(f"bad delay interval '{delay}'")
    pids = [word for value in given.all("p") for word in value.split(",")]
    for word in pids:
        if not word.isdigit():
            raise WrongValue(f"bad pid '{word}'")
    for name, letters in (("E", UNITS), ("e", [one for one in UNITS if one != "e"])):
        if (value := given.last(name)) is not None and value not in letters:
            option = "-e" if name == "e" else "-E"
            raise WrongValue(f"bad memory scaling arg '{value}' of {option}: use {', '.join(letters)}")
    width = given.last("w") or None
    if width is not None and not re.fullmatch(r"0*[1-9]\d*", width):
        raise WrongValue(f"bad width arg '{width}'")
    return _Choice(
        int(count),
        float(delay),
        frozenset(map(int, pids)),
        *_order(given.last("o")),
        given.last("E", "m"),
        _means_others(given, invocation),
        "c" in given,
        None if width is None else int(width),
    )


def _order(field: str | None) -> tuple[str, bool]:
    """Return the field to sort by, and whether the smallest comes first."""
    if field is None:
        return "PID", True
    name = field.lstrip("+-")
    if name not in FIELDS:
        raise WrongValue(f"unrecognized field name '{name}'")
    if name not in VALUES or name == "S":
        raise WrongValue(f"-o {name} isn't supported: {name} isn't known: sort by PID, USER or COMMAND")
    return name, field.startswith("-")


def _means_others(given: Arguments, invocation: Invocation) -> bool:
    """Return whether the processes of others are meant, of which there are none."""
    own = {invocation.env.get("USER", "user"), str(os.getuid()) if hasattr(os, "getuid") else "0"}
    chosen = given.last("u", given.last("U", ""))
    if chosen and chosen.removeprefix("!") not in own:
        raise WrongValue("Invalid user")
    return chosen.startswith("!")


VALUES: dict[str, Callable[[Process, Invocation], str]] = {
    "PID": lambda one, _: str(one.pid),
    "USER": lambda _, invocation: invocation.env.get("USER", "user"),
    "S": lambda _, __: "S",
    "COMMAND": lambda one, _: program_of(one),
}


def _row(one: Process, invocation: Invocation, choice: _Choice) -> str:
    cells = {name: VALUES[name](one, invocation) if name in VALUES else UNKNOWN for name in FIELDS}
    return _line(cells | ({"COMMAND": one.command} if choice.whole else {}))


def _line(cells: dict[str, str]) -> str:
    return " ".join(
        cells[name].rjust(width) if width > 0 else cells[name].ljust(-width) for name, width in FIELDS.items()
    ).rstrip()


def _memory(used: int, total: int, unit: str) -> list[str]:
    """Return the lines of the memory; nothing is cached, and there is no swap."""
    name, size = f"{unit.upper()}iB", 1024 ** UNITS[unit]

    def shown(number: int) -> str:
        return f"{number / size:8.1f}" if unit != "k" else f"{number // size:8d}"

    left = shown(total - used)
    return [
        f"{name} Mem : {shown(total)} total, {left} free, {shown(used)} used, {shown(0)} buff/cache",
        f"{name} Swap: {shown(0)} total, {shown(0)} free, {shown(0)} used. {left} avail Mem",
    ]


def _screen(invocation: Invocation, choice: _Choice) -> Sequence[str]:
    processes = [
        one
        for one in invocation.machine.processes()
        if not choice.others and (not choice.pids or one.pid in choice.pids)
    ]
    processes.sort(key=lambda one: one.pid)
    if choice.field != "PID":
        processes.sort(key=lambda one: VALUES[choice.field](one, invocation))
    if not choice.upwards:
        processes.reverse()
    now = datetime.now(zone_of(invocation))
    memory = invocation.machine.memory()
    return [
        f"top - {now:%H:%M:%S} up {up(time.monotonic())}",
        f"Tasks: {len(processes):3d} total",
        *(_memory(*memory, choice.unit) if memory else ()),
        "",
        _line({name: name for name in FIELDS}),
        *(_row(one, invocation, choice) for one in processes),
    ]


async def top(invocation: Invocation) -> int:
    """Print the memory and all processes, several times if that is asked for."""
    given = SYNTAX.parse(invocation, list(_with_widths(invocation.argv[1:])))
    if isinstance(given, int):
        return given
    if "O" in given:
        invocation.print("\n".join(FIELDS))
        return 0
    try:
        choice = _checked(given, invocation)
    except WrongValue as error:
        invocation.error(str(error))
        return 1
    for number in range(choice.count):
        if number:
            await asyncio.sleep(choice.delay)
            invocation.print("")
        for line in _screen(invocation, choice):
            invocation.print(line[: choice.width])
    return 0
