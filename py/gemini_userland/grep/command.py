"""The command `grep`: its options, patterns and exit code."""

from __future__ import annotations

import re

from gemini_userland.grep.files import Files
from gemini_userland.grep.matcher import matcher_of
from gemini_userland.grep.options import SYNTAX, problem_with
from gemini_userland.grep.search import Search
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.text import decode, read


async def grep(invocation: Invocation) -> int:
    """Return 0 if a line was selected, 1 if none was, 2 after an error."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    operands = list(given.operands)
    try:
        patterns = _patterns(invocation, given, operands)
        files = Files(invocation, given)
    except OSError as error:
        invocation.error(f"{error.filename}: {error.strerror}")
        return 2
    if patterns is None:
        invocation.stderr.write(
            b"Usage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n"
        )
        return 2
    if problem := problem_with(given):
        invocation.error(problem)
        return 2
    try:
        matcher = matcher_of(given, patterns)
    except re.error as error:
        invocation.error(str(error.msg))
        return 2
    for warning in matcher.warnings:
        invocation.error(f"warning: {warning}")
    return Search(invocation, given, matcher, files).run(operands)


def _patterns(invocation: Invocation, given: Arguments, operands: list[str]) -> list[str] | None:
    patterns = [line for text in given.all("e") for line in text.split("\n")]
    for name in given.all("f"):
        content = decode(read(invocation, name))
        patterns += content.removesuffix("\n").split("\n") if content else []
    if "e" in given or "f" in given:
        return patterns
    return operands.pop(0).split("\n") if operands else None


async def egrep(invocation: Invocation) -> int:
    """Grep with -E."""
    invocation.argv[:1] = ["grep", "-E"]
    return await grep(invocation)


async def fgrep(invocation: Invocation) -> int:
    """Grep with -F."""
    invocation.argv[:1] = ["grep", "-F"]
    return await grep(invocation)
