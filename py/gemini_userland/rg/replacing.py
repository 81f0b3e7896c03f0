"""Replacements for matches."""

from __future__ import annotations

import re
from collections.abc import Callable

Replace = Callable[[re.Match[str]], str]


def replacement(text: str) -> Replace:
    """Return a function that writes a replacement such as `$1-${name}` for a match; unknown groups are empty."""
    piece = re.compile(r"\$\$|\$(?:\{([^}]*)\}|(\w+))")

    def replaced(match: re.Match[str]) -> str:
        def group(found: re.Match[str]) -> str:
            name = found[1] if found[1] is not None else found[2]
            if name is None:
                return "$"
            try:
                return match[int(name) if name.isdigit() else name] or ""
            except IndexError:
                return ""

        return piece.sub(group, text)

    return replaced
