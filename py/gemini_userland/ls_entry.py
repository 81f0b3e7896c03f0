"""The files that `ls` lists, and their order."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from gemini_userland.sort_keys import version_key

BLOCK = 4096


@dataclass(frozen=True)
class Entry:
    """A file to list.

    Attributes:
        name: The name to print.
        path: The path as an argument.
        stat: Its status; a link's target's if links are followed.
        whole: The absolute path, in bytes.
    """

    name: str
    path: str
    stat: os.stat_result
    whole: bytes

    @property
    def is_directory(self) -> bool:
        """True for a directory, False for a link to one."""
        return stat.S_ISDIR(self.stat.st_mode)

    @property
    def is_link(self) -> bool:
        """True for a link that isn't followed."""
        return stat.S_ISLNK(self.stat.st_mode)

    @cached_property
    def target(self) -> tuple[str, int | None]:
        """The target of a link, and the mode of that file; None if there is none."""
        text = os.fsdecode(os.readlink(self.whole))
        try:
            return text, os.stat(self.whole).st_mode
        except OSError:
            return text, None

    @property
    def leads_to_directory(self) -> bool:
        """True for a directory, and for a link to one."""
        return self.is_directory or (self.is_link and stat.S_ISDIR(self.target[1] or 0))

    @property
    def blocks(self) -> int:
        """The allocated bytes, in whole blocks."""
        return 0 if self.is_link else -(-self.stat.st_size // BLOCK) * BLOCK

    def named(self, name: str) -> Entry:
        """Return the same file with another name."""
        return replace(self, name=name)


def time_of(entry: Entry, kind: str) -> int | None:
    """Return the time of a kind of `--time` in nanoseconds, or None if it isn't known."""
    if kind == "birth":
        return None
    found = entry.stat
    return {"atime": found.st_atime_ns, "ctime": found.st_ctime_ns}.get(kind, found.st_mtime_ns)


def ordered(
    entries: list[Entry],
    order: str,
    time: str,
    width: Callable[[str], int],
    *,
    backwards: bool,
    folders: bool,
) -> list[Entry]:
    """Return files in an order of `--sort`; equal ones are in the order of their names.

    Args:
        entries: The files.
        order: A word of `--sort`, or `name`.
        time: The kind of time.
        width: Returns the columns of a name.
        backwards: Whether the order is reversed.
        folders: Whether directories come first.
    """
    if order == "none":
        return entries
    keys: dict[str, Callable[[Entry], Any]] = {
        "size": lambda entry: -entry.stat.st_size,
        "time": lambda entry: -(time_of(entry, time) or 0),
        "version": lambda entry: version_key(os.fsencode(entry.name)),
        "extension": lambda entry: os.fsencode(_extension(entry.name)),
        "width": lambda entry: width(entry.name),
    }
    found = sorted(entries, key=lambda entry: os.fsencode(entry.name))
    if order in keys:
        found.sort(key=keys[order])
    if backwards:
        found.reverse()
    if folders:
        found.sort(key=lambda entry: not entry.leads_to_directory)
    return found


def _extension(name: str) -> str:
    return name[name.rindex(".") :] if "." in name else ""
