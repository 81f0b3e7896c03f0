"""The lists and ranges in URLs of `curl`: `{one,two}`, `[1-9]`, `[001-100:10]`, `[a-z]`."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

_RANGE = re.compile(r"\[(?:(\d+)-(\d+)|([A-Za-z])-([A-Za-z]))(?::(\d+))?\]")
_LIST = re.compile(r"\{([^{}]*)\}")
_ADDRESS = re.compile(r"\[[0-9A-Fa-f:.%]*:[0-9A-Fa-f:.%]*\]")


class Malformed(Exception):
    """A URL with an unmatched brace or bracket."""


@dataclass(frozen=True)
class Target:
    """A URL to transfer.

    Attributes:
        url: The URL.
        values: What stands for each list and range of its pattern, which are `#1`, `#2`, … in `-o`.
        argument: The number of the pattern on the command line.
    """

    url: str
    values: tuple[str, ...] = ()
    argument: int = 0

    def named(self, pattern: str) -> str:
        """Return the name of a file of `-o`; numbers without a list or range stay."""

        def value(found: re.Match[str]) -> str:
            number = int(found[1])
            return self.values[number - 1] if 0 < number <= len(self.values) else found[0]

        return re.sub(r"#(\d+)", value, pattern)


def expand(url: str, argument: int = 0) -> list[Target]:
    """Return the URLs that a pattern stands for.

    Raises:
        Malformed: A brace or bracket is unmatched.
    """
    parts: list[list[str]] = []
    chosen: list[int] = []
    position = 0
    while position < len(url):
        character = url[position]
        if character == "\\" and url[position + 1 : position + 2] in tuple("{}[]"):
            parts.append([url[position + 1]])
            position += 2
        elif address := _ADDRESS.match(url, position):
            parts.append([address[0]])
            position = address.end()
        elif found := _LIST.match(url, position):
            chosen.append(len(parts))
            parts.append(found[1].split(","))
            position = found.end()
        elif found := _RANGE.match(url, position):
            chosen.append(len(parts))
            parts.append(_range(found))
            position = found.end()
        elif character in "{}[]":
            raise Malformed(f"unmatched {character} in URL position {position + 1}:\n{url}")
        else:
            parts.append([character])
            position += 1
    return [
        Target("".join(pieces), tuple(pieces[at] for at in chosen), argument)
        for pieces in itertools.product(*parts)
    ]


def _range(found: re.Match[str]) -> list[str]:
    step = int(found[5] or 1) or 1
    if found[1] is None:
        return [chr(code) for code in range(ord(found[3]), ord(found[4]) + 1, step)]
    width = len(found[1]) if found[1].startswith("0") else 0
    return [f"{number:0{width}}" for number in range(int(found[1]), int(found[2]) + 1, step)]
