"""Regular expressions that search many lines at once, which is faster than one search for each line."""

from __future__ import annotations

import re

from gemini_userland.patterns import ANY, ANY_OR_BREAK, ESCAPES, WORD

_ANY = f"(?:{re.escape(ANY)}|{re.escape(ANY_OR_BREAK)})"
# An item of a set that is no line break, and no range that contains one.
_ITEM = r"(?:[^\]\\\x00-\x08\x0a-\x1f\t]|\t(?!-)|\\t(?!-)|\\[^\w\n]|\\d)"
_SET = rf"\[(?!\^){_ITEM}+\]"
# A set with letters beyond ASCII (patterns.py).
_LETTERS = rf"\(\?:(?P<narrow>\[(?!\^){_ITEM}+\])\(\?#letters\).*?\(\?#\)\)"
_NO_LETTERS = rf"\(\?:\(\?!{_LETTERS.replace('narrow', 'unlisted')}\){_ANY}\)"
_NEGATED = rf"\(\?:\(\?!(?P<excluded>\[(?!\^){_ITEM}+\])\){_ANY}\)"
_ANCHORS = "|".join(re.escape(ESCAPES[letter]) for letter in "bB<>")
_TOKEN = re.compile(
    rf"(?P<negated>{_NEGATED})|(?P<letters>{_LETTERS})|(?P<others>{_NO_LETTERS})|(?P<byte>\[\^\\n{_ITEM}*\])|(?P<any>{_ANY})|(?P<start>\^|\\A)|(?P<end>\$|\\Z)"
    rf"|(?P<anchor>{_ANCHORS}|\(\?<!{re.escape(WORD)}\)|\(\?!{re.escape(WORD)}\)|\\b|\(\?<!\\w\)|\(\?!\\w\))"
    rf"|(?P<atom>{re.escape(WORD)}|{_SET}|\.|\\[dw1-9]|\\[^\w\n]|[^\\\n\[\]()|*+?{{}}^$.])"
    r"|(?P<repeat>[*+?]|\{\d+,?\d*\})|(?P<open>\((?:\?:|(?!\?)))|(?P<close>\))|(?P<or>\|)".encode("latin-1")
)
_GROUPS = {"excluded": "negated", "narrow": "letters", "unlisted": "others"}
_OPTIONAL = re.compile(rb"[*?]|\{0")


def within_lines(pattern: re.Pattern[bytes], *, ascii_only: bool) -> bytes | None:
    """Return the source of an expression that finds in a block what `pattern` finds in each of its lines.

    Args:
        pattern: An expression for a line without its end.
        ascii_only: Whether the block consists of ASCII characters; then the expression is simpler.

    Returns:
        The source for the flag MULTILINE, or None if a match might be empty or contain a line break.
    """
    source = pattern.pattern
    pieces: list[bytes] = []
    at, needs_atom = 0, True
    while at < len(source):
        token = _TOKEN.match(source, at)
        if token is None:
            return None
        kind = _GROUPS.get(token.lastgroup or "", token.lastgroup)
        at = token.end()
        if kind in ("negated", "letters", "others", "byte", "any", "atom"):
            if needs_atom and _OPTIONAL.match(source, at):
                return None
            needs_atom = False
        elif kind == "or" or kind == "close":
            # Each alternative must match something.
            if needs_atom or (kind == "close" and _OPTIONAL.match(source, at)):
                return None
            needs_atom = kind == "or"
        elif kind == "open":
            needs_atom = True
        elif kind == "repeat" and needs_atom:
            return None
        pieces.append(_piece(kind, token, ascii_only=ascii_only))
    return None if needs_atom else b"".join(pieces)


def _piece(kind: str | None, token: re.Match[bytes], *, ascii_only: bool) -> bytes:
    match kind:
        case "any":
            return rb"[^\n]" if ascii_only else ANY.encode()
        case "negated":
            excluded = token["excluded"]
            return rb"[^\n%s" % excluded[1:] if ascii_only else rb"(?:(?!%s)%s)" % (excluded, ANY.encode())
        case "letters":
            return token["narrow"] if ascii_only else token[0]
        case "others":
            return (
                rb"[^\n%s" % token["unlisted"][1:]
                if ascii_only
                else token[0].replace(ANY_OR_BREAK.encode(), ANY.encode())
            )
        case "start":
            return b"^"
        case "end":
            return b"$"
        case _:
            return token[0]
