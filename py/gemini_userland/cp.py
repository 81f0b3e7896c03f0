"""`cp`: copy files and folders."""

from __future__ import annotations

import os
import shutil
import stat

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.targets import LONG, SHORT, find_target, may_replace

SYNTAX = Syntax(
    short=SHORT + "aAdHlLPpRrsx",
    long={
        **LONG,
        "archive": "a",
        "attributes-only": "attributes-only",
        "dereference": "L",
        "link": "l",
        "no-dereference": "P",
        "no-preserve=": "no-preserve",
        "one-file-system": "x",
        "parents": "parents",
        "preserve=?": "p",
        "recursive": "r",
        "reflink=?": "reflink",
        "remove-destination": "remove-destination",
        "sparse=": "sparse",
        "symbolic-link": "s",
    },
    help="""
Usage: cp [OPTION]... SOURCE TARGET
   or: cp [OPTION]... SOURCE... FOLDER
   or: cp [OPTION]... -t FOLDER SOURCE...
Copy files, or with -r folders.

  -a             copy folders, links as links, with modes and times
  -b, -S SUFFIX  rename a file that is replaced (suffix ~)
  -d, -P         copy links as links; -L copies what they lead to, -H only those among the SOURCEs
  -f             remove a file that can't be written
  -i, -n         ask before a file is replaced; replace none
  -l, -s         make links instead of copies
  -p             keep modes and times
  -r, -R         copy folders and everything in them
  -t, -T         copy into a folder; treat TARGET as a file
  -u             replace only older files
  -v             print what is copied
      --parents  create the folders of SOURCE below TARGET
""",
)


class _Failed(Exception):
    """A file can't be copied; the message says why."""


async def cp(invocation: Invocation) -> int:
    """Copy the sources; return 1 if one of them can't be copied."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    target = find_target(invocation, given, SYNTAX)
    if isinstance(target, int):
        return target
    copier = _Copier(invocation, given)
    status = 0
    for source in target.sources:
        place = target.place_of(source)
        if "parents" in given:
            place = os.path.join(target.name, source.lstrip("/"))
            os.makedirs(invocation.path(os.path.dirname(place)), exist_ok=True)
        # What the sources themselves lead to is copied, unless links are.
        await copier.copy(source, place, follows=not copier.keeps_links or "H" in given)
        status |= copier.status
    return status


class _Copier:
    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self.status = 0
        self._invocation = invocation
        self._given = given
        self._recursive = "r" in given or "R" in given or "a" in given
        choice = given.last_of("a", "d", "P", "L", "H")
        self.keeps_links = choice in ("a", "d", "P") or (choice is None and self._recursive)
        self._follows_all = choice == "L"
        self._preserves = "p" in given or "a" in given

    async def copy(self, source: str, place: str, *, follows: bool) -> None:
        """Copy a file or a folder, and print an error if that isn't possible."""
        try:
            await self._copy(source, place, follows)
        except _Failed as error:
            self._invocation.error(str(error))
            self.status = 1

    async def _copy(self, source: str, place: str, follows: bool) -> None:
        path = self._invocation.path(source)
        try:
            about = os.stat(path) if follows else os.lstat(path)
        except OSError as error:
            raise _Failed(f"cannot stat '{source}': {error.strerror}") from error
        if stat.S_ISDIR(about.st_mode):
            await self._copy_folder(source, place, about)
            return
        self._refuse_same(source, place, follows)
        target = self._invocation.path(place)
        if os.path.isdir(target) and not os.path.islink(target):
            raise _Failed(f"cannot overwrite directory '{place}' with non-directory")
        if not await may_replace(self._invocation, self._given, source, place):
            return
        try:
            self._write(path, target, about, source)
        except OSError as error:
            raise _Failed(f"cannot create regular file '{place}': {error.strerror}") from error
        self._say(source, place)

    def _refuse_same(self, source: str, place: str, follows: bool) -> None:
        path, target = self._invocation.path(source), self._invocation.path(place)
        if not os.path.lexists(target):
            return
        same = os.path.samefile(path, target) if os.path.exists(target) and os.path.exists(path) else False
        if same and (follows or not os.path.islink(path)) and "remove-destination" not in self._given:
            raise _Failed(f"'{source}' and '{place}' are the same file")

    def _write(self, path: str, target: str, about: os.stat_result, source: str) -> None:
        given = self._given
        if os.path.lexists(target) and (
            os.path.islink(path)
            and stat.S_ISLNK(about.st_mode)
            or {"l", "s", "remove-destination"} & {n for n, _ in given.items}
        ):
            os.unlink(target)
        if "s" in given:
            os.symlink(source, target)
        elif "l" in given:
            os.link(path, target)
        elif stat.S_ISLNK(about.st_mode):
            os.symlink(os.readlink(path), target)
        else:
            self._write_content(path, target, about)

    def _write_content(self, path: str, target: str, about: os.stat_result) -> None:
        is_new = not os.path.exists(target)
        try:
            shutil.copyfile(path, target)
        except PermissionError:
            if "f" not in self._given or is_new:
                raise
            os.unlink(target)
            shutil.copyfile(path, target)
            is_new = True
        if self._preserves:
            os.chmod(target, stat.S_IMODE(about.st_mode))
            os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))
        elif is_new:
            os.chmod(target, stat.S_IMODE(about.st_mode) & 0o777 & ~self._invocation.umask)

    async def _copy_folder(self, source: str, place: str, about: os.stat_result) -> None:
        if not self._recursive:
            raise _Failed(f"-r not specified; omitting directory '{source}'")
        path, target = self._invocation.path(source), self._invocation.path(place)
        if os.path.realpath(target).startswith(os.path.realpath(path).rstrip("/") + "/"):
            raise _Failed(f"cannot copy a directory, '{source}', into itself, '{place}'")
        if os.path.lexists(target) and not os.path.isdir(target):
            raise _Failed(f"cannot overwrite non-directory '{place}' with directory '{source}'")
        is_new = not os.path.isdir(target)
        try:
            if is_new:
                os.mkdir(target)
                self._say(source, place)
            names = sorted(os.listdir(path))
        except OSError as error:
            raise _Failed(f"cannot create directory '{place}': {error.strerror}") from error
        for name in names:
            await self.copy(os.path.join(source, name), os.path.join(place, name), follows=self._follows_all)
        if is_new or self._preserves:
            mode = stat.S_IMODE(about.st_mode)
            os.chmod(target, mode if self._preserves else mode & 0o777 & ~self._invocation.umask)
        if self._preserves:
            os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))

    def _say(self, source: str, place: str) -> None:
        if "v" in self._given:
            self._invocation.print(f"'{source}' -> '{place}'")
