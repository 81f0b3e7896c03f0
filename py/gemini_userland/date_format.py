"""Formats of `date` (GNU coreutils manual, 21.1 "date: Print or set system date and time")."""

from __future__ import annotations

import re
from datetime import datetime

_DIRECTIVE = re.compile(
    r"%(?P<flags>[-_0+^#]*)(?P<width>\d*)(?P<modifier>[EO]?)(?P<letter>:{0,3}z|[a-zA-Z%])"
)
# The width and the padding of numbers.
_NUMBERS = {
    **dict.fromkeys("CdHIMmSUVWgy", (2, "0")),
    **dict.fromkeys("ekl", (2, " ")),
    **dict.fromkeys("uwqs", (1, "0")),
    **dict.fromkeys("YG", (4, "0")),
    "j": (3, "0"),
}
_WHOLE = {
    "c": "%a %b %e %H:%M:%S %Y",
    "D": "%m/%d/%y",
    "F": "%Y-%m-%d",
    "r": "%I:%M:%S %p",
    "R": "%H:%M",
    "T": "%H:%M:%S",
    "x": "%m/%d/%y",
    "X": "%H:%M:%S",
    "+": "%a %b %e %H:%M:%S %Z %Y",
}
_TEXTS = {"a": "%a", "A": "%A", "b": "%b", "B": "%B", "h": "%b", "p": "%p", "Z": "%Z"}


def formatted(when: datetime, form: str, extra: int = 0) -> str:
    """Format a time as GNU date does.

    Args:
        when: The time.
        form: The format.
        extra: The nanoseconds that the microseconds of `when` lack, 0 to 999.
    """
    return _DIRECTIVE.sub(lambda match: _directive(when, match, extra), form)


def _directive(when: datetime, match: re.Match[str], extra: int) -> str:
    letter, flags = match["letter"], match["flags"]
    width = int(match["width"] or 0)
    padding = next((flag for flag in reversed(flags) if flag in "-_0+"), "")
    if letter in "nt%":
        return _text({"n": "\n", "t": "\t", "%": "%"}[letter], padding, width)
    if letter == "F" and padding not in ("-", "_"):
        return _text(formatted(when, _WHOLE["F"]), "0", width)
    if letter in _WHOLE:
        return _upper(_text(formatted(when, _WHOLE[letter]), padding, width), flags)
    if letter == "N":
        return _nanoseconds(when.microsecond * 1000 + extra, padding, width)
    if letter in _NUMBERS:
        size, fill = _NUMBERS[letter]
        return _number(_value(when, letter), padding, width, size, fill)
    if letter.endswith("z"):
        return _offset(when, len(letter) - 1, padding, width)
    if letter == "P":
        return _text(when.strftime("%p").lower(), padding, width)
    if letter in _TEXTS:
        text = when.strftime(_TEXTS[letter])
        if "#" in flags:
            text = text.lower() if letter in "pZ" else text.upper()
        return _upper(_text(text, padding, width), flags)
    # What has no meaning stays as it is.
    return match[0]


def _value(when: datetime, letter: str) -> int:
    match letter:
        case "Y":
            return when.year
        case "C":
            return when.year // 100
        case "G" | "g":
            year = when.isocalendar().year
            return year if letter == "G" else year % 100
        case "e":
            return when.day
        case "k":
            return when.hour
        case "l":
            return when.hour % 12 or 12
        case "q":
            return (when.month + 2) // 3
        case "s":
            return int(when.timestamp() // 1)
        case _:
            return int(when.strftime("%" + letter))


def _upper(text: str, flags: str) -> str:
    return text.upper() if "^" in flags else text


def _text(text: str, padding: str, width: int) -> str:
    return text if padding == "-" else text.rjust(width, "0" if padding in ("0", "+") else " ")


def _number(value: int, padding: str, width: int, size: int, fill: str) -> str:
    if padding == "-":
        return str(value)
    fill = {"_": " ", "0": "0", "+": "0"}.get(padding, fill)
    sign, digits = ("-" if value < 0 else ""), str(abs(value))
    if padding == "+" and width > size:
        sign = sign or "+"
    room = max(width, size) - len(sign)
    return sign + digits.rjust(room, "0") if fill == "0" else (sign + digits).rjust(max(width, size))


def _nanoseconds(value: int, padding: str, width: int) -> str:
    digits = f"{value:09d}"
    if width == 0 and padding == "-":
        return digits
    width = width or len(digits)
    shown = digits[:width]
    if padding in ("-", "_"):
        shown = shown.rstrip("0") or "0"
    return shown if padding == "-" else shown.ljust(width, " " if padding == "_" else "0")


def _offset(when: datetime, colons: int, padding: str, width: int) -> str:
    delta = when.utcoffset()
    seconds = int(delta.total_seconds()) if delta is not None else 0
    sign, seconds = "-" if seconds < 0 else "+", abs(seconds)
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    text = {
        0: f"{hours:02d}{minutes:02d}",
        1: f"{hours:02d}:{minutes:02d}",
        2: f"{hours:02d}:{minutes:02d}:{rest:02d}",
    }.get(colons) or f"{hours:02d}" + (f":{minutes:02d}" if minutes or rest else "") + (
        f":{rest:02d}" if rest else ""
    )
    if padding == "-":
        return sign + text.removeprefix("0")
    if padding == "_":
        return (sign + text.removeprefix("0")).rjust(max(width, len(text) + 1))
    return sign + text.rjust(width - 1, "0")
