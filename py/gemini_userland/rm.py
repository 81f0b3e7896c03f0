"""`rm`: remove files and folders."""

from __future__ import annotations

import os
import stat

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax, synonyms
from gemini_userland.targets import agreed

MANY = 3
SYNTAX = Syntax(
    short="dfiIrRv",
    long={
        "dir": "d",
        "force": "f",
        "interactive=?": "interactive",
        "no-preserve-root": "no-preserve-root",
        "one-file-system": "one-file-system",
        "preserve-root=?": "preserve-root",
        "recursive": "r",
        "verbose": "v",
    },
    words={"interactive": synonyms("never no none", "once", "always yes")},
    help="""
Usage: rm [OPTION]... FILE...
Remove each FILE.

  -d      remove empty folders, too
  -f      ignore files that don't exist, and never ask
  -i, -I  ask before each file; ask once before many files or a folder
  -r, -R  remove folders and everything in them
  -v      print what is removed
""",
)


async def rm(invocation: Invocation) -> int:
    """Remove the operands; return 1 if one of them can't be removed."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    names = given.operands
    if not names:
        return 0 if "f" in given else SYNTAX.usage_error(invocation, "missing operand")
    recursive = "r" in given or "R" in given
    if _asks_once(given) and (recursive or len(names) > MANY):
        count = f"{len(names)} argument{'' if len(names) == 1 else 's'}"
        if not await agreed(invocation, f"remove {count}{' recursively' if recursive else ''}? "):
            return 0
    remover = _Remover(invocation, given)
    for name in names:
        if os.path.basename(name.rstrip("/")) in (".", ".."):
            invocation.error(f"refusing to remove '.' or '..' directory: skipping '{name}'")
            remover.status = 1
        elif recursive and os.path.realpath(invocation.path(name)) == "/" and "no-preserve-root" not in given:
            invocation.error("it is dangerous to operate recursively on '/'")
            invocation.error("use --no-preserve-root to override this failsafe")
            remover.status = 1
        else:
            await remover.remove(name)
    return remover.status


def _asks_once(given: Arguments) -> bool:
    return given.last_of("f", "i", "I", "interactive") == "I" or given.last("interactive") == "once"


class _Remover:
    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self.status = 0
        self._invocation = invocation
        self._recursive = "r" in given or "R" in given
        self._removes_empty = "d" in given
        self._says = "v" in given
        last = given.last_of("f", "i", "I", "interactive")
        self._forced = "f" in given
        self._asks = last == "i" or (last == "interactive" and given.last("interactive") in ("", "always"))

    async def remove(self, name: str) -> bool:
        """Remove a file or a folder; return whether it is gone."""
        path = self._invocation.path(name.rstrip("/") or name)
        try:
            about = os.lstat(path)
        except OSError as error:
            if not (self._forced and isinstance(error, (FileNotFoundError, NotADirectoryError))):
                self._fail(name, error.strerror)
            return False
        if name.endswith("/") and stat.S_ISLNK(about.st_mode):
            return self._fail(name, "Not a directory" if self._recursive else "Is a directory")
        is_folder = stat.S_ISDIR(about.st_mode)
        if is_folder and not self._recursive and not self._removes_empty:
            return self._fail(name, "Is a directory")
        if is_folder and self._recursive and not await self._empty(name, path):
            return False
        kind = "directory" if is_folder else "regular file" if about.st_size else "regular empty file"
        if self._asks and not await agreed(self._invocation, f"remove {kind} '{name}'? "):
            return False
        try:
            (os.rmdir if is_folder else os.unlink)(path)
        except OSError as error:
            return self._fail(name, error.strerror)
        if self._says:
            self._invocation.print(f"removed {'directory ' if is_folder else ''}'{name}'")
        return True

    async def _empty(self, name: str, path: str) -> bool:
        names = os.listdir(path)
        if names and self._asks and not await agreed(self._invocation, f"descend into directory '{name}'? "):
            return False
        return all([await self.remove(os.path.join(name, one)) for one in names])

    def _fail(self, name: str, reason: str | None) -> bool:
        self._invocation.error(f"cannot remove '{name}': {reason}")
        self.status = 1
        return False
