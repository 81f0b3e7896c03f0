"""The files that `grep` searches."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.text import decode, read

Found = tuple[str, bool]
"""A path as it is printed, and whether it is known to be a regular file."""
# The device and the number of a folder.
_Identity = tuple[int, int]


@dataclass(frozen=True)
class Filter:
    """The patterns of names, each with whether it includes."""

    rules: Sequence[tuple[bool, str]]

    def accepts(self, *names: str) -> bool:
        """Return whether a file with these names is searched: the last pattern that matches one decides.

        Where none matches, the files are included if the first pattern excludes, as in GNU grep.
        """
        for includes, glob in reversed(self.rules):
            if any(fnmatchcase(name, glob) for name in names):
                return includes
        return not self.rules or not self.rules[0][0]


def filter_of(invocation: Invocation, given: Arguments) -> Filter:
    """Return the filter that --include, --exclude and --exclude-from make.

    Raises:
        OSError: The file of --exclude-from can't be read.
    """
    rules: list[tuple[bool, str]] = []
    for name, value in given.items:
        if name in ("include", "exclude"):
            rules.append((name == "include", value))
        elif name == "exclude-from":
            rules += [(False, line) for line in decode(read(invocation, value)).splitlines() if line]
    return Filter(rules)


class Files:
    """The files of a call.

    Args:
        invocation: The call.
        given: Its options.
    """

    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self._invocation = invocation
        self._filter = filter_of(invocation, given)
        self._skipped = Filter([(False, glob.rstrip("/")) for glob in given.all("exclude-dir")])
        ways = {"r": "recurse", "R": "recurse"}
        self._follows = given.last_of("r", "R") == "R"
        chosen = [ways.get(name, value) for name, value in given.items if name in ("r", "R", "d")]
        self._action = chosen[-1] if chosen else "read"
        self._skips_devices = given.last("D") == "skip"

    @property
    def recursive(self) -> bool:
        """True if folders are searched."""
        return self._action == "recurse"

    def of(self, names: Sequence[str]) -> Iterator[Found]:
        """Yield the files of the operands; folders that aren't searched are among them."""
        bare = not names and self.recursive
        for path in names or (["."] if bare else ["-"]):
            whole = self._invocation.path(path)
            if path == "-":
                yield path, False
            elif os.path.isdir(whole):
                yield from self._folder(path, whole, bare=bare)
            elif self._filter.accepts(*_endings(path)) and not self._is_skipped(whole):
                yield path, False

    def _folder(self, path: str, whole: str, *, bare: bool) -> Iterator[Found]:
        if self._action == "read":
            yield path, False
        elif self._action == "recurse" and self._skipped.accepts(*_endings(path.rstrip("/"))):
            yield from self._walk(whole, "" if bare else f"{path.rstrip('/')}/")

    def _walk(self, folder: str, shown: str, around: frozenset[_Identity] = frozenset()) -> Iterator[Found]:
        """Yield the files below a folder; `shown` stands in front of their names.

        The entries know their types, so that a file costs no system call here.
        """
        try:
            with os.scandir(folder) as scan:
                entries = list(scan)
            inside = around | {_identity(folder)} if self._follows else around
        except OSError:
            # The search reports the reason.
            yield shown.rstrip("/") or folder, False
            return
        for entry in entries:
            name = shown + entry.name
            if entry.is_dir(follow_symlinks=self._follows):
                if not self._skipped.accepts(entry.name):
                    continue
                if self._follows and _identity(entry.path) in inside:
                    self._invocation.error(f"{name}: warning: recursive directory loop")
                else:
                    yield from self._walk(entry.path, f"{name}/", inside)
                continue
            is_file = entry.is_file(follow_symlinks=self._follows)
            # -r reads links, devices and pipes only where the command line names them.
            if (is_file or self._follows) and self._filter.accepts(entry.name):
                yield name, is_file

    def _is_skipped(self, whole: str) -> bool:
        if not self._skips_devices or not os.path.exists(whole):
            return False
        return not stat.S_ISREG(os.stat(whole).st_mode)


def _identity(folder: str) -> _Identity:
    found = os.stat(folder)
    return found.st_dev, found.st_ino


def _endings(path: str) -> list[str]:
    """Return a path and what follows each of its slashes, which patterns are compared with."""
    parts = path.split("/")
    return ["/".join(parts[at:]) for at in range(len(parts))]
