"""`cp`: copy files and folders."""

from __future__ import annotations

import os
import shutil
import stat

from gemini_userland.backups import set_aside
from gemini_userland.invocation import Invocation
from gemini_userland.ln import hard_link
from gemini_userland.options import Arguments, Syntax, synonyms
from gemini_userland.targets import LONG, SHORT, WORDS, find_target, may_replace, with_backup

SYNTAX = Syntax(
    short=SHORT + "aAdHlLPpRrsx",
    long={
        **LONG,
        "archive": "a",
        "attributes-only": "attributes-only",
        "context=?": "context",
        "copy-contents": "copy-contents",
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
    words={
        **WORDS,
        "reflink": synonyms("auto", "always", "never"),
        "sparse": synonyms("never", "auto", "always"),
    },
    help="""
Usage: cp [OPTION]... SOURCE TARGET
   or: cp [OPTION]... SOURCE... FOLDER
   or: cp [OPTION]... -t FOLDER SOURCE...
Copy files, or with -r folders.

  -a             copy folders, links as links, with modes and times
  -b, -S SUFFIX  rename a file that is replaced (suffix ~); --backup=numbered uses .~1~, .~2~, ...
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
      --attributes-only  copy no content
      --preserve=LIST, --no-preserve=LIST  keep, or don't keep, mode, ownership, timestamps, links, all
      --remove-destination  remove a file in the place of a copy first
""",
)


ATTRIBUTES = ("mode", "timestamps", "ownership", "links", "context", "xattr", "all")


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
    if problem := _problem(given):
        return SYNTAX.usage_error(invocation, problem)
    copier = _Copier(invocation, given)
    status = 0
    for source in target.sources:
        place = target.place_of(source)
        if "parents" in given:
            place = os.path.join(target.name, source.lstrip("/"))
            copier.create_parents(target.name, os.path.dirname(source.lstrip("/")))
        # The targets of links among the sources are copied, unless links are.
        await copier.copy(source, place, follows=not copier.keeps_links or "H" in given)
        status |= copier.status
    return status


def _problem(given: Arguments) -> str | None:
    """Return the problem with the attributes to keep, if any."""
    for name, shown in (("p", "preserve"), ("no-preserve", "no-preserve")):
        for value in given.all(name):
            for word in value.split(",") if value else []:
                if word not in ATTRIBUTES:
                    valid = "".join(f"\n  - '{one}'" for one in ATTRIBUTES)
                    return f"invalid argument '{word}' for '--{shown}'\nValid arguments are:{valid}"
    return None


def _retained(given: Arguments) -> set[str]:
    """Return the attributes to keep. The later options win."""
    retained: set[str] = set()
    for name, value in given.items:
        if name == "a" or (name == "p" and value == "all"):
            retained |= set(ATTRIBUTES)
        elif name == "p":
            retained |= set(value.split(",") if value else ("mode", "ownership", "timestamps"))
        elif name == "no-preserve":
            retained -= set(ATTRIBUTES if value == "all" else value.split(","))
    return retained


class _Copier:
    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self.status = 0
        self._invocation = invocation
        self._given = given
        self._recursive = "r" in given or "R" in given or "a" in given
        choice = given.last_of("a", "d", "P", "L", "H")
        self.keeps_links = choice in ("a", "d", "P") or (choice is None and self._recursive)
        self._follows_all = choice == "L"
        self._retained = _retained(given)

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
        if self._given.last("reflink", "never") in ("", "always"):
            raise _Failed(f"failed to clone '{place}' from '{source}': Operation not supported")
        try:
            backup = set_aside(self._invocation, self._given, place) if os.path.lexists(target) else None
            self._write(path, target, about, source)
        except OSError as error:
            raise _Failed(f"cannot create regular file '{place}': {error.strerror}") from error
        self._say(source, place, backup)

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
            hard_link(path, target, follow=False)
        elif stat.S_ISLNK(about.st_mode):
            os.symlink(os.readlink(path), target)
        else:
            self._write_content(path, target, about)

    def _write_content(self, path: str, target: str, about: os.stat_result) -> None:
        is_new = not os.path.exists(target)
        if "attributes-only" in self._given:
            open(target, "ab").close()
            self._finish(target, about, is_new=is_new)
            return
        try:
            shutil.copyfile(path, target)
        except PermissionError:
            if "f" not in self._given or is_new:
                raise
            os.unlink(target)
            shutil.copyfile(path, target)
            is_new = True
        self._finish(target, about, is_new=is_new)

    def _finish(self, target: str, about: os.stat_result, *, is_new: bool) -> None:
        """Set the mode and the times of a copy."""
        mode = stat.S_IMODE(about.st_mode)
        if "mode" in self._retained:
            os.chmod(target, mode)
        elif is_new:
            default = 0o777 if stat.S_ISDIR(about.st_mode) else 0o666
            mode = default if "mode" in ",".join(self._given.all("no-preserve")) else mode & 0o777
            os.chmod(target, mode & ~self._invocation.umask)
        if "timestamps" in self._retained:
            os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))

    def create_parents(self, root: str, below: str) -> None:
        """Create the folders `below` in `root`, as `--parents` does."""
        place, source = root, ""
        for part in filter(None, below.split("/")):
            place, source = os.path.join(place, part), os.path.join(source, part)
            if not os.path.isdir(self._invocation.path(place)):
                os.mkdir(self._invocation.path(place))
                if "v" in self._given:
                    self._invocation.print(f"{source} -> {place}")

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
            names = os.listdir(path)
        except OSError as error:
            raise _Failed(f"cannot create directory '{place}': {error.strerror}") from error
        for name in names:
            await self.copy(os.path.join(source, name), os.path.join(place, name), follows=self._follows_all)
        self._finish(target, about, is_new=is_new)

    def _say(self, source: str, place: str, backup: str | None = None) -> None:
        if "v" in self._given:
            self._invocation.print(f"'{source}' -> '{place}'{with_backup(backup)}")
