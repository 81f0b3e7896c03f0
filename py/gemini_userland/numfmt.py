"""`numfmt`: convert numbers to and from units.

Source: the GNU coreutils manual, "numfmt invocation".
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax, synonyms
from gemini_userland.text import decode, lines

SYNTAX = Syntax(
    short="d:z",
    long={
        "debug": "debug",
        "delimiter=": "d",
        "field=": "field",
        "format=": "format",
        "from=": "from",
        "from-unit=": "from-unit",
        "grouping": "grouping",
        "header=?": "header",
        "invalid=": "invalid",
        "padding=": "padding",
        "round=": "round",
        "suffix=": "suffix",
        "to=": "to",
        "to-unit=": "to-unit",
        "zero-terminated": "z",
    },
    numbers={"header": Number("invalid header value '{}'", minimum=1)},
    words={
        "to": synonyms("none", "si", "iec", "iec-i"),
        "from": synonyms("none", "auto", "si", "iec", "iec-i"),
        "round": synonyms("up", "down", "from-zero", "towards-zero", "nearest"),
        "invalid": synonyms("abort", "fail", "warn", "ignore"),
    },
    help="""
Usage: numfmt [OPTION]... [NUMBER]...
Convert numbers to or from units; read each line of standard input without operands.

      --to=UNIT, --from=UNIT   si (1000), iec (1024), iec-i (1024, with an i), auto, none
      --to-unit=N, --from-unit=N  divide, or multiply, by N
      --field=FIELDS           convert these fields (default 1), as N, N-M, N-, -M, with commas
  -d, --delimiter=CHARACTER    use CHARACTER as the field delimiter
      --format=FORMAT          a printf format with %f: %[0][-][WIDTH][.PRECISION]f
      --header[=N]             print the first N lines (1) as they are
      --invalid=MODE           abort, fail (at the end), warn or ignore at what is no number
      --padding=N              align right in N columns; left if N is negative
      --round=METHOD           up, down, from-zero (default), towards-zero, nearest
      --suffix=TEXT            append TEXT, and accept it in the input
  -z, --zero-terminated        end lines with a null byte
      --debug, --grouping      report that nothing is converted; have no effect
""",
)
LETTERS = "KMGTPEZY"
NUMBER = re.compile(r"(-?)(\d*)(?:\.(\d+))?")
FORMAT = re.compile(r"%([0'-]*)[ ]*(-?\d*)(?:\.(\d*))?f")
UNIT = re.compile(rf"(\d*)(?:([{LETTERS}])(i?))?")
FAILED = 2


class BadNumber(ValueError):
    """A text is not a number; the message is GNU's."""


@dataclass(frozen=True)
class Format:
    """A format: the text around the number, its columns (negative on the left), zeros before it, and decimals."""

    before: str = ""
    after: str = ""
    width: int = 0
    zeros: int = 0
    decimals: int | None = None


