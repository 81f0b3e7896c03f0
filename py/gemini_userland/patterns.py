"""Translates POSIX and GNU regular expressions to Python's `re`."""

from __future__ import annotations

import re

from gemini_userland.characters import in_bytes
from gemini_userland.letters import beyond_ascii

SPECIAL_IN_BASIC = "?+|(){}"
CLASSES = {
    "alpha": "a-zA-Z",
    "digit": "0-9",
    "alnum": "a-zA-Z0-9",
    "upper": "A-Z",
    "lower": "a-z",
    "space": r"\s",
    "blank": r" \t",
    "punct": r"!-/:-@\[-`{-~",
    "print": " -~",
    "graph": "!-~",
    "cntrl": r"\x00-\x1f\x7f",
    "xdigit": "0-9A-Fa-f",
}
# Non-ASCII letters are several bytes, each of which counts as part of a word.
WORD = r"[\w\x80-\xff]"
ESCAPES = {
    # A letter with all of its bytes; the others only look at one.
    "w": r"(?:\w|[\xc2-\xf4][\x80-\xbf]+|[\x80-\xff])",
    "W": r"[^\w\x80-\xff]",
    "b": rf"(?:(?<!{WORD})(?={WORD})|(?<={WORD})(?!{WORD}))",
    "B": rf"(?:(?<!{WORD})(?!{WORD})|(?<={WORD})(?={WORD}))",
    "<": rf"(?<!{WORD})(?={WORD})",
    ">": rf"(?<={WORD})(?!{WORD})",
    "`": r"\A",
    "'": r"\Z",
}
# In the locale C, no byte above 127 is a letter.
WORD_OF_BYTES = r"\w"
ESCAPES_OF_BYTES = {
    "w": r"\w",
    "W": r"\W",
    "b": r"\b",
    "B": r"\B",
    "<": r"\b(?=\w)",
    ">": r"\b(?<=\w)",
    "`": r"\A",
    "'": r"\Z",
}
UNCHANGED_ESCAPES = "sS123456789"


def compile_posix(
    pattern: str, *, extended: bool, flags: int = 0, many_lines: bool = False
) -> re.Pattern[bytes]:
    """Compile a basic or an extended regular expression, for bytes.

    Args:
        pattern: The POSIX expression.
        extended: Whether it is an extended one.
        flags: The flags of `re`.
        many_lines: Whether the text may contain line breaks, which `.` then matches.

    Raises:
        re.error: The expression is invalid.
    """
    pieces = _pieces(pattern, extended=extended)
    if many_lines:
        end = "$" if flags & re.MULTILINE else r"\Z"
        pieces = [end if piece == "$" else _over_breaks(piece) for piece in pieces]
    return re.compile("".join(pieces).encode("utf-8", "surrogateescape"), flags)


def _over_breaks(piece: str) -> str:
    if not in_bytes():
        return piece.replace(ANY, ANY_OR_BREAK)
    return r"[\x00-\xff]" if piece == ANY_BYTE else piece.replace(r"[^\n", "[^", 1)


def _pieces(pattern: str, *, extended: bool) -> list[str]:
    pieces: list[str] = []
    at = 0
    while at < len(pattern):
        at, piece = _piece(pattern, at, pieces, extended=extended)
        pieces.append(piece)
    return pieces


def _piece(pattern: str, at: int, before: list[str], *, extended: bool) -> tuple[int, str]:
    character = pattern[at]
    if character == "[":
        return _bracket(pattern, at)
    if character == "\\" and at + 1 < len(pattern):
        return at + 2, _escaped(pattern[at + 1], extended=extended)
    starts = not before or before[-1] in ("(", "|", "^")
    if character == "*":
        return at + 1, r"\*" if starts and not extended else "*" if not starts else ""
    if character == "^":
        return at + 1, "^" if extended or starts else r"\^"
    if character == "$":
        ends = at + 1 == len(pattern) or pattern[at + 1 :].startswith((r"\)", r"\|"))
        return at + 1, "$" if extended or ends else r"\$"
    if character in SPECIAL_IN_BASIC:
        literal = not extended or (character == "{" and not re.match(r"\{\d*,?\d*\}", pattern[at:]))
        return at + 1, "\\" + character if literal else character
    if character == ".":
        return at + 1, ANY_BYTE if in_bytes() else ANY
    return at + 1, _whole(character)


# One character in UTF-8. As in GNU's programs, a byte that isn't part of one matches no pattern but itself.
ANY = r"(?:[\x00-\x09\x0b-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})"
# A character in the locale C.
ANY_BYTE = r"[^\n]"
ANY_OR_BREAK = ANY.replace(r"\x00-\x09\x0b-\x7f", r"\x00-\x7f")


def _whole(character: str) -> str:
    """Group the bytes of a character, so `é*` repeats all of them."""
    return re.escape(character) if character.isascii() else f"(?:{character})"


def _escaped(character: str, *, extended: bool) -> str:
    escapes = ESCAPES_OF_BYTES if in_bytes() else ESCAPES
    if character in escapes:
        return escapes[character]
    if character in SPECIAL_IN_BASIC:
        return "\\" + character if extended else character
    if character in UNCHANGED_ESCAPES:
        return "\\" + character
    return {"n": r"\n", "t": r"\t"}.get(character, re.escape(character))


def _bracket(pattern: str, at: int) -> tuple[int, str]:
    """Translate `[…]`. Non-ASCII characters become alternatives, because Python matches single bytes."""
    start = at + 1
    negated = pattern.startswith("^", start)
    start += negated
    end = start + (pattern.startswith("]", start))
    while end < len(pattern) and pattern[end] != "]":
        if pattern[end] == "[" and pattern[end + 1 : end + 2] in (":", ".", "="):
            closing = pattern.find(pattern[end + 1] + "]", end + 2)
            end = closing + 2 if closing >= 0 else end + 1
        else:
            end += 1
    if end >= len(pattern):
        raise re.error("Unmatched [, [^, [:, [., or [=")
    return end + 1, _class(pattern[start:end], negated=negated)


def _class(inside: str, *, negated: bool) -> str:
    named = re.sub(r"\[:(\w+):\]", lambda match: "\0" + match[1] + "\0", inside)
    pieces = named.split("\0")
    text = "".join(
        CLASSES.get(piece, piece) if index % 2 else re.sub(r"([\\\[\]&~|^])", r"\\\1", piece)
        for index, piece in enumerate(pieces)
    )
    if in_bytes():
        return rf"[^\n{text}]" if negated else f"[{text}]"
    wide = [character for character in text if not character.isascii()]
    narrow = "".join(character for character in text if character.isascii())
    letters = [found for found in map(beyond_ascii, pieces[1::2]) if found]
    if letters:
        # The comments mark what `blocks.py` leaves out where all is ASCII.
        listed = f"(?:[{narrow}](?#letters)|{'|'.join([*wide, *letters])}(?#))"
        return f"(?:(?!{listed}){ANY})" if negated else listed
    if not wide:
        # An unlisted character may be any, with all of its bytes.
        return f"(?:(?![{narrow}]){ANY})" if negated else f"[{narrow}]"
    listed = "|".join([*wide, *([f"[{narrow}]"] if narrow else [])])
    return f"(?:(?!{listed}){ANY})" if negated else f"(?:{listed})"
