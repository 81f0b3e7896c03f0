"""`expr`: evaluate an expression (POSIX; GNU coreutils manual, 16.4)."""

from __future__ import annotations

import re

from gemini_userland.invocation import Invocation
from gemini_userland.longest import longest
from gemini_userland.options import Syntax
from gemini_userland.patterns import compile_posix
from gemini_userland.text import decode, encode

SYNTAX = Syntax(
    wrong_usage=2,
    help="""
Usage: expr EXPRESSION
Print the value of EXPRESSION, whose parts are separate arguments, from lowest precedence to highest:

  A | B             A if it is neither empty nor 0, otherwise B
  A & B             A if neither is empty or 0, otherwise 0
  A < B  <=  =  !=  >=  >    1 or 0
  A + B  A - B
  A * B  A / B  A % B
  STRING : REGEX    the part that \\(…\\) matches at the beginning, or the number of matched characters
  match STRING REGEX, substr STRING POSITION LENGTH, index STRING CHARACTERS, length STRING
  + TOKEN           TOKEN as a string, even if it is a keyword
  ( EXPRESSION )

The exit code is 0, 1 if the value is empty or 0, 2 for an invalid expression, 3 for another error.
""",
)
INTEGER = re.compile(r"-?[0-9]+")
LEVELS = (("|",), ("&",), ("<", "<=", "=", "==", "!=", ">=", ">"), ("+", "-"), ("*", "/", "%"), (":",))
NULL = re.compile(r"-?0+|")


class ExpressionError(ValueError):
    """An expression is invalid; the message is GNU's."""


class _Evaluation:
    """The evaluation of a list of words."""

    def __init__(self, words: list[str]) -> None:
        self._words = words
        self._at = 0

    def value(self) -> str:
        """Return the value.

        Raises:
            ExpressionError: The expression is invalid.
        """
        if not self._words:
            raise ExpressionError("missing operand")
        found = self._level(0, evaluates=True)
        if self._at < len(self._words):
            raise ExpressionError(f"syntax error: unexpected argument '{self._words[self._at]}'")
        return found

    def _next(self) -> str | None:
        return self._words[self._at] if self._at < len(self._words) else None

    def _take(self) -> str:
        if self._at == len(self._words):
            raise ExpressionError(f"syntax error: missing argument after '{self._words[-1]}'")
        self._at += 1
        return self._words[self._at - 1]

    def _level(self, level: int, *, evaluates: bool) -> str:
        if level == len(LEVELS):
            return self._keyword(evaluates=evaluates)
        left = self._level(level + 1, evaluates=evaluates)
        while (operator := self._next()) is not None and operator in LEVELS[level]:
            self._at += 1
            needs = (
                evaluates and not (level == 0 and not _is_null(left)) and not (level == 1 and _is_null(left))
            )
            right = self._level(level + 1, evaluates=needs)
            if evaluates:
                left = _operate(left, operator, right)
        return left

    def _keyword(self, *, evaluates: bool) -> str:
        match self._next():
            case "length":
                self._at += 1
                return str(len(self._keyword(evaluates=evaluates)))
            case "match":
                self._at += 1
                text = self._keyword(evaluates=evaluates)
                return _match(text, self._keyword(evaluates=evaluates))
            case "index":
                self._at += 1
                text, wanted = self._keyword(evaluates=evaluates), self._keyword(evaluates=evaluates)
                return str(next((at for at, one in enumerate(text, 1) if one in wanted), 0))
            case "substr":
                self._at += 1
                text, start, length = (self._keyword(evaluates=evaluates) for _ in range(3))
                if (
                    not (INTEGER.fullmatch(start) and INTEGER.fullmatch(length))
                    or int(start) < 1
                    or int(length) < 1
                ):
                    return ""
                return text[int(start) - 1 :][: int(length)]
            case "+":
                self._at += 1
                return self._take()
            case _:
                return self._primary(evaluates=evaluates)

    def _primary(self, *, evaluates: bool) -> str:
        word = self._take()
        if word == ")":
            raise ExpressionError("syntax error: unexpected ')'")
        if word != "(":
            return word
        found = self._level(0, evaluates=evaluates)
        if self._next() is None:
            raise ExpressionError(f"syntax error: expecting ')' after '{self._words[-1]}'")
        if self._take() != ")":
            raise ExpressionError(f"syntax error: expecting ')' instead of '{self._words[self._at - 1]}'")
        return found


def _is_null(text: str) -> bool:
    return NULL.fullmatch(text) is not None


def _operate(left: str, operator: str, right: str) -> str:
    match operator:
        case "|":
            return left if not _is_null(left) else right if not _is_null(right) else "0"
        case "&":
            return "0" if _is_null(left) or _is_null(right) else left
        case ":":
            return _match(left, right)
        case "+" | "-" | "*" | "/" | "%":
            return str(_calculate(left, operator, right))
        case _:
            return str(int(_compare(left, operator, right)))


def _compare(left: str, operator: str, right: str) -> bool:
    if INTEGER.fullmatch(left) and INTEGER.fullmatch(right):
        order = (int(left) > int(right)) - (int(left) < int(right))
    else:
        one, other = encode(left), encode(right)
        order = (one > other) - (one < other)
    return {
        "<": order < 0,
        "<=": order <= 0,
        ">": order > 0,
        ">=": order >= 0,
        "!=": order != 0,
    }.get(operator, order == 0)


def _calculate(left: str, operator: str, right: str) -> int:
    if not (INTEGER.fullmatch(left) and INTEGER.fullmatch(right)):
        raise ExpressionError("non-integer argument")
    one, other = int(left), int(right)
    match operator:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case _:
            if other == 0:
                raise ExpressionError("division by zero")
            # The quotient is cut, as in C.
            quotient = abs(one) // abs(other) * (1 if (one < 0) == (other < 0) else -1)
            return quotient if operator == "/" else one - quotient * other


def _match(text: str, source: str) -> str:
    try:
        pattern = compile_posix(source, extended=False)
    except re.error as error:
        raise ExpressionError(error.msg) from error
    found = pattern.match(encode(text))
    found = found and longest(found)
    if pattern.groups:
        return decode(found[1] or b"") if found else ""
    return str(len(decode(found[0]))) if found else "0"


async def expr(invocation: Invocation) -> int:
    """Print the value of an expression."""
    words = invocation.argv[1:]
    if words in (["--help"], ["--version"]):
        given = SYNTAX.parse(invocation)
        return given if isinstance(given, int) else 0
    if words[:1] == ["--"]:
        words = words[1:]
    if not words:
        return SYNTAX.usage_error(invocation, "missing operand")
    try:
        value = _Evaluation(words).value()
    except ExpressionError as problem:
        invocation.error(str(problem))
        return 2
    invocation.print(value)
    return int(_is_null(value))
