"""The expression of `find`: tests and actions, joined by operators.

Source: the GNU findutils manual, "Combining Primaries With Operators".
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gemini_userland.find.actions import AsyncPredicate
from gemini_userland.find.entry import Entry
from gemini_userland.find.names import Predicate
from gemini_userland.find.primaries import PATTERNS, Primaries
from gemini_userland.find.query import FindError, Query

OR, AND, NOT = ("-o", "-or"), ("-a", "-and"), ("!", "-not")
BINARY = (*OR, *AND, ",")


@dataclass(frozen=True)
class Node:
    """A part of the expression: `check` answers at once, or `run` later, where a command runs."""

    check: Predicate | None
    run: AsyncPredicate | None = None

    async def ask(self, entry: Entry) -> bool:
        """Return whether a file passes."""
        if self.check is not None:
            return self.check(entry)
        assert self.run is not None
        return await self.run(entry)


def _both(one: Node, other: Node) -> Node:
    if (first := one.check) and (second := other.check):
        return Node(lambda entry: first(entry) and second(entry))

    async def run(entry: Entry) -> bool:
        return await one.ask(entry) and await other.ask(entry)

    return Node(None, run)


def _either(one: Node, other: Node) -> Node:
    if (first := one.check) and (second := other.check):
        return Node(lambda entry: first(entry) or second(entry))

    async def run(entry: Entry) -> bool:
        return await one.ask(entry) or await other.ask(entry)

    return Node(None, run)


def _negate(one: Node) -> Node:
    if check := one.check:
        return Node(lambda entry: not check(entry))

    async def run(entry: Entry) -> bool:
        return not await one.ask(entry)

    return Node(None, run)


def _second(one: Node, other: Node) -> Node:
    if (first := one.check) and (second := other.check):
        return Node(lambda entry: (first(entry), second(entry))[1])

    async def run(entry: Entry) -> bool:
        await one.ask(entry)
        return await other.ask(entry)

    return Node(None, run)


def looks_like_expression(word: str, *, first: bool) -> bool:
    """Return whether a word belongs to the expression and is no path.

    Args:
        word: The word.
        first: Whether the expression would begin with it.
    """
    if word in (")", ","):
        return not first
    return word in ("(", "!") or (word.startswith("-") and word != "-")


class Parser:
    """The words of an expression, read from left to right.

    Args:
        query: The call, whose options the words may set.
        words: The words.
    """

    def __init__(self, query: Query, words: Sequence[str]) -> None:
        self._words = words
        self._at = 0
        self._query = query
        self.primaries = Primaries(query, self._next)
        self._last = ""

    def parse(self) -> Node:
        """Return the complete expression; without an action, it prints.

        Raises:
            FindError: The expression is invalid.
        """
        node = self._list() if self._words else Node(lambda entry: True)
        if self._peek() == ")":
            raise FindError("you have too many ')'")
        if not self.primaries.acts:
            node = _both(node, Node(*self.primaries.read("-print")))
        return node

    def _peek(self) -> str | None:
        return self._words[self._at] if self._at < len(self._words) else None

    def _next(self) -> str | None:
        word = self._peek()
        self._at += 1
        return word

    def _list(self) -> Node:
        node = self._alternatives()
        while self._peek() == ",":
            self._at += 1
            node = _second(node, self._operand(",", self._alternatives))
        return node

    def _alternatives(self) -> Node:
        node = self._sequence()
        while (word := self._peek()) in OR:
            self._at += 1
            node = _either(node, self._operand(str(word), self._sequence))
        return node

    def _sequence(self) -> Node:
        node = self._term()
        while (word := self._peek()) is not None and word not in (*OR, ",", ")"):
            if word in AND:
                self._at += 1
                node = _both(node, self._operand(word, self._term))
            else:
                node = _both(node, self._term())
        return node

    def _operand(self, operator: str, read: Callable[[], Node]) -> Node:
        word = self._peek()
        if word is None:
            raise FindError(f"expected an expression after '{operator}'")
        if word == ")":
            raise FindError(f"expected an expression between '{operator}' and ')'")
        return read()

    def _term(self) -> Node:
        word = self._next()
        assert word is not None
        if word in BINARY:
            raise FindError(
                f"invalid expression; you have used a binary operator '{word}' with nothing before it."
            )
        if word in NOT:
            return _negate(self._operand(word, self._term))
        if word == "(":
            return self._group()
        if word == ")":
            raise FindError("invalid expression; you have too many ')'")
        if not looks_like_expression(word, first=False):
            raise FindError(self._stray(word))
        self._last = word
        return Node(*self.primaries.read(word))

    def _group(self) -> Node:
        if self._peek() is None:
            raise FindError(
                "invalid expression; expected to find a ')' but didn't see one. "
                "Perhaps you need an extra predicate after '('"
            )
        if self._peek() == ")":
            raise FindError("invalid expression; empty parentheses are not allowed.")
        node = self._list()
        if self._next() != ")":
            raise FindError(
                "invalid expression; I was expecting to find a ')' somewhere but did not see one."
            )
        return node

    def _stray(self, word: str) -> str:
        message = f"paths must precede expression: `{word}'"
        if self._last in PATTERNS and os.path.lexists(self._query.invocation.path(word)):
            message += f"\nfind: possible unquoted pattern after predicate `{self._last}'?"
        return message
