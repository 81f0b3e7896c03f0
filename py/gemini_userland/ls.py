"""`ls`, `dir` and `vdir`: list directories and files.

Source: the GNU coreutils manual, "Directory listing".
"""

from __future__ import annotations

import fnmatch
import os
import stat
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from urllib.parse import quote as quote_url

from gemini_userland.clock import zone_of
from gemini_userland.counts import BadValue
from gemini_userland.date import formatted
from gemini_userland.find.owners import group_names, user_names
from gemini_userland.invocation import Invocation
from gemini_userland.ls_colors import Colors
from gemini_userland.ls_entry import Entry, ordered, time_of
from gemini_userland.ls_layout import arranged, separated, width_of
from gemini_userland.ls_options import SYNTAX, Choices, choices, is_shown
from gemini_userland.options import Arguments
from gemini_userland.quoting import hidden, quote

HALF_A_YEAR_S = 365.2425 * 86400 / 2
STYLES = ("full-iso", "long-iso", "iso", "locale")
# The formats of a style for recent and for other times.
FORMATS = {
    "long-iso": ("%Y-%m-%d %H:%M",) * 2,
    "iso": ("%m-%d %H:%M", "%Y-%m-%d "),
    "locale": ("%b %e %H:%M", "%b %e  %Y"),
}
FULL = "full-iso"
# What -F puts behind names.
MARKS = {stat.S_IFDIR: "/", stat.S_IFLNK: "@", stat.S_IFIFO: "|", stat.S_IFSOCK: "="}
LEFT = ("owner", "group")


