"""`tsort`: order names so that each comes behind those that must be before it.

Source: POSIX.1-2017, "tsort"; D. E. Knuth, The Art of Computer Programming, 2.2.3, algorithm T, whose order GNU's
prints.
"""

from __future__ import annotations

from collections import deque

from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import decode, read

SYNTAX = Syntax(
    help="""
Usage: tsort [FILE]
Read pairs of names, and print all names so that the first of a pair comes before the second.
""",
)


async def tsort(invocation: Invocation) -> int:
    """Print the names; return 1 if no order is right."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    name, *extra = given.operands or ["-"]
    if extra:
        return SYNTAX.usage_error(invocation, f"extra operand '{extra[0]}'")
    try:
        words = decode(read(invocation, name)).split()
    except OSError as error:
        invocation.error(f"{name}: {error.strerror}")
        return 1
    if len(words) % 2:
        invocation.error(f"{name}: input contains an odd number of tokens")
        return 1
    return _print_sorted(invocation, name, list(zip(words[::2], words[1::2], strict=True)))


def _print_sorted(invocation: Invocation, source: str, pairs: list[tuple[str, str]]) -> int:
    # The last successor that was read is the first to be looked at.
    after: dict[str, list[str]] = {}
    before: dict[str, int] = {}
    for first, second in pairs:
        for name in (first, second):
            after.setdefault(name, [])
            before.setdefault(name, 0)
        if first != second:
            after[first].insert(0, second)
            before[second] += 1
    status = 0
    while before:
        ready = deque(sorted(name for name, count in before.items() if not count))
        if not ready:
            status = 1
            _break_loop(invocation, source, after, before)
        while ready:
            name = ready.popleft()
            invocation.print(name)
            del before[name]
            for following in after.pop(name):
                before[following] -= 1
                if not before[following]:
                    ready.append(following)
    return status


def _break_loop(
    invocation: Invocation, source: str, after: dict[str, list[str]], before: dict[str, int]
) -> None:
    """Print a loop, and remove the pair that closes it.

    As in GNU's, names are looked at again and again in their order, and each that comes before the last one of the
    chain is added to it, until one was in the chain already.
    """
    invocation.error(f"{source}: input contains a loop:")
    links: dict[str, str] = {}
    last: str | None = None
    while True:
        for name in sorted(before):
            if last is None:
                last = name
            elif last not in after[name]:
                continue
            elif name not in links:
                links[name] = last
                last = name
            else:
                closing = last
                while last != name:
                    invocation.error(last)
                    last = links[last]
                invocation.error(name)
                after[name].remove(closing)
                before[closing] -= 1
                return
