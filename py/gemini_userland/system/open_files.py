"""`lsof`: files and ports that programs of the page have open, as far as they are known."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gemini_userland.invocation import Invocation, OpenFile, Process
from gemini_userland.options import Syntax
from gemini_userland.system.lsof_options import OF_FILE, Address, Request, WrongOption, parse

UNKNOWN = "-"
SYNTAX = Syntax(
    short="",
    help="""
Usage: lsof [OPTION]... [FILE]...
Print open files: those of the terminals' shells and jobs, those of Python, and ports at which servers listen.
All Python programs share one process, so the program that has a file open isn't known, and its PID is "-".
Without -a, one of the options is enough; a ^ before a word of a list leaves it out.

  -i [4|6][TCP|UDP][@HOST][:PORTS]   print only ports
  -p PIDS, -c NAME, -c /PATTERN/, -u USERS, -d DESCRIPTORS, -g GROUPS
                    print only what these have open
  +d FOLDER, +D FOLDER
                    print only files in a folder; in it and below
  -s TCP:LISTEN     print only ports in this state
  -a                print only what all options select
  -t                print only the PIDs that are known
  -F FIELDS         print a line for each of these fields: pgRcuL of a process, fatsPn of a file
  -R, -g, -l        print parents, groups, the number of the user
  -s, -T            print a column of sizes; no states of ports
  -X, -U, -N        leave out ports; select local sockets, files of networks, which there are none of
  +c WIDTH          print so many letters of a program's name, 0 for all
  -Q, -V            succeed if nothing is found; say what isn't open
  -b, -L, -M, -n, -O, -P, -S, -w     accepted; they change nothing here
""",
)
_RIGHT = frozenset({"PID", "PPID", "PGID", "FD", "TYPE", "DEVICE", "SIZE/OFF", "SIZE", "NODE"})
_HERE = ("localhost", "127.0.0.1")


@dataclass(frozen=True)
class _Machine:
    """The facts that lines of files need."""

    user: str
    number: str
    processes: Mapping[int, Process]


async def lsof(invocation: Invocation) -> int:
    """Print open files; return 1 if there are none, or a file, port or process that is asked for isn't found."""
    words = invocation.argv[1:]
    if words[:1] in (["--help"], ["--version"], ["-h"], ["-?"], ["-v"]):
        long = {"-h": "--help", "-?": "--help", "-v": "--version"}
        done = SYNTAX.parse(invocation, [long.get(words[0], words[0])])
        return done if isinstance(done, int) else 0
    machine = _Machine(
        invocation.env.get("USER", "user"),
        str(os.getuid()) if hasattr(os, "getuid") else "0",
        {one.pid: one for one in invocation.machine.processes()},
    )
    try:
        request = parse(words)
        _check_users(request, machine)
    except WrongOption as error:
        invocation.error(str(error))
        return 1
    paths = list(_paths(request, invocation))
    found = [
        one for one in invocation.machine.files() if _is_selected(one, request, machine, paths, invocation)
    ]
    for line in _lines(found, request, machine):
        invocation.print(line)
    open_names = {one.name for one in found}
    missing = [name for name, path in paths if path not in open_names]
    if "V" in request.flags:
        for name in missing:
            invocation.print(f"lsof: no file use located: {name}")
    complete = found and not missing and len(paths) == len(request.names)
    return 0 if complete or "Q" in request.flags else 1


def _paths(request: Request, invocation: Invocation) -> Iterator[tuple[str, str]]:
    """Yield the operands that exist or are open, with their paths; say which don't."""
    names = {one.name for one in invocation.machine.files()}
    for name in request.names:
        path = os.path.normpath(invocation.path(name))
        if path in names:
            yield name, path
        elif os.path.exists(path):
            yield name, os.path.realpath(path)
        elif "Q" not in request.flags:
            invocation.error(f"status error on {name}: No such file or directory")


def _check_users(request: Request, machine: _Machine) -> None:
    if "u" in request.lists:
        words = request.lists["u"].wanted | request.lists["u"].excluded
        wrong = next((word for word in sorted(words) if word not in (machine.user, machine.number)), None)
        if wrong is not None and not wrong.isdigit():
            raise WrongOption(f"can't get UID for {wrong}")


# --- Which files are meant ---


def _is_selected(
    one: OpenFile,
    request: Request,
    machine: _Machine,
    paths: Sequence[tuple[str, str]],
    invocation: Invocation,
) -> bool:
    """Return whether the options select a file: one of them, or with `-a` all of them."""
    facts = _facts(one, machine)
    if any(facts[name] & words.excluded for name, words in request.lists.items()):
        return False
    if any(excludes and matches(one.command) for excludes, matches in request.programs):
        return False
    if one.port is not None and ("X" in request.flags or not _has_state(request)):
        return False
    tests = [bool(facts[name] & words.wanted) for name, words in request.lists.items() if words.wanted]
    if included := [matches for excludes, matches in request.programs if not excludes]:
        tests.append(any(matches(one.command) for matches in included))
    if request.addresses:
        tests.append(any(_matches(address, one) for address in request.addresses))
    if request.names:
        tests.append(one.port is None and one.name in {path for _, path in paths})
    if request.folders:
        tests.append(any(_is_in(one, invocation.path(folder), deep) for folder, deep in request.folders))
    if request.flags & {"U", "N"}:
        tests.append(False)
    return all(tests) if "a" in request.flags or not tests else any(tests)


