"""`uname`: print system information."""

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
Print system information; by default the kernel name.

  -s, --kernel-name        print the kernel name
  -n, --nodename           print the host name
  -r, --kernel-release     print the kernel release
  -v, --kernel-version     print the kernel version
  -m, --machine            print the machine type
  -p, --processor          print the processor type (unknown)
  -i, --hardware-platform  print the hardware platform (unknown)
  -o, --operating-system   print the operating system
  -a, --all                print everything except unknown values, in this order

In the page the system is Emscripten on wasm32: this shell has no Linux kernel.
""",
)
ARCH = Syntax(
    help="""
Usage: arch
Print the machine type, as uname -m does.
""",
)
UNKNOWN = "unknown"


async def uname(invocation: Invocation) -> int:
    """Print the selected facts in the order of GNU uname."""
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
        selected = [fact for fact in facts.values() if fact != UNKNOWN]
    else:
        selected = [fact for letter, fact in facts.items() if letter in given] or [facts["s"]]
    invocation.print(" ".join(selected))
    return 0


async def arch(invocation: Invocation) -> int:
    """Print the machine type."""
    given = ARCH.parse(invocation)
    if isinstance(given, int):
        return given
    if given.operands:
        return ARCH.usage_error(invocation, f"extra operand '{given.operands[0]}'")
    invocation.print(os.uname().machine)
    return 0
