"""`sort --debug`: underlines the part of each line that is compared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.sort_keys import Key
from gemini_userland.text import decode

_BYTES_IN_ORDER = ("", "C", "POSIX")
# The part of a key that is read, behind its blanks.
_READ = {
    "n": re.compile(rb"-?(?:\d+\.?\d*|\.\d+)"),
    "h": re.compile(rb"-?(?:\d+\.?\d*|\.\d+)[kKMGTPEZY]?"),
    "g": re.compile(rb"[-+]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|inf(?:inity)?|nan)", re.IGNORECASE),
    "M": re.compile(rb"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)", re.IGNORECASE),
}


def explained(
    invocation: Invocation, given: Arguments, found: Sequence[bytes], keys: Sequence[Key]
) -> list[bytes]:
    """Return the lines, below each a line for every key that underlines the compared part."""
    env = invocation.env
    locale = env.get("LC_ALL") or env.get("LC_COLLATE") or env.get("LANG", "")
    # Lines are in byte order here, which in UTF-8 is the order of characters, too.
    is_plain = locale in _BYTES_IN_ORDER or not locale.startswith("C.")
    rules = "using simple byte comparison" if is_plain else f"performed using '{locale}' sorting rules"
    invocation.error(f"text ordering {'performed ' if is_plain else ''}{rules}")
    has_last_resort = "s" not in given and "u" not in given
    is_whole = keys[0].whole and not keys[0].letters.strip("r")
    shown: list[bytes] = []
    for line in found:
        shown.append(line.replace(b"\t", b">"))
        shown += [_mark(line, *_compare(key, line)) for key in keys if not is_whole]
        if has_last_resort or is_whole:
            shown.append(_mark(line, 0, len(line)))
    return shown


def _compare(key: Key, line: bytes) -> tuple[int, int]:
    """Return the start and the end of what a key compares."""
    start, end = key.span(line)
    letter = next((letter for letter in "Mghn" if letter in key.letters), "")
    if letter or (key.whole and "b" in key.letters):
        while start < end and line[start] in b" \t":
            start += 1
    if not letter:
        return start, end
    match = _READ[letter].match(line, start, max(start, end))
    return start, match.end() if match else start


def _mark(line: bytes, start: int, end: int) -> bytes:
    blanks = b" " * len(decode(line[:start]))
    if end <= start:
        return blanks + b"^ no match for key"
    return blanks + b"_" * len(decode(line[start:end]))
