"""Facts about a call for those who watch it, besides its result: the files that it changed, the element it acted on.

A run of an agent sets a `Watch`, and a tool notes facts in it. Without one, a tool notes nothing.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from typing_extensions import TypedDict

# A difference in longer files takes too long; only the file's name is noted then.
MOST_BYTES = 400_000
MOST_LINES = 1_500
# The characters of a difference that are stored with a run.
SHOWN_CHARS = 12_000
CONTEXT_LINES = 3
CUT = "…"


class FileChange(TypedDict):
    """A change of a text file.

    Attributes:
        path: The absolute path.
        added: The number of added lines; None if it is unknown, as the next two are then.
        removed: The number of removed lines.
        difference: Lines that begin with `+`, `-` or a space, and `@` before a part in the middle of the file.
        created: Whether the file is new.
    """

    path: str
    added: int | None
    removed: int | None
    difference: str
    created: bool


@dataclass
class Watch:
    """The facts about one call.

    Attributes:
        element: The name of the element that the call acted on, or else its role.
    """

    changes: list[FileChange] = field(default_factory=list[FileChange])
    element: str = ""


watch: ContextVar[Watch | None] = ContextVar("gemini_watch", default=None)
"""The watch of the call that the running code belongs to."""


@contextmanager
def changing(path: str) -> Generator[None]:
    """Note how the block changes a file. It must not await."""
    now = watch.get()
    if now is None:
        yield
        return
    before = _content(path)
    yield
    now.changes.append(compare(path, before, _content(path) or b""))


def note_element(name: str) -> None:
    """Note the name of the element that the call acts on."""
    now = watch.get()
    if now is not None:
        now.element = name


def _content(path: str) -> bytes | None:
    """Return a file's content; None if there is none that can be read."""
    try:
        with open(path, "rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError:
        return None


def compare(path: str, before: bytes | None, after: bytes) -> FileChange:
    """Return the change of a file. `before` is None if it is new."""
    change: FileChange = {
        "path": os.path.abspath(path),
        "added": None,
        "removed": None,
        "difference": "",
        "created": before is None,
    }
    old, new = _lines(before or b""), _lines(after)
    if old is None or new is None:
        return change
    start = _same(old, new)
    end = _same(old[start:][::-1], new[start:][::-1])
    olds, news = old[start : len(old) - end], new[start : len(new) - end]
    if olds and news and len(olds) + len(news) > MOST_LINES:
        return change
    # Imported on first use, because few visits compare texts.
    from difflib import SequenceMatcher

    changed = [
        (kind, a1 + start, a2 + start, b1 + start, b2 + start)
        for kind, a1, a2, b1, b2 in SequenceMatcher(None, olds, news, autojunk=False).get_opcodes()
        if kind != "equal"
    ]
    change["removed"] = sum(a2 - a1 for _, a1, a2, _, _ in changed)
    change["added"] = sum(b2 - b1 for _, _, _, b1, b2 in changed)
    text = "\n".join(_draw(old, new, changed))
    change["difference"] = text if len(text) <= SHOWN_CHARS else f"{text[:SHOWN_CHARS]}\n{CUT}"
    return change


def _lines(data: bytes) -> list[str] | None:
    """Return the lines of a text; None if it isn't one, or is too long."""
    if len(data) > MOST_BYTES or b"\0" in data:
        return None
    try:
        return data.decode().splitlines()
    except UnicodeDecodeError:
        return None


def _same(first: list[str], second: list[str]) -> int:
    """Return the number of lines at the start that both have."""
    count = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        count += 1
    return count


def _draw(old: list[str], new: list[str], changed: list[tuple[str, int, int, int, int]]) -> list[str]:
    """Return the changed lines with some lines around them, as in a unified diff without its header."""
    lines: list[str] = []
    shown = 0
    for place, (_, a1, a2, b1, b2) in enumerate(changed):
        begin = max(shown, a1 - CONTEXT_LINES)
        if begin > shown:
            lines.append(f"@ line {b1 - (a1 - begin) + 1}")
        lines += [f" {line}" for line in old[begin:a1]]
        lines += [f"-{line}" for line in old[a1:a2]]
        lines += [f"+{line}" for line in new[b1:b2]]
        following = changed[place + 1][1] if place + 1 < len(changed) else len(old)
        shown = min(a2 + CONTEXT_LINES, following)
        lines += [f" {line}" for line in old[a2:shown]]
    return lines
