"""The functions of awk on strings, numbers and arrays, as the translation calls them."""

from __future__ import annotations

import inspect
import math
import random
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from gemini_userland.awk.errors import RunError
from gemini_userland.awk.formats import formatted
from gemini_userland.awk.lexer import QUALIFIED
from gemini_userland.awk.patterns import Pattern, pattern
from gemini_userland.awk.record import separated
from gemini_userland.awk.replacing import general_replacement, replaced, replacement
from gemini_userland.awk.sorting import Compare, Orders
from gemini_userland.awk.state import State, matched
from gemini_userland.awk.values import (
    Array,
    Input,
    TypedRegex,
    Value,
    looks_numeric,
    number,
    other_base,
    prefix_number,
)

_FAR = 2.0**31
# The indices of arrays that `split` fills, which are made once.
_FROM_ONE: list[str] = []
BITS = (1 << 53) - 1


class Functions:
    """The functions that need the state of a run.

    Args:
        state: The special variables.
        functions: The functions of the program.

    Attributes:
        result: The text that `sub` or `gsub` has made.
        rand: Returns a random number from 0 to 1.
    """

    def __init__(self, state: State, functions: Mapping[str, Compare | None]) -> None:
        self.result = ""
        self.orders = Orders(state.compared, functions)
        self._state = state
        self._functions = functions
        self._seed = 0.0
        self._random = random.Random(0)
        self.rand = self._random.random

    # Expressions

    def pattern(self, source: str) -> Pattern:
        """Return the compiled expression of a text."""
        return pattern(source, self._state.folds)

    def matches(self, text: str, source: str) -> bool:
        """Return whether a text matches an expression."""
        return pattern(source, self._state.folds).found(text) is not None

    def match(self, text: str, source: str, array: Array | None = None) -> float:
        """Find the first of the longest matches; set RSTART, RLENGTH and, with the groups, the array."""
        found = self.pattern(source)
        span = found.search(text)
        if array is not None:
            array.clear()
        self._state.RSTART, self._state.RLENGTH = (
            (0.0, -1.0) if span is None else (span[0] + 1.0, float(span[1] - span[0]))
        )
        if span is not None and array is not None:
            self._set_groups(array, found.groups(text, *span), text, span)
        return self._state.RSTART

    def match_plain(self, search: Callable[[str], re.Match[str] | None], text: str) -> float:
        """Find the first match with Python's expression, which is the longest one; set RSTART and RLENGTH."""
        match, state = search(text), self._state
        if match is None:
            state.RSTART, state.RLENGTH = 0.0, -1.0
            return 0.0
        start, end = match.span()
        state.RSTART = found = start + 1.0
        state.RLENGTH = float(end - start)
        return found

    def _set_groups(
        self, array: Array, groups: re.Match[str] | None, text: str, span: tuple[int, int]
    ) -> None:
        spans = [
            span,
            *(groups.span(one) for one in range(1, (groups.re.groups if groups else 0) + 1) if groups),
        ]
        for at, (start, end) in enumerate(spans):
            if start < 0:
                continue
            array[str(at)] = Input(text[start:end])
            array[f"{at}{self._state.SUBSEP}start"] = start + 1.0
            array[f"{at}{self._state.SUBSEP}length"] = float(end - start)

    async def indirect(self, variable: str, name: str, values: list[Any]) -> Value:
        """Call the function of the program, or the one of awk, that a variable names.

        Raises:
            RunError: There is no such function, or it takes another number of arguments.
        """
        found: Any = self._functions.get(name) or self._functions.get(f"{name}{QUALIFIED}{len(values)}")
        if found is None:
            raise RunError(f"function {name or '(none)'} called indirectly through {variable} doesn't exist")
        if len(values) > found.__code__.co_argcount:
            raise RunError(f"function {name} called with too many arguments")
        result = found(*values)
        return await result if inspect.isawaitable(result) else result

    def sub(self, source: str, made: str, text: str, last: int | None) -> int:
        """Replace the first match, or all of them if `last` is None; the text is in `result`. Return their number."""
        count, self.result = replaced(self.pattern(source), replacement(made), text, 1, last)
        return count

    def gensub(self, source: str, made: str, how: Value, text: str) -> str:
        """Return the text with all matches replaced, or the one of a number."""
        every = isinstance(how, str) and how[:1] in ("g", "G")
        which = 1 if every else max(1, int(number(how)))
        return replaced(
            self.pattern(source), general_replacement(made), text, which, None if every else which
        )[1]

    def split(
        self,
        text: str,
        array: Array,
        separator: str | None,
        separators: Array | None = None,
        literal: bool = True,
        marks: bool = True,
    ) -> float:
        """Put the parts of a text into an array, and what separates them into another one; return their number.

        `marks` says whether the parts must be known as the input's.
        """
        chosen = self._state.text(self._state.setting("FS")) if separator is None else separator
        if separators is not None:
            parts, between = self._split(text, chosen, literal)
            # Around words, blanks are separators as well: number 0, and the last one.
            around = chosen == " " and literal and bool(parts)
            _refill(separators, between, 0 if around else 1)
            if around and not separators["0"]:
                del separators["0"]
            if around and not separators[str(len(parts))]:
                del separators[str(len(parts))]
        else:
            parts = separated(chosen, folds=self._state.folds, literal=literal)(text)
            if not marks:
                return refill(array, parts)
        _refill(array, parts, 1)
        return float(len(parts))

    def parts(self, text: str, separator: str | None, literal: bool) -> list[str]:
        """Return the parts of a text; without a separator, FS is it."""
        chosen = self._state.text(self._state.setting("FS")) if separator is None else separator
        return separated(chosen, folds=self._state.folds, literal=literal)(text)

    def _split(self, text: str, separator: str, literal: bool) -> tuple[list[str], list[str]]:
        if not text:
            return [], []
        if separator == "":
            return list(text), [""] * (len(text) - 1)
        if separator == " " and literal:
            parts, between = self.pattern("[ \t\n]+").split(text.strip(" \t\n"))
            before = text[: len(text) - len(text.lstrip(" \t\n"))]
            return (
                (parts, [before, *between, text[len(text.rstrip(" \t\n")) :]]) if parts != [""] else ([], [])
            )
        single = len(separator) == 1 and literal
        return self.pattern(
            f"[{separator}]"
            if single and separator not in "\\^"
            else f"\\{separator}"
            if single
            else separator
        ).split(text)

    def patsplit(self, text: str, array: Array, source: str | None, separators: Array | None = None) -> float:
        """Put what matches an expression into an array; return the number."""
        chosen = self._state.text(self._state.setting("FPAT")) if source is None else source
        spans = matched(self.pattern(chosen), text)
        _refill(array, [text[start:end] for start, end in spans], 1)
        if separators is not None:
            starts = [*(start for start, _ in spans), len(text)]
            ends = [0, *(end for _, end in spans)]
            _refill(separators, [text[end:start] for end, start in zip(ends, starts, strict=True)], 0)
        return float(len(spans))

    # Strings

    def sprintf(self, form: str, values: list[Value]) -> str:
        """Format values."""
        return formatted(form, values, self._state.text)

    def index(self, text: str, part: str) -> float:
        """Return the position of a part from 1, or 0."""
        if self._state.folds:
            text, part = text.lower(), part.lower()
        return text.find(part) + 1.0

    # Arrays

    def keys(self, array: Array, info: Array) -> list[str]:
        """Return the indices of an array in the order that PROCINFO["sorted_in"] names, or of their making."""
        order = info.get("sorted_in")
        if order is None:
            return list(array)
        return [key for key, _ in self.orders.sorted(array, self._state.text(order))]

    def asort(self, array: Array, target: Array | None, order: str, *, indices: bool) -> float:
        """Put the values, or the indices, into `target` in an order, with numbers as indices; return their number."""
        items = self.orders.sorted(array, order or ("@ind_str_asc" if indices else "@val_type_asc"))
        into = array if target is None else target
        into.clear()
        for at, (key, value) in enumerate(items, 1):
            into[str(at)] = key if indices else value
        return float(len(items))

    # Numbers

    def srand(self, seed: Value, *, given: bool) -> float:
        """Set the seed, to the time if none is given; return the previous one."""
        previous, self._seed = self._seed, number(seed) if given else float(int(time.time()))
        self._random.seed(self._seed)
        return previous


