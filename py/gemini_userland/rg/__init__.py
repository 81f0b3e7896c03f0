"""`rg`: search the files below folders, leaving out hidden, ignored and binary ones.

Source: ripgrep's manual page, rg(1), and its guide.
"""

from __future__ import annotations

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.rg.choices import check, choose_filter, wanted_types
from gemini_userland.rg.errors import PatternError
from gemini_userland.rg.matcher import Matcher, compile_patterns
from gemini_userland.rg.options import REFUSED, SYNTAX
from gemini_userland.rg.search import Search
from gemini_userland.rg.types import UnknownTypeError
from gemini_userland.text import decode, read

ERROR = 2
NO_PATTERN = (
    "error: The following required arguments were not provided:\n    <PATTERN>\n\n"
    "USAGE:\n    rg [OPTIONS] PATTERN [PATH ...]\n\nFor more information try --help\n"
)


async def rg(invocation: Invocation) -> int:
    """Return 0 if something was found, 1 if nothing was, 2 after an error."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    for name, message in REFUSED.items():
        if name in given:
            invocation.error(message)
            return ERROR
    try:
        check(given)
        if "type-list" in given:
            for name, globs in sorted(wanted_types(given).items()):
                invocation.print(f"{name}: {', '.join(sorted(globs))}")
            return 0
        operands = list(given.operands)
        matcher = None if "files" in given else _matcher(invocation, given, operands)
        return Search(invocation, given, matcher, choose_filter(invocation, given)).run(operands)
    except (PatternError, UnknownTypeError, ValueError) as error:
        invocation.stderr.write(f"{str(error).rstrip()}\n".encode("utf-8", "surrogateescape"))
    except OSError as error:
        message = f"{error.filename}: {error.strerror} (os error {error.errno})\n"
        invocation.stderr.write(message.encode("utf-8", "surrogateescape"))
    return ERROR


def _matcher(invocation: Invocation, given: Arguments, operands: list[str]) -> Matcher:
    """Take the patterns from options, or the first operand."""
    if "e" not in given and "f" not in given:
        if not operands:
            raise PatternError(NO_PATTERN)
        return compile_patterns(given, [operands.pop(0)])
    patterns = given.all("e")
    for name in given.all("f"):
        text = decode(read(invocation, name))
        patterns += [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")] if text else []
    return compile_patterns(given, patterns)
