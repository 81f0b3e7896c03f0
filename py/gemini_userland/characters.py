"""The characters of a command's locale: in `C` and `POSIX` each byte is a character (POSIX, XBD 6.2 and 7.2).

Text is decoded with lone surrogates for bytes that the locale's encoding lacks. So what looks at characters sees bytes
in the locale `C`, and all is written as it was read.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

from gemini_userland.invocation import Invocation

# The commands whose output depends on what a character is. All others read UTF-8 in every locale.
_DEPENDENT = frozenset(
    (
        *(
            "awk",
            "gawk",
            "mawk",
            "nawk",
            "cmp",
            "column",
            "diff",
            "dir",
            "egrep",
            "expr",
            "fgrep",
            "find",
            "grep",
        ),
        *("iconv", "ls", "pr", "rev", "sed", "stat", "tree", "vdir", "wc"),
    )
)
_VARIABLES = ("LC_ALL", "LC_CTYPE", "LANG")
_UNICODE = re.compile(r"C\.utf-?8", re.IGNORECASE)
_encoding: ContextVar[str] = ContextVar("encoding", default="utf-8")


def encoding() -> str:
    """Return the codec of the running command's text: `utf-8`, or `ascii` where each byte is a character."""
    return _encoding.get()


def in_bytes() -> bool:
    """Return whether each byte is a character."""
    return _encoding.get() == "ascii"


def in_characters(text: str) -> str:
    """Return text, decoded as UTF-8, in the characters of the locale."""
    if text.isascii() or not in_bytes():
        return text
    return text.encode("utf-8", "surrogateescape").decode("ascii", "surrogateescape")


def is_unicode(name: str) -> bool:
    """Return whether a locale is the one with UTF-8 that the page has, as a Debian without further locales."""
    return _UNICODE.fullmatch(name) is not None


def is_plain(env: Mapping[str, str]) -> bool:
    """Return whether an environment chooses the locale C, which also stands for one that isn't there."""
    # Without an environment the locale is the page's.
    return bool(env) and not is_unicode(next((env[name] for name in _VARIABLES if env.get(name)), ""))


@contextmanager
def locale_of(invocation: Invocation) -> Generator[None]:
    """Let a command run in the locale of its environment; its arguments are decoded accordingly."""
    if invocation.name not in _DEPENDENT or not is_plain(invocation.env):
        yield
        return
    token = _encoding.set("ascii")
    invocation.argv = [in_characters(word) for word in invocation.argv]
    invocation.env = {name: in_characters(value) for name, value in invocation.env.items()}
    try:
        yield
    finally:
        _encoding.reset(token)