@dataclass(frozen=True)
class Conversion:
    """The way in which numbers are converted."""

    given: Arguments
    form: Format
    fields: list[tuple[int, float]]
    from_unit: int
    to_unit: int

    def converts(self, field: int) -> bool:
        """Return whether a field is converted."""
        return any(first <= field <= last for first, last in self.fields)

    def text(self, field: str, *, aligned: bool) -> str:
        """Return a field with its number converted.

        Raises:
            BadNumber: It isn't a number.
        """
        given, form = self.given, self.form
        value, decimals = self._value(field.strip())
        shown = self._shown(value * self.from_unit / self.to_unit, decimals) + given.last("suffix", "")
        width = form.width or (len(field) if aligned else 0)
        shown = shown.ljust(-width) if width < 0 else shown.rjust(width)
        return form.before + shown + form.after

    def _value(self, text: str) -> tuple[Fraction, int]:
        """Return a number and its decimals."""
        suffix = self.given.last("suffix", "")
        number = text.removesuffix(suffix) if suffix else text
        match = NUMBER.match(number)
        if match is None or not (match[2] or match[3]):
            raise BadNumber(f"invalid number: '{text}'")
        unit = number[match.end() :]
        value = Fraction(f"{match[1]}{match[2] or 0}.{match[3] or 0}")
        factor = _factor(unit, self.given.last("from", "none"), text)
        return value * factor, 0 if unit else len(match[3] or "")

    def _shown(self, value: Fraction, decimals: int) -> str:
        """Return a number in the unit; it is rounded to one decimal below 10, as GNU's does."""
        unit, wanted = self.given.last("to", "none"), self.form.decimals
        if unit == "none":
            decimals = decimals if wanted is None else wanted
            return self._digits(self._round(value, decimals), decimals, "")
        base, power = 1000 if unit == "si" else 1024, 0
        while abs(value) >= base and power < len(LETTERS):
            value, power = value / base, power + 1
        least = int(abs(value) < 10) if wanted is None else min(power * 3, wanted)
        value = self._round(value, least)
        if abs(value) >= base and power < len(LETTERS):
            value, power = value / base, power + 1
        places = int(value != 0 and abs(value) < 10 and power > 0) if wanted is None else wanted
        letter = LETTERS[power - 1] + ("i" if unit == "iec-i" else "") if power else ""
        return self._digits(value, places, letter)

    def _digits(self, value: Fraction, decimals: int, letter: str) -> str:
        scaled = round(abs(value) * 10**decimals)
        whole, part = divmod(scaled, 10**decimals)
        text = f"{whole}.{part:0{decimals}d}" if decimals else str(whole)
        sign = "-" if value < 0 else ""
        return sign + text.rjust(self.form.zeros - len(sign), "0") + letter

    def _round(self, value: Fraction, decimals: int) -> Fraction:
        scale = 10**decimals
        scaled = value * scale
        method = self.given.last("round", "from-zero")
        if method == "nearest":
            whole = math.floor(abs(scaled) + Fraction(1, 2)) * (1 if scaled > 0 else -1)
        elif (
            method == "up"
            or (method == "from-zero" and scaled > 0)
            or (method == "towards-zero" and scaled < 0)
        ):
            whole = math.ceil(scaled)
        else:
            whole = math.floor(scaled)
        return Fraction(whole, scale)


def _factor(unit: str, scale: str, text: str) -> int:
    """Return the factor of the letters behind a number."""
    if not unit:
        return 1
    if unit[0] not in LETTERS and not (unit[0] == "k" and scale != "none"):
        digits = text.lstrip("-")[:1].isdigit() or text.startswith(".")
        raise BadNumber(
            f"invalid suffix in input: '{text}'"
            if digits and unit[0].isalpha()
            else f"invalid number: '{text}'"
        )
    if scale == "none":
        raise BadNumber(f"rejecting suffix in input: '{text}' (consider using --from)")
    power = LETTERS.index(unit[0].upper()) + 1
    has_i = unit[1:2] == "i" and scale in ("auto", "iec-i")
    if scale == "iec-i" and not has_i:
        raise BadNumber(f"missing 'i' suffix in input: '{text}' (e.g Ki/Mi/Gi)")
    if unit[1 + has_i :]:
        raise BadNumber(f"invalid suffix in input '{text}': '{unit[1 + has_i :]}'")
    return (1000 if scale == "si" or (scale == "auto" and not has_i) else 1024) ** power


