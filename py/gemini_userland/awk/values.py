"""The values of awk: numbers are floats, strings are `str`, a value that was never set is None.

A string of the input may be a number as well (POSIX, awk, "Expressions in awk": numeric string). In variables it is an
`Input`; a field is a `str`, and a string that the program put into a field is a `Fixed`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from gemini_userland.awk.errors import RunError

Value = float | str | None
"""A number, a string, or what was never set."""

# How far a text is a number, and what gawk takes for one as well.
_PREFIX = re.compile(
    r"[ \t-\r]*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?|[-+](?:inf|nan)(?![A-Za-z0-9_]))",
    re.IGNORECASE,
)
_OTHER_BASE = re.compile(r"[ \t-\r]*([-+]?)(?:0[xX]([0-9a-fA-F]+)|0([0-7]+)(?![0-9.eE]))")
_SPACES = " \t\n\v\f\r"
_SMALL = [str(number) for number in range(1000)]
_THREE_DIGITS = [f"{number:03}" for number in range(1000)]
# From here on, integers are written like other numbers.
_LIMIT = 2.0**63
_MOST_DIGITS = 300
MOST_KNOWN = 20_000


class Input(str):
    """A string of the input in a variable; it is a number if it looks like one."""

    __slots__ = ()


class Fixed(str):
    """A string that the program has put into a field; it is never a number."""

    __slots__ = ()


class TypedRegex(str):
    """An expression that is a value, `@/a/`: a string that is never a number."""

    __slots__ = ()


class Array(dict[str, Any]):
    """An array. A reference to an element makes it."""

    __slots__ = ()

    def __missing__(self, key: str) -> None:
        self[key] = None

    def nested(self, key: str) -> Array:
        """Return the array that an element is; a new element becomes one."""
        found = self.get(key)
        if found is None:
            found = self[key] = Array()
        if not isinstance(found, Array):
            raise RunError(f'the element ["{key}"] is no array')
        return found


def used_array() -> RunError:
    """Return the error for an array where a value is needed."""
    return RunError("an array is used as a value")


def prefix_number(text: str) -> float:
    """Return the number that a text begins with, or 0."""
    if text.isdecimal() and text.isascii():
        # Python reads a whole number faster than another one, up to a limit.
        try:
            return float(int(text))
        except (ValueError, OverflowError):
            pass
    # Most strings that are no numbers begin or end with a letter.
    if text > ":" or not text:
        return 0.0
    if text[-1] <= "9":
        try:
            found = float(text)
            # Python knows more numbers than awk: 1_000, infinity, other digits.
            if found - found == 0.0 and "_" not in text and text.isascii():
                return found
        except ValueError:
            pass
    elif text[:-1].isdecimal() and text.isascii() and len(text) < _MOST_DIGITS:
        # Many are a whole number and a sign or a unit.
        return float(int(text[:-1]))
    match = _PREFIX.match(text)
    return float(match[1]) if match else 0.0


def number(value: Value) -> float:
    """Return a value as a number."""
    if value.__class__ is float:
        return value  # type: ignore[return-value]
    if isinstance(value, str):
        return prefix_number(value)
    if value is None:
        return 0.0
    raise used_array()


def looks_numeric(text: str) -> float | None:
    """Return the number that a text of the input is, or None."""
    if text > ":" or not text:
        return None
    if text[-1] > "9" and text[0] not in "+-":
        return None
    try:
        found = float(text)
    except ValueError:
        return None
    if found - found != 0.0 or "_" in text or not text.isascii():
        match = _PREFIX.match(text)
        return float(match[1]) if match and not text[match.end() :].strip(_SPACES) else None
    return found


def other_base(text: str) -> float | None:
    """Return the number that a text is if it has another base than 10: 0x begins a hexadecimal, 0 an octal one."""
    match = _OTHER_BASE.match(text)
    if match is None:
        return None
    found = float(int(match[2], 16) if match[2] else int(match[3], 8))
    return -found if match[1] == "-" else found


def any_base_number(value: Value) -> float:
    """Return a value as a number, also of another base (`--non-decimal-data`)."""
    found = other_base(value) if isinstance(value, str) else None
    return number(value) if found is None else found


def looks_numeric_in_any_base(text: str) -> float | None:
    """Return the number that a text of the input is, also of another base, or None."""
    match = _OTHER_BASE.match(text)
    whole = match is not None and not text[match.end() :].strip(_SPACES)
    return other_base(text) if whole else looks_numeric(text)


def retained(value: Value) -> Value:
    """Return a field's value as a variable's."""
    if value.__class__ is str:
        return Input(value)
    if value.__class__ is Fixed:
        return str(value)
    return value


def placed(value: Value) -> Value:
    """Return a variable's value as a field's."""
    if value.__class__ is str:
        return Fixed(value)
    if value.__class__ is Input:
        return str(value)
    return value


def truth(value: Value) -> bool:
    """Return whether a variable's value is true."""
    if value.__class__ is float:
        return value != 0.0
    if value.__class__ is Input:
        found = looks_numeric(value)  # type: ignore[arg-type]
        return value != "" if found is None else found != 0.0
    return bool(value)


