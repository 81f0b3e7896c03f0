"""The output formats of `diff`: normal, context, unified, ed scripts and RCS (GNU diffutils manual, 2)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from gemini_userland.diff_colors import Colors
from gemini_userland.diff_script import Change

MISSING_END = b"\n\\ No newline at end of file\n"
FUNCTION_ROOM = 40


@dataclass(frozen=True)
class Difference:
    """Two files and the changes between them.

    Attributes:
        left, right: Their lines with ends.
        changes: The changes, in order.
        ignored: Whether a change is of ignored lines only.
        context: The number of lines around a change.
        show: Changes a line before it is printed, as `-t` does.
        initial: What aligns lines after their mark: a tab for `-T`.
        function: The expression of the lines that are headings of what follows, or None.
        plain_empty: Print no mark in front of empty lines of the context.
        colors: The colors of lines.
    """

    left: list[bytes]
    right: list[bytes]
    changes: list[Change]
    ignored: Callable[[Change], bool] = lambda change: False
    context: int = 3
    show: Callable[[bytes], bytes] = lambda line: line
    initial: bool = False
    function: re.Pattern[bytes] | None = None
    plain_empty: bool = False
    colors: Colors = field(default_factory=Colors)
    _found: list[int] = field(default_factory=lambda: [0, -1])

    @property
    def shown(self) -> list[Change]:
        """The changes that aren't ignored."""
        return [change for change in self.changes if not self.ignored(change)]

    def row(self, mark: bytes, line: bytes, kind: str = "") -> bytes:
        """Return a line with its mark, in the color of its kind, and a remark if it has no end."""
        text = self.show(line)
        if self.plain_empty and mark.strip() == b"" and text == b"\n":
            return b"\n"
        if self.initial:
            mark = b"\t" if mark == b" " else mark[:1] + b"\t"
        return self.colors.paint(kind, mark + text) + (b"" if line.endswith(b"\n") else MISSING_END)

    def rows(self, mark: bytes, lines: Sequence[bytes], kind: str = "") -> bytes:
        """Return lines with a mark, in the color of their kind."""
        return b"".join(self.row(mark, line, kind) for line in lines)

    def groups(self) -> Iterator[list[Change]]:
        """Yield the changes whose contexts touch; groups of ignored changes only are left out."""
        group: list[Change] = []
        for change in self.changes:
            if group:
                near = self.ignored(group[-1]) or self.ignored(change)
                limit = self.context if near else 2 * self.context + 1
                if change.start - group[-1].end >= limit:
                    yield from self._shown_groups(group)
                    group = []
            group.append(change)
        yield from self._shown_groups(group)

    def _shown_groups(self, group: list[Change]) -> list[list[Change]]:
        return [group] if any(not self.ignored(change) for change in group) else []

    def around(self, group: list[Change]) -> Change:
        """Return the lines that a group of changes shows, with their context."""
        before = min(self.context, group[0].start, group[0].begin)
        end = min(len(self.left), group[-1].end + self.context)
        stop = min(len(self.right), group[-1].stop + self.context)
        # A file may end earlier where the context is cut.
        return Change(group[0].start - before, end, group[0].begin - before, stop)

    def heading(self, start: int) -> bytes:
        """Return the heading of the function that line `start` is in, after a blank, or nothing."""
        if self.function is None:
            return b""
        searched, last = self._found
        for at in range(start - 1, searched - 1, -1):
            if self.function.search(self.left[at].removesuffix(b"\n")):
                last = at
                break
        self._found[:] = [start, last]
        if last < 0:
            return b""
        return b" " + self.left[last].lstrip()[:FUNCTION_ROOM].removesuffix(b"\n").rstrip()


def normal(difference: Difference) -> bytes:
    """Return the changes in the normal format."""
    found: list[bytes] = []
    for change in difference.shown:
        letter = _letter(change)
        head = f"{_span(change.start, change.end)}{letter}{_span(change.begin, change.stop)}\n"
        found.append(difference.colors.paint("ln", head.encode()))
        found.append(difference.rows(b"< ", difference.left[change.start : change.end], "de"))
        if letter == "c":
            found.append(b"---\n")
        found.append(difference.rows(b"> ", difference.right[change.begin : change.stop], "ad"))
    return b"".join(found)


