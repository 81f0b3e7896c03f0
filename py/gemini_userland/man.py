"""`man`: print the help of a command."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.less import show
from gemini_userland.options import Syntax

NO_MANUAL, WRONG_USAGE = 16, 1
SYNTAX = Syntax(
    short="afkwP:s:K",
    long={"apropos": "k", "whatis": "f", "all": "a", "pager=": "P"},
    help="""
Usage: man [SECTION] COMMAND...
       man -k WORD
Print the help of each COMMAND; with -k, list the commands whose help has WORD in its first lines.
""",
)


async def man(invocation: Invocation) -> int:
    """Print the help of commands; return 16 if one has none."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    names = [word for word in given.operands if not re.fullmatch(r"[1-8]", word)]
    if not names:
        invocation.stderr.write(b"What manual page do you want?\nFor example, try 'man man'.\n")
        return WRONG_USAGE
    if "k" in given or "f" in given:
        return await _search(invocation, names, exact="f" in given)
    status = 0
    pages: list[tuple[str, bytes]] = []
    for name in names:
        text = await _help(invocation, name)
        if text is None:
            invocation.stderr.write(f"No manual entry for {name}\n".encode("utf-8", "surrogateescape"))
            status = NO_MANUAL
        else:
            pages.append((f"Manual page {name}", text))
    if pages:
        await show(invocation, pages, options="F")
    return status


async def _help(invocation: Invocation, name: str) -> bytes | None:
    """Return what a command prints for --help, or the shell for `help`; None if there is none."""
    from gemini_userland import COMMANDS, run

    if not re.fullmatch(r"[\w.+-]+", name):
        return None
    if name in COMMANDS:
        asked = Invocation([name, "--help"], cwd=invocation.cwd, env=invocation.env)
        await run(asked)
        return asked.stdout.bytes() or asked.stderr.bytes() or None
    # The shell writes to the output of this call.
    script = f"type -t {name} >/dev/null && {{ {name} --help 2>/dev/null || help {name} 2>/dev/null; }}"
    exit_code = await invocation.shell(script, invocation.cwd, invocation.env)
    return None if exit_code else b""


async def _search(invocation: Invocation, words: list[str], *, exact: bool) -> int:
    from gemini_userland import COMMANDS

    found = False
    for name in sorted(COMMANDS):
        text = await _help(invocation, name) if name != "man" else b""
        lines = (text or b"").decode("utf-8", "replace").splitlines()
        summary = next((line for line in lines if line and not line.startswith(("Usage", " "))), "")
        for word in words:
            if name == word if exact else word.lower() in f"{name} {summary}".lower():
                invocation.print(f"{name} (1) - {summary}")
                found = True
                break
    if not found:
        invocation.stderr.write(f"{words[0]}: nothing appropriate.\n".encode("utf-8", "surrogateescape"))
    return 0 if found else NO_MANUAL