def refill(array: Array, parts: list[str]) -> float:
    """Put parts into an array, from 1 on, and return their number."""
    array.clear()
    while len(_FROM_ONE) < len(parts):
        _FROM_ONE.append(str(len(_FROM_ONE) + 1))
    array.update(zip(_FROM_ONE, parts, strict=False))
    return float(len(parts))


def _refill(array: Array, parts: list[str], first: int) -> None:
    """Put parts of the input into an array, from the index `first` on."""
    texts: list[str] = [Input(part) for part in parts]
    refill(array, texts[1 - first :])
    if not first and texts:
        array["0"] = texts[0]


def substr(text: str, start: float, length: float | None = None) -> str:
    """Return the part from a character from 1 on. As in gawk, fractions are cut off, and what precedes 1 is 1."""
    if length is not None and 1.0 <= start < _FAR and 0.0 < length < _FAR:
        first = int(start) - 1
        return text[first : first + int(length)]
    first = max(int(start), 1) - 1 if math.isfinite(start) else 0 if start < 0 else len(text)
    if length is None or length == math.inf:
        return text[first:]
    return text[first : first + int(length)] if length > 0 else ""


def divide(left: float, right: float) -> float:
    """Divide.

    Raises:
        RunError: The divisor is 0.
    """
    try:
        return left / right
    except ZeroDivisionError:
        raise RunError("division by zero") from None