def field_truth(value: Value) -> bool:
    """Return whether a field's value is true."""
    return truth(retained(value))


def whole_text(value: float) -> str:
    """Return the text of a whole number."""
    at = int(value)
    # Python takes long for such a text, which has two parts that are known.
    if 1000 <= at < 1_000_000:
        return _SMALL[at // 1000] + _THREE_DIGITS[at % 1000]
    return _SMALL[at] if 0 <= at < 1000 else str(at)


class Texts(dict[float | None, str]):
    """The strings of numbers, with a cache for small integers.

    Args:
        form: Returns the format of other numbers (CONVFMT or OFMT).
        formatted: Formats as `sprintf`.
    """

    def __init__(self, form: Callable[[], str], formatted: Callable[[str, list[Value]], str]) -> None:
        # What was never set has no text.
        super().__init__({None: ""})
        self._form = form
        self._formatted = formatted

    def __missing__(self, value: float) -> str:
        if -_LIMIT <= value < _LIMIT and value == (whole := int(value)):
            text = whole_text(whole)
            if len(self) < 20000:
                self[value] = text
            return text
        if value - value != 0.0:
            return plain_text_of_special(value)
        form = self._form()
        return f"{value:.6g}" if form == "%.6g" else self._formatted(form, [value])


class KnownNumbers(dict[str | None, float]):
    """The numbers that strings in variables begin with, which are often needed again.

    Args:
        prefix_number: Returns the number that a text begins with.
    """

    def __init__(self, prefix_number: Callable[[str], float]) -> None:
        super().__init__({None: 0.0})
        self._prefix_number = prefix_number

    def __missing__(self, text: str) -> float:
        if len(self) >= MOST_KNOWN:
            # Recent texts are the likeliest to be needed again.
            self.clear()
            self[None] = 0.0
        found = self[text] = self._prefix_number(text)
        return found


def plain_text_of_special(value: float) -> str:
    """Return the text of an infinity or a NaN."""
    text = str(abs(value))
    return f"-{text}" if str(value).startswith("-") or is_negative_nan(value) else text


def is_negative_nan(value: float) -> bool:
    """Return whether the value is no number, and has the sign that C prints."""
    return value != value and str_sign(value) < 0


def str_sign(value: float) -> float:
    """Return -1.0 or 1.0, the sign of a number, also of a zero and a NaN."""
    from math import copysign

    return copysign(1.0, value)


def converter(texts: Texts) -> Callable[[Value], str]:
    """Return the function that converts values to strings."""

    def text(value: Value) -> str:
        if value.__class__ is str:
            return value  # type: ignore[return-value]
        if value.__class__ is float:
            return texts[value]  # type: ignore[index]
        if value.__class__ is Array:  # pyright: ignore[reportUnnecessaryComparison]
            raise used_array()
        return "" if value is None else str(value)

    return text


def elements(array: Array) -> Iterator[tuple[str, Value]]:
    """Yield the elements of an array that are no arrays."""
    return ((key, value) for key, value in array.items() if not isinstance(value, Array))
