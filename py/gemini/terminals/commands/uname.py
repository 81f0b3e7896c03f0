"""`uname`: what the commands run on."""

from __future__ import annotations

import os

from gemini.terminals.commands.invocation import Invocation
from gemini.terminals.commands.options import Syntax

SYNTAX = Syntax(
    short="asnrvmpio",
    long={
        "all": "a",
        "kernel-name": "s",
        "nodename": "n",
        "kernel-release": "r",
        "kernel-version": "v",
        "machine": "m",
        "processor": "p",
        "hardware-platform": "i",
        "operating-system": "o",
    },
    help="""
Usage: uname [OPTION]...
Print system information. With no OPTION, same as -s.

  -a, --all                all of the following, without -p and -i if unknown
  -s, --kernel-name        the kernel name
  -n, --nodename           the network node hostname
  -r, --kernel-release     the kernel release
  -v, --kernel-version     the kernel version
  -m, --machine            the machine hardware name
  -p, --processor          the processor type
  -i, --hardware-platform  the hardware platform
  -o, --operating-system   the operating system

In the page that is Emscripten on wasm32: there is no Linux kernel under this shell.
""",
)

UNKNOWN = "unknown"


async def uname(invocation: Invocation) -> int:
    """Print the facts that the options ask for, in the fixed order of GNU uname."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        return SYNTAX.mistake(invocation, f"extra operand '{given.operands[0]}'")
    system = os.uname()
    facts = {
        "s": system.sysname,
        "n": system.nodename,
        "r": system.release,
        "v": system.version,
        "m": system.machine,
        "p": UNKNOWN,
        "i": UNKNOWN,
        "o": "GNU/Linux" if system.sysname == "Linux" else system.sysname,
    }
    if "a" in given:
        chosen = [fact for fact in facts.values() if fact != UNKNOWN]
    else:
        chosen = [fact for letter, fact in facts.items() if letter in given] or [facts["s"]]
    invocation.print(" ".join(chosen))
    return 0
