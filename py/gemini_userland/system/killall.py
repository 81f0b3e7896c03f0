"""`killall`: signal processes by their program's name (psmisc; the exit code is 1 if there is none)."""

from __future__ import annotations

import re
import signal
import time

from gemini_userland.invocation import Invocation, Process
from gemini_userland.options import Arguments, Syntax

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800, "M": 2_592_000, "y": 31_536_000}
SYNTAX = Syntax(
    short="eIgilqrvwy:o:s:u:n:Z:",
    long={
        "exact": "e",
        "ignore-case": "I",
        "process-group": "g",
        "younger-than=": "y",
        "older-than=": "o",
        "interactive": "i",
        "list": "l",
        "quiet": "q",
        "regexp": "r",
        "signal=": "s",
        "user=": "u",
        "verbose": "v",
        "wait": "w",
        "ns=": "n",
        "context=": "Z",
    },
    answer={"V": "version"},
    refused={
        "i": "it can't ask: list them with `pgrep -a NAME`, and use `kill PID`",
        "g": "use `kill -- -PGID`; `ps -o pgid,comm` lists the groups",
        "w": "use `wait`, or `pgrep -x NAME` until there is none",
        "n": "there are no namespaces: leave it out",
        "Z": "there are no security contexts: leave it out",
    },
    help="""
Usage: killall [-SIGNAL] [OPTION]... NAME...
Send a signal, SIGTERM by default, to the processes of all terminals that run a program NAME.

  -s SIGNAL       send SIGNAL
  -I              ignore case
  -r              NAME is a regular expression
  -y, -o TIME     choose processes younger, or older, than TIME, such as 30s or 2h
  -u USER         choose those of USER
  -q              say nothing where there is none
  -v              say what was signalled
  -l              list the signals
""",
)


async def killall(invocation: Invocation) -> int:
    """Signal the processes of programs; return 1 if one has no process."""
    words, name = _signal(invocation.argv[1:])
    given = SYNTAX.parse(invocation, words)
    if isinstance(given, int):
        return given
    if "l" in given:
        invocation.print(" ".join(one.name.removeprefix("SIG") for one in _signals()))
        return 0
    name = given.last("s", name)
    number = _number(name)
    if number is None:
        invocation.stderr.write(f"{name}: unknown signal; killall -l lists signals.\n".encode())
        return 1
    if not given.operands:
        invocation.stderr.write(b"Usage: killall [OPTION]... [--] NAME...\n")
        return 1
    status = 0
    for program in given.operands:
        found = [one for one in invocation.machine.processes() if _matches(one, program, given, invocation)]
        reached = [one for one in found if invocation.machine.signal(one.pid, number)]
        if "v" in given:
            for one in reached:
                said = f"Killed {program}({one.pid}) with signal {number}\n"
                invocation.stderr.write(said.encode("utf-8", "surrogateescape"))
        if not reached:
            status = 1
            if "q" not in given:
                said = f"{program}: no process found\n"
                invocation.stderr.write(said.encode("utf-8", "surrogateescape"))
    return status


def _matches(process: Process, program: str, given: Arguments, invocation: Invocation) -> bool:
    name = process.command.removeprefix("bash: ").split(" ")[0].rpartition("/")[2]
    flags = re.IGNORECASE if "I" in given else 0
    pattern = program if "r" in given else re.escape(program.rpartition("/")[2])
    found = re.search(pattern, name, flags) if "r" in given else re.fullmatch(pattern, name, flags)
    age = time.time() - process.started
    younger, older = (_seconds(given.last(letter)) for letter in "yo")
    return (
        found is not None
        # It doesn't find itself.
        and " ".join(invocation.argv) not in process.command
        and (younger is None or age < younger)
        and (older is None or age > older)
        and given.last("u", invocation.env.get("USER", "user")) == invocation.env.get("USER", "user")
    )


def _seconds(text: str | None) -> float | None:
    match = re.fullmatch(r"(\d+(?:\.\d*)?)([smhdwMy])", text or "")
    return float(match[1]) * UNITS[match[2]] if match else None


def _signals() -> list[signal.Signals]:
    return sorted((one for one in signal.Signals if not one.name.startswith("SIGRT")), key=int)


def _signal(words: list[str]) -> tuple[list[str], str]:
    """Return the words without a signal such as `-9` or `-HUP`, and its name."""
    for at, word in enumerate(words):
        if re.fullmatch(r"-(\d+|(SIG)?[A-Z][A-Z0-9]+)", word):
            return [*words[:at], *words[at + 1 :]], word[1:]
    return words, "TERM"


def _number(name: str) -> int | None:
    if name.isdecimal():
        return int(name)
    found = signal.Signals.__members__.get(f"SIG{name.upper().removeprefix('SIG')}")
    return None if found is None else int(found)