def modulo(left: float, right: float) -> float:
    """Return the rest of a division; it has the sign of `left`.

    Raises:
        RunError: The divisor is 0.
    """
    if right == 0.0:
        raise RunError("division by zero in %")
    return math.nan if math.isinf(left) else math.fmod(left, right)


def power(left: float, right: float) -> float:
    """Raise to a power; a result that is too large is infinite, one without a value is nan."""
    try:
        found = left**right
    except OverflowError:
        return -math.inf if left < 0 and right % 2 == 1 else math.inf
    except ZeroDivisionError:
        return math.inf
    return found if isinstance(found, float) else -math.nan


def guarded(function: Callable[[float], float]) -> Callable[[float], float]:
    """Return a function of C's library: it has no errors, but infinite values and those that are no numbers."""

    def calculated(value: float) -> float:
        try:
            return float(function(value))
        except OverflowError:
            return math.inf
        except ValueError:
            return -math.inf if value == 0 else -math.nan

    return calculated


def truncated(value: float) -> float:
    """Return a number without its fraction."""
    return float(math.trunc(value)) if math.isfinite(value) else value


def upper(text: str) -> str:
    """Return the text in upper case, character by character: `ß` stays."""
    return text.upper() if text.isascii() else "".join(_single(one, one.upper()) for one in text)


def lower(text: str) -> str:
    """Return the text in lower case, character by character."""
    return text.lower() if text.isascii() else "".join(_single(one, one.lower()) for one in text)


def _single(character: str, changed: str) -> str:
    return changed if len(changed) == 1 else character


def bits(name: str, values: list[float]) -> float:
    """Return the result of gawk's functions on bits.

    Raises:
        RunError: A value is negative.
    """
    if any(value < 0 or value != value for value in values):
        raise RunError(f"{name}: negative values aren't allowed")
    first, *others = (int(value) for value in values)
    if name == "compl":
        return float(~first & BITS)
    for other in others:
        first = {
            "and": first & other,
            "or": first | other,
            "xor": first ^ other,
            "lshift": first << min(other, 64),
            "rshift": first >> other,
        }[name]
    return float(first & ((1 << 64) - 1))


def strtonum(value: Value) -> float:
    """Return the number that a text is: 0x begins a hexadecimal, 0 an octal one."""
    if not isinstance(value, str):
        return number(value)
    found = other_base(value)
    return prefix_number(value) if found is None else found


def typeof(value: object) -> str:
    """Return the name of a value's type."""
    if isinstance(value, Array):
        return "array"
    if value is None:
        return "untyped"
    if isinstance(value, TypedRegex):
        return "regexp"
    if isinstance(value, Input):
        return "string" if looks_numeric(value) is None else "strnum"
    return "number" if isinstance(value, float) else "string"
