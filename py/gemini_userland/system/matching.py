"""`pgrep` and `pkill`: processes by their names (procps; their exit codes are 0, 1 for none and 2 for a wrong call)."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable

from gemini_userland.invocation import Invocation, Process
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import read

NO_MATCH, WRONG_CALL = 1, 2
LONGEST_NAME = 15
SPECIAL = frozenset("^$.*+?()[]{}|\\")
OPTIONS = """
  -f             compare the whole command line, not the program's name
  -x             compare all of it, not a part
  -i             ignore case
  -n, -o         choose the newest, or the oldest, of them
  -P, -g, -s IDS  choose children of these, and members of these process groups and sessions
  -t TERMINALS   choose those of pts/1 and its like
  -u, -U USERS   choose those of these users
  -O SECONDS     choose those that have run for so long
  -F FILE        choose those whose numbers are in a file
  -c             print the number of them"""
CHOOSING = {
    "full": "f",
    "exact": "x",
    "ignore-case": "i",
    "newest": "n",
    "oldest": "o",
    "count": "c",
} | {
    "parent=": "P",
    "pgroup=": "g",
    "group=": "G",
    "session=": "s",
    "terminal=": "t",
    "euid=": "u",
    "uid=": "U",
    "older=": "O",
    "pidfile=": "F",
    "ignore-ancestors": "A",
    "logpidfile": "L",
    "runstates=": "r",
    "cgroup=": "cgroup",
    "ns=": "ns",
    "nslist=": "ns",
}
_REFUSED = {
    "L": "files aren't locked by programs here: leave it out",
    "r": "all processes run or wait: leave it out",
    "cgroup": "there are no groups of the kernel: use -g",
    "ns": "there are no namespaces: leave it out",
}
PGREP = Syntax(
    short="flaxivnocAwLd:P:g:G:s:t:u:U:O:F:r:",
    long={
        **CHOOSING,
        "inverse": "v",
        "list-name": "l",
        "list-full": "a",
        "delimiter=": "d",
        "lightweight": "w",
    },
    numbers={"O": Number("not a number: {}")},
    refused={**_REFUSED, "w": "a process has one thread: leave it out"},
    answer={"h": "help", "V": "version"},
    help=f"""
Usage: pgrep [OPTION]... PATTERN
Print the process ids of the processes of all terminals whose names match a regular expression.
{OPTIONS}
  -v             choose the processes that don't match
  -l, -a         print the name, or the command line, too
  -d TEXT        print TEXT between the process ids
""",
)
PKILL = Syntax(
    short="fxinoceALP:g:G:s:t:u:U:O:F:r:q:",
    long={**CHOOSING, "inverse": "v", "signal=": "signal", "echo": "e", "queue=": "q"},
    numbers={"O": Number("not a number: {}")},
    refused={
        **_REFUSED,
        "v": "it would end all others: `pgrep -v` lists them",
        "q": "a signal carries no value: leave it out",
    },
    answer={"h": "help", "V": "version"},
    help=f"""
Usage: pkill [-SIGNAL] [OPTION]... PATTERN
Send a signal, SIGTERM by default, to the processes of all terminals whose names match a regular expression.
{OPTIONS}
  -e             print what is ended
