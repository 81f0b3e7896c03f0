"""`tr`: translate, squeeze or delete bytes (POSIX, and GNU coreutils manual, 9.1)."""

from __future__ import annotations

import re

from gemini_userland.counts import BadValue
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import encode
from gemini_userland.tr_sets import Set, complement, parse_set

SYNTAX = Syntax(
    short="cCdst",
    long={"complement": "c", "delete": "d", "squeeze-repeats": "s", "truncate-set1": "t"},
    help="""
Usage: tr [OPTION]... STRING1 [STRING2]
Translate, squeeze or delete bytes of standard input.

  -c, -C, --complement   use the bytes that STRING1 lacks
  -d, --delete           delete the bytes of STRING1
  -s, --squeeze-repeats  replace repeats of a byte of the last STRING by one
  -t, --truncate-set1    shorten STRING1 to the length of STRING2

A STRING consists of bytes, ranges (a-z), classes ([:upper:], [:digit:], ...), [=C=], [C*N], and the escapes
\\NNN (octal), \\\\, \\a, \\b, \\f, \\n, \\r, \\t and \\v.
""",
)
REASONS = {
    "translate": "Two strings must be given when translating.",
    "both": "Two strings must be given when both deleting and squeezing repeats.",
    "delete": "Only one string may be given when deleting without squeezing repeats.",
}
ALL = bytes(range(256))


async def tr(invocation: Invocation) -> int:
    """Print the changed input; return 1 for strings that have no meaning."""
    given = SYNTAX.parse(invocation, _before_operands(invocation.argv[1:]))
    if isinstance(given, int):
        return given
    deletes, squeezes = "d" in given, "s" in given
    strings = given.operands
    if problem := _problem(strings, deletes=deletes, squeezes=squeezes):
        return SYNTAX.usage_error(invocation, problem)
    try:
        sets = [parse_set(encode(text)) for text in strings]
        for number, found in enumerate(sets):
            for warning in found.warnings:
                invocation.error(f"warning: {warning}")
            if number == 0 and found.fills:
                raise BadValue("the [c*] repeat construct may not appear in string1")
        data = _changed(invocation.stdin, sets, given)
    except BadValue as problem:
        invocation.error(str(problem))
        return 1
    invocation.stdout.write(data)
    return 0


def _before_operands(arguments: list[str]) -> list[str]:
    """Return arguments whose options end before the first operand, as in POSIX."""
    for at, word in enumerate(arguments):
        if word == "--":
            break
        if not word.startswith("-") or word == "-":
            return [*arguments[:at], "--", *arguments[at:]]
    return arguments


def _problem(strings: list[str], *, deletes: bool, squeezes: bool) -> str:
    if not strings:
        return "missing operand"
    least = 1 if deletes != squeezes else 2
    most = 1 if deletes and not squeezes else 2
    if len(strings) < least:
        return f"missing operand after '{strings[-1]}'\n" + REASONS["both" if deletes else "translate"]
    if len(strings) > most:
        reason = "\n" + REASONS["delete"] if len(strings) == 2 else ""
        return f"extra operand '{strings[most]}'{reason}"
    return ""


def _changed(data: bytes, sets: list[Set], given: Arguments) -> bytes:
    first = sets[0].bytes()
    if "c" in given or "C" in given:
        first = complement(first)
    if "d" in given:
        data = data.translate(None, first)
        if "s" in given:
            if sets[1].fills:
                raise BadValue("the [c*] construct may appear in string2 only when translating")
            data = _squeeze(data, sets[1].bytes())
        return data
    if len(sets) == 1:
        return _squeeze(data, first)
    whole = not ("c" in given or "C" in given)
    second = _second(sets, first, given, whole=whole)
    table = bytearray(ALL)
    for source, target in zip(first, second, strict=False):
        table[source] = target
    data = data.translate(bytes(table))
    return _squeeze(data, second) if "s" in given else data


def _second(sets: list[Set], first: bytes, given: Arguments, *, whole: bool) -> bytes:
    """Return the bytes that replace the bytes of `first`."""
    one, other = sets
    if other.fills > 1:
        raise BadValue("only one [c*] repeat construct may appear in string2")
    if other.equivalents:
        raise BadValue("[=c=] expressions may not appear in string2 when translating")
    if set(other.classes.values()) - {"upper", "lower"}:
        raise BadValue(
            "when translating, the only character classes that may appear in\nstring2 are 'upper' and 'lower'"
        )
    for at in other.classes:
        if not whole or one.classes.get(at) not in ("upper", "lower"):
            raise BadValue("misaligned [:upper:] and/or [:lower:] construct")
    second = other.bytes(len(first))
    if len(second) < len(first) and "t" not in given:
        if not second:
            raise BadValue("when not truncating set1, string2 must be non-empty")
        if other.ends_with_class:
            raise BadValue(
                "when translating with string1 longer than string2,\n"
                "the latter string must not end with a character class"
            )
        second += second[-1:] * (len(first) - len(second))
    if not whole and one.classes and len(set(second)) > 1:
        raise BadValue(
            "when translating with complemented character classes,\n"
            "string2 must map all characters in the domain to one"
        )
    return second


def _squeeze(data: bytes, chosen: bytes) -> bytes:
    if not chosen:
        return data
    return re.sub(b"([%s])\\1+" % re.escape(chosen), rb"\1", data, flags=re.DOTALL)
