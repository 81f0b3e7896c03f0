"""Lists archives, and extracts them without leaving the target directory."""

from __future__ import annotations

import asyncio
import os
import shutil
import tarfile
from dataclasses import dataclass

from gemini_userland.expansion import ExpandsTooFar, cost, limit
from gemini_userland.tar.job import Fatal, Job, UsageError, output_of
from gemini_userland.tar.listing import name_of
from gemini_userland.tar.names import renamed, renames, top_level
from gemini_userland.tar.selection import Wanted, leading

# Names with NUL, and times that no file can have.
IMPOSSIBLE = (ValueError, OverflowError)


@dataclass(frozen=True)
class _Directory:
    """An extracted directory; its mode and time are set after its last member."""

    path: str
    mode: int
    mtime: float


class Refused(Exception):
    """A member isn't extracted; the message says why."""


class Reader:
    """Lists or extracts the members of an open archive.

    Args:
        job: The run of tar.
        packed: The size of the archive, in bytes.
    """

    def __init__(self, job: Job, packed: int) -> None:
        given = job.given
        self._job = job
        self._wanted = Wanted(
            job.names,
            job.directory,
            given,
            job.excluded,
        )
        self._strip = _count(given.last("strip-components", "0"))
        self._umask = 0 if "p" in given else _umask()
        self._changes, self._top = renames(given), top_level(given)
        self._directories: list[_Directory] = []
        self._left = self._most = limit(packed)
        self._out = output_of(job, to_stderr="O" in given)

    async def read(self, archive: tarfile.TarFile) -> int:
        """List or extract the selected members and return the exit code."""
        lists = "t" in self._job.given
        for member in archive:
            # Let other terminals run, and time limits take effect.
            await asyncio.sleep(0)
            directory = self._wanted.directory_of(name_of(member))
            if directory is None:
                continue
            try:
                if lists:
                    self._show(member)
                else:
                    self._take(archive, member, directory)
            except IMPOSSIBLE as problem:
                self._job.fail(f"{member.name}: {problem}")
        self._finish_directories()
        self._report_missing()
        return self._job.finish()

    def _show(self, member: tarfile.TarInfo) -> None:
        label = None
        if "show-transformed-names" in self._job.given:
            label = self._new_name(name_of(member))
            if not label:
                return
        self._out.write((self._job.lister.line(member, label) + "\n").encode("utf-8", "surrogateescape"))

    def _take(self, archive: tarfile.TarFile, member: tarfile.TarInfo, directory: str) -> None:
        renamed = self._rename(member)
        if renamed is None:
            return
        self._left -= cost(member)
        if self._left < 0:
            raise Fatal(f"{member.name}: The archive {ExpandsTooFar(self._most).strerror}")
        if "v" in self._job.given:
            self._show(member)
        try:
            if "O" in self._job.given:
                self._print(archive, member)
            else:
                self._extract(archive, self._check(renamed, directory), directory)
        except Refused as reason:
            self._job.fail(str(reason))
        except OSError as problem:
            self._job.fail(f"{member.name}: Cannot open: {problem.strerror or problem}")

    def _rename(self, member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        """Change the name as the options say, and drop leading components; return None if nothing is left."""
        name = self._new_name(member.name)
        if not name:
            return None
        linkname = self._new_name(member.linkname) if member.islnk() or self._changes else member.linkname
        return member.replace(name=name, linkname=linkname, deep=False)

    def _new_name(self, name: str) -> str:
        name = renamed(name, self._changes)
        if self._strip:
            name = _without_leading(name, self._strip)
        inside = self._top is None or name == self._top or name.startswith(f"{self._top}/")
        return name if inside or not name else f"{self._top}/{name}"

    def _print(self, archive: tarfile.TarFile, member: tarfile.TarInfo) -> None:
        content = archive.extractfile(member) if member.isreg() or member.islnk() else None
        if content is not None:
            with content:
                self._job.invocation.stdout.write(content.read())

    def _check(self, member: tarfile.TarInfo, directory: str) -> tarfile.TarInfo:
        """Return a version of the member that is safe to extract.

        Raises:
            Refused: There is none.
        """
        if "P" in self._job.given:
            return member
        prefix = leading(member.name)
        if prefix:
            self._job.warn_once(f"Removing leading `{prefix}' from member names")
        if ".." in member.name.split("/"):
            raise Refused(f"{member.name}: Member name contains '..'")
        if member.islnk():
            member = member.replace(linkname=member.linkname[len(leading(member.linkname)) :], deep=False)
        member = member.replace(name=member.name[len(prefix) :] or ".", deep=False)
        self._drop_link(member, directory)
        try:
            safe = tarfile.data_filter(member, directory)
        except tarfile.FilterError as reason:
            raise Refused(f"{member.name}: Refused: {reason}") from reason
        # The filter removes more permissions than the umask does.
        return safe.replace(mode=member.mode & 0o777, deep=False)

    def _drop_link(self, member: tarfile.TarInfo, directory: str) -> None:
        """Remove a link at the path of a file or directory, so extraction doesn't follow it."""
        path = os.path.join(directory, member.name)
        above = os.path.realpath(os.path.dirname(path.rstrip("/")))
        inside = os.path.commonpath([above, os.path.realpath(directory)]) == os.path.realpath(directory)
        if inside and os.path.islink(path) and (member.isreg() or member.isdir()):
            self._remove_existing(path, member)

    def _extract(self, archive: tarfile.TarFile, member: tarfile.TarInfo, directory: str) -> None:
        path = os.path.join(directory, member.name)
        if os.path.lexists(path) and not self._remove_existing(path, member):
            return
        mode = member.mode & ~self._umask
        if member.isdir():
            os.makedirs(path, exist_ok=True)
            self._directories.append(_Directory(path, mode, member.mtime))
            return
        if member.islnk() and os.path.exists(source := os.path.join(directory, member.linkname)):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            _link(source, path)
            return
        if member.islnk():
            raise Refused(
                f"{member.name}: Cannot hard link to '{member.linkname}': No such file or directory"
            )
        ready = member.replace(mode=mode, deep=False)
        archive.extract(ready, directory, set_attrs=False, filter="fully_trusted")
        if not member.issym():
            self._set_attributes(path, mode, member.mtime)

    def _remove_existing(self, path: str, member: tarfile.TarInfo) -> bool:
        """Remove the existing file at `path`; return False if the member must be skipped instead."""
        is_directory = os.path.isdir(path) and not os.path.islink(path)
        if is_directory and member.isdir():
            return True
        is_newer = "keep-newer-files" in self._job.given and os.lstat(path).st_mtime >= member.mtime
        if is_newer and not is_directory:
            self._job.invocation.error(f"Current '{member.name}' is newer or same age")
        if "skip-old-files" in self._job.given or is_newer:
            return False
        if "k" in self._job.given:
            raise FileExistsError(17, "File exists")
        if is_directory:
            os.rmdir(path)
        else:
            os.unlink(path)
        return True

    def _set_attributes(self, path: str, mode: int, mtime: float) -> None:
        os.chmod(path, mode)
        if "m" not in self._job.given:
            os.utime(path, (mtime, mtime))

    def _finish_directories(self) -> None:
        for directory in sorted(self._directories, key=lambda one: one.path, reverse=True):
            try:
                self._set_attributes(directory.path, directory.mode, directory.mtime)
            except (*IMPOSSIBLE, OSError) as problem:
                self._job.fail(f"{directory.path}: {problem}")

    def _report_missing(self) -> None:
        for name in self._wanted.missing():
            if not self._wanted.wildcards and any(character in name for character in "*?["):
                self._job.warn_once("Pattern matching characters used in file names")
                self._job.warn_once(
                    "Use --wildcards to enable pattern matching, or --no-wildcards to suppress this warning"
                )
            self._job.fail(f"{name}: Not found in archive")


def _without_leading(name: str, count: int) -> str:
    return "/".join([part for part in name.split("/") if part][count:])


def _count(text: str) -> int:
    if not text.isdigit():
        raise UsageError(f"{text}: Invalid number of elements")
    return int(text)


def _umask() -> int:
    umask = os.umask(0o022)
    os.umask(umask)
    return umask


def _link(source: str, path: str) -> None:
    if hasattr(os, "link"):
        os.link(source, path)
    else:  # Emscripten has no hard links
        shutil.copy2(source, path)