""",
)


async def pgrep(invocation: Invocation) -> int:
    """Print the ids of processes; return 1 if there are none."""
    given = PGREP.parse(invocation)
    if isinstance(given, int):
        return WRONG_CALL if given else 0
    found = _matching(invocation, given)
    if isinstance(found, int):
        return found
    if "c" in given:
        invocation.print(str(len(found)))
    elif found:
        shown = [_describe(process, given) for process in found]
        invocation.print(given.last("d", "\n").join(shown))
    return 0 if found else NO_MATCH


async def pkill(invocation: Invocation) -> int:
    """Send a signal to processes; return 1 if there are none."""
    words, number = _signal(invocation.argv[1:])
    given = PKILL.parse(invocation, words)
    if isinstance(given, int):
        return WRONG_CALL if given else 0
    if "signal" in given:
        number = _number(given.last("signal", ""))
    if number is None:
        invocation.error("the signal is unknown; `kill -l` lists them")
        return WRONG_CALL
    found = _matching(invocation, given)
    if isinstance(found, int):
        return found
    reached = [process for process in found if invocation.machine.signal(process.pid, number)]
    if "c" in given:
        invocation.print(str(len(reached)))
    if "e" in given:
        for process in reached:
            invocation.print(f"{_name(process)} killed (pid {process.pid})")
    return 0 if reached else NO_MATCH


def _signal(words: list[str]) -> tuple[list[str], int | None]:
    """Return the words without a signal such as `-9` or `-HUP`, and its number."""
    for at, word in enumerate(words):
        if re.fullmatch(r"-(\d+|(SIG)?[A-Z][A-Z0-9]+)", word):
            return [*words[:at], *words[at + 1 :]], _number(word[1:])
    return words, signal.SIGTERM


def _number(name: str) -> int | None:
    if name.isdecimal():
        return int(name)
    found = signal.Signals.__members__.get(f"SIG{name.upper().removeprefix('SIG')}")
    return None if found is None else int(found)


def _matching(invocation: Invocation, given: Arguments) -> list[Process] | int:
    """Return the processes that are meant, or the exit code of a wrong call."""
    if len(given.operands) > 1 or not (given.operands or any(name in given for name in "PgGstuUOF")):
        invocation.error(
            "only one pattern can be provided" if given.operands else "no matching criteria specified"
        )
        return WRONG_CALL
    if sum(name in given for name in "nov") > 1:
        invocation.error("-n, -o and -v exclude each other")
        return WRONG_CALL
    pattern = given.operands[0] if given.operands else ""
    try:
        is_chosen = _criteria(given, invocation)
    except InvalidList as error:
        invocation.error(str(error))
        return error.status
    if len(pattern) > LONGEST_NAME and not set(pattern) & SPECIAL and "f" not in given:
        invocation.error(
            f"pattern that searches for process name longer than {LONGEST_NAME} characters will result in zero matches"
        )
    try:
        regex = re.compile(pattern, re.IGNORECASE if "i" in given else 0)
    except re.error as error:
        invocation.error(f"{pattern}: {error}")
        return WRONG_CALL
    matches = regex.fullmatch if "x" in given else regex.search
    command = " ".join(invocation.argv)
    found = [
        process
        for process in sorted(invocation.machine.processes(), key=lambda one: one.pid)
        # Neither finds itself.
        if command not in process.command
        and (bool(matches(process.command if "f" in given else _name(process))) and is_chosen(process))
        is not ("v" in given)
    ]
    return found[-1:] if "n" in given else found[:1] if "o" in given else found


class InvalidList(Exception):
    """A list has something that can't be compared; the text says what, and `status` is the exit code."""

    def __init__(self, problem: str, status: int = WRONG_CALL) -> None:
        super().__init__(problem)
        self.status = status


def _criteria(given: Arguments, invocation: Invocation) -> Callable[[Process], bool]:
    """Return whether the options that list numbers and names have a process's."""
    user = {invocation.env.get("USER", "user"), str(os.getuid()) if hasattr(os, "getuid") else "0"}
    wanted = {name: {word for value in given.all(name) for word in value.split(",")} for name in "PgstuUG"}
    for name, words in wanted.items():
        if (
            name in "Pgs"
            and (wrong := next((word for word in words if not word.isdigit()), None)) is not None
        ):
            raise InvalidList(f"not a number: {wrong}")
        if name in "uUG" and (
            wrong := next((word for word in words if not word.isdigit() and word not in user), None)
        ):
            raise InvalidList(f"invalid {'group' if name == 'G' else 'user'} name: {wrong}")
    numbers = _numbers_in(given.last("F", ""), invocation) if "F" in given else None
    oldest = given.number("O")

    def is_chosen(process: Process) -> bool:
        own: dict[str, set[str]] = {
            "P": {str(process.parent)},
            "g": {str(process.group)},
            "s": {str(process.session)},
            "t": {f"pts/{process.terminal}"},
            **dict.fromkeys("uUG", user),
        }
        if oldest is not None and time.time() - process.started < oldest:
            return False
        if numbers is not None and str(process.pid) not in numbers:
            return False
        return all(not words or words & own[name] for name, words in wanted.items())

    return is_chosen


def _numbers_in(path: str, invocation: Invocation) -> list[str]:
    try:
        found = read(invocation, path).decode("utf-8", "replace").split()
    except OSError as error:
        raise InvalidList("pidfile not valid", NO_MATCH) from error
    if not found or not found[0].isdigit():
        raise InvalidList("pidfile not valid", NO_MATCH)
    return found[:1]


def _describe(process: Process, given: Arguments) -> str:
    if "a" in given:
        return f"{process.pid} {process.command}"
    return f"{process.pid} {_name(process)}" if "l" in given else str(process.pid)


def _name(process: Process) -> str:
    words = process.command.removeprefix("bash: ").split(" ")
    return words[0].rpartition("/")[2]
