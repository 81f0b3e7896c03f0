"""Comparisons of values (POSIX, awk, "Expressions in awk"): as numbers if both are, else as strings."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from gemini_userland.awk.values import MOST_KNOWN, Input, Value, looks_numeric

Numeric = Callable[[str], float | None]
"""Returns the number that a text of the input is, or None."""
Compared = Callable[[Any, Value], bool]
"""Compares two values with an operator."""

# The operators and the names of their functions in the translation. Python has the same operators.
COMPARED = {"<": "lt", "<=": "le", "==": "eq", "!=": "ne", ">": "gt", ">=": "ge"}
# The functions are written for each operator, because a call of the operator's function costs as much as the rest.
# An operand is often the one of the call before, such as a maximum.
_ANY = """
last, number = object(), None

def compared(left, right):
    global last, number
    if right is last:
        other = number
    elif right.__class__ is float or right is None:
        other = right or 0.0
    elif right.__class__ is Input:
        last, other = right, numeric(right)
        number = other
    else:
        return text(left) < text(right)
    if left.__class__ is kind:
        value = numeric(left)
    elif left.__class__ is float or left is None:
        value = left or 0.0
    else:
        return text(left) < text(right)
    if value is None or other is None:
        return text(left) < text(right)
    return value < other
"""
_WITH_NUMBER = """
def compared(left, right):
    value = numeric(left)
    if value is None:
        return text(left) < text(right)
    return value < right
"""
# Nothing is 0 or "", as `known` and `text` have it.
_OF_INPUTS = """
def compared(left, right):
    value = numeric(left)
    other = numeric(right)
    if value is None or other is None:
        return text(left) < text(right)
    return value < other
"""
# Of two numbers with as many digits, the greater one is also the greater text.
_ALIKE = """    if left and right and len(left) == len(right) < 16 and left.isdecimal() and right.isdecimal():
        return left < right
"""
_CALL = "value = numeric(left)\n"
# The same for most strings, without a call: whole or decimal numbers, and what begins or ends with a letter.
_QUICK = """value = None
        if left.isdecimal() and left.isascii() and len(left) < 300:
            value = float(int(left))
        elif "" < left < ":" and left[-1] <= "9":
            try:
                value = float(left)
                if value - value != 0.0 or "_" in left or not left.isascii():
                    value = numeric(left)
            except ValueError:
                pass
        elif left[:1] in "+-" and left:
            value = numeric(left)
"""
# Strings in variables are compared again and again, as when an array is sorted.
_KNOWN = f"""value = known.get(left, known)
        if value is known:
            {_QUICK.replace(chr(10), chr(10) + "    ")}
            if len(known) >= {MOST_KNOWN}:
                known.clear()
                known[None] = 0.0
            known[left] = value
"""


def comparison_of_inputs(sign: str, text: Callable[[Value], str], numeric: Numeric) -> Compared:
    """Return the function that compares two strings of the input, which may be None, with an operator.

    Args:
        sign: The operator.
        text: Returns the string of a value.
        numeric: Returns the number that a string of the input is.
    """
    source = _OF_INPUTS
    if numeric is looks_numeric:
        known = _KNOWN.replace("\n    ", "\n")
        source = source.replace(_CALL, known)
        source = source.replace(
            _CALL.replace("value", "other").replace("left", "right"),
            known.replace("value", "other").replace("left", "right"),
        )
        source = source.replace("right):\n", f"right):\n{_ALIKE}", 1)
    else:
        source = source.replace("numeric(", "0.0 if {0} is None else numeric(")
        source = source.replace("{0}", "left", 1).replace("{0}", "right", 1)
    names: dict[str, Any] = {"known": {None: 0.0}, "text": text, "numeric": numeric}
    return _define(source, sign, names)


def _define(source: str, sign: str, names: dict[str, Any]) -> Compared:
    """Return the function of a source whose results compare with `<`, for another operator."""
    exec(re.sub(r"(return \S+) < ", rf"\1 {sign} ", source), names)  # noqa: S102
    return names["compared"]


def comparison(
    sign: str,
    text: Callable[[Value], str],
    numeric: Numeric,
    kind: type[str] = Input,
    *,
    of_number: bool = False,
) -> Compared:
    """Return the function that compares two values with an operator.

    Args:
        sign: The operator.
        text: Returns the string of a value.
        numeric: Returns the number that a string of the input is.
        kind: The class of the left operand if that is a string of the input: `str` for one that isn't in a variable.
        of_number: The left operand is always such a string, and the right one a number.
    """
    source, quick = (_WITH_NUMBER, _QUICK.replace("\n    ", "\n")) if of_number else (_ANY, _QUICK)
    if numeric is looks_numeric:
        source = source.replace(_CALL, _KNOWN if kind is Input and not of_number else quick)
    names: dict[str, Any] = {"known": {}, "text": text, "numeric": numeric, "Input": Input, "kind": kind}
    return _define(source, sign, names)
