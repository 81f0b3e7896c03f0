"""The command `s`: replaces matches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gemini_userland.sed.expressions import ESCAPE, character
from gemini_userland.text import decode, encode

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
            if match.end() == match.start() == last_end:
                # An empty match directly after another match doesn't count.
                position = match.end() + 1
                continue
            number += 1
            last_end = match.end()
            if number >= self.count:
                pieces += [space[done : match.start()], self._expanded(match)]
                done, changed = match.end(), True
                if not self.every:
                    break
            position = match.end() + (match.end() == match.start())
        return b"".join([*pieces, space[done:]]) if changed else None

    def _expanded(self, match: re.Match[bytes]) -> bytes:
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


def read_replacement(source: str) -> list[Piece]:
    """Parse a replacement into its parts."""
    pieces: list[Piece] = []
    at = 0
    while at < len(source):
        if source[at] == "&":
            pieces.append(0)
            at += 1
        elif match := ESCAPE.match(source, at):
            pieces.append(_escaped(match))
            at = match.end()
        else:
            end = re.compile(r"[^&\\]+|\\").match(source, at)
            assert end is not None
            pieces.append(encode(end[0]))
            at = end.end()
    return pieces


def _escaped(match: re.Match[str]) -> Piece:
    letter = match[4] or ""
    if letter.isdecimal():
        return int(letter)
    if letter and letter in "LUluE":
        return letter
    found = character(match)
    return encode(letter if found is None else found)
