"""`watch`: run a command again and again, until an interrupt."""

from __future__ import annotations

import asyncio
import re
import shlex
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.date_format import formatted
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

CLEAR = "\x1b[H\x1b[2J"
LEAST_S, DEFAULT_S = 0.1, 2.0
COMMAND_FAILED = 8
SYNTAX = Syntax(
    short="bcdegn:ptvwxhq:",
    long={
        "beep": "b",
        "equexit=": "q",
        "no-wrap": "w",
        "interval=": "n",
        "differences=?": "d",
        "chgexit": "g",
        "errexit": "e",
        "exec": "x",
        "no-title": "t",
        "color": "c",
        "precise": "p",
    },
    answer={"h": "help", "v": "version"},
    refused={"q": "use -g, which ends when the output changes", "b": "use -e, which ends when COMMAND fails"},
    help="""
Usage: watch [OPTION]... COMMAND...
Run COMMAND every two seconds and show its output, until an interrupt.

  -n SECONDS   wait SECONDS between two runs
  -g           end when the output changes
  -e           end when COMMAND fails
  -t           show no title
  -x           pass COMMAND's words as they are, not as a script
""",
)


async def watch(invocation: Invocation) -> int:
    """Run the operands as a script, again and again."""
    # Options after the command are the command's.
    words = invocation.argv[1:]
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "--":
        at += 2 if re.fullmatch(r"-\w*[nq]|--interval", words[at]) else 1
    given = SYNTAX.parse(invocation, [*words[:at], "--", *words[at:]] if words[at:] != ["--"] else words)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "no command given")
    text = given.last("n", str(DEFAULT_S)).replace(",", ".")
    if not re.fullmatch(r"\d+(\.\d*)?|\.\d+", text):
        invocation.error(f"failed to parse argument: '{text}'")
        return 1
    return await _repeat(invocation, given, max(LEAST_S, float(text)))


async def _repeat(invocation: Invocation, given: Arguments, interval: float) -> int:
    command = shlex.join(given.operands) if "x" in given else " ".join(given.operands)
    previous: bytes | None = None
    while True:
        title = ""
        if "t" not in given:
            moment = formatted(datetime.now(zone_of(invocation)), "%a %b %e %H:%M:%S %Y")
            title = f"Every {interval:.1f}s: {command}    {moment}\n\n"
        invocation.print(CLEAR + title, end="")
        start = len(invocation.stdout.bytes()) if "g" in given else 0
        exit_code = await invocation.shell(command, invocation.cwd, invocation.env)
        output = invocation.stdout.bytes()[start:] if "g" in given else None
        if "e" in given and exit_code:
            return COMMAND_FAILED
        if "g" in given and previous is not None and output != previous:
            return 0
        previous = output
        await asyncio.sleep(interval)
