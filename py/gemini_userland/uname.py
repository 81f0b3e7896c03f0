"""`uname`: what the commands run on."""

from __future__ import annotations

import os

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

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
Tell what the commands run on; the kernel's name when nothing is asked for.

  -s, --kernel-name        name of the kernel
  -n, --nodename           name of this host
  -r, --kernel-release     release of the kernel
  -v, --kernel-version     version of the kernel
  -m, --machine            kind of machine
  -p, --processor          kind of processor (unknown)
  -i, --hardware-platform  platform of the hardware (unknown)
  -o, --operating-system   the operating system
  -a, --all                everything that is known, in this order

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
        return SYNTAX.usage_error(invocation, f"extra operand '{given.operands[0]}'")
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
