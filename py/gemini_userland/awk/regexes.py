"""Parses extended regular expressions (POSIX, "Regular Expressions", 9.4, with gawk's operators)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from gemini_userland.awk.errors import RunError
from gemini_userland.awk.ranges import members

MOST_REPEATS = 1 << 15
_INTERVAL = re.compile(r"\{(\d*)(?:(,)(\d*))?\}")
_CODE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9a-fA-F]{1,2}))")
_LETTERS = {"n": "\n", "t": "\t", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "b": "\b"}
_SETS = {"w": r"[A-Za-z0-9_\w]", "W": r"[^\w]", "s": r"[ \t-\r]", "S": r"[^ \t-\r]"}
_PLACES = {
    "^": r"\A", "`": r"\A", "$": r"\Z", "'": r"\Z", "<": r"\b(?=\w)", ">": r"\b(?<=\w)", "y": r"\b", "B": r"\B",
}  # fmt: skip


@dataclass(frozen=True)
class One:
    """One character that `source`, an expression of Python's, matches; `literal` if it is only this one."""

    source: str
    literal: str = ""


@dataclass(frozen=True)
class Place:
    """A place between characters, as an expression of Python's."""

    source: str


@dataclass(frozen=True)
class Sequence:
    """One item after the other."""

    items: tuple[Item, ...]


@dataclass(frozen=True)
class Choice:
    """One of the items."""

    items: tuple[Item, ...]


@dataclass(frozen=True)
class Group:
    """A group in parentheses, which is remembered."""

    item: Item


@dataclass(frozen=True)
class Repeat:
    """An item that occurs from `least` to `most` times; None is without end."""

    item: Item
    least: int
    most: int | None


Item = One | Place | Sequence | Choice | Group | Repeat


class RegexParser:
    """Reads one expression."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._at = 0
        self._depth = 0

    def parse(self) -> Item:
        """Return the tree of the expression.

        Raises:
            RunError: It is invalid.
        """
        item = self._choice()
        if self._at < len(self._source):
            raise self._error("Unmatched ) or \\)")
        return item

    def _error(self, reason: str) -> RunError:
        return RunError(f"regular expression {reason}: /{self._source}/")

    @property
    def _here(self) -> str:
        return self._source[self._at : self._at + 1]

    def _choice(self) -> Item:
        items = [self._sequence()]
        while self._here == "|":
            self._at += 1
            items.append(self._sequence())
        return items[0] if len(items) == 1 else Choice(tuple(items))

    def _sequence(self) -> Item:
        items: list[Item] = []
        while self._here and self._here != "|" and not (self._here == ")" and self._depth):
            items.append(self._repeat(self._atom()))
        return items[0] if len(items) == 1 else Sequence(tuple(items))

    def _repeat(self, item: Item) -> Item:
        if isinstance(item, Place):
            # An operator after an anchor stands for itself.
            return item
        while self._here:
            least, most = 0, None
            if self._here == "{":
                match = _INTERVAL.match(self._source, self._at)
                if match is None or not (match[1] or match[2]):
                    return item
                least = int(match[1] or 0)
                most = least if not match[2] else int(match[3]) if match[3] else None
                if max(least, most or 0) > MOST_REPEATS or (most is not None and most < least):
                    raise self._error("has an invalid interval")
                self._at = match.end()
            elif self._here in "*+?":
                least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[self._here]
                self._at += 1
            else:
                return item
            item = Repeat(item, least, most)
        return item

    def _atom(self) -> Item:
        character = self._here
        if character == "(":
            return self._group()
        if character == "[":
            return self._bracket()
        if character == "\\":
            return self._escape()
        self._at += 1
        if character == ".":
            return One(r"(?s:.)")
        if character in "^$":
            return Place(_PLACES[character])
        return One(re.escape(character), character)

    def _group(self) -> Item:
        self._at += 1
        self._depth += 1
        item = self._choice()
        if self._here != ")":
            raise self._error("has an unmatched (")
        self._at += 1
        self._depth -= 1
        return Group(item)

    def _escape(self) -> Item:
        if code := _CODE.match(self._source, self._at):
            self._at = code.end()
            byte = bytes([(int(code[1], 8) if code[1] else int(code[2], 16)) & 255])
            character = byte.decode("utf-8", "surrogateescape")
            return One(re.escape(character), character)
        letter = self._source[self._at + 1 : self._at + 2]
        self._at += 2
        if not letter:
            return One(r"\\", "\\")
        if letter in _SETS:
            return One(_SETS[letter])
        if letter in _PLACES and letter not in "^$":
            return Place(_PLACES[letter])
        character = _LETTERS.get(letter, letter)
        return One(re.escape(character), character)

    def _bracket(self) -> Item:
        self._at += 1
        negated = self._here == "^"
        self._at += negated
        pieces: list[str] = []
        first = True
        while first or self._here != "]":
            if not self._here:
                raise self._error("has an unmatched [")
            first = False
            pieces.append(self._bracket_item())
        self._at += 1
        inside = "".join(pieces)
        if not inside:
            return One(r"(?s:.)" if negated else r"(?!)")
        return One(f"[{'^' if negated else ''}{inside}]")

    def _bracket_item(self) -> str:
        for kind in (":", ".", "="):
            if self._source.startswith(f"[{kind}", self._at):
                end = self._source.find(f"{kind}]", self._at + 2)
                if end > 0 and kind == ":":
                    name = self._source[self._at + 2 : end]
                    self._at = end + 2
                    if (found := members(name)) is None:
                        raise self._error("has an invalid character class name")
                    return found
        start = self._bracket_character()
        if self._here == "-" and self._source[self._at + 1 : self._at + 2] not in ("]", ""):
            self._at += 1
            end = self._bracket_character()
            if start > end == "-":
                return f"{_quote(start)}\\-"
            if start > end:
                raise self._error("has an invalid range end")
            return f"{_quote(start)}-{_quote(end)}"
        return _quote(start)

    def _bracket_character(self) -> str:
        if (collating := re.compile(r"\[([.=])(.)\1\]").match(self._source, self._at)) is not None:
            self._at = collating.end()
            return collating[2]
        if code := _CODE.match(self._source, self._at):
            self._at = code.end()
            byte = bytes([(int(code[1], 8) if code[1] else int(code[2], 16)) & 255])
            return byte.decode("utf-8", "surrogateescape")
        character = self._here
        self._at += 1
        if character == "\\" and self._here:
            character = _LETTERS.get(self._here, self._here)
            self._at += 1
        return character


def _quote(character: str) -> str:
    return "\\" + character if character in "\\[]^-&~|" else character


def source_of(item: Item) -> str:
    """Return the expression in Python's syntax."""
    match item:
        case One() | Place():
            return item.source
        case Sequence():
            return "".join(
                f"(?:{source_of(one)})" if isinstance(one, Choice) else source_of(one) for one in item.items
            )
        case Choice():
            return "|".join(source_of(one) for one in item.items)
        case Group():
            return f"({source_of(item.item)})"
        case Repeat():
            inner = source_of(item.item)
            if not isinstance(item.item, One | Group):
                inner = f"(?:{inner})"
            signs: dict[tuple[int, int | None], str] = {(0, None): "*", (1, None): "+", (0, 1): "?"}
            sign = signs.get((item.least, item.most))
            if sign is not None:
                return inner + sign
            return f"{inner}{{{item.least},{'' if item.most is None else item.most}}}"


