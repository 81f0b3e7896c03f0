"""Find a text or a regular expression in all files below a folder, line by line."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from typing_extensions import TypedDict

from gemini.computer.files import find, texts
from gemini.computer.files.skipped import SKIPPED
from gemini.errors import FileProblem, InvalidArguments

# Per file and in all, for the list; replacing has no limit.
MAX_LISTED = 200
MAX_MATCHES = 2_000
# Around a match on a long line, in characters.
AROUND = 80


class Match(TypedDict):
    """A match in a line, with the text around it, and the replacement. `line` counts from 1."""

    line: int
    before: str
    match: str
    after: str
    replacement: str | None


class FileMatches(TypedDict):
    """The matches in a file of the given version. `count` counts all, `matches` has the first ones."""

    path: str
    name: str
    version: str
    count: int
    matches: list[Match]


@dataclass(frozen=True)
class Query:
    """A search of all files.

    Attributes:
        text: The text, or the regular expression in Python's syntax.
        regex: Whether it is a regular expression.
        match_case: Whether case matters.
        whole_word: Whether a match must be a whole word.
        include: Globs of the files to search, separated by commas; all by default.
        exclude: Globs of the files and folders to skip.
    """

    text: str
    regex: bool = False
    match_case: bool = False
    whole_word: bool = False
    include: str = ""
    exclude: str = ""

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The regular expression that finds the matches in a line.

        Raises:
            InvalidArguments: The regular expression is invalid.
        """
        expression = self.text if self.regex else re.escape(self.text)
        if self.whole_word:
            expression = rf"(?<!\w)(?:{expression})(?!\w)"
        try:
            return re.compile(expression, 0 if self.match_case else re.IGNORECASE)
        except re.error as error:
            raise InvalidArguments(
                f"text: {self.text!r} is not a regular expression: {error}",
                hint="Python's syntax is used. Turn off the regular expression to search for the text itself.",
            ) from error

    def replace(self, content: str, replacement: str) -> tuple[str, int]:
        """Replace all matches of a text, line by line, and return it with the number of replacements.

        Empty matches, as of `a*`, are left out.

        Raises:
            InvalidArguments: The replacement is invalid.
        """
        count = 0

        def expanded(match: re.Match[str]) -> str:
            nonlocal count
            if match[0] == "":
                return ""
            count += 1
            return self.expand(match, replacement)

        lines = [self.pattern.sub(expanded, line) for line in content.split("\n")]
        return "\n".join(lines), count

    def expand(self, match: re.Match[str], replacement: str) -> str:
        r"""Return the replacement of a match; in a regular expression's, `\1` and `\g<name>` are groups.

        Raises:
            InvalidArguments: The replacement is invalid.
        """
        if not self.regex:
            return replacement
        try:
            return match.expand(replacement)
        except (re.error, IndexError) as error:
            raise InvalidArguments(
                f"replacement: {replacement!r} is invalid: {error}", hint=r"Groups are \1, \2 or \g<name>."
            ) from error


def paths(query: Query, root: str) -> Iterator[str]:
    """Return the files below `root` that a query searches, folders of copies and caches excluded; sorted by path.

    Raises:
        InvalidArguments, FileProblem: A glob is invalid, or `root` isn't a directory.
    """
    included = _glob(query.include, root)
    excluded = _glob(query.exclude, root) or frozenset[str]()
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(
            name for name in folders if name not in SKIPPED and f"{folder}/{name}" not in excluded
        )
        for name in sorted(names):
            path = f"{folder}/{name}"
            if path not in excluded and (included is None or _is_in(path, included)):
                yield path


def matches(query: Query, path: str, replacement: str | None, root: str) -> FileMatches | None:
    """Return the matches in a file; None if there are none, or if it isn't text."""
    try:
        if os.path.islink(path) or not texts.is_text(path):
            return None
        read = texts.read(path)
    except FileProblem:
        # Deleted since it was listed, or unreadable.
        return None
    found: list[Match] = []
    count = 0
    for number, line in enumerate(read["content"].split("\n"), 1):
        for match in query.pattern.finditer(line):
            if match[0] == "":
                continue
            count += 1
            if len(found) < MAX_LISTED:
                found.append(_match(query, number, match, replacement))
    if count == 0:
        return None
    name = os.path.relpath(path, root)
    return {"path": path, "name": name, "version": read["version"], "count": count, "matches": found}


def _match(query: Query, line: int, match: re.Match[str], replacement: str | None) -> Match:
    before = match.string[: match.start()].lstrip()
    return {
        "line": line,
        "before": before if len(before) <= AROUND else f"…{before[-AROUND:]}",
        "match": match[0][:AROUND],
        "after": match.string[match.end() :][:AROUND],
        "replacement": None if replacement is None else query.expand(match, replacement),
    }


def _glob(globs: str, root: str) -> frozenset[str] | None:
    patterns: Sequence[str] = [part for each in globs.split(",") if (part := each.strip())]
    if not patterns:
        return None
    return frozenset(entry.path for pattern in patterns for entry in find.find(pattern, root))


def _is_in(path: str, included: frozenset[str]) -> bool:
    """Return whether a file or a folder above it is included."""
    return path in included or any(str(above) in included for above in Path(path).parents)
