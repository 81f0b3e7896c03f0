"""`seq`: print a sequence of numbers."""

from __future__ import annotations

import re
from decimal import Decimal, InvalidOperation

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax

SYNTAX = Syntax(
    short="f:s:w",
    long={"format=": "f", "separator=": "s", "equal-width": "w"},
    help="""
Usage: seq [OPTION]... LAST
  or:  seq [OPTION]... FIRST LAST
  or:  seq [OPTION]... FIRST INCREMENT LAST
Print the numbers from FIRST (default: 1) to LAST, in steps of INCREMENT (default: 1).

  -f, --format=FORMAT   print them as printf does, with one of %a %e %f %g %A %E %F %G
  -s, --separator=TEXT  print TEXT between them (default: a newline)
  -w, --equal-width     fill up with zeros to the same width
""",
)
FORMAT = re.compile(r"((?:[^%]|%%)*)%([-+#0 ']*)(\d*)(\.\d*)?L?([aefgAEFG])((?:[^%]|%%)*)", re.DOTALL)
BATCH = 1000


async def seq(invocation: Invocation) -> int:
    """Print the numbers; return 1 if an operand isn't one."""
    given = SYNTAX.parse(invocation, _negatives_as_operands(invocation.argv[1:]))
    if isinstance(given, int):
        return given
    words = given.operands
    if not 1 <= len(words) <= 3:
        return SYNTAX.usage_error(invocation, f"extra operand '{words[3]}'" if words else "missing operand")
    try:
        for word in words:
            if not _is_number(word):
                return SYNTAX.usage_error(invocation, f"invalid floating point argument: '{word}'")
        spelled = [words[0] if len(words) > 1 else "1", words[1] if len(words) == 3 else "1", words[-1]]
        first, step, last = map(_number, spelled)
        if step == 0:
            return SYNTAX.usage_error(invocation, f"invalid Zero increment value: '{words[1]}'")
        if not last.is_finite() or not first.is_finite():
            raise BadValue("a sequence without an end isn't possible here: give a last number, or use `yes`")
        form = given.last("f")
        if form is not None and "w" in given:
            return SYNTAX.usage_error(
                invocation, "format string may not be specified when printing equal width strings"
            )
        layout = (
            _layout(form) if form is not None else _default(spelled, first, step, last, equal="w" in given)
        )
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    separator = given.last("s", "\n")
    await _print(invocation, (first, step, last), layout, separator)
    return 0


def _negatives_as_operands(arguments: list[str]) -> list[str]:
    """Return arguments whose options end before the first operand, which may be a negative number."""
    at = 0
    while at < len(arguments):
        word = arguments[at]
        if word == "--" or not word.startswith("-") or re.match(r"-[\d.]|-(?:inf|nan)", word):
            return arguments if word == "--" else [*arguments[:at], "--", *arguments[at:]]
        at += 2 if word in ("-f", "-s", "--format", "--separator") else 1
    return arguments


def _is_number(word: str) -> bool:
    return (
        re.fullmatch(
            r"\s*[-+]?(\d+\.?\d*(e[-+]?\d+)?|\.\d+(e[-+]?\d+)?|0x[\da-f]+|inf(inity)?)", word, re.IGNORECASE
        )
        is not None
    )


def _number(word: str) -> Decimal:
    text = word.strip().lower()
    if "0x" in text:
        return Decimal(int(text, 16))
    try:
        return Decimal(text)
    except InvalidOperation as error:
        raise BadValue(f"invalid floating point argument: '{word}'") from error


def _places(word: str) -> int | None:
    """Return the number of decimal places of an operand as it is written, or None if the format is %g."""
    text = word.strip().lower()
    if "0x" in text or "inf" in text:
        return 0 if "0x" in text else None
    mantissa, _, exponent = text.partition("e")
    places = len(mantissa.partition(".")[2])
    return max(0, places - int(exponent or 0))


def _width(word: str, places: int) -> int:
    text = word.strip().lower().removeprefix("+")
    if "e" in text or "x" in text:
        text = f"{_number(text):f}"
    whole = text.partition(".")[0]
    whole += "0" if whole in ("", "-") else ""
    return len(whole) + (places + 1 if places else 0)


Layout = tuple[str, str, str]
"""The text before the number, its format as for %, and what follows."""


def _default(spelled: list[str], first: Decimal, step: Decimal, last: Decimal, *, equal: bool) -> Layout:
    known = [_places(spelled[0]), _places(spelled[1])]
    if None in known or not (first.is_finite() and step.is_finite()):
        return "", "%g", ""
    places = max(found for found in known if found is not None)
    if not equal or not last.is_finite():
        return "", f"%.{places}f", ""
    width = max(
        _width(spelled[0], places),
        _width(_last_text(first, step, last, places), places),
        _width(spelled[2].strip().partition(".")[0], places),
    )
    return "", f"%0{width}.{places}f", ""


def _last_text(first: Decimal, step: Decimal, last: Decimal, places: int) -> str:
    return f"{last:.{places}f}"


def _layout(form: str) -> Layout:
    match = FORMAT.fullmatch(form)
    if match is None:
        directives = re.findall(r"%(?!%)", form.replace("%%", ""))
        if not directives:
            raise BadValue(f"format '{form}' has no % directive")
        if len(directives) > 1:
            raise BadValue(f"format '{form}' has too many % directives")
        raise BadValue(f"format '{form}' has unknown or unsupported % directive")
    if match[5] in "aA":
        raise BadValue("%a isn't supported: use printf '%a\\n' $(seq ...)")
    flags = match[2].replace("'", "")
    return (
        match[1].replace("%%", "%"),
        f"%{flags}{match[3]}{match[4] or ''}{match[5]}",
        match[6].replace("%%", "%"),
    )


async def _print(
    invocation: Invocation, numbers: tuple[Decimal, Decimal, Decimal], layout: Layout, separator: str
) -> None:
    first, step, last = numbers
    before, form, after = layout
    fixed = re.fullmatch(r"%(0?)(\d*)\.(\d+)f", form)
    count = 0
    rows: list[str] = []
    while True:
        # The first one may be -0.
        value = first + step * count if count else first
        if value > last if step > 0 else value < last:
            break
        # Decimals are exact, also where a float is not.
        shown = f"{value:{fixed[1]}{fixed[2]}.{fixed[3]}f}" if fixed else form % float(value)
        rows.append(("" if count == 0 else separator) + before + shown + after)
        count += 1
        if len(rows) == BATCH:
            invocation.print("".join(rows), end="")
            rows = []
            if (wait := invocation.stdout.writable()) is not None:
                await wait
    invocation.print("".join(rows), end="\n" if count else "")
