"""The patterns of a call of `rg` as one expression, and the lines of a text that it selects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemini_userland.options import Arguments
from gemini_userland.rg.errors import PatternError
from gemini_userland.rg.syntax import NOT_ALLOWED, Translation

Span = tuple[int, int]


@dataclass(frozen=True)
class Matcher:
    """A compiled search.

    Attributes:
        regex: The expression, for complete texts.
        inverted: Whether the other lines are selected.
        multiline: Whether a match may span lines.
    """

    regex: re.Pattern[str]
    inverted: bool = False
    multiline: bool = False

    def blocks(self, text: str) -> Iterator[Span]:
        """Yield the selected lines, each with its end; lines that a match spans are one block."""
        return self._others(text) if self.inverted else self._matching(text)

    def _matching(self, text: str) -> Iterator[Span]:
        if self.multiline:
            yield from self._spanning(text)
            return
        at, size, search = 0, len(text), self.regex.search
        while at < size and (match := search(text, at)):
            found = match.start()
            if found == size and text[-1] == "\n":
                return
            start, end = text.rfind("\n", 0, found) + 1, text.find("\n", found) + 1 or size
            yield start, end
            at = end

    def _spanning(self, text: str) -> Iterator[Span]:
        open_start, open_end = 0, -1
        for match in self.regex.finditer(text):
            found, last = match.span()
            if found == len(text) and text[-1:] in ("\n", ""):
                break
            start = text.rfind("\n", 0, found) + 1
            # The line break at the end of a match doesn't add the next line.
            end = text.find("\n", last - 1 if last > found else last) + 1 or len(text)
            if start < open_end:
                open_end = max(end, open_end)
                continue
            if open_end >= 0:
                yield open_start, open_end
            open_start, open_end = start, end
        if open_end >= 0:
            yield open_start, open_end

    def _others(self, text: str) -> Iterator[Span]:
        at = 0
        for start, end in self._matching(text):
            yield from lines_between(text, at, start)
            at = end
        yield from lines_between(text, at, len(text))

    def matches(self, text: str, start: int, end: int) -> list[re.Match[str]]:
        """Return the matches in a block; no empty one touches the one before it."""
        if text[end - 1 : end] == "\n" and not self.multiline:
            end -= 1
        found: list[re.Match[str]] = []
        last = -1
        for match in self.regex.finditer(text, start, end):
            if match.start() == match.end() and (
                match.start() == last or (match.start() == end and self.multiline)
            ):
                continue
            last = match.end()
            found.append(match)
        return found


def lines_between(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the lines of a part of a text, each with its end."""
    while start < end:
        after = text.find("\n", start, end) + 1 or end
        yield start, after
        start = after


def compile_patterns(given: Arguments, patterns: Sequence[str]) -> Matcher:
    """Compile the patterns with the options that change their meaning.

    Raises:
        PatternError: A pattern is invalid.
    """
    multiline = "U" in given and "no-multiline" not in given
    sources = [_translate(given, pattern, multiline=multiline) for pattern in patterns]
    if multiline:
        multiline = _may_span(given, patterns, sources)
    whole = sources[0] if len(sources) == 1 else "|".join(f"(?:{source})" for source in sources)
    if "x" in given:
        whole = rf"^(?:{whole}){'(?=' + chr(92) + 'r?$)' if 'crlf' in given else '$'}"
    elif "w" in given:
        whole = rf"(?<!\w)(?:{whole})(?!\w)"
    try:
        regex = re.compile(whole if sources else r"(?!)", _flags(given, patterns))
    except (re.error, OverflowError) as error:
        reason = error.msg if isinstance(error, re.error) else str(error)
        raise PatternError(f"regex parse error:\n    {'|'.join(patterns)}\nerror: {reason}") from error
    return Matcher(regex, "v" in given, multiline)


def _translate(given: Arguments, pattern: str, *, multiline: bool) -> str:
    if "F" in given:
        if "\n" in pattern and not multiline:
            raise PatternError(NOT_ALLOWED)
        return re.escape(pattern)
    return Translation(
        pattern,
        multiline=multiline,
        dotall="multiline-dotall" in given,
        crlf="crlf" in given,
        perl="P" in given or given.last("engine") in ("pcre2", "auto") or "auto-hybrid-regex" in given,
    ).translate()


def _may_span(given: Arguments, patterns: Sequence[str], sources: Sequence[str]) -> bool:
    """Return whether a match may contain a line break, as far as the translations show."""
    try:
        return [_translate(given, pattern, multiline=False) for pattern in patterns] != list(sources)
    except PatternError:
        return True


def _flags(given: Arguments, patterns: Sequence[str]) -> int:
    flags = re.MULTILINE | (
        re.ASCII if {"no-unicode", "no-pcre2-unicode"} & {name for name, _ in given.items} else 0
    )
    case = given.last_of("i", "s", "S")
    if case == "i" or (case == "S" and not any(_has_capital(pattern) for pattern in patterns)):
        flags |= re.IGNORECASE
    return flags


def _has_capital(pattern: str) -> bool:
    plain = re.sub(r"\\[pP]\{[^}]*\}|\\.", "", pattern, flags=re.DOTALL)
    return any(character.isupper() for character in plain)