def unified(difference: Difference) -> bytes:
    """Return the changes in the unified format, without the names."""
    found: list[bytes] = []
    left, right = difference.left, difference.right
    for group in difference.groups():
        whole = difference.around(group)
        ranges = f"@@ -{_range(whole.start, whole.end)} +{_range(whole.begin, whole.stop)} @@".encode()
        found.append(difference.colors.paint("ln", ranges) + difference.heading(whole.start) + b"\n")
        at = whole.start
        for change in group:
            found.append(difference.rows(b" ", left[at : change.start]))
            found.append(difference.rows(b"-", left[change.start : change.end], "de"))
            found.append(difference.rows(b"+", right[change.begin : change.stop], "ad"))
            at = change.end
        found.append(difference.rows(b" ", left[at : whole.end]))
    return b"".join(found)


def context(difference: Difference) -> bytes:
    """Return the changes in the context format, without the names."""
    found: list[bytes] = []
    for group in difference.groups():
        whole = difference.around(group)
        found.append(b"***************" + difference.heading(whole.start) + b"\n")
        heads = [
            difference.colors.paint("ln", head.encode()) + b"\n"
            for head in (
                f"*** {_context_range(whole.start, whole.end)} ****",
                f"--- {_context_range(whole.begin, whole.stop)} ----",
            )
        ]
        found.append(heads[0])
        # Only the old or new lines are shown if nothing was added or removed.
        if any(change.end > change.start for change in group):
            sides = [
                (change.start, change.end, b"-" if change.begin == change.stop else b"!") for change in group
            ]
            found.append(_section(difference, difference.left, sides, (whole.start, whole.end), "de"))
        found.append(heads[1])
        if any(change.stop > change.begin for change in group):
            sides = [
                (change.begin, change.stop, b"+" if change.start == change.end else b"!") for change in group
            ]
            found.append(_section(difference, difference.right, sides, (whole.begin, whole.stop), "ad"))
    return b"".join(found)


def _section(
    difference: Difference,
    lines: list[bytes],
    sides: list[tuple[int, int, bytes]],
    whole: tuple[int, int],
    kind: str,
) -> bytes:
    found: list[bytes] = []
    at = whole[0]
    for start, end, mark in sides:
        found.append(difference.rows(b"  ", lines[at:start], kind))
        found.append(difference.rows(mark + b" ", lines[start:end], kind))
        at = end
    return b"".join([*found, difference.rows(b"  ", lines[at : whole[1]], kind)])


def ed(difference: Difference) -> bytes:
    """Return a script for `ed`, which changes the last lines first."""
    found: list[bytes] = []
    for change in reversed(difference.shown):
        letter = _letter(change)
        found.append(f"{_span(change.start, change.end)}{letter}\n".encode())
        if letter != "d":
            found.append(_ed_text(difference.right[change.begin : change.stop]))
    return b"".join(found)


def _ed_text(lines: list[bytes]) -> bytes:
    """Return inserted lines; a line with a period alone, which would end them, is written as two and mended."""
    found: list[bytes] = []
    inserting = True
    for line in lines:
        if not inserting:
            found.append(b"a\n")
            inserting = True
        if line.rstrip(b"\n") == b".":
            found.append(b"..\n.\ns/.//\n")
            inserting = False
        else:
            found.append(line if line.endswith(b"\n") else line + b"\n")
    return b"".join([*found, b".\n"] if inserting else found)


def forward_ed(difference: Difference) -> bytes:
    """Return commands like those of `ed`, in the order of the file."""
    found: list[bytes] = []
    for change in difference.shown:
        letter = _letter(change)
        found.append(f"{letter}{_span(change.start, change.end, ' ')}\n".encode())
        if letter != "d":
            lines = difference.right[change.begin : change.stop]
            found += [*(line if line.endswith(b"\n") else line + b"\n" for line in lines), b".\n"]
    return b"".join(found)


def rcs(difference: Difference) -> bytes:
    """Return the commands of an RCS file."""
    found: list[bytes] = []
    for change in difference.shown:
        if change.end > change.start:
            found.append(f"d{change.start + 1} {change.end - change.start}\n".encode())
        if change.stop > change.begin:
            found.append(f"a{change.end} {change.stop - change.begin}\n".encode())
            found += difference.right[change.begin : change.stop]
    return b"".join(found)


def _letter(change: Change) -> str:
    if change.end == change.start:
        return "a"
    return "d" if change.begin == change.stop else "c"


def _span(start: int, end: int, between: str = ",") -> str:
    return str(end) if end - start <= 1 else f"{start + 1}{between}{end}"


def _range(start: int, end: int) -> str:
    length = end - start
    return str(start + 1) if length == 1 else f"{start + (length > 0)},{length}"


def _context_range(start: int, end: int) -> str:
    return str(end) if end - start <= 1 else f"{start + 1},{end}"
