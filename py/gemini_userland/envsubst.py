"""`envsubst`: replace references to environment variables."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import decode

REFERENCE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))", re.ASCII)
SYNTAX = Syntax(
    short="vhV",
    long={"variables": "v"},
    answer={"h": "help", "V": "version"},
    help="""
Usage: envsubst [OPTION] [SHELL-FORMAT]
Replace $NAME and ${NAME} in standard input by the values of environment variables.
With SHELL-FORMAT, replace only the variables that it refers to.

  -v, --variables  print the names of the variables in SHELL-FORMAT
""",
)


async def envsubst(invocation: Invocation) -> int:
    """Print standard input with its references replaced."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if len(given.operands) > 1:
        invocation.error("too many arguments")
        return 1
    if "v" in given and not given.operands:
        invocation.error("missing arguments")
        return 1
    wanted = [one[1] or one[2] for one in REFERENCE.finditer(given.operands[0])] if given.operands else None
    if "v" in given:
        for name in wanted or []:
            invocation.print(name)
        return 0

    def value(reference: re.Match[str]) -> str:
        name = reference[1] or reference[2]
        return invocation.env.get(name, "") if wanted is None or name in wanted else reference[0]

    invocation.print(REFERENCE.sub(value, decode(invocation.stdin)), end="")
    return 0