def literal_of(item: Item) -> str | None:
    """Return the only text that the expression matches, or None if there are several."""
    items = item.items if isinstance(item, Sequence) else (item,)
    letters = [one.literal for one in items if isinstance(one, One) and one.literal]
    return "".join(letters) if len(letters) == len(items) and letters else None


def finds_longest(item: Item) -> bool:
    """Return whether Python's first match of a whole expression is the longest one, which POSIX wants."""
    if not isinstance(item, Choice) or is_plain(item):
        return is_plain(item)
    if not all(map(is_plain, item.items)):
        return False
    # At a place only one alternative can match.
    firsts = [_first(one) for one in item.items]
    if all(firsts) and len(set(firsts)) == len(firsts):
        return True
    # The same at the start and at the end, such as `^ +| +$`: where both match, they match the same.
    match item.items:
        case (Sequence((Place(r"\A"), one)), Sequence((other, Place(r"\Z")))):
            return one == other and isinstance(one, Repeat) and one.most is None
        case _:
            return False


def _first(item: Item) -> str:
    """Return the character that all matches begin with, in lower case; empty if there isn't one."""
    while isinstance(item, Sequence | Group):
        item = item.items[0] if isinstance(item, Sequence) else item.item
    if isinstance(item, Repeat) and item.least:
        return _first(item.item)
    literal = item.literal if isinstance(item, One) else ""
    return literal.lower() if literal.isascii() else ""


def is_plain(item: Item) -> bool:
    """Return whether Python's first match is the longest one, which POSIX wants.

    It is where no alternatives compete, and only single characters are repeated or optional.
    """
    match item:
        case One() | Place():
            return True
        case Sequence():
            return all(is_plain(one) for one in item.items)
        case Group():
            return is_plain(item.item)
        case Repeat():
            inner = item.item
            while isinstance(inner, Group):
                inner = inner.item
            return isinstance(inner, One)
        case Choice():
            return all(isinstance(one, One) for one in item.items)
