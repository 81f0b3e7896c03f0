"""Quotes names as `ls` does (GNU coreutils manual, 10.1.7 "Formatting the file names").

The rules of when a name needs quotes are gnulib's (`quotearg`).
"""

from __future__ import annotations

import os
import re

from gemini_userland.characters import in_characters

STYLES = (
    "literal",
    "shell",
    "shell-always",
    "shell-escape",
    "shell-escape-always",
    "c",
    "c-maybe",
    "escape",
    "locale",
    "clocale",
)
"""The words of `--quoting-style`."""

_SPECIAL = re.compile(r"[\s!\"$&()*;<=>?\[\\^`|']|^[#~]|^[{}]$")
# Text that is the same in a shell's double quotes as in single ones, but for the quote itself.
_IN_DOUBLE = re.compile(r"(?:[ '%+,./0-9A-Za-z:\]_@-]|[^\x00-\x7f]|^[#~{}])*")
_LETTERS = {"\a": "a", "\b": "b", "\f": "f", "\n": "n", "\r": "r", "\t": "t", "\v": "v"}


def quote(name: str, style: str, *, hides: bool = False) -> str:
    """Return a name as it is printed.

    Args:
        name: The name; bytes that aren't UTF-8 are lone surrogates.
        style: One of `STYLES`.
        hides: Whether `?` stands for a character that can't be printed, in the styles that don't escape it.
    """
    name = in_characters(name)
    if style == "literal":
        return hidden(name) if hides else name
    if style.startswith("shell"):
        return _for_shell(name, style, hides=hides)
    if style == "escape":
        return "".join("\\ " if one == " " else _escape(one, "\\") for one in name)
    if style in ("locale", "clocale"):
        return f"‘{''.join(_escape(one, chr(92) + '’') for one in name)}’"
    text = "".join(_escape(one, '\\"') for one in name)
    return text if style == "c-maybe" and text == name else f'"{text}"'


def hidden(name: str) -> str:
    """Return a name with `?` for each character that can't be printed."""
    return "".join(one if one.isprintable() else "?" for one in name)


def _escape(one: str, marked: str) -> str:
    """Return a character as in C; those in `marked` get a backslash."""
    if one in marked:
        return "\\" + one
    if one in _LETTERS:
        return "\\" + _LETTERS[one]
    return one if one.isprintable() else "".join(f"\\{byte:03o}" for byte in os.fsencode(one))


def _for_shell(name: str, style: str, *, hides: bool) -> str:
    escapes = "escape" in style
    shown = hidden(name) if hides and not escapes else name
    is_plain = shown != "" and not _SPECIAL.search(shown) and (shown.isprintable() or not escapes)
    if is_plain:
        return f"'{shown}'" if style.endswith("always") else shown
    if "'" in shown and _IN_DOUBLE.fullmatch(shown):
        return f'"{shown}"'
    if not escapes:
        return "'" + shown.replace("'", "'\\''") + "'"
    pieces = re.findall(r"[^\x00-\x1f\x7f-\x9f\udc80-\udcff]+|[\x00-\x1f\x7f-\x9f\udc80-\udcff]+", shown)
    text = ""
    for at, piece in enumerate(pieces):
        if piece.isprintable():
            text += "'" + piece.replace("'", "'\\''") + "'"
        else:
            # A quote is open before and after such a part.
            text += ("''" if at == 0 else "") + "$'" + "".join(_escape(one, "") for one in piece) + "'"
    return text or "''"
