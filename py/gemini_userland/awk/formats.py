"""`printf` and `sprintf`: the formats of C, for the values of awk (POSIX, awk, "Output Statements")."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from gemini_userland.awk.errors import RunError
from gemini_userland.awk.values import Input, Value, looks_numeric, number, plain_text_of_special

_PIECE = re.compile(
    r"%(?:([0-9]+)\$)?([-+ #0']*)(\*|[0-9]+)?(?:(\.)(\*|[0-9]*))?(?:hh|h|ll|l|L|q|j|z|t)*([A-Za-z%])?"
)
_LETTERS = frozenset("diouxXeEfFgGaAcs%")
_WIDEST = 1 << 24
_USUALLY_WIDEST = 1000.0
_MOST_STARS = 200

Piece = tuple[str, str, str, str | None, str, str]
"""A conversion: the number of its argument, flags, width, precision, letter and the whole text."""


@lru_cache(maxsize=500)
def pieces_of(form: str) -> list[str | Piece]:
    """Return the literal parts and the conversions of a format."""
    pieces: list[str | Piece] = []
    done = 0
    for match in _PIECE.finditer(form):
        place, flags, width, dot, precision, letter = match.groups()
        pieces.append(form[done : match.start()])
        done = match.end()
        if letter is None or letter not in _LETTERS:
            pieces.append(match[0])
        elif letter == "%":
            pieces.append("%")
        else:
            exact = None if dot is None else precision or "0"
            pieces.append((place or "", flags.replace("'", ""), width or "", exact, letter, match[0]))
    pieces.append(form[done:])
    return [piece for piece in pieces if piece]


class Arguments:
    """The arguments of a format, which conversions take in turn."""

    def __init__(self, form: str, values: list[Value]) -> None:
        self._form = form
        self._values = values
        self._next = 0

    def take(self, place: str = "") -> Value:
        """Return the argument with this number from 1, or the next one.

        Raises:
            RunError: There are too few.
        """
        at = int(place) - 1 if place else self._next
        if not place:
            self._next += 1
        if not 0 <= at < len(self._values):
            raise RunError(f'not enough arguments passed to sprintf("{self._form}")')
        return self._values[at]


def formatted(form: str, values: list[Value], text: Callable[[Value], str]) -> str:
    """Format values of variables.

    Args:
        form: The format.
        values: Its arguments.
        text: Converts a value to a string.

    Raises:
        RunError: There are too few values.
    """
    arguments = Arguments(form, values)
    return "".join(
        piece if isinstance(piece, str) else _convert(piece, arguments, text) for piece in pieces_of(form)
    )


def _convert(piece: Piece, arguments: Arguments, text: Callable[[Value], str]) -> str:
    place, flags, width, precision, letter, _ = piece
    if width == "*":
        wide = int(number(arguments.take()))
        flags, width = (flags + "-", str(-wide)) if wide < 0 else (flags, str(wide))
    if precision == "*":
        exact = int(number(arguments.take()))
        precision = None if exact < 0 else str(exact)
    if max(int(width or 0), int(precision or 0)) > _WIDEST:
        raise RunError("a width or precision of a format is too large")
    value = arguments.take(place)
    if letter == "s":
        shown = text(value)
        return _pad(shown if precision is None else shown[: int(precision)], flags, width)
    if letter == "c":
        return _pad(_character(value, text), flags, width)
    exact_part = "" if precision is None else f".{precision}"
    return _number(number(value), flags, width, exact_part, letter)


def number_formatter(piece: Piece) -> Callable[[float], str]:
    """Return the function that formats a number as a conversion without `*` does."""
    _, flags, width, precision, letter, _ = piece
    exact = "" if precision is None else f".{precision}"
    form = f"%{flags}{width}{exact}{letter}"
    # C ignores the flag 0 next to a precision of an integer; Python doesn't.
    is_alike = letter in "eEfFgG" or (letter in "di" and not exact)

    def shown(value: float) -> str:
        if value - value == 0.0 and is_alike and "#" not in flags:
            return form % value
        return _number(value, flags, width, exact, letter)

    return shown


def starred_formatter(piece: Piece) -> Callable[..., str]:
    """Return the function that formats a value as a conversion with `*` does.

    It takes the numbers for `*`, and the value: a text for `%s`, else a number.
    """
    place, flags, width, precision, letter, whole = piece
    made: dict[tuple[float, ...], Callable[..., str]] = {}

    def shown(*values: float) -> str:
        numbers, value = values[:-1], values[-1]
        if numbers not in made:
            if len(made) > _MOST_STARS:
                made.clear()
            given = list(numbers)
            wide = str(int(given.pop(0))) if width == "*" else width
            exact = str(int(given.pop(0))) if precision == "*" else precision
            if max(abs(int(wide or 0)), int(exact or 0)) > _WIDEST:
                raise RunError("a width or precision of a format is too large")
            resolved: Piece = (
                place,
                flags + "-" if wide.startswith("-") else flags,
                wide.lstrip("-") if wide != "0" else "",
                None if exact is None or exact.startswith("-") else exact,
                letter,
                whole,
            )
            made[numbers] = text_formatter(resolved) if letter == "s" else number_formatter(resolved)
        return made[numbers](value)

    if letter == "s" and width == "*" and precision is None:
        return _padder("-" in flags, shown)
    return shown


def _padder(left: bool, formatter: Callable[..., str]) -> Callable[[float, str], str]:
    """Return the function that pads a text to a width; `formatter` does so for unusual widths."""

    def padded(width: float, text: str) -> str:
        if not 0.0 <= width < _USUALLY_WIDEST:
            return formatter(width, text)
        return text.ljust(int(width)) if left else text.rjust(int(width))

    return padded


def text_formatter(piece: Piece) -> Callable[[str], str]:
    """Return the function that formats a text as a conversion without `*` does."""
    _, flags, width, precision, _, _ = piece
    end = None if precision is None else int(precision)
    return lambda text: _pad(text[:end], flags, width)


def _pad(shown: str, flags: str, width: str) -> str:
    wide = int(width or 0)
    return shown.ljust(wide) if "-" in flags else shown.rjust(wide)


def _character(value: Value, text: Callable[[Value], str]) -> str:
    code = value if isinstance(value, float) else looks_numeric(value) if isinstance(value, Input) else None
    if code is None:
        return text(value)[:1] or "\0"
    if code - code != 0.0:
        return ""
    whole = int(code)
    if not 0 <= whole <= 0x10FFFF or 0xD800 <= whole <= 0xDFFF:
        return bytes([whole & 255]).decode("utf-8", "surrogateescape")
    return chr(whole)


def _number(value: float, flags: str, width: str, exact: str, letter: str) -> str:
    if value - value != 0.0:
        shown = plain_text_of_special(value)
        sign = "" if shown.startswith("-") else "+" if "+" in flags else " " if " " in flags else ""
        shown = sign + shown
        return _pad(shown.upper() if letter.isupper() else shown, flags, width)
    if letter in "diouxX":
        return _integer(int(value), flags, width, exact, letter)
    if letter in "aA":
        shown = re.sub(r"\.?0*p", "p", value.hex()) if not exact else value.hex()
        return _pad(shown.upper() if letter == "A" else shown, flags, width)
    return f"%{flags}{width}{exact}{letter}" % value


def _integer(value: int, flags: str, width: str, exact: str, letter: str) -> str:
    if letter in "oxXu" and value < 0:
        # As C converts a negative number to an unsigned one.
        value &= (1 << 64) - 1
    if letter in "oxXu":
        flags = flags.replace("+", "").replace(" ", "")
    if exact:
        # C ignores the flag 0 next to a precision, and writes nothing for a 0 with the precision 0.
        flags = flags.replace("0", "")
        if exact == ".0" and value == 0 and not (letter == "o" and "#" in flags):
            return _pad("+" if "+" in flags else " " if " " in flags else "", flags, width)
    if "#" in flags and letter in "oxX":
        digits = f"%{exact}{letter}" % value
        prefix = f"0{letter}" if letter != "o" and value else ""
        if letter == "o" and not digits.startswith("0"):
            digits = f"0{digits}"
        if "0" in flags and "-" not in flags:
            digits = digits.rjust(int(width or 0) - len(prefix), "0")
        return _pad(prefix + digits, flags, width)
    return f"%{flags}{width}{exact}{letter}" % value
