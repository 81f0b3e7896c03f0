"""The colors of names in `ls --color`, from LS_COLORS or GNU's defaults (dircolors(5))."""

from __future__ import annotations

import stat
from collections.abc import Mapping

_DEFAULTS = {
    **{"rs": "0", "di": "01;34", "ln": "01;36", "pi": "33", "so": "01;35", "bd": "01;33", "cd": "01;33"},
    **{"ex": "01;32", "su": "37;41", "sg": "30;43", "st": "37;44", "ow": "34;42", "tw": "30;42"},
}
_KINDS = {
    stat.S_IFLNK: "ln",
    stat.S_IFIFO: "pi",
    stat.S_IFSOCK: "so",
    stat.S_IFBLK: "bd",
    stat.S_IFCHR: "cd",
}


class Colors:
    """The colors of kinds of files and of extensions.

    Args:
        env: The variables LS_COLORS and TERM are used: a terminal of no known kind has no colors.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        given = env.get("LS_COLORS", "")
        pairs = [part.partition("=") for part in given.split(":") if "=" in part]
        self._extensions = {key[1:]: value for key, _, value in pairs if key.startswith("*")}
        self._kinds = {**_DEFAULTS, **{key: value for key, _, value in pairs if not key.startswith("*")}}
        self._works = bool(given) or env.get("TERM", "dumb") != "dumb"
        self._painted = False

    def paint(self, text: str, name: str, mode: int | None, *, is_orphan: bool) -> str:
        """Return a name in its color.

        Args:
            text: The name as it is printed.
            name: The name.
            mode: The mode of the file; None if there is no such file.
            is_orphan: Whether it is a link that leads to nothing, or the missing file itself.
        """
        color = self._color(name, mode, is_orphan=is_orphan) if self._works else ""
        if not color:
            return text
        # GNU's resets the colors of the terminal before the first one.
        reset = f"\x1b[{self._kinds['rs']}m"
        start, self._painted = ("" if self._painted else reset), True
        return f"{start}\x1b[{color}m{text}{reset}"

    def _color(self, name: str, mode: int | None, *, is_orphan: bool) -> str:
        kinds = self._kinds
        if is_orphan and (color := kinds.get("mi" if mode is None else "or", "")):
            return color
        if mode is None:
            return ""
        if stat.S_ISDIR(mode):
            writable, sticky = mode & stat.S_IWOTH, mode & stat.S_ISVTX
            kind = "tw" if writable and sticky else "ow" if writable else "st" if sticky else "di"
            return kinds[kind]
        if not stat.S_ISREG(mode):
            return kinds.get(_KINDS.get(stat.S_IFMT(mode), ""), "")
        if mode & stat.S_ISUID or mode & stat.S_ISGID:
            return kinds["su" if mode & stat.S_ISUID else "sg"]
        if mode & 0o111:
            return kinds["ex"]
        # The last pattern that fits counts.
        return next((color for end, color in reversed(self._extensions.items()) if name.endswith(end)), "")
