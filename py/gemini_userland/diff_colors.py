"""The colors of `diff --color` (GNU diffutils manual, 16.1), as SGR sequences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from gemini_userland.counts import BadValue
from gemini_userland.options import Arguments

_DEFAULTS = {"rs": b"0", "hd": b"1", "ad": b"32", "de": b"31", "ln": b"36"}


@dataclass(frozen=True)
class Colors:
    """Colors by what a line is: `hd` for names, `ln` for line numbers, `de` and `ad` for old and new lines.

    Attributes:
        codes: The colors; none if nothing is colored.
    """

    codes: Mapping[str, bytes] = field(default_factory=dict[str, bytes])

    def paint(self, kind: str, text: bytes) -> bytes:
        """Return a text in the color of its kind. A line's end stays outside."""
        color = self.codes.get(kind)
        if color is None or not text:
            return text
        line = text.removesuffix(b"\n")
        return b"\x1b[%sm%s\x1b[%sm%s" % (color, line, self.codes["rs"], text[len(line) :])

    def start(self, kind: str) -> bytes:
        """Return the sequence that begins a color, or nothing."""
        color = self.codes.get(kind)
        return b"" if color is None else b"\x1b[%sm" % color


def choose_colors(given: Arguments, *, is_terminal: bool) -> Colors:
    """Return the colors that the options mean.

    Args:
        given: The options.
        is_terminal: Whether the output is shown on a terminal that has colors.

    Raises:
        BadValue: A value is invalid.
    """
    when = given.last("color")
    if when not in (None, "", "always", "never", "auto"):
        raise BadValue(f"invalid color '{when}'")
    if when is None or when == "never" or (when != "always" and not is_terminal):
        return Colors()
    codes = dict(_DEFAULTS)
    for pair in given.last("palette", "").split(":"):
        name, _, code = pair.partition("=")
        if pair and name not in codes:
            raise BadValue(f"unrecognized prefix: {name}")
        if pair:
            codes[name] = code.encode()
    return Colors(codes)
