"""Creates archives, and appends to them."""

from __future__ import annotations

import asyncio
import os
import stat
import tarfile
from datetime import datetime, tzinfo
from typing import Literal

from gemini_userland.clock import zone_of
from gemini_userland.date_words import Description
from gemini_userland.invocation import Invocation
from gemini_userland.modes import parse_mode
from gemini_userland.options import Arguments
from gemini_userland.tar.exclusion import mark_in, tags
from gemini_userland.tar.job import Fatal, Job, output_of
from gemini_userland.tar.names import renamed, renames
from gemini_userland.tar.selection import Named, leading

FORMATS: dict[str, Literal[0, 1, 2]] = {
    "gnu": tarfile.GNU_FORMAT,
    "oldgnu": tarfile.GNU_FORMAT,
    "pax": tarfile.PAX_FORMAT,
    "posix": tarfile.PAX_FORMAT,
    "ustar": tarfile.USTAR_FORMAT,
}


class Writer:
    """Adds files to an open archive.

    Args:
        job: The run of tar.
        archive: The archive, opened for writing.

    Raises:
        Fatal: An option is invalid.
    """

    def __init__(self, job: Job, archive: tarfile.TarFile) -> None:
        self._job = job
        self._archive = archive
        given = job.given
        if "o" in given:
            # With -x it is about owners.
            raise Fatal("-o isn't supported: use --format=ustar")
        archive.format = format_of(given)
        archive.dereference = "h" in given
        self._recursive = given.last_of("recursion", "no-recursion") != "no-recursion"
        self._keep_names = "P" in given
        self._owner = _owner(given.last("owner"))
        self._group = _owner(given.last("group"))
        zone = zone_of(job.invocation)
        self._mtime = _timestamp(job.invocation, given.last("mtime"), zone)
        self._newer = _timestamp(job.invocation, given.last("N"), zone)
        self._changes, self._tags, self._added = renames(given), tags(given), list[str]()
        to_stdout = given.last("f", "-") == "-"
        self._out = output_of(job, to_stderr=to_stdout)
        self._own = None if to_stdout else _identity(job.invocation.path(given.last("f", "-")))

    async def write(self, only_newer: bool) -> None:
        """Add every name of the job, or only those that are newer than in the archive."""
        archived: dict[str, float] = {}
        if only_newer:
            archived = {member.name: member.mtime for member in self._archive.getmembers()}
        for one in self._job.names:
            await self._add(one, one.name, archived)

    async def _add(self, start: Named, name: str, archived: dict[str, float]) -> None:
        # Let other terminals run, and time limits take effect.
        await asyncio.sleep(0)
        if self._job.excluded is not None and self._job.excluded.search(name):
            return
        path, member_name = os.path.join(start.directory, name), self._safe(name)
        try:
            status = os.stat(path) if self._archive.dereference else os.lstat(path)
            if (status.st_dev, status.st_ino) == self._own:
                self._job.invocation.error(f"{name}: file is the archive; not dumped")
                return
            is_folder = stat.S_ISDIR(status.st_mode)
            mark = mark_in(path, self._tags) if is_folder and self._tags else None
            if mark is not None and not mark.keeps:
                return
            if self._is_new(member_name, status, archived):
                self._add_one(path, name, member_name)
            if is_folder and self._recursive:
                for entry in sorted(os.listdir(path)):
                    if mark is None or (mark.keeps == "tag" and entry == mark.name):
                        await self._add(
                            start, f"{name.rstrip('/') or '/'}/{entry}".replace("//", "/"), archived
                        )
        except OSError as problem:
            verb = "stat" if isinstance(problem, FileNotFoundError) else "open"
            reason = f"{name}: Cannot {verb}: {problem.strerror}"
            if "ignore-failed-read" in self._job.given and verb == "open":
                self._job.invocation.error(f"{name}: Warning: Cannot {verb}: {problem.strerror}")
            else:
                self._job.fail(reason)

    def remove_files(self) -> None:
        """Remove what was archived, folders after what they contain."""
        for path in reversed(self._added):
            try:
                os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
            except OSError as problem:
                self._job.fail(f"{path}: Cannot unlink: {problem.strerror}")

    def _is_new(self, name: str, status: os.stat_result, archived: dict[str, float]) -> bool:
        if self._newer is not None and status.st_mtime < self._newer and not stat.S_ISDIR(status.st_mode):
            return False
        before = archived.get(name.rstrip("/"))
        return before is None or int(status.st_mtime) > int(before)

    def _safe(self, name: str) -> str:
        if self._keep_names:
            return name
        prefix = leading(name)
        if prefix:
            self._job.warn_once(f"Removing leading `{prefix}' from member names")
        return name[len(prefix) :] or "."

    def _add_one(self, path: str, name: str, member_name: str) -> None:
        member = self._archive.gettarinfo(path, name)
        # The stubs don't say that the result is None for a socket.
        if member is None:  # pyright: ignore[reportUnnecessaryComparison]
            self._job.invocation.error(f"{name}: socket ignored")
            return
        member.name = renamed(member_name, self._changes)
        if not member.name:
            return
        if member.issym():
            member.linkname = renamed(member.linkname, self._changes)
        if member.islnk() and not self._keep_names:
            member.linkname = self._safe(member.linkname)
        self._set_attributes(member)
        if "v" in self._job.given:
            line = self._job.lister.line(member, name + "/" if member.isdir() and name[-1] != "/" else name)
            self._out.write((line + "\n").encode("utf-8", "surrogateescape"))
        if member.isreg():
            with open(path, "rb") as content:
                self._archive.addfile(member, content)
        else:
            self._archive.addfile(member)
        self._added.append(path)

    def _set_attributes(self, member: tarfile.TarInfo) -> None:
        if self._owner is not None:
            member.uname, member.uid = self._owner
        if self._group is not None:
            member.gname, member.gid = self._group
        if "numeric-owner" in self._job.given:
            member.uname = member.gname = ""
        if self._mtime is not None and ("clamp-mtime" not in self._job.given or member.mtime > self._mtime):
            member.mtime = self._mtime
        if (mode := self._job.given.last("mode")) is not None:
            member.mode = _mode(mode, member)


