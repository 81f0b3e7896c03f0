"""Globs and the rules of .gitignore files.

Source: gitignore(5), and the documentation of the globset crate.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_TOKEN = re.compile(
    r"(?P<start>^\*\*/)|(?P<end>/\*\*$)|(?P<middle>/\*\*/)|(?P<star>\*+)|(?P<one>\?)"
    r"|\[(?P<not>[!^]?)(?P<set>\]?[^\]]*)\]|\\(?P<escaped>.)|(?P<brace>[{},])|(?P<text>.)",
    re.DOTALL,
)

_SETS = re.compile(r"\\.|\[[!^]?\]?[^\]]*\]", re.DOTALL)


def glob_regex(glob: str) -> str:
    """Return an expression for full paths, in which `*` and `?` match no slash.

    Raises:
        ValueError: The glob is invalid.
    """
    pieces: list[str] = []
    depth = 0
    for match in _TOKEN.finditer(glob):
        kind = match.lastgroup
        if kind == "brace":
            depth += {"{": 1, "}": -1}.get(match[0], 0) if match[0] != "}" or depth else 0
            pieces.append(_brace(match[0], depth))
        else:
            pieces.append(_piece(match))
    if re.search(r"(?<!\\)\[", _SETS.sub("", glob)):
        raise ValueError(f"error parsing glob '{glob}': unclosed character class; missing ']'")
    if depth:
        raise ValueError(f"error parsing glob '{glob}': unclosed alternate group; missing '}}'")
    source = "".join(pieces)
    try:
        re.compile(source)
    except re.error as error:
        raise ValueError(f"error parsing glob '{glob}': {error.msg}") from error
    return source


def _brace(mark: str, depth: int) -> str:
    if mark == "{":
        return "(?:"
    if mark == ",":
        return "|" if depth else ","
    return ")"


def _piece(match: re.Match[str]) -> str:
    if match["start"]:
        return "(?:.*/)?"
    if match["end"]:
        return "/.+"
    if match["middle"]:
        return "/(?:.*/)?"
    if match["star"]:
        return "[^/]*"
    if match["one"]:
        return "[^/]"
    if match["set"] is not None:
        inside = re.sub(r"[\\\[\]&~|^]", r"\\\g<0>", match["set"])
        return f"(?!/)[{'^' if match['not'] else ''}{inside}]"
    return re.escape(match["escaped"] or match["text"])


@dataclass(frozen=True)
class Rule:
    """A line of a .gitignore file.

    Attributes:
        regex: An expression for paths relative to the file's folder.
        keeps: Whether the line begins with `!`.
        folders_only: Whether it ends with a slash.
    """

    regex: re.Pattern[str]
    keeps: bool
    folders_only: bool


def parse_rule(line: str, *, ignore_case: bool = False) -> Rule | None:
    """Parse a line; return None for a comment, an empty line or an invalid glob."""
    text = line.rstrip("\r\n")
    while text.endswith((" ", "\t")) and not text.endswith("\\ "):
        text = text[:-1]
    if text == "" or text.startswith("#"):
        return None
    keeps = text.startswith("!")
    text = text.removeprefix("!")
    folders_only = text.endswith("/") and text != "/"
    text = text.rstrip("/") if folders_only else text
    anchored = "/" in text
    text = text.removeprefix("/")
    if not anchored and not text.startswith("**/"):
        text = f"**/{text}"
    try:
        regex = re.compile(glob_regex(text), re.IGNORECASE | re.DOTALL if ignore_case else re.DOTALL)
    except ValueError:
        return None
    return Rule(regex, keeps, folders_only)


@dataclass(frozen=True)
class Rules:
    """The lines of one file, the last of which that matches a path decides.

    Attributes:
        folder: The absolute path that the rules are relative to, without a slash at its end.
        lines: The rules in their order.
    """

    folder: str
    lines: Sequence[Rule]

    @cached_property
    def _any(self) -> re.Pattern[str]:
        flags = self.lines[0].regex.flags if self.lines else 0
        return re.compile("|".join(f"(?:{rule.regex.pattern})" for rule in self.lines), flags)

    def decide(self, place: str, *, is_folder: bool) -> bool | None:
        """Return whether a path is ignored (True), retained (False), or not mentioned (None).

        Args:
            place: The absolute path.
            is_folder: Whether it is a folder.
        """
        if not place.startswith(self.folder + "/"):
            return None
        path = place[len(self.folder) + 1 :]
        # Most paths match no rule, which one search tells.
        if not self._any.fullmatch(path):
            return None
        for rule in reversed(self.lines):
            if (is_folder or not rule.folders_only) and rule.regex.fullmatch(path):
                return not rule.keeps
        return None


def read_rules(path: str, folder: str) -> Rules | None:
    """Read a file of rules; return None if there is none, or it has no rules."""
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            lines = [rule for line in file if (rule := parse_rule(line))]
    except OSError:
        return None
    return Rules(folder.rstrip("/"), lines) if lines else None


def is_repository(folder: str) -> bool:
    """Return whether a folder is the top of a Git repository."""
    return os.path.exists(f"{folder.rstrip('/')}/.git")
