"""`bc`: arithmetic on decimal numbers of any size."""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass

from gemini_userland.bc_program import Leave, Runner, Statement, SyntaxProblem, statements
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import decode, read

SYNTAX = Syntax(
    short="iqlsw",
    long={"mathlib": "l", "quiet": "q", "interactive": "i", "standard": "s", "warn": "w"},
    refused={
        **dict.fromkeys("sw", "the whole language is read without warnings: leave it out"),
        "i": "write the expressions into a pipe: `echo 1+2 | bc`",
    },
    help="""
Usage: bc [OPTION]... [FILE]...
Evaluate the expressions in the FILEs and on standard input, one per line.

  -l, --mathlib  set scale to 20

Supports numbers, variables, + - * / % ^, comparisons, assignments, ( ), sqrt(), length(), scale, ibase,
obase, if, while, for, break, continue, { }, texts, print and quit, but no functions of yours, arrays, && and ||.
""",
)
TOKEN = re.compile(r"\s*([\dA-F]*\.[\dA-F]+|[\dA-F]+\.?|[a-z_]\w*|[-+*/%^]=|[<>=!]=|\+\+|--|[-+*/%^()<>=])")
LEVELS = (("==", "!=", "<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
WIDTH = 69
DIGITS = "0123456789ABCDEF"
BASES = {"ibase": (2, 16), "obase": (2, 999)}


class BadExpression(ValueError):
    """An expression can't be evaluated; the message says why."""


@dataclass(frozen=True)
class Number:
    """A decimal number: `value` / 10**`scale`."""

    value: int
    scale: int = 0

    def at(self, scale: int) -> int:
        """Return the value at another scale, truncated."""
        if scale >= self.scale:
            return self.value * 10 ** (scale - self.scale)
        return _truncate(self.value, 10 ** (self.scale - scale))

    def text(self, base: int) -> str:
        """Format the number in a base; digits of bases over 16 are decimal numbers."""
        whole, rest = divmod(abs(self.value), 10**self.scale)
        digits: list[int] = []
        while whole:
            whole, digit = divmod(whole, base)
            digits.insert(0, digit)
        # As many digits as `scale` decimal digits need, like GNU bc.
        after: list[int] = []
        power = 1
        while self.scale and len(str(power)) <= self.scale:
            digit, rest = divmod(rest * base, 10**self.scale)
            after.append(digit)
            power *= base
        shown = _digits(digits, base) + ("." + _digits(after, base) if after else "")
        text = ("-" if self.value < 0 else "") + shown if self.value else "0"
        return (
            text if len(text) < WIDTH else "\\\n".join(text[at : at + 68] for at in range(0, len(text), 68))
        )


def _digits(digits: list[int], base: int) -> str:
    if base <= len(DIGITS):
        return "".join(DIGITS[digit] for digit in digits)
    return "".join(f" {digit:0{len(str(base - 1))}d}" for digit in digits)


def _number(token: str, base: int) -> Number:
    """Parse a number. A single digit has its own value in any base; in longer numbers it is limited by the base."""
    whole, _, fraction = token.partition(".")
    figures = [DIGITS.index(letter) for letter in whole + fraction]
    if len(figures) > 1:
        figures = [min(figure, base - 1) for figure in figures]
    value = 0
    for figure in figures:
        value = value * base + figure
    return Number(value * 10 ** len(fraction) // base ** len(fraction), len(fraction))


def _truncate(value: int, divisor: int) -> int:
    """Divide, truncating towards zero."""
    quotient = abs(value) // abs(divisor)
    return quotient if (value < 0) == (divisor < 0) else -quotient


class Calculator:
    """Evaluates expressions and stores variables.

    Args:
        scale: The initial number of decimal places of a quotient.
    """

    def __init__(self, scale: int) -> None:
        self._variables = {"scale": Number(scale), "ibase": Number(10), "obase": Number(10)}
        self._tokens: list[str] = []
        self._assigned = False
        self._last = Number(0)

    def calculate(self, text: str) -> Number | None:
        """Return the value of an expression, or None for an assignment.

        Raises:
            BadExpression: The expression is invalid.
        """
        self._tokens = _tokens(text)
        self._assigned = False
        value = self._last = self._assignment()
        if self._tokens:
            raise BadExpression("syntax error")
        return None if self._assigned else value

    def value(self, text: str) -> Number:
        """Return the value of an expression or an assignment."""
        value = self.calculate(text)
        return self._last if value is None else value

    def format(self, value: Number) -> str:
        """Format a value in the output base."""
        return value.text(self._variables["obase"].at(0))

    @property
    def _scale(self) -> int:
        return self._variables["scale"].at(0)

    def _assignment(self) -> Number:
        if (
            len(self._tokens) > 2
            and re.match(r"[a-z_]", self._tokens[0])
            and re.fullmatch(r"[-+*/%^]?=", self._tokens[1])
        ):
            name, operator, *self._tokens = self._tokens
            value = self._assignment()
            if operator != "=":
                value = self._apply(operator[0], self._variables.get(name, Number(0)), value)
            least, most = BASES.get(name, (None, None))
            if least is not None and most is not None:
                value = Number(min(max(value.at(0), least), most))
            self._variables[name] = value
            self._assigned = True
            return value
        return self._binary(0)

    def _binary(self, level: int) -> Number:
        if level == len(LEVELS):
            return self._power()
        left = self._binary(level + 1)
        while self._tokens and self._tokens[0] in LEVELS[level]:
            operator = self._tokens.pop(0)
            left = self._apply(operator, left, self._binary(level + 1))
        return left

    def _apply(self, operator: str, left: Number, right: Number) -> Number:
        scale = max(left.scale, right.scale)
        one, other = left.at(scale), right.at(scale)
        match operator:
            case "+" | "-":
                return Number(one + other if operator == "+" else one - other, scale)
            case "*":
                places = min(left.scale + right.scale, max(self._scale, scale))
                return Number(Number(left.value * right.value, left.scale + right.scale).at(places), places)
            case "/" | "%":
                return self._divided(operator, left, right)
            case "^":
                return self._raised(left, right.at(0))
            case _:
                results = {
                    "==": one == other,
                    "!=": one != other,
                    "<": one < other,
                    ">": one > other,
                    "<=": one <= other,
                }
                return Number(int(results.get(operator, one >= other)))

    def _divided(self, operator: str, left: Number, right: Number) -> Number:
        if right.value == 0:
            raise BadExpression("Divide by zero")
        quotient = Number(
            _truncate(left.value * 10 ** (self._scale + right.scale), right.value * 10**left.scale),
            self._scale,
        )
        if operator == "/":
            return quotient
        scale = max(left.scale, self._scale + right.scale)
        product = Number(quotient.value * right.value, quotient.scale + right.scale)
        return Number(left.at(scale) - product.at(scale), scale)

    def _raised(self, base: Number, exponent: int) -> Number:
        if exponent < 0:
            return self._divided("/", Number(1), self._raised(base, -exponent))
        scale = base.scale * exponent
        places = min(scale, max(self._scale, base.scale))
        return Number(Number(base.value**exponent, scale).at(places), places)

    def _power(self) -> Number:
        base = self._primary()
        if self._tokens and self._tokens[0] == "^":
            self._tokens.pop(0)
            return self._raised(base, self._power().at(0))
        return base

    def _primary(self) -> Number:
        if not self._tokens:
            raise BadExpression("syntax error")
        token = self._tokens.pop(0)
        if token in ("-", "+"):
            value = self._primary()
            return Number(-value.value, value.scale) if token == "-" else value
        if token == "(":
            value = self._assignment()
            self._expect(")")
            return value
        if re.match(r"[\dA-F.]", token):
            return _number(token, self._variables["ibase"].at(0))
        if re.match(r"[a-z_]", token):
            return self._named(token)
        raise BadExpression("syntax error")

    def _named(self, name: str) -> Number:
        if not self._tokens or self._tokens[0] != "(":
            return self._variables.get(name, Number(0))
        self._tokens.pop(0)
        value = self._binary(0)
        self._expect(")")
        if name == "sqrt":
            return self._root(value)
        if name == "length":
            return Number(len(str(abs(value.value))))
        if name == "scale":
            return Number(value.scale)
        raise BadExpression(f"Function {name} not defined")

    def _root(self, value: Number) -> Number:
        from math import isqrt

        if value.value < 0:
            raise BadExpression("Square root of a negative number")
        scale = max(self._scale, value.scale)
        return Number(isqrt(value.at(2 * scale)), scale)

    def _expect(self, token: str) -> None:
        if not self._tokens or self._tokens.pop(0) != token:
            raise BadExpression("syntax error")


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    at = 0
    text = text.rstrip()
    while at < len(text):
        match = TOKEN.match(text, at)
        if match is None:
            raise BadExpression("syntax error")
        tokens.append(match[1])
        at = match.end()
    return tokens


async def bc(invocation: Invocation) -> int:
    """Print the value of each expression that isn't an assignment."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    calculator = Calculator(20 if "l" in given else 0)
    sources = [decode(read(invocation, name)) for name in [*given.operands, "-"]]
    text = re.sub(r"/\*.*?\*/|#[^\n]*|\\\n", "", "\n".join(sources), flags=re.DOTALL)

    def evaluate(line: str) -> None:
        value = calculator.calculate(line)
        if value is not None:
            invocation.print(calculator.format(value))

    def value_of(line: str) -> tuple[str, bool]:
        value = calculator.value(line)
        return calculator.format(value), value.value == 0

    runner = Runner(value_of, evaluate, lambda text: invocation.print(text, end=""))
    for statement in _parsed(invocation, text):
        try:
            await runner.run([statement])
        except Leave as leave:
            if leave.word in ("quit", "halt"):
                break
        except BadExpression as problem:
            invocation.stderr.write(f"(standard_in) 1: {problem}\n".encode())
    return 0


def _parsed(invocation: Invocation, text: str) -> list[Statement]:
    """Return the statements of a text. Where it is wrong, the error is printed, and each line is parsed by itself."""
    try:
        return statements(text)
    except SyntaxProblem as problem:
        invocation.stderr.write(f"(standard_in) 1: {problem}\n".encode())
    found: list[Statement] = []
    for line in re.split(r"[\n;]", text):
        with contextlib.suppress(SyntaxProblem):
            found += statements(line)
    return found
