"""The command `s`: replaces matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from gemini_userland.blocks import within_lines
from gemini_userland.characters import in_bytes
from gemini_userland.longest import is_ambiguous, longest
from gemini_userland.patterns import ANY_OR_BREAK
from gemini_userland.sed.expressions import ESCAPE, character
from gemini_userland.text import decode, encode

# An expression for exactly one text.
LITERAL = re.compile(rb"(?:[\w \-,;:@#%&=<>\"'/~!]|\\[^\w\n])+", re.ASCII)
# What `patterns.py` makes of these.
OF_CHARACTERS = re.compile(rb"\(\?[!<#]|\\s|\[\^\\w")
CHARACTER = re.compile(ANY_OR_BREAK.encode())
Piece = int | bytes | str
"""A part of a replacement: the number of a group, bytes, or one of the letters L, U, l, u, E for case conversion."""


@dataclass(frozen=True)
class Substitution:
    """The command `s/pattern/replacement/flags`.

    Attributes:
        pattern: The expression; None is the last one used.
        replacement: The parts of the replacement.
        count: The number of the first match to replace.
        every: Whether all matches from there on are replaced (g).
        prints: Whether the result is printed (p).
        path: The file that the result is written to (w), or "".
    """

    pattern: re.Pattern[bytes] | None
    replacement: Sequence[Piece]
    count: int
    every: bool
    prints: bool
    path: str

    def apply(self, pattern: re.Pattern[bytes], space: bytes) -> bytes | None:
        """Replace the matches in `space` from the `count`th on; return None if there are too few."""
        pieces: list[bytes] = []
        done = position = number = 0
        changed = False
        last_end = -1
        while position <= len(space) and (match := pattern.search(space, position)):
            match = longest(match)
            if match.end() == match.start() == last_end:
                # An empty match directly after another match doesn't count.
                position = _next(pattern, space, match.end())
                continue
            number += 1
            last_end = match.end()
            if number >= self.count:
                pieces += [space[done : match.start()], self._expand(match)]
                done, changed = match.end(), True
                if not self.every:
                    break
            position = match.end() if match.end() > match.start() else _next(pattern, space, match.end())
        return b"".join([*pieces, space[done:]]) if changed else None

    @property
    def adds_lines(self) -> bool:
        """True if the replacement contains a line break."""
        return any(isinstance(piece, bytes) and b"\n" in piece for piece in self.replacement)

    def apply_to_lines(self, data: bytes) -> bytes | None:
        """Replace the matches in all lines of `data` at once; return None where that isn't possible."""
        pattern = self.pattern
        if pattern is None or self.count > 1 or self.prints or self.path or is_ambiguous(pattern):
            return None
        source = within_lines(pattern, ascii_only=data.isascii())
        if source is None:
            return None
        flags = pattern.flags | re.MULTILINE
        template = self._template()
        if (
            (literal := LITERAL.fullmatch(source))
            and template is not None
            and not pattern.flags & re.IGNORECASE
        ):
            text = re.sub(rb"\\(.)", rb"\1", literal[0])
            # The first match of each line is the only one if there are as many lines with matches as matches.
            if self.every or data.count(text) == len(re.findall(rb"%s[^\n]*" % source, data)):
                return data.replace(text, re.sub(rb"\\(\\)|\\g<0>", lambda at: at[1] or text, template))
        if self.every:
            return re.sub(source, self._expand if template is None else template, data, flags=flags)
        if template is None or rb"\g<0>" in template:
            return None
        # The rest of the line is part of the match, so that only its first one is replaced.
        rest = rb"%s\g<%d>" % (template, pattern.groups + 1)
        return re.sub(rb"(?:%s)([^\n]*)" % source, rest, data, flags=flags)

    def _template(self) -> bytes | None:
        """Return the replacement as a template of `re`, or None if it converts cases."""
        pieces: list[bytes] = []
        for piece in self.replacement:
            if isinstance(piece, str):
                return None
            pieces.append(piece.replace(b"\\", rb"\\") if isinstance(piece, bytes) else rb"\g<%d>" % piece)
        return b"".join(pieces)

    def _expand(self, match: re.Match[bytes]) -> bytes:
        if not any(isinstance(piece, str) for piece in self.replacement):
            return b"".join(
                piece if isinstance(piece, bytes) else match[piece] or b""
                for piece in self.replacement
                if not isinstance(piece, str)
            )
        text, lasting, once = "", "", ""
        for piece in self.replacement:
            if isinstance(piece, str):
                if piece in "LUE":
                    lasting, once = piece, ""
                else:
                    once = piece
                continue
            added = decode(piece if isinstance(piece, bytes) else match[piece] or b"")
            added = added.lower() if lasting == "L" else added.upper() if lasting == "U" else added
            if once and added:
                added = (added[0].lower() if once == "l" else added[0].upper()) + added[1:]
                once = ""
            text += added
        return encode(text)


@lru_cache
def _goes_by_bytes(pattern: re.Pattern[bytes]) -> bool:
    """Return whether empty matches are found within characters.

    GNU's programs read bytes where an expression has neither sets of characters nor ends of words.
    """
    return in_bytes() or not (pattern.flags & re.IGNORECASE or OF_CHARACTERS.search(pattern.pattern))


def _next(pattern: re.Pattern[bytes], space: bytes, at: int) -> int:
    """Return the next place after an empty match."""
    found = None if _goes_by_bytes(pattern) else CHARACTER.match(space, at)
    return found.end() if found else at + 1


def read_replacement(source: str) -> list[Piece]:
    """Parse a replacement into its parts."""
    pieces: list[Piece] = []
    at = 0
    while at < len(source):
        if source[at] == "&":
            pieces.append(0)
            at += 1
        elif match := ESCAPE.match(source, at):
            pieces.append(_escape(match))
            at = match.end()
        else:
            end = re.compile(r"[^&\\]+|\\").match(source, at)
            assert end is not None
            pieces.append(encode(end[0]))
            at = end.end()
    return pieces


def _escape(match: re.Match[str]) -> Piece:
    letter = match[4] or ""
    if letter.isdecimal():
        return int(letter)
    if letter and letter in "LUluE":
        return letter
    found = character(match)
    return encode(letter if found is None else found)
