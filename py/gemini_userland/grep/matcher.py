"""The patterns of `grep`, as one expression of Python's `re`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gemini_userland.blocks import within_lines
from gemini_userland.characters import in_bytes
from gemini_userland.longest import matches
from gemini_userland.options import Arguments
from gemini_userland.patterns import CLASSES, WORD, WORD_OF_BYTES, compile_posix
from gemini_userland.text import encode

_RETAINED = re.compile(r"retained\d+")
_ERRORS_OF_PERL = {
    "missing ), unterminated subpattern": "missing closing parenthesis",
    "unbalanced parenthesis": "unmatched closing parenthesis",
}


@dataclass(frozen=True)
class Matcher:
    """The patterns, as one expression for a file's full content and for lines.

    Attributes:
        expression: Matches what one of the patterns matches.
        inverted: Whether lines are selected that it doesn't match.
        warnings: Sentences about what the patterns probably weren't meant to say.
    """

    expression: re.Pattern[bytes]
    inverted: bool
    warnings: Sequence[str] = ()

    def selects(self, line: bytes) -> bool:
        """Return whether the line is selected."""
        return (self.expression.search(line) is not None) != self.inverted

    def spans(self, line: bytes) -> Iterator[tuple[int, int]]:
        r"""Yield where the matches in a line are that aren't empty. A match begins after the last `\K`."""
        marks = [name for name in self.expression.groupindex if _RETAINED.fullmatch(name)]
        for match in matches(self.expression, line):
            start = max([match.start(), *(match.start(mark) for mark in marks)])
            if start < match.end():
                yield start, match.end()

    def for_block(self, data: bytes) -> re.Pattern[bytes] | None:
        """Return an expression that matches once in each selected line, up to its end, if there is one."""
        source = within_lines(self.expression, ascii_only=data.isascii())
        return None if source is None else re.compile(rb"(?:%s)[^\n]*" % source, self.expression.flags)


def matcher_of(given: Arguments, patterns: Sequence[str]) -> Matcher:
    """Return the selection by the options and patterns.

    Raises:
        re.error: A pattern is invalid, or has something that Python's `re` lacks; the message says so.
    """
    warnings: list[str] = []
    try:
        return Matcher(_compile(given, patterns, warnings.append), "v" in given, warnings)
    except re.error as problem:
        raise re.error(_ERRORS_OF_PERL.get(problem.msg, problem.msg)) from None


def _compile(given: Arguments, patterns: Sequence[str], warn: Callable[[str], object]) -> re.Pattern[bytes]:
    kind = given.last_of("E", "F", "P", "G") or "G"
    ignores_case = given.last_of("i", "y", "no-ignore-case") in ("i", "y")
    flags = re.MULTILINE | (re.IGNORECASE if ignores_case else 0)
    translated: list[bytes] = []
    for pattern in patterns:
        if kind == "F":
            translated.append(_plain(pattern, ignores_case=ignores_case))
        elif kind == "P":
            translated.append(_perl(pattern, len(translated)))
        else:
            posix = _both_cases(pattern) if ignores_case else pattern
            translated.append(compile_posix(posix, extended=kind == "E", warn=warn).pattern)
    # POSIX requires the longest alternative; Python takes the first.
    translated.sort(key=len, reverse=True)
    whole = translated[0] if len(translated) == 1 else _join(translated)
    if not patterns:
        whole = b"(?!)"
    if "x" in given:
        whole = rb"^(?:%s)$" % whole
    elif "w" in given:
        word = (WORD_OF_BYTES if in_bytes() else WORD).encode("latin-1")
        whole = rb"(?<!%s)(?:%s)(?!%s)" % (word, whole, word)
    return re.compile(whole, flags)


def _join(expressions: Sequence[bytes]) -> bytes:
    """Return an expression that matches what one of several does; the groups that they name have other numbers."""
    joined, groups = list[bytes](), 0

    def renumbered(match: re.Match[bytes]) -> bytes:
        return b"\\%d" % (groups + int(match[1])) if match[1].isdigit() else match[0]

    for one in expressions:
        joined.append(b"(?:%s)" % re.sub(rb"\\(.)", renumbered, one, flags=re.DOTALL))
        groups += re.compile(one).groups
    return b"|".join(joined)


def _cases(character: str) -> str:
    """Return both cases of a letter that isn't ASCII; Python ignores the case of single bytes only."""
    if character.isascii():
        return character
    return "".join(
        sorted({one for one in (character, character.lower(), character.upper()) if len(one) == 1})
    )


def _plain(pattern: str, *, ignores_case: bool) -> bytes:
    if not ignores_case:
        return re.escape(encode(pattern))
    return b"".join(
        b"(?:%s)" % b"|".join(re.escape(encode(case)) for case in _cases(one)) if _cases(one) else b""
        for one in pattern
    )


def _both_cases(pattern: str) -> str:
    """Replace each letter that isn't ASCII by a set of its cases, in sets by both."""
    found, inside = "", False
    for at, character in enumerate(pattern):
        cases = _cases(character)
        if character == "[" and not (at and pattern[at - 1] == "\\"):
            inside = True
        elif character == "]":
            inside = False
        found += cases if inside or len(cases) == 1 else f"[{cases}]"
    return found


def _perl(pattern: str, number: int) -> bytes:
    r"""Replace the syntax that Python lacks: `\h`, classes such as `[:upper:]`, and `\K`, where a match begins."""
    if found := re.search(r"(?<!\\)(?:\\\\)*(\\[pPXRQGNH]|\[:\^|\(\?[|R&]|\(\*)", pattern):
        raise re.error(f"{found[1]} isn't supported: use -E, or classes such as [[:upper:]] and \\w")
    pattern = re.sub(r"\[:(\w+):\]", lambda match: CLASSES.get(match[1], match[0]), pattern)
    pattern = re.sub(r"\\h", r"[ \\t]", pattern)
    if r"\K" in pattern and re.search(r"\\[1-9]", pattern):
        raise re.error(r"\K beside a back-reference isn't supported: use a look-behind, (?<=…)")
    pieces = pattern.split(r"\K")
    whole = pieces[0] + "".join(f"(?P<retained{number}{at}>){piece}" for at, piece in enumerate(pieces[1:]))
    return encode(whole)
