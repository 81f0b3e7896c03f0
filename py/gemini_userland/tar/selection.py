"""Selects members by names, patterns and exclusions, and makes their names safe."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.tar.exclusion import patterns

_SLASHES = ("wildcards-match-slash", "no-wildcards-match-slash")


@dataclass(frozen=True)
class Named:
    """A name from the command line or a list, and the absolute directory that -C set for it."""

    name: str
    directory: str


def named(invocation: Invocation, given: Arguments) -> tuple[list[Named], str]:
    """Return the names on the command line, and the directory after the last -C.

    Raises:
        OSError: A list of names or a directory can't be read.
    """
    directory, names = invocation.cwd, list[Named]()
    for option, value in given.items:
        if option == "C":
            directory = os.path.join(directory, value)
            os.scandir(directory).close()
        elif option == "T":
            lines = _lines(invocation, value, "\0" if "null" in given else "\n")
            names += [Named(line, directory) for line in lines]
        elif not option:
            names.append(Named(value, directory))
    return names, directory


def _lines(invocation: Invocation, path: str, end: str) -> list[str]:
    if path == "-":
        data = invocation.stdin
    else:
        with open(invocation.path(path), "rb") as file:
            data = file.read()
    return [line for line in data.decode("utf-8", "surrogateescape").split(end) if line]


def excluder(invocation: Invocation, given: Arguments) -> re.Pattern[str] | None:
    """Return a regular expression for excluded names; it matches the name or a parent directory."""
    found = [*given.all("exclude"), *patterns(given)]
    for path in given.all("X"):
        found += _lines(invocation, path, "\n")
    if not found:
        return None
    start = r"\A" if given.last_of("anchored", "no-anchored") == "anchored" else r"(?:\A|/)"
    plain = given.last_of("wildcards", "no-wildcards") == "no-wildcards"
    character = "[^/]" if given.last_of(*_SLASHES) == "no-wildcards-match-slash" else "."
    names = (pattern.rstrip("/") for pattern in found)
    either = "|".join(
        re.escape(name) if plain else glob_regex(name, any_character=character) for name in names
    )
    return re.compile(f"{start}(?:{either})(?:/|\\Z)", re.DOTALL | _case(given))


def _case(given: Arguments) -> re.RegexFlag:
    ignores = given.last_of("ignore-case", "no-ignore-case") == "ignore-case"
    return re.IGNORECASE if ignores else re.RegexFlag(0)


def glob_regex(pattern: str, any_character: str) -> str:
    """Translate a shell pattern to a regular expression; `any_character` is the one for `?`."""
    pieces = {"*": any_character + "*", "?": any_character}
    return "".join(
        pieces.get(token) or _set_or_literal(token)
        for token in re.findall(r"\[[!^]?\]?[^]]*\]|\\.|.", pattern, re.DOTALL)
    )


def _set_or_literal(token: str) -> str:
    if len(token) > 1 and token.startswith("["):
        inside = token[1:-1].replace("\\", "\\\\")
        return "[^" + inside[1:] + "]" if inside[0] in "!^" else "[" + inside.replace("[", "\\[") + "]"
    return re.escape(token[-1])


@dataclass
class Wanted:
    """The members to list or extract: all, or those that match names.

    Attributes:
        names: The names; an empty list selects all members.
        directory: The directory for members that no name selects.
        given: The options, which say whether names are patterns.
        excluded: Matches excluded names.
    """

    names: list[Named]
    directory: str
    given: Arguments
    excluded: re.Pattern[str] | None
    _found: set[int] = field(default_factory=set[int])

    def __post_init__(self) -> None:
        self.wildcards = self.given.last_of("wildcards", "no-wildcards") == "wildcards"
        self._patterns = [self._pattern(one.name) for one in self.names]

    def _pattern(self, name: str) -> re.Pattern[str]:
        name = name.rstrip("/")
        # Unlike in GNU's manual, patterns of members match slashes, as patterns of exclusions do.
        character = "[^/]" if self.given.last_of(*_SLASHES) == "no-wildcards-match-slash" else "."
        regex = glob_regex(name, any_character=character) if self.wildcards else re.escape(name)
        start = "(?:.*/)?" if self.given.last_of("anchored", "no-anchored") == "no-anchored" else ""
        return re.compile(f"{start}{regex}(?:/|\\Z)", re.DOTALL | _case(self.given))

    def directory_of(self, name: str) -> str | None:
        """Return the directory to extract a member to, or None if it isn't selected."""
        if self.excluded is not None and self.excluded.search(name):
            return None
        if not self.names:
            return self.directory
        matches = [index for index, pattern in enumerate(self._patterns) if pattern.match(name)]
        self._found.update(matches)
        return self.names[matches[0]].directory if matches else None

    def missing(self) -> Iterator[str]:
        """Return the names that have matched no member so far."""
        return (one.name for index, one in enumerate(self.names) if index not in self._found)


def leading(name: str) -> str:
    """Return the unsafe prefix of a member's name: slashes, and everything up to the last "..".

    The rest of the name is safe to join to a directory, except for links.
    """
    match = re.match(r"(?:.*(?:\A|/)\.\.(?:/+|\Z)|/+)", name, re.DOTALL)
    return match.group() if match else ""
