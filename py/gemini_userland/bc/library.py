"""The functions of `bc -l`, in whole numbers with guard digits; results are truncated at `scale`.

Source: the series of DLMF, 4.19 (sine), 4.24 (arctangent), 4.2 (exponential), 4.6 (logarithm), 10.2 (Bessel).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gemini_userland.bc.number import Number

GUARD = 12


def _scale(x: Number, places: int) -> int:
    return x.at(places)


def _result(value: int, places: int, scale: int) -> Number:
    return Number(Number(value, places).at(scale), scale)


def _exponential(value: int, unit: int) -> int:
    """Return e**(value/unit) * unit for a small argument."""
    total = term = unit
    count = 1
    while term:
        term = term * value // (unit * count) if value >= 0 else -(-term * value // (unit * count))
        total += term
        count += 1
    return total


def exponential(x: Number, scale: int) -> Number:
    """Return e**x."""
    # The integer part of the result has about x / ln 10 digits.
    digits = max(0, x.at(0)) * 10 // 23 + 1
    halvings = max(0, abs(x.at(0)).bit_length() + 8)
    places = scale + digits + halvings + GUARD
    unit = 10**places
    value = _exponential(_scale(x, places) >> halvings, unit)
    for _ in range(halvings):
        value = value * value // unit
    return _result(value, places, scale)


def _arctangent_of_inverse(n: int, unit: int) -> int:
    total = term = unit // n
    square, count = n * n, 1
    while term:
        term //= -square
        count += 2
        total += term // count
        if term == -1:
            break
    return total


def _pi(places: int) -> int:
    """Return pi, by Machin's formula."""
    unit = 10 ** (places + GUARD)
    return 4 * (4 * _arctangent_of_inverse(5, unit) - _arctangent_of_inverse(239, unit)) // 10**GUARD


def _series_of_sine(value: int, unit: int, first: int, count: int) -> int:
    """Sum the terms of sine (from value, 1) or cosine (from 1, 0)."""
    total = term = first
    square = value * value // unit
    while term:
        sign = -1 if term > 0 else 1
        term = sign * (abs(term) * square // (unit * (count + 1) * (count + 2)))
        total += term
        count += 2
    return total


def _reduce(x: Number, places: int) -> tuple[int, int]:
    """Return x modulo pi/2, and the quadrant."""
    half = _pi(places) // 2
    quadrant, rest = divmod(_scale(x, places), half)
    return rest, quadrant % 4


def _wave(x: Number, scale: int, shift: int) -> Number:
    places = scale + len(str(abs(x.at(0)))) + GUARD
    unit = 10**places
    rest, quadrant = _reduce(x, places)
    quadrant = (quadrant + shift) % 4
    value = _series_of_sine(rest, unit, unit, 0) if quadrant % 2 else _series_of_sine(rest, unit, rest, 1)
    return _result(value if quadrant < len(("rising", "falling")) else -value, places, scale)


def sine(x: Number, scale: int) -> Number:
    """Return the sine of x."""
    return _wave(x, scale, 0) if x.value else Number(0)


def cosine(x: Number, scale: int) -> Number:
    """Return the cosine of x."""
    return _wave(x, scale, 1)


def arctangent(x: Number, scale: int) -> Number:
    """Return the arctangent of x."""
    places = scale + GUARD
    unit = 10**places
    value = abs(_scale(x, places))
    inverted = value > unit
    if inverted:
        value = unit * unit // value
    doublings = 0
    # atan(x) = 2 atan(x / (1 + sqrt(1 + x²))), until the series is quick.
    while value > unit // 10:
        from math import isqrt

        value = value * unit // (unit + isqrt(unit * unit + value * value))
        doublings += 1
    total = term = value
    square, count = value * value // unit, 1
    while term:
        sign = -1 if term > 0 else 1
        term = sign * (abs(term) * square // unit)
        count += 2
        total += sign * (abs(term) // count)
    total <<= doublings
    if inverted:
        total = _pi(places) // 2 - total
    return _result(-total if x.value < 0 else total, places, scale) if x.value else Number(0)


def logarithm(x: Number, scale: int) -> Number:
    """Return the natural logarithm of x; for 0 and less, the smallest number of `scale` digits, as GNU's does."""
    if x.value <= 0:
        return Number((1 - 10**scale) * 10**scale, scale)
    if x.value == 10**x.scale:
        return Number(0)
    from math import isqrt

    places = scale + GUARD + x.scale + len(str(x.at(0)))
    unit = 10**places
    value = _scale(x, places)
    roots = 0
    while abs(value - unit) > unit // 10:
        value = isqrt(value * unit)
        roots += 1
    # log(v) = 2 artanh((v - 1) / (v + 1))
    ratio = (value - unit) * unit // (value + unit)
    total = term = ratio
    square, count = ratio * ratio // unit, 1
    while term not in (0, -1):
        term = term * square // unit
        count += 2
        total += term // count
    return _result(total << (roots + 1), places, scale)


def bessel(order: Number, x: Number, scale: int) -> Number:
    """Return the Bessel function of an integer order at x."""
    n = order.at(0)
    sign = -1 if n < 0 and n % 2 else 1
    n = abs(n)
    places = scale + GUARD + 2 * abs(x.at(0))
    unit = 10**places
    half = _scale(x, places) // 2
    term = unit
    for count in range(1, n + 1):
        term = term * half // (unit * count)
    total = term
    square, count = half * half // unit, 1
    while term not in (0, -1):
        term = -term * square // (unit * count * (count + n))
        total += term
        count += 1
    return _result(sign * total, places, scale)


FUNCTIONS: Mapping[str, Callable[[Number, int], Number]] = {
    "s": sine,
    "c": cosine,
    "a": arctangent,
    "l": logarithm,
    "e": exponential,
}
"""The functions of one argument; `j` has two."""
