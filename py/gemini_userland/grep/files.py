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
        complain: Reports what can't be searched: the operand and the reason.
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

    def of(self, names: Sequence[str]) -> Iterator[str]:
        """Yield the files of the operands; folders that aren't searched are among them."""
        bare = not names and self.recursive
        for path in names or (["."] if bare else ["-"]):
            whole = self._invocation.path(path)
            if path == "-":
                yield path
            elif os.path.isdir(whole):
                yield from self._folder(path, whole, bare=bare)
            elif self._filter.accepts(*_endings(path)) and not self._is_skipped(whole):
                yield path

    def _folder(self, path: str, whole: str, *, bare: bool) -> Iterator[str]:
        if self._action == "read":
            yield path
        elif self._action == "recurse" and self._skipped.accepts(*_endings(path.rstrip("/"))):
            for found in self._walk(whole):
                relative = found[len(whole) :].lstrip("/")
                yield relative if bare else f"{path.rstrip('/')}/{relative}"

    def _walk(self, top: str) -> Iterator[str]:
        for directory, directories, files in os.walk(top, followlinks=self._follows):
            directories[:] = [name for name in directories if self._skipped.accepts(name)]
            for name in files:
                path = f"{directory.rstrip('/')}/{name}"
                # -r reads links only where the command line names them.
                if self._filter.accepts(name) and (self._follows or not os.path.islink(path)):
                    yield path

    def _is_skipped(self, whole: str) -> bool:
        if not self._skips_devices or not os.path.exists(whole):
            return False
        return not stat.S_ISREG(os.stat(whole).st_mode)


def _endings(path: str) -> list[str]:
    """Return a path and what follows each of its slashes, which patterns are compared with."""
    parts = path.split("/")
    return ["/".join(parts[at:]) for at in range(len(parts))]
