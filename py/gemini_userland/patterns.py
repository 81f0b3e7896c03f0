"""Translates POSIX and GNU regular expressions to Python's `re`."""

from __future__ import annotations

import re
from collections.abc import Callable

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
# One character in UTF-8. As in GNU's programs, a byte that isn't part of one matches no pattern but itself.
ANY = r"(?:[\x00-\x09\x0b-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3})"
# A character in the locale C.
ANY_BYTE = r"[^\n]"
ANY_OR_BREAK = ANY.replace(r"\x00-\x09\x0b-\x7f", r"\x00-\x7f")
# Non-ASCII letters are several bytes, each of which counts as part of a word.
WORD = r"[\w\x80-\xff]"
ESCAPES = {
    # A letter, and what is no space, with all of its bytes; the others only look at one.
    "w": r"(?:\w|[\xc2-\xf4][\x80-\xbf]+(?![\x80-\xbf]))",
    "S": rf"(?:(?!\s){ANY})",
    "W": r"[^\w\x80-\xff]",
    "b": rf"(?:(?<!{WORD})(?={WORD})|(?<={WORD})(?!{WORD}))",
    # Not within a character.
    "B": rf"(?:(?<!{WORD})(?!{WORD})|(?<={WORD})(?={WORD})(?![\x80-\xbf]))",
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
# A collating symbol or an equivalence class within a set, such as [.-.] and [=a=].
_SYMBOL = re.compile(r"\[([.=])(.)\1\]", re.DOTALL)
_LONG_SYMBOL = re.compile(r"\[([.=])(?!.\1\]).*?\1\]", re.DOTALL)
_REFERENCE = re.compile(r"\(\?:\\([1-9])\)")
_ANCHORS = {table[letter] for table in (ESCAPES, ESCAPES_OF_BYTES) for letter in "bB<>`'"}
_NOT_REPEATED = {"(", "|", "^", "$", *_ANCHORS}
# Signs of repetition, in basic and in extended expressions.
_REPETITIONS = (
    re.compile(r"\*|\\[+?]|\\\{(?:\d*,\d*|\d+)\\\}"),
    re.compile(r"[*+?]|\{(?:\d*,\d*|\d+)\}"),
)
INVALID_PRECEDING = "Invalid preceding regular expression"
INVALID_CONTENT = "Invalid content of \\{\\}"
UNMATCHED_BRACE = "Unmatched \\{"
UNMATCHED_BRACKET = "Unmatched [, [^, [:, [., or [="
BARE_CLASS = "character class syntax is [[:space:]], not [:space:]"
_BARE_CLASS = re.compile(r"\[\^?:[^]\[-]*[^]\[:-][^]\[-]*:\]")
UNMATCHED_END = "Unmatched ) or \\)"
# The words of GNU's programs for what Python's `re` says.
_WORDS = {
    "missing ), unterminated subpattern": "Unmatched ( or \\(",
    "min repeat greater than max repeat": INVALID_CONTENT,
}


def compile_posix(
    pattern: str,
    *,
    extended: bool,
    flags: int = 0,
    many_lines: bool = False,
    strict: bool = False,
    warn: Callable[[str], object] | None = None,
) -> re.Pattern[bytes]:
    """Compile a basic or an extended regular expression, for bytes.

    Args:
        pattern: The POSIX expression.
        extended: Whether it is an extended one.
        flags: The flags of `re`.
        many_lines: Whether the text may contain line breaks, which `.` then matches.
        strict: Whether a sign that repeats nothing is an error, as in `sed`.
        warn: Called with a sentence about each sign that repeats nothing in an extended expression.

    Raises:
        re.error: The expression is invalid, in the words of GNU's programs.
    """
    pieces = _Translation(extended=extended, strict=strict, warn=warn).translate(pattern)
    if many_lines:
        end = "$" if flags & re.MULTILINE else r"\Z"
        pieces = [end if piece == "$" else _over_breaks(piece) for piece in pieces]
    try:
        return re.compile("".join(pieces).encode("utf-8", "surrogateescape"), flags)
    except re.error as problem:
        words = "Invalid range end" if problem.msg.startswith("bad character range") else problem.msg
        raise re.error(_WORDS.get(words, words)) from None


def _over_breaks(piece: str) -> str:
    if not in_bytes():
        return piece.replace(ANY, ANY_OR_BREAK)
    return r"[\x00-\xff]" if piece == ANY_BYTE else piece.replace(r"[^\n", "[^", 1)


class _Translation:
    """The pieces of Python's expression for a POSIX one.

    Args:
        extended: Whether it is an extended one.
        strict: As in `sed`, what repeats nothing is an error. Otherwise it is left out, as in `grep -E`, where `)` that
            closes nothing is a character.
        warn: Called with a sentence about what is left out.
    """

    def __init__(self, *, extended: bool, strict: bool, warn: Callable[[str], object] | None) -> None:
        self.pieces: list[str] = []
        self._extended = extended
        self._strict = strict
        self._warn = warn
        self._groups = _Groups()
        # The piece with which begins what a repetition would repeat; None after an anchor, "(" and "|".
        self._atom: int | None = None
        self._repeated = False
        self._open: list[int] = []

    def translate(self, pattern: str) -> list[str]:
        at = 0
        while at < len(pattern):
            repetition = _REPETITIONS[self._extended].match(pattern, at)
            # A star that repeats nothing is a character in basic expressions.
            if repetition and self._repeats(sign := repetition[0].replace("\\", "")):
                # A brace at the start is left out, as GNU's grep does, and what is in it is text.
                at = repetition.end() if self._repeated or sign[0] != "{" else at + 1
                continue
            at, piece = self._piece(pattern, at, literal=repetition is not None)
            self._add(piece)
        return self.pieces

    def _add(self, piece: str) -> None:
        self._repeated = False
        self._atom = len(self.pieces)
        if piece == ")" and not self._open:
            if self._strict or not self._extended:
                raise re.error(UNMATCHED_END)
            piece = r"\)"
        self._groups.read(piece)
        if piece == "(":
            self._open.append(len(self.pieces))
        if piece == ")":
            self._atom = self._open.pop()
        elif piece in _NOT_REPEATED:
            self._atom = None
        self.pieces.append(piece)

    def _repeats(self, sign: str) -> bool:
        """Repeat what precedes; return False for a character."""
        if self._atom is None:
            if self._strict and self._extended:
                raise re.error(INVALID_PRECEDING)
            if self._warn and self._extended:
                self._warn(f"{'{...}' if sign[0] == '{' else sign} at start of expression")
            return self._extended
        if self._repeated:
            if self._strict and not self._extended and sign[0] in "*{":
                raise re.error(INVALID_PRECEDING)
            # Python's `*?` and `*+` mean something else.
            self.pieces.insert(self._atom, "(?:")
            self.pieces.append(")")
        self.pieces.append(sign)
        self._repeated = True
        return True

    def _piece(self, pattern: str, at: int, *, literal: bool) -> tuple[int, str]:
        """Return where the next piece ends, and the piece. `literal` is a sign of repetition that repeats nothing."""
        character, extended = pattern[at], self._extended
        if literal:
            end = at + 1 + (character == "\\")
            return end, "\\" + pattern[end - 1]
        if character == "[":
            return self._set(pattern, at)
        if character == "\\":
            return at + 2, self._escape(pattern, at)
        if character == "^":
            starts = not self.pieces or self.pieces[-1] in ("(", "|", "^")
            return at + 1, "^" if extended or starts else r"\^"
        if character == "$":
            ends = at + 1 == len(pattern) or pattern[at + 1 :].startswith((r"\)", r"\|"))
            return at + 1, "$" if extended or ends else r"\$"
        if character in SPECIAL_IN_BASIC:
            if character == "{" and extended and self._strict:
                raise re.error(INVALID_CONTENT if "}" in pattern[at:] else UNMATCHED_BRACE)
            return at + 1, character if extended and character not in "{}" else "\\" + character
        if character == ".":
            return at + 1, ANY_BYTE if in_bytes() else ANY
        return at + 1, _whole(character)

    def _set(self, pattern: str, at: int) -> tuple[int, str]:
        end, piece = _bracket(pattern, at)
        if (self._strict or self._warn) and _BARE_CLASS.fullmatch(pattern[at:end]):
            raise re.error(BARE_CLASS)
        return end, piece

    def _escape(self, pattern: str, at: int) -> str:
        if at + 1 == len(pattern):
            raise re.error("Trailing backslash")
        if pattern[at + 1] == "{" and not self._extended:
            raise re.error(INVALID_CONTENT if "\\}" in pattern[at:] else UNMATCHED_BRACE)
        return _escape(pattern[at + 1], extended=self._extended)


class _Groups:
    """The groups that a back-reference may name: those that have ended before it, and not in another alternative."""

    def __init__(self) -> None:
        self._count = 0
        self._ended: set[int] = set()
        # For each open group, and first for the whole: its number, those that had ended at its beginning, and those of
        # its alternatives so far.
        self._open: list[tuple[int, set[int], set[int]]] = [(0, set(), set())]

    def read(self, piece: str) -> None:
        number, before, others = self._open[-1]
        if piece == "(":
            self._count += 1
            self._open.append((self._count, set(self._ended), set()))
        elif piece == "|":
            others |= self._ended
            self._ended = set(before)
        elif piece == ")":
            self._open.pop()
            self._ended |= others | {number}
        elif (reference := _REFERENCE.fullmatch(piece)) and int(reference[1]) not in self._ended:
            raise re.error("Invalid back reference")


def _whole(character: str) -> str:
    """Group the bytes of a character, so `é*` repeats all of them."""
    return re.escape(character) if character.isascii() else f"(?:{character})"


def _escape(character: str, *, extended: bool) -> str:
    escapes = ESCAPES_OF_BYTES if in_bytes() else ESCAPES
    if character in escapes:
        return escapes[character]
    if character in SPECIAL_IN_BASIC:
        return "\\" + character if extended else character
    if character in UNCHANGED_ESCAPES:
        # In a group, because a digit may follow.
        return f"(?:\\{character})" if character.isdecimal() else "\\" + character
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
            if closing < 0:
                raise re.error(UNMATCHED_BRACKET)
            end = closing + 2
        else:
            end += 1
    if end >= len(pattern):
        raise re.error(UNMATCHED_BRACKET)
    return end + 1, _class(pattern[start:end], negated=negated)


def _class(inside: str, *, negated: bool) -> str:
    # A symbol's hyphen makes no range.
    plain = _SYMBOL.sub(lambda match: match[2].replace("-", "\1"), inside)
    named = re.sub(r"\[:([^]]*?):\]", lambda match: "\0" + match[1] + "\0", plain)
    pieces = named.split("\0")
    if not CLASSES.keys() >= set(pieces[1::2]):
        raise re.error("Invalid character class name")
    if _LONG_SYMBOL.search(inside):
        raise re.error("Invalid collation character")
    text = "".join(
        CLASSES.get(piece, piece)
        if index % 2
        else re.sub(r"([\\\[\]&~|^])", r"\\\1", piece).replace("\1", r"\-")
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
