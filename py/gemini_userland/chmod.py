"""`chmod`: change permissions.

Source: POSIX.1-2017, chmod; the GNU coreutils manual.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator

from gemini_userland.invocation import Invocation
from gemini_userland.modes import parse_mode
from gemini_userland.options import Arguments, Syntax

SYNTAX = Syntax(
    short="cfRv",
    long={
        "changes": "c",
        "silent": "f",
        "quiet": "f",
        "recursive": "R",
        "reference=": "reference",
        "verbose": "v",
        "preserve-root": "preserve-root",
        "no-preserve-root": "no-preserve-root",
    },
    help="""
Usage: chmod [OPTION]... MODE[,MODE]... FILE...
       chmod [OPTION]... --reference=OTHER FILE...
Change the permissions of each FILE to MODE, or to those of OTHER. MODE is octal, or [ugoa]*[-+=][rwxXst]*.

  -R, --recursive  change the content of folders, too
  -v, --verbose    print what is done for each file; -c prints it where something changes
  -f, --silent     don't report files that can't be changed
""",
)
# A mode that takes permissions away looks like an option.
LIKE_OPTION = re.compile(r"-[rwxXstugoa,=+0-7-][rwxXstugoa,=+0-7-]*")


async def chmod(invocation: Invocation) -> int:
    """Change the operands; return 1 if one of them can't be changed."""
    words = invocation.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    # Only the first is the mode, as GNU's takes several as one.
    at = next((at for at in range(end) if LIKE_OPTION.fullmatch(words[at]) and words[at] != "--"), None)
    mode = None if at is None else words.pop(at)
    given = SYNTAX.parse(invocation, words)
    if isinstance(given, int):
        return given
    names = list(given.operands)
    reference = given.last("reference")
    if reference is None and mode is None:
        if not names:
            return SYNTAX.usage_error(invocation, "missing operand")
        mode = names.pop(0)
    if not names:
        return SYNTAX.usage_error(
            invocation, f"missing operand after ‘{mode}’" if mode else "missing operand"
        )
    try:
        if reference is not None:
            mode = f"{stat.S_IMODE(os.stat(invocation.path(reference)).st_mode):o}"
        parse_mode(mode or "")
    except OSError as error:
        invocation.error(f"failed to get attributes of '{reference}': {error.strerror}")
        return 1
    except ValueError:
        return SYNTAX.usage_error(invocation, f"invalid mode: ‘{mode}’")
    return _Change(invocation, given, mode or "").run(names)


class _Change:
    def __init__(self, invocation: Invocation, given: Arguments, mode: str) -> None:
        self._invocation = invocation
        self._given = given
        self._mode = mode
        self._says = given.last_of("v", "c")
        self._status = 0

    def run(self, names: list[str]) -> int:
        for name in names:
            self._change(name)
            if "R" in self._given:
                for below in self._below(name):
                    self._change(below)
        return self._status

    def _below(self, name: str) -> Iterator[str]:
        path = self._invocation.path(name)
        if os.path.islink(path) or not os.path.isdir(path):
            return
        try:
            entries = sorted(os.listdir(path))
        except OSError as error:
            self._complain(f"cannot read directory '{name}': {error.strerror}")
            return
        for entry in entries:
            below = f"{name.rstrip('/')}/{entry}"
            if not os.path.islink(self._invocation.path(below)):
                yield below
                yield from self._below(below)
            elif self._says == "v":
                self._invocation.print(f"neither symbolic link '{below}' nor referent has been changed")

    def _change(self, name: str) -> None:
        path = self._invocation.path(name)
        try:
            before = os.stat(path).st_mode
            is_folder = stat.S_ISDIR(before)
            old = stat.S_IMODE(before)
            new = parse_mode(self._mode, old, directory=is_folder, umask=self._invocation.umask)
            os.chmod(path, new)
        except FileNotFoundError:
            dangling = os.path.lexists(path)
            kind = (
                "cannot operate on dangling symlink '{}'"
                if dangling
                else "cannot access '{}': No such file or directory"
            )
            if self._says == "v":
                self._invocation.print(f"'{name}' could not be accessed")
            self._complain(kind.format(name))
            return
        except OSError as error:
            self._complain(f"changing permissions of '{name}': {error.strerror}")
            return
        if self._says == "v" or (self._says == "c" and old != new):
            first, second = f"{old:04o} ({stat.filemode(old)[1:]})", f"{new:04o} ({stat.filemode(new)[1:]})"
            change = f"retained as {second}" if old == new else f"changed from {first} to {second}"
            self._invocation.print(f"mode of '{name}' {change}")

    def _complain(self, message: str) -> None:
        self._status = 1
        if "f" not in self._given:
            self._invocation.error(message)