def format_of(given: Arguments) -> Literal[0, 1, 2]:
    """Return the archive's format.

    Raises:
        Fatal: It is unknown.
    """
    wanted = given.last("H", "gnu") if given.last_of("H", "posix") != "posix" else "posix"
    if wanted not in FORMATS:
        advice = "; use gnu, ustar or pax" if wanted == "v7" else ""
        raise Fatal(f"{wanted}: Invalid archive format{advice}")
    return FORMATS[wanted]


def _identity(path: str) -> tuple[int, int]:
    status = os.stat(path)
    return status.st_dev, status.st_ino


def _owner(text: str | None) -> tuple[str, int] | None:
    """Parse NAME, NUMBER or NAME:NUMBER."""
    if text is None:
        return None
    name, _, number = text.partition(":")
    if name.isdigit() and not number:
        return "", int(name)
    if number and not number.isdigit():
        raise Fatal(f"{text}: Invalid owner")
    return name, int(number or 0)


def _mode(text: str, member: tarfile.TarInfo) -> int:
    try:
        return parse_mode(text, member.mode, directory=member.isdir())
    except ValueError as problem:
        raise Fatal("Invalid mode given on option") from problem


def _timestamp(invocation: Invocation, text: str | None, zone: tzinfo) -> float | None:
    """Return the time that a text describes as for `date -d`, or of the file if it is a path."""
    if text is None:
        return None
    if text.startswith(("/", ".")):
        try:
            return os.stat(invocation.path(text)).st_mtime
        except OSError as problem:
            raise Fatal(f"{text}: Cannot stat: {problem.strerror}") from problem
    try:
        return int(Description(text).resolve(datetime.now(zone)).timestamp())
    except (ValueError, OverflowError) as problem:
        raise Fatal(f"{text}: not a date (use YYYY-MM-DD HH:MM:SS or @SECONDS)") from problem
