"""`pathchk`: check whether names of files are valid and portable.

Source: POSIX.1-2017, "pathchk"; the GNU coreutils manual.
"""

from __future__ import annotations

import os
import re

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="pP",
    long={"portability": "portability"},
    help="""
Usage: pathchk [OPTION]... NAME...
Report names that are invalid or not portable.

  -p                 check for most POSIX systems
  -P                 refuse empty names, and parts that begin with -
      --portability  check for all POSIX systems (the same as -p -P)
""",
)
NOT_PORTABLE = re.compile(r"[^A-Za-z0-9._/-]")
# The least that POSIX promises, and what Linux has; the end of a path counts, too.
PORTABLE_PATH, PORTABLE_PART = 255, 14
LONGEST_PATH, LONGEST_PART = 4095, 255


async def pathchk(invocation: Invocation) -> int:
    """Check the names; return 1 if one of them has a problem."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "missing operand")
    problems = [problem for name in given.operands if (problem := _problem(invocation, given, name))]
    for problem in problems:
        invocation.error(problem)
    return int(bool(problems))


def _problem(invocation: Invocation, given: Arguments, name: str) -> str | None:
    """Return the problem with a name, if any."""
    is_portable = "p" in given or "portability" in given
    parts = [part for part in name.split("/") if part]
    if ("P" in given or "portability" in given) and any(part.startswith("-") for part in parts):
        return f"leading '-' in a component of file name '{name}'"
    if name == "" and (is_portable or "P" in given):
        return "empty file name"
    if is_portable:
        if match := NOT_PORTABLE.search(name):
            return f"nonportable character '{match[0]}' in file name '{name}'"
    elif (problem := _missing(invocation, name)) is not None:
        return problem
    path, part = (PORTABLE_PATH, PORTABLE_PART) if is_portable else (LONGEST_PATH, LONGEST_PART)
    if len(os.fsencode(name)) > path:
        return f"limit {path} exceeded by length {len(os.fsencode(name))} of file name '{name}'"
    for one in parts:
        if len(os.fsencode(one)) > part:
            return f"limit {part} exceeded by length {len(os.fsencode(one))} of file name component '{one}'"
    return None


def _missing(invocation: Invocation, name: str) -> str | None:
    """Return why a name can't be looked up, but for a file that isn't there."""
    if name == "":
        return "'': No such file or directory"
    try:
        os.lstat(invocation.path(name))
    except FileNotFoundError:
        return None
    except OSError as error:
        return f"{name}: {error.strerror}"
    return None