async def numfmt(invocation: Invocation) -> int:
    """Print each converted number; return 2 if a text is not a number."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        conversion = _conversion(given)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    if "debug" in given and not given.last_of(
        "to", "from", "to-unit", "from-unit", "format", "grouping", "padding"
    ):
        invocation.error("no conversion option specified")
    end = b"\0" if "z" in given else b"\n"
    rows = given.operands or [decode(row) for row in lines(invocation.stdin, end)]
    header = (given.number("header", 1) if "header" in given else 0) if not given.operands else 0
    mode = given.last("invalid", "abort")
    status = 0
    for number, row in enumerate(rows):
        if number < header:
            invocation.print(row, end=end.decode())
            continue
        text = ""
        for piece, problem in _pieces(conversion, row):
            text += piece
            if problem is None:
                continue
            if mode != "ignore":
                invocation.error(str(problem))
            if mode == "abort":
                return FAILED
            status = FAILED if mode == "fail" else status
        invocation.print(text, end=end.decode())
    return status


def _pieces(conversion: Conversion, row: str) -> Iterator[tuple[str, BadNumber | None]]:
    """Yield the fields of a line, converted, and the text between them, each with its problem."""
    delimiter = conversion.given.last("d")
    pattern = rf"[^{re.escape(delimiter)}]*" if delimiter else r"\s*\S*"
    at, field = 0, 1
    while True:
        match = re.compile(pattern).match(row, at)
        text = match[0] if match else ""
        at += len(text)
        if not conversion.converts(field):
            yield text, None
        else:
            aligned = not delimiter and (field > 1 or text[:1].isspace())
            try:
                yield conversion.text(text, aligned=aligned), None
            except BadNumber as problem:
                yield text, problem
        if at >= len(row):
            return
        yield delimiter or " ", None
        at, field = at + 1, field + 1


def _conversion(given: Arguments) -> Conversion:
    """Return the meaning of the options.

    Raises:
        BadValue: A value is invalid; the message is GNU's.
    """
    form = _format(given.last("format"))
    padding = given.last("padding")
    if padding is not None:
        if not re.fullmatch(r"[-+]?\d+", padding) or int(padding) == 0:
            raise BadValue(f"invalid padding value '{padding}'")
        form = Format(form.before, form.after, form.width or int(padding), form.zeros, form.decimals)
    if len(given.last("d", "")) > 1:
        raise BadValue("the delimiter must be a single character")
    units = [_unit(given.last(name, "1")) for name in ("from-unit", "to-unit")]
    return Conversion(given, form, _fields(given.last("field", "1")), *units)


def _unit(text: str) -> int:
    match = UNIT.fullmatch(text)
    if match is None or not text or match[1] == "0":
        raise BadValue(f"invalid unit size: '{text}'")
    power = LETTERS.index(match[2]) + 1 if match[2] else 0
    return int(match[1] or 1) * (1024 if match[3] else 1000) ** power


def _fields(text: str) -> list[tuple[int, float]]:
    found: list[tuple[int, float]] = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d*)(-?)(\d*)", part)
        if match is None or not part or (match[3] and not match[2]):
            raise BadValue(f"invalid field value '{part}'")
        first = int(match[1] or 1)
        last = int(match[3]) if match[3] else math.inf if match[2] else first
        if first < 1:
            raise BadValue("fields are numbered from 1")
        if last < first:
            raise BadValue("invalid decreasing range")
        found.append((first, last))
    return found


def _format(text: str | None) -> Format:
    if text is None:
        return Format()
    plain = text.replace("%%", "\0\0")
    if "%" not in plain:
        raise BadValue(f"format '{text}' has no % directive")
    match = FORMAT.search(plain)
    if match is None or "%" in plain[: match.start()]:
        raise BadValue(f"invalid format '{text}', directive must be %[0]['][-][N][.][N]f")
    if "%" in plain[match.end() :]:
        raise BadValue(f"format '{text}' has too many % directives")
    width = int(match[2] or 0)
    before, after = (part.replace("\0\0", "%") for part in (plain[: match.start()], plain[match.end() :]))
    decimals = None if match[3] is None else int(match[3] or 0)
    if "-" in match[1]:
        return Format(before, after, -width, 0, decimals)
    return Format(before, after, *((0, width) if "0" in match[1] else (width, 0)), decimals)