def _facts(one: OpenFile, machine: _Machine) -> dict[str, set[str]]:
    process = machine.processes.get(one.pid or 0)
    return {
        "p": {str(one.pid)} if one.pid is not None else set(),
        "u": {machine.user, machine.number},
        "d": {one.descriptor.rstrip("rwu") or one.descriptor},
        "g": {str(process.group)} if process else set(),
    }


def _has_state(request: Request) -> bool:
    """Return whether ports in the state LISTEN are wanted."""
    states = request.states
    return states is None or ("LISTEN" not in states.excluded and states.wanted <= {"LISTEN"})


def _matches(address: Address, one: OpenFile) -> bool:
    if one.port is None or address.version == "6" or address.protocol not in ("", "tcp"):
        return False
    if address.host is not None and (address.host not in _HERE or one.name not in _HERE):
        return False
    return not address.ranges or any(first <= one.port <= last for first, last in address.ranges)


def _is_in(one: OpenFile, folder: str, deep: bool) -> bool:
    """Return whether a file is a folder, in it, or with `deep` anywhere below."""
    place = os.path.realpath(folder)
    if one.port is not None:
        return False
    below = one.name == place or os.path.dirname(one.name) == place
    return below or (deep and one.name.startswith(place.rstrip("/") + "/"))


# --- How they are printed ---


def _lines(found: Sequence[OpenFile], request: Request, machine: _Machine) -> Iterator[str]:
    if request.fields:
        yield from _fields(found, request, machine)
    elif "t" in request.flags:
        yield from (str(pid) for pid in sorted({one.pid for one in found if one.pid is not None}))
    elif found:
        yield from _table([_row(one, request, machine) for one in found])


def _parents(one: OpenFile, machine: _Machine) -> tuple[str, str]:
    """Return the numbers of a file's parent process and process group."""
    process = machine.processes.get(one.pid or 0)
    return (str(process.parent), str(process.group)) if process else (UNKNOWN, UNKNOWN)


def _row(one: OpenFile, request: Request, machine: _Machine) -> dict[str, str]:
    """Return the cells of a file by their headings."""
    parent, group = _parents(one, machine)
    row = {
        "COMMAND": one.command[: request.width or None],
        "PID": UNKNOWN if one.pid is None else str(one.pid),
        **({"PPID": parent} if "R" in request.flags else {}),
        **({"PGID": group} if "g" in request.flags else {}),
        "USER": machine.number if "l" in request.flags else machine.user,
        "FD": one.descriptor,
    }
    size = "SIZE" if "s" in request.flags and request.states is None else "SIZE/OFF"
    if one.port is not None:
        state = "" if "T" in request.flags else " (LISTEN)"
        length = UNKNOWN if size == "SIZE" else "0t0"
        name = f"{one.name}:{one.port}{state}"
        return {**row, "TYPE": "IPv4", "DEVICE": UNKNOWN, size: length, "NODE": "TCP", "NAME": name}
    kind = "DIR" if os.path.isdir(one.name) else "REG"
    return {**row, "TYPE": kind, "DEVICE": UNKNOWN, size: _size(one), "NODE": UNKNOWN, "NAME": one.name}


def _size(one: OpenFile) -> str:
    try:
        return str(os.stat(one.name).st_size)
    except OSError:
        return UNKNOWN


def _fields(found: Sequence[OpenFile], request: Request, machine: _Machine) -> Iterator[str]:
    """Yield a line for each field, first of a process, then of its files."""
    last: int | None = -1
    for one in sorted(found, key=lambda one: one.pid or 0):
        parent, group = _parents(one, machine)
        pid = UNKNOWN if one.pid is None else str(one.pid)
        of_process = {
            "p": pid,
            "g": group,
            "R": parent,
            "c": one.command,
            "u": machine.number,
            "L": machine.user,
        }
        if one.pid != last:
            yield from (f"{name}{of_process[name]}" for name in of_process if name in {*request.fields, "p"})
        last = one.pid
        row = _row(one, request, machine)
        of_file = {
            "f": one.descriptor.rstrip("rwu") or one.descriptor,
            "a": one.descriptor[-1] if one.descriptor[-1] in "rwu" and one.descriptor[0].isdigit() else " ",
            "t": row["TYPE"],
            "s": _size(one) if one.port is None else "",
            "P": "TCP" if one.port is not None else "",
            "n": row["NAME"].removesuffix(" (LISTEN)"),
        }
        yield from (f"{name}{of_file[name]}" for name in OF_FILE if name in request.fields and of_file[name])


def _table(rows: Sequence[Mapping[str, str]]) -> list[str]:
    headings = list(rows[0])
    lines = [headings, *(list(row.values()) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        " ".join(
            cell.rjust(width) if heading in _RIGHT else cell.ljust(width)
            for cell, width, heading in zip(line, widths, headings, strict=True)
        ).rstrip()
        for line in lines
    ]
