"""The colors that `rg --colors` sets, as escape sequences (ECMA-48, SGR).

Source: ripgrep's manual page, rg(1), `--colors`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

RESET = "\x1b[0m"
_NAMES = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
_STYLES = {
    f"{prefix}{name}": (name, not prefix)
    for prefix in ("no", "")
    for name in ("bold", "intense", "underline")
}
_NUMBER = r"(?:0x[0-9A-Fa-f]{1,2}|\d{1,3})"
_MOST = 255


@dataclass(frozen=True)
class _Look:
    foreground: str = ""
    background: str = ""
    bold: bool = False
    underline: bool = False
    intense: bool = False

    def escape(self) -> str:
        codes = [code for code, on in (("1", self.bold), ("4", self.underline)) if on]
        codes += [self._code(self.foreground, 3), self._code(self.background, 4)]
        return "".join(f"\x1b[{code}m" for code in codes if code)

    def _code(self, color: str, layer: int) -> str:
        """Return the code of a color; `layer` is 3 for the text, 4 for the background."""
        if not color:
            return ""
        if color in _NAMES:
            number = _NAMES.index(color)
            return f"{layer}8;5;{number + 8}" if self.intense else f"{layer}{number}"
        numbers = [int(number, 0) for number in color.split(",")]
        return f"{layer}8;{'5' if len(numbers) == 1 else '2'};{';'.join(map(str, numbers))}"


_LOOKS = {
    "path": _Look(foreground="magenta"),
    "line": _Look(foreground="green"),
    "column": _Look(),
    "match": _Look(foreground="red", bold=True),
}


def palette(specifications: Iterable[str]) -> Mapping[str, str]:
    """Return the escape sequence of each part: path, line, column and match.

    Args:
        specifications: `PART:none`, `PART:fg:COLOR`, `PART:bg:COLOR` or `PART:style:STYLE`; the last ones count.

    Raises:
        ValueError: One has another form.
    """
    looks = dict(_LOOKS)
    for text in specifications:
        part, _, rest = text.partition(":")
        kind, _, value = rest.partition(":")
        if part not in looks or not rest:
            raise ValueError(
                f"invalid color spec format: '{text}'. "
                "Valid format is '(path|line|column|match):(fg|bg|style):(value)'."
            )
        looks[part] = _Look() if rest == "none" else _changed(looks[part], kind, value)
    return {part: look.escape() for part, look in looks.items()}


def _changed(look: _Look, kind: str, value: str) -> _Look:
    if kind == "style":
        if value not in _STYLES:
            names = ", ".join(_STYLES)
            raise ValueError(f"unrecognized style attribute '{value}'. Choose from: {names}.")
        name, on = _STYLES[value]
        return replace(look, **{name: on})
    if kind not in ("fg", "bg"):
        raise ValueError(f"unrecognized spec type '{kind}'. Choose from: fg, bg, style, none.")
    if value not in _NAMES and not _is_number(value):
        raise ValueError(
            f"unrecognized color name '{value}'. Choose from: black, blue, green, red, cyan, magenta, yellow, white"
        )
    return replace(look, foreground=value) if kind == "fg" else replace(look, background=value)


def _is_number(value: str) -> bool:
    if not re.fullmatch(rf"{_NUMBER}(?:,{_NUMBER},{_NUMBER})?", value):
        return False
    return all(number.startswith("0x") or int(number) <= _MOST for number in value.split(","))
