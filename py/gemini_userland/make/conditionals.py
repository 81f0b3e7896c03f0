"""Conditionals: ifeq, ifneq, ifdef, ifndef, else, endif."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gemini_userland.make.evaluate import Evaluator
from gemini_userland.make.scan import closing
from gemini_userland.make.words import SPACE

TESTS = ("ifeq", "ifneq", "ifdef", "ifndef")
KEYWORDS = (*TESTS, "else", "endif")


@dataclass
class _Branches:
    """An open conditional."""

    active: bool
    decided: bool
    has_else: bool = False


class Conditionals:
    """The open conditionals at the current line.

    Args:
        evaluator: Expands the conditions.
    """

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator = evaluator
        self._open: list[_Branches] = []

    @property
    def skips(self) -> bool:
        """True in a branch that isn't taken."""
        return any(not branches.active for branches in self._open)

    @property
    def is_open(self) -> bool:
        """True inside a conditional."""
        return bool(self._open)

    async def handle(self, line: str) -> bool:
        """Process a line of a conditional; return False for other lines."""
        keyword, rest = _keyword(line)
        if keyword in TESTS:
            holds = False if self.skips else await self._holds(keyword, rest)
            # In a skipped branch, no nested branch is taken.
            self._open.append(_Branches(active=holds, decided=holds or self.skips))
        elif keyword == "else":
            await self._else(rest)
        elif keyword == "endif":
            if not self._open:
                raise self._evaluator.error("extraneous 'endif'")
            self._open.pop()
        else:
            return False
        return True

    async def _else(self, rest: str) -> None:
        if not self._open:
            raise self._evaluator.error("extraneous 'else'")
        branches = self._open[-1]
        if branches.has_else:
            raise self._evaluator.error("only one 'else' per conditional")
        keyword, test = _keyword(rest)
        is_last = keyword not in TESTS
        branches.has_else = is_last
        if branches.decided:
            branches.active = False
        else:
            branches.active = is_last or await self._holds(keyword, test)
            branches.decided = branches.active

    async def _holds(self, keyword: str, rest: str) -> bool:
        if keyword in ("ifdef", "ifndef"):
            name = (await self._evaluator.expand(rest)).strip(SPACE)
            variable = self._evaluator.globals.variable(name)
            return (variable is not None and variable.value != "") == (keyword == "ifdef")
        sides = _sides(rest.strip(SPACE))
        if sides is None:
            raise self._evaluator.error("invalid syntax in conditional")
        left, right = [await self._evaluator.expand(side) for side in sides]
        return (left == right) == (keyword == "ifeq")


def _keyword(line: str) -> tuple[str, str]:
    match = re.match(r"[ \t]*([a-z]+)(?=[ \t]|$)", line)
    return (match[1], line[match.end() :].strip(" \t")) if match else ("", line)


def _sides(text: str) -> tuple[str, str] | None:
    """Parse `(a,b)`, or two words in single or double quotes."""
    if text.startswith("("):
        end = closing(text, 0)
        comma = _comma(text)
        if end < 0 or comma < 0:
            return None
        return text[1:comma].rstrip(SPACE), text[comma + 1 : end].lstrip(SPACE)
    match = re.match(r"(?:\"([^\"]*)\"|'([^']*)')[ \t]*(?:\"([^\"]*)\"|'([^']*)')", text)
    if match is None:
        return None
    return match[1] or match[2] or "", match[3] or match[4] or ""


def _comma(text: str) -> int:
    depth = 0
    for index, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "," and depth == 1:
            return index
    return -1
