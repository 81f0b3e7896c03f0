"""Compiles expressions of bc, with GNU bc's precedence: an assignment binds more loosely than +, and more than `<`."""

from __future__ import annotations

import re
from typing import Any

from gemini_userland.bc.tokens import KEYWORDS, SPACE, Scanner

Instruction = tuple[str, Any]
"""Its name, and its argument."""

BUILTINS = frozenset(("length", "scale", "sqrt", "read", "random"))
RELATIONS = frozenset(("==", "!=", "<", "<=", ">", ">="))
ASSIGNMENTS = frozenset(("=", "+=", "-=", "*=", "/=", "%=", "^="))
LEVELS = (frozenset("+-"), frozenset("*/%"))
ARRAY = re.compile(r"([a-z][a-z0-9_]*)[ \t]*\[[ \t]*\]")


class Expressions(Scanner):
    """Compiles expressions to instructions.

    Each method returns whether the expression is only an assignment, or has no value to print.

    Args:
        text: The text.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._code: list[Instruction] = []
        # The functions that return no value.
        self._void: set[str] = set()

    def _emit(self, name: str, argument: Any = None) -> int:
        self._code.append((name, argument))
        return len(self._code) - 1

    def _land(self, *places: int) -> None:
        """Have jumps lead here."""
        for place in places:
            self._code[place] = (self._code[place][0], len(self._code))

    def _expression(self) -> bool:
        plain = self._conjunction()
        while self._take("||"):
            end = self._emit("either")
            self._conjunction()
            self._emit("truth")
            self._land(end)
            plain = False
        return plain

    def _conjunction(self) -> bool:
        plain = self._negation()
        while self._take("&&"):
            end = self._emit("both")
            self._negation()
            self._emit("truth")
            self._land(end)
            plain = False
        return plain

    def _negation(self) -> bool:
        if self._take("!"):
            self._negation()
            self._emit("not")
            return False
        plain = self._binary(0)
        while self._is(*RELATIONS):
            _, operator = self._advance()
            self._binary(0)
            self._emit("apply", operator)
            plain = False
        return plain

    def _binary(self, level: int) -> bool:
        if level == len(LEVELS):
            return self._power()
        plain = self._binary(level + 1)
        while self._is(*LEVELS[level]):
            _, operator = self._advance()
            self._binary(level + 1)
            self._emit("apply", operator)
            plain = False
        return plain

    def _power(self) -> bool:
        plain = self._unary()
        if self._take("^"):
            self._power()
            self._emit("apply", "^")
            return False
        return plain

    def _unary(self) -> bool:
        if self._take("-"):
            self._unary()
            self._emit("negate")
            return False
        if self._is("++", "--"):
            _, sign = self._advance()
            self._emit("step", (*self._place(), sign, True))
            return False
        return self._primary()

    def _place(self) -> tuple[str, bool]:
        """Compile the subscript of a variable; return its name, and whether it is an element."""
        if self._take("."):
            return "last", False
        kind, name = self._advance()
        if kind != "name" or name in KEYWORDS:
            raise self._problem()
        if not self._take("["):
            return name, False
        self._expression()
        self._expect("]")
        return name, True

    def _primary(self) -> bool:
        kind, word = self._token
        if kind == "number":
            self._advance()
            self._emit("number", word.replace("\\\n", ""))
            return False
        if self._take("("):
            self._expression()
            self._expect(")")
            return False
        if kind == "name" and word not in KEYWORDS:
            before = self._at
            following = SPACE.match(self._text, before)
            if self._text.startswith("(", following.end() if following else before):
                return self._call()
        elif not self._is("."):
            raise self._problem()
        return self._variable()

    def _variable(self) -> bool:
        name, is_element = self._place()
        if self._is(*ASSIGNMENTS):
            _, operator = self._advance()
            if operator != "=":
                self._emit("again" if is_element else "load", name)
            # The assigned expression goes as far as an assignment can (bc.y: its operator binds less than +).
            self._binary(0)
            if operator != "=":
                self._emit("apply", operator[0])
            self._emit("put" if is_element else "store", name)
            return True
        if self._is("++", "--"):
            _, sign = self._advance()
            self._emit("step", (name, is_element, sign, False))
            return False
        self._emit("element" if is_element else "load", name)
        return False

    def _call(self) -> bool:
        _, name = self._advance()
        self._advance()
        count: list[str | None] = []
        while not self._is(")"):
            count.append(self._argument())
            if not self._take(",") and not self._is(")"):
                raise self._problem()
        self._advance()
        if name in BUILTINS:
            if len(count) != (name not in ("read", "random")) or any(count):
                raise self._problem()
            self._emit("builtin", name)
            return False
        self._emit("call", (name, count))
        return name in self._void

    def _argument(self) -> str | None:
        """Compile an argument; return the name of an array, which has no value."""
        found = ARRAY.match(self._text, self._start)
        if found is None:
            self._expression()
            return None
        self._at = found.end()
        self._advance()
        return found[1]
