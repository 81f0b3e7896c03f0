"""Finds the longest match at a place (POSIX, 9.1), where Python takes the first alternative that fits.

An expression is tried with each of its alternatives first, or with it only, if there are groups in them. Where
alternatives are repeated, all rounds have the same order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

# A comment, an escape, a set, the beginning of a group, or another byte.
_TOKEN = re.compile(rb"\(\?#[^)]*\)|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?<?[:=!]|[\s\S]", re.DOTALL)
_PLAIN = re.compile(rb"\w", re.ASCII)
_QUANTIFIERS = (b"*", b"?", b"{", b"+")
# An expression with more orders is tried in the first ones.
MOST_ORDERS = 16


@dataclass
class _Group:
    """The content of parentheses, or the entire expression: alternatives, each of tokens and groups."""

    opening: bytes
    alternatives: list[list[bytes | _Group]] = field(default_factory=lambda: [[]])

    @property
    def is_ambiguous(self) -> bool:
        """True if several alternatives may fit at a place."""
        if len(self.alternatives) < 2:
            return False
        firsts = [alternative[:2] for alternative in self.alternatives]
        plain = all(
            isinstance(first := (pair or [b""])[0], bytes)
            and _PLAIN.fullmatch(first)
            and pair[1:2] not in [[one] for one in _QUANTIFIERS]
            for pair in firsts
        )
        return not plain or len({bytes(pair[0]) for pair in firsts if isinstance(pair[0], bytes)}) < len(
            firsts
        )

    @property
    def captures(self) -> bool:
        """True if it is numbered, or something in it is."""
        return self.opening == b"(" or self._has_captures

    @property
    def _has_captures(self) -> bool:
        return any(isinstance(item, _Group) and item.captures for one in self.alternatives for item in one)

    def ambiguous(self) -> Iterator[_Group]:
        """Yield the groups, itself among them, whose order matters."""
        if self.opening not in (b"", b"("):
            # These are characters and places, whose alternatives exclude each other.
            return
        if self.is_ambiguous:
            yield self
        for alternative in self.alternatives:
            for item in alternative:
                if isinstance(item, _Group):
                    yield from item.ambiguous()

    def source(self, first: dict[int, int]) -> bytes:
        """Return the expression, with the alternatives first that a dictionary names by the groups' identities."""
        place = first.get(id(self), 0)
        texts = [
            b"".join(item if isinstance(item, bytes) else item.source(first) for item in one)
            for one in self.alternatives
        ]
        if place and self._has_captures:
            # In another order, groups would have other numbers: the others don't match instead.
            texts = [text if at == place else b"(?!)" + text for at, text in enumerate(texts)]
        else:
            texts.insert(0, texts.pop(place))
        whole = b"|".join(texts)
        return self.opening + whole + b")" if self.opening else whole


def _parse(source: bytes) -> _Group:
    top = _Group(b"")
    stack = [top]
    for token in _TOKEN.findall(source):
        if token.startswith(b"(") and not token.startswith(b"(?#"):
            group = _Group(token)
            stack[-1].alternatives[-1].append(group)
            stack.append(group)
        elif token == b")" and len(stack) > 1:
            stack.pop()
        elif token == b"|":
            stack[-1].alternatives.append([])
        else:
            stack[-1].alternatives[-1].append(token)
    return top


@lru_cache(maxsize=200)
def _orders(pattern: re.Pattern[bytes]) -> tuple[re.Pattern[bytes], ...]:
    """Return the expression in the other orders of its alternatives."""
    if b"|" not in pattern.pattern:
        return ()
    whole = _parse(pattern.pattern)
    groups = list(whole.ambiguous())
    orders = product(*(range(len(group.alternatives)) for group in groups))
    next(orders)
    chosen = [order for _, order in zip(range(MOST_ORDERS), orders, strict=False)]
    places = [dict(zip(map(id, groups), order, strict=True)) for order in chosen]
    return tuple(re.compile(whole.source(first), pattern.flags) for first in places)


def is_ambiguous(pattern: re.Pattern[bytes]) -> bool:
    """Return whether Python's match may not be the longest one."""
    return bool(_orders(pattern))


def longest(match: re.Match[bytes]) -> re.Match[bytes]:
    """Return the longest match that begins where a match does."""
    best = match
    if b"|" not in match.re.pattern:
        return match
    for pattern in _orders(match.re):
        found = pattern.match(match.string, match.start())
        if found is not None and found.end() > best.end():
            best = found
    return best


def matches(pattern: re.Pattern[bytes], text: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the longest matches in a text that don't overlap, from the left."""
    if not is_ambiguous(pattern):
        yield from pattern.finditer(text)
        return
    at = 0
    while at <= len(text) and (match := pattern.search(text, at)):
        match = longest(match)
        yield match
        at = match.end() + (match.end() == match.start())
