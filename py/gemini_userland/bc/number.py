"""Decimal numbers of any size, with the scales of results in GNU bc (GNU bc manual, "Basic Expressions")."""

from __future__ import annotations

from dataclasses import dataclass
from math import isqrt

DIGITS = "0123456789ABCDEF"


class CalculationError(ValueError):
    """An operation has no result; the message is GNU's."""


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

    def cut(self, scale: int) -> Number:
        """Return the number with at most `scale` decimal places."""
        return self if self.scale <= scale else Number(self.at(scale), scale)

    @property
    def length(self) -> int:
        """The number of significant digits, as `length` counts them."""
        if abs(self.value) < 10**self.scale:
            return self.scale or 1
        return len(str(abs(self.value)))

    def text(self, base: int) -> str:
        """Format the number in a base; digits of bases over 16 are decimal numbers."""
        if not self.value:
            return "0"
        whole, rest = divmod(abs(self.value), 10**self.scale)
        digits: list[int] = []
        if base == len("0123456789"):
            digits = [int(digit) for digit in str(whole)] if whole else []
            whole = 0
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
        return ("-" if self.value < 0 else "") + shown


ZERO, ONE = Number(0), Number(1)


def parse(token: str, base: int) -> Number:
    """Parse a number. A single digit has its own value in any base; in longer numbers it is limited by the base."""
    whole, _, fraction = token.partition(".")
    figures = [DIGITS.index(letter) for letter in whole + fraction]
    if len(figures) > 1:
        figures = [min(figure, base - 1) for figure in figures]
    if base == len("0123456789"):
        return Number(int("".join(map(str, figures)) or "0"), len(fraction))
    value = 0
    for figure in figures:
        value = value * base + figure
    return Number(value * 10 ** len(fraction) // base ** len(fraction), len(fraction))


def calculate(operator: str, left: Number, right: Number, scale: int) -> Number:
    """Return the result of a binary operator.

    Args:
        operator: One of + - * / % ^ and of the comparisons.
        left: The left operand.
        right: The right operand.
        scale: The value of the variable `scale`.

    Raises:
        CalculationError: It has none.
    """
    most = max(left.scale, right.scale)
    match operator:
        case "+":
            return Number(left.at(most) + right.at(most), most)
        case "-":
            return Number(left.at(most) - right.at(most), most)
        case "*":
            product = Number(left.value * right.value, left.scale + right.scale)
            return product.cut(max(scale, most))
        case "/":
            return _quotient(left, right, scale)
        case "%":
            return _remainder(left, right, scale)
        case "^":
            return _power(left, right.at(0), scale)
        case _:
            return Number(int(_holds(operator, left.at(most), right.at(most))))


def root(number: Number, scale: int) -> Number:
    """Return the square root.

    Raises:
        CalculationError: The number is negative.
    """
    if number.value < 0:
        raise CalculationError("Square root of a negative number")
    places = max(scale, number.scale)
    return Number(isqrt(number.at(2 * places)), places)


def _holds(operator: str, one: int, other: int) -> bool:
    match operator:
        case "==":
            return one == other
        case "!=":
            return one != other
        case "<":
            return one < other
        case "<=":
            return one <= other
        case ">":
            return one > other
        case _:
            return one >= other


def _quotient(left: Number, right: Number, scale: int) -> Number:
    if right.value == 0:
        raise CalculationError("Divide by zero")
    shifted = left.value * 10 ** (scale + right.scale)
    return Number(_truncate(shifted, right.value * 10**left.scale), scale)


def _remainder(left: Number, right: Number, scale: int) -> Number:
    quotient = _quotient(left, right, scale)
    places = max(left.scale, scale + right.scale)
    product = Number(quotient.value * right.value, quotient.scale + right.scale)
    return Number(left.at(places) - product.at(places), places)


def _power(base: Number, exponent: int, scale: int) -> Number:
    if exponent < 0:
        return _quotient(ONE, Number(base.value**-exponent, base.scale * -exponent), scale)
    places = base.scale * exponent
    return Number(base.value**exponent, places).cut(max(scale, base.scale))


def _digits(digits: list[int], base: int) -> str:
    if base <= len(DIGITS):
        return "".join(DIGITS[digit] for digit in digits)
    return "".join(f" {digit:0{len(str(base - 1))}d}" for digit in digits)


def _truncate(value: int, divisor: int) -> int:
    """Divide, truncating towards zero."""
    quotient = abs(value) // abs(divisor)
    return quotient if (value < 0) == (divisor < 0) else -quotient
