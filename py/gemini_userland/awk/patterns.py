"""Compiled expressions of awk: whether and where they match."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from gemini_userland.awk.errors import RunError
from gemini_userland.awk.longest import Automaton
from gemini_userland.awk.regexes import RegexParser, finds_longest, literal_of, source_of


class Pattern:
    """An extended regular expression.

    Args:
        source: In awk's syntax.
        folds: Whether it ignores case.

    Attributes:
        compiled: The same for Python; it finds where a match begins.
        is_plain: Python's match is also the longest one.
        can_be_empty: The empty text matches.
        literal: The only text that matches, or None.
    """

    def __init__(self, source: str, folds: bool = False) -> None:
        self._item = RegexParser(source).parse()
        self._flags = re.IGNORECASE if folds else 0
        try:
            self.compiled = re.compile(source_of(self._item), self._flags)
        except (re.error, OverflowError) as problem:
            raise RunError(f"regular expression {problem}: /{source}/") from problem
        self.is_plain = finds_longest(self._item)
        self.can_be_empty = self.compiled.search("") is not None
        self.literal = None if folds else literal_of(self._item)
        self._automaton: Automaton | None = None
        self.found: Callable[[str], object] = self.compiled.search

    def search(self, text: str, start: int = 0) -> tuple[int, int] | None:
        """Return the first of the longest matches from `start` on, as its start and end."""
        match = self.compiled.search(text, start)
        if match is None:
            return None
        if self.is_plain:
            return match.span()
        if self._automaton is None:
            self._automaton = Automaton(self._item, self._flags)
        end = self._automaton.end(text, match.start())
        return match.start(), match.end() if end is None else end

    def groups(self, text: str, start: int, end: int) -> re.Match[str] | None:
        """Return a match of exactly this part of the text, with its groups."""
        return self.compiled.fullmatch(text, start, end) or self.compiled.match(text, start)

    def split(self, text: str) -> tuple[list[str], list[str]]:
        """Return the parts of a text, and what separates them. An empty match separates nothing."""
        parts: list[str] = []
        separators: list[str] = []
        done = at = 0
        while at <= len(text) and (found := self.search(text, at)):
            start, end = found
            if end == start:
                at = end + 1
                continue
            parts.append(text[done:start])
            separators.append(text[start:end])
            done = at = end
        return [*parts, text[done:]], separators


@lru_cache(maxsize=500)
def pattern(source: str, folds: bool = False) -> Pattern:
    """Return the compiled expression.

    Raises:
        RunError: It is invalid.
    """
    return Pattern(source, folds)