class Listing:
    """A call of ls."""

    def __init__(
        self, invocation: Invocation, given: Arguments, chosen: Choices, terminal: int | None
    ) -> None:
        self._invocation = invocation
        self._given = given
        self._chosen = chosen
        self._long = chosen.form == "verbose"
        self._zone = zone_of(invocation) if self._long else UTC
        self._end = "\0" if "zero" in given else "\n"
        self._style = _time_style(invocation, given)
        self._colors = Colors(invocation.env) if is_shown(given, "color", terminal) else None
        self._links = is_shown(given, "hyperlink", terminal)
        shows = terminal is None or invocation.name != "ls" or "zero" in given
        by_default = None if shows else "q"
        self._hides_names = (given.last_of("q", "show-control-chars") or by_default) == "q"
        self._exit_code = 0
        self._first = True

    def run(self, names: list[str]) -> int:
        """List the operands and return the exit code."""
        entries = [entry for name in names if (entry := self._entry(name, name, top=True)) is not None]
        directories = [] if "d" in self._given else [entry for entry in entries if entry.is_directory]
        files = [entry for entry in entries if entry not in directories]
        self._print(self._sort(files), entries)
        self._first = not files
        for entry in self._sort(directories):
            self._list(entry.name, headed=len(names) > 1 or "R" in self._given, top=True)
        return self._exit_code

    def _entry(self, name: str, path: str, *, top: bool = False) -> Entry | None:
        whole = os.fsencode(self._invocation.path(path)) if path else b""
        given = self._given
        choice = given.last_of("L", "H", "to-dir")
        follows = choice == "L" or (top and choice == "H") or path.endswith("/")
        by_default = "d" not in given and not self._long and self._chosen.indicators != "classify"
        tries = top and (choice == "to-dir" or (choice is None and by_default))
        try:
            found = os.stat(whole) if follows or tries else os.lstat(whole)
            if tries and not follows and not stat.S_ISDIR(found.st_mode):
                found = os.lstat(whole)
        except OSError as error:
            try:
                if path.endswith("/") or (choice == "L" and (top or self._long)) or (top and choice == "H"):
                    raise
                found = os.lstat(whole)
            except OSError:
                self._invocation.error(f"cannot access '{path}': {error.strerror}")
                self._exit_code = max(self._exit_code, 2 if top else 1)
                return None
        return Entry(name, path, found, whole)

    def _list(self, directory: str, *, headed: bool, top: bool = False) -> None:
        try:
            names = os.listdir(self._invocation.path(directory))
        except OSError as error:
            self._invocation.error(f"cannot open directory '{directory}': {error.strerror}")
            self._exit_code = max(self._exit_code, 2 if top else 1)
            return
        if headed:
            self._invocation.print(f"{'' if self._first else chr(10)}{self._quote(directory)}:")
        self._first = False
        found = [self._entry(name, f"{directory.rstrip('/')}/{name}") for name in self._format(names)]
        entries = self._sort([entry for entry in found if entry is not None])
        if self._long or "s" in self._given:
            self._invocation.print(
                f"total {self._chosen.blocks.show(sum(entry.blocks for entry in entries))}", end=self._end
            )
        self._print(entries, entries)
        if "R" in self._given:
            for entry in entries:
                if entry.is_directory and entry.name not in (".", ".."):
                    self._list(entry.path, headed=True)

    def _format(self, names: list[str]) -> list[str]:
        """Return the names of a directory that the options don't leave out."""
        given = self._given
        which = given.last_of("a", "A", "f")
        patterns = (
            given.all("I") + (["*~"] if "B" in given else []) + (given.all("hide") if which is None else [])
        )

        def is_out(name: str) -> bool:
            # A leading dot is matched by a dot only.
            return any(
                fnmatch.fnmatchcase(name, pattern.replace("[^", "[!"))
                and (pattern.startswith(".") or not name.startswith("."))
                for pattern in patterns
            )

        found = [".", "..", *names] if which in ("a", "f") else names
        return [name for name in found if (which or not name.startswith(".")) and not is_out(name)]

    def _sort(self, entries: list[Entry]) -> list[Entry]:
        chosen, given = self._chosen, self._given
        return ordered(
            entries,
            chosen.sort,
            chosen.time,
            lambda name: width_of(self._quote(name)),
            backwards="r" in given,
            folders="group-directories-first" in given,
        )

    def _print(self, entries: list[Entry], measured: Sequence[Entry]) -> None:
        """Print files, in columns as wide as for all of `measured`."""
        if not entries:
            return
        chosen = self._chosen
        cells = [self._cells(entry) for entry in entries]
        kinds = list(cells[0])
        measures = cells if measured is entries else [self._cells(entry) for entry in measured]
        widths = {kind: max(width_of(row[kind]) for row in measures) for kind in kinds}
        if chosen.form == "commas":
            widths = dict.fromkeys(kinds, 0)
        shown = self._names(entries)
        texts: list[str] = []
        sizes: list[int] = []
        for row, (text, width) in zip(cells, shown, strict=True):
            # Owner and group are left-aligned, the others right-aligned.
            fields = [_pad(row[kind], widths[kind], left=kind in LEFT) for kind in kinds]
            before = "".join(f"{field} " for field in fields)
            texts.append(before + text)
            sizes.append(width_of(before) + width)
        columns = chosen.columns
        if chosen.form in ("vertical", "horizontal") and not columns:
            texts = ["  ".join(texts)]
        elif chosen.form in ("vertical", "horizontal"):
            texts = arranged(texts, sizes, columns, chosen.tab, down=chosen.form == "vertical")
        elif chosen.form == "commas":
            texts = [separated(texts, sizes, columns)]
        for text in texts:
            self._invocation.print(text, end=self._end)

    def _cells(self, entry: Entry) -> dict[str, str]:
        """Return the columns before the name."""
        found, given = entry.stat, self._given
        cells: dict[str, str] = {}
        if "i" in given:
            cells["inode"] = str(found.st_ino)
        if "s" in given:
            cells["blocks"] = self._chosen.blocks.show(entry.blocks)
        if self._long:
            env, by_number = self._invocation.env, "n" in given
            owner = str(found.st_uid) if by_number else user_names(env, found.st_uid)
            group = str(found.st_gid) if by_number else group_names(env, found.st_gid)
            cells |= {"mode": stat.filemode(found.st_mode), "links": str(found.st_nlink)}
            if "g" not in given:
                cells["owner"] = owner
            if "o" not in given and "G" not in given:
                cells["group"] = group
            if "author" in given:
                cells["author"] = owner
        if "Z" in given:
            cells["context"] = "?"
        if self._long:
            is_device = stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode)
            numbers = f"{os.major(found.st_rdev)}, {os.minor(found.st_rdev)}" if is_device else ""
            cells |= {"size": numbers or self._chosen.sizes.show(found.st_size), "time": self._time(entry)}
        return cells

    def _time(self, entry: Entry) -> str:
        stamp = time_of(entry, self._chosen.time)
        if stamp is None:
            return "?"
        seconds = stamp / 1e9
        when = datetime.fromtimestamp(stamp // 10**9, self._zone)
        if self._style == FULL:
            return f"{when:%Y-%m-%d %H:%M:%S}.{stamp % 10**9:09d} {when:%z}"
        recent = 0 <= time.time() - seconds < HALF_A_YEAR_S
        if self._style.startswith("+"):
            old, _, new = self._style[1:].partition("\n")
            return formatted(when, new if recent and new else old)
        return when.strftime(FORMATS[self._style][0 if recent else 1])

    def _quote(self, name: str) -> str:
        style = self._chosen.quoting
        text = quote(name, style, hides=self._hides_names)
        return hidden(text) if self._hides_names and style == "literal" else text

    def _names(self, entries: Sequence[Entry]) -> list[tuple[str, int]]:
        """Return each name as it is printed, and its columns."""
        found = [self._quote(entry.name) for entry in entries]
        # Names without quotes are aligned with those that have some.
        aligns = self._chosen.quoting in ("shell", "shell-escape", "c-maybe") and (
            self._long or (self._chosen.form in ("vertical", "horizontal") and self._chosen.columns > 0)
        )
        aligns = aligns and any(text != entry.name for text, entry in zip(found, entries, strict=True))
        shown: list[tuple[str, int]] = []
        for text, entry in zip(found, entries, strict=True):
            pad = " " if aligns and text == entry.name else ""
            mark = self._mark(entry.stat.st_mode) if not (entry.is_link and self._long) else ""
            drawn = self._draw(text, entry, entry.stat.st_mode)
            if entry.is_link and self._long:
                target, mode = entry.target
                arrow = f" -> {self._draw(self._quote(target), None, mode)}"
                drawn += arrow + (self._mark(mode) if mode is not None else "")
            shown.append((pad + drawn + mark, width_of(pad + text + mark)))
        return shown

    def _draw(self, text: str, entry: Entry | None, mode: int | None) -> str:
        """Return a name in its color, and as a link that a terminal opens."""
        if entry is not None and self._links:
            path = quote_url(os.path.realpath(entry.whole))
            text = f"\x1b]8;;file://{os.uname().nodename}{path}\a{text}\x1b]8;;\a"
        if self._colors is None:
            return text
        is_orphan = mode is None or (entry is not None and entry.is_link and entry.target[1] is None)
        return self._colors.paint(text, entry.name if entry else text, mode, is_orphan=is_orphan)

    def _mark(self, mode: int) -> str:
        style = self._chosen.indicators
        kind = stat.S_IFMT(mode)
        if style == "none" or (style == "slash" and kind != stat.S_IFDIR):
            return ""
        if kind == stat.S_IFREG:
            return "*" if style == "classify" and mode & 0o111 else ""
        return MARKS.get(kind, "")


def _pad(text: str, width: int, *, left: bool) -> str:
    blanks = " " * (width - width_of(text))
    return text + blanks if left else blanks + text


def _time_style(invocation: Invocation, given: Arguments) -> str:
    """Return the style of times: one of `STYLES`, or a format after `+`.

    Raises:
        BadValue: The style is unknown.
    """
    style = given.last("time-style") or invocation.env.get("TIME_STYLE") or "locale"
    if given.last_of("full-time", "time-style") == "full-time":
        return FULL
    if style.startswith("posix-"):
        locale = (
            invocation.env.get("LC_ALL") or invocation.env.get("LC_TIME") or invocation.env.get("LANG", "")
        )
        style = "locale" if locale in ("", "C", "POSIX") else style.removeprefix("posix-")
    if style.startswith("+"):
        return style
    found = {known for known in STYLES if known.startswith(style)}
    if style in found:
        return style
    if len(found) != 1:
        valid = "".join(f"\n  - [posix-]{known}" for known in STYLES)
        raise BadValue(
            f"invalid argument '{style}' for 'time style'\nValid arguments are:{valid}\n  - +FORMAT (e.g., +%H:%M)"
        )
    return found.pop()


async def ls(invocation: Invocation) -> int:
    """List the operands; return 2 if one can't be accessed."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    try:
        terminal = invocation.columns
        chosen = choices(given, invocation.name, invocation.env, terminal)
        if "D" in given and chosen.form == "verbose":
            raise BadValue("--dired isn't supported: use --zero, or find -printf")
        listing = Listing(invocation, given, chosen, terminal)
    except BadValue as problem:
        invocation.error(str(problem))
        return 2
    return listing.run(given.operands or ["."])
