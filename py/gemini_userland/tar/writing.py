"""Creates archives, and appends to them."""

from __future__ import annotations

import asyncio
import os
import stat
import tarfile
from datetime import datetime, tzinfo
from typing import Literal

from gemini_userland.clock import zone_of
from gemini_userland.tar.job import Fatal, Job
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
        wanted = given.last("H", "gnu")
        if wanted not in FORMATS:
            raise Fatal(f"{wanted}: Invalid archive format")
        archive.format = FORMATS[wanted]
        archive.dereference = "h" in given
        self._recursive = given.last_of("recursion", "no-recursion") != "no-recursion"
        self._keep_names = "P" in given
        self._owner = _owner(given.last("owner"))
        self._group = _owner(given.last("group"))
        self._mtime = _timestamp(given.last("mtime"), zone_of(job.invocation))
        to_stdout = given.last("f", "-") == "-"
        self._out = job.invocation.stderr if to_stdout else job.invocation.stdout
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
            if self._is_new(member_name, status, archived):
                self._add_one(path, name, member_name)
            if stat.S_ISDIR(status.st_mode) and self._recursive:
                for entry in sorted(os.listdir(path)):
                    await self._add(start, f"{name.rstrip('/') or '/'}/{entry}".replace("//", "/"), archived)
        except OSError as problem:
            verb = "stat" if isinstance(problem, FileNotFoundError) else "open"
            self._job.fail(f"{name}: Cannot {verb}: {problem.strerror}")

    def _is_new(self, name: str, status: os.stat_result, archived: dict[str, float]) -> bool:
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
        member.name = member_name
        if member.islnk() and not self._keep_names:
            member.linkname = self._safe(member.linkname)
        if self._owner is not None:
            member.uname, member.uid = self._owner
        if self._group is not None:
            member.gname, member.gid = self._group
        if self._mtime is not None:
            member.mtime = self._mtime
        if "v" in self._job.given:
            line = self._job.lister.line(member, name + "/" if member.isdir() and name[-1] != "/" else name)
            self._out.write((line + "\n").encode("utf-8", "surrogateescape"))
        if member.isreg():
            with open(path, "rb") as content:
                self._archive.addfile(member, content)
        else:
            self._archive.addfile(member)


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


def _timestamp(text: str | None, zone: tzinfo) -> float | None:
    """Parse an ISO 8601 date (local time by default) or @SECONDS."""
    if text is None:
        return None
    try:
        if text.startswith("@"):
            return int(float(text[1:]))
        moment = datetime.fromisoformat(text.replace(" UTC", "+00:00"))
        return int((moment if moment.tzinfo else moment.replace(tzinfo=zone)).timestamp())
    except ValueError as problem:
        raise Fatal(f"{text}: not a date (use YYYY-MM-DD HH:MM:SS or @SECONDS)") from problem
