"""Extracts and tests the entries of an archive, without leaving the target folder."""

from __future__ import annotations

import asyncio
import os
import stat
import zipfile
import zlib
from collections.abc import Sequence
from datetime import datetime, timedelta

from gemini_userland.clock import zone_of
from gemini_userland.expansion import ExpandsTooFar, limit, read_all
from gemini_userland.invocation import Invocation
from gemini_userland.text import lines
from gemini_userland.zip.words import ArchiveError, Words

DAMAGED, WARNED, NEEDS_PASSWORD = 2, 1, 82
NAME_WIDTH = 22
PERMISSIONS = 0o777
ENCRYPTED = 0x1


class Extractor:
    """Extracts, prints or tests the entries of an archive.

    Args:
        invocation: The call of unzip.
        words: The parsed options.
        archive: The archive.
        shown: The archive's name.
    """

    def __init__(self, invocation: Invocation, words: Words, archive: zipfile.ZipFile, shown: str) -> None:
        self._packed = os.path.getsize(invocation.path(shown))
        self._invocation = invocation
        self._words = words
        self._zone = zone_of(invocation)
        self._archive = archive
        self._shown = shown
        self._quiet = words.count("q")
        self._root = invocation.path(words.last("d") or ".")
        self._answers = iter(lines(invocation.stdin))
        self._policy = "A" if "o" in words else "N" if "n" in words else ""
        self._folders: list[tuple[str, zipfile.ZipInfo]] = []
        self._links: list[tuple[str, str]] = []
        self._status = 0

    async def run(self, entries: Sequence[zipfile.ZipInfo]) -> int:
        """Work on the entries and return the exit code."""
        prints = "p" in self._words or "c" in self._words
        if sum(entry.file_size for entry in entries) > (most := limit(self._packed)):
            raise ArchiveError(
                f"error:  {self._shown} {ExpandsTooFar(most).strerror} (possible zip bomb)", DAMAGED
            )
        for entry in entries:
            # Let other terminals run, and time limits take effect.
            await asyncio.sleep(0)
            if "t" in self._words:
                self._test(entry)
            elif prints:
                self._print(entry)
            else:
                self._extract(entry)
        self._finish()
        if "t" in self._words and self._quiet < 2:
            errors = "At least one error was" if self._status else "No errors"
            self._invocation.print(f"{errors} detected in compressed data of {self._shown}.")
        return self._status

    def _say(self, text: str, end: str = "\n") -> None:
        if not self._quiet:
            self._invocation.print(text, end)

    def _complain(self, text: str, status: int) -> None:
        self._invocation.stderr.write(f"{text}\n".encode("utf-8", "surrogateescape"))
        self._status = max(self._status, status)

    def _content(self, entry: zipfile.ZipInfo) -> bytes | None:
        """Return the content of an entry, or None after an error message."""
        password = self._words.last("P")
        try:
            # In chunks: reading all at once inflates the entry before its size is checked.
            with self._archive.open(entry, pwd=password.encode() if password is not None else None) as file:
                return read_all(file, self._packed)
        except RuntimeError:
            if entry.flag_bits & ENCRYPTED:
                reason = "incorrect password" if password is not None else "unable to get password"
                self._complain(f"   skipping: {entry.filename:{NAME_WIDTH}}  {reason}", NEEDS_PASSWORD)
                return None
            raise
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            reason = "bad CRC" if "CRC" in str(error) else "invalid compressed data"
            self._complain(f"{entry.filename:{NAME_WIDTH}}  {reason}", DAMAGED)
            return None

    def _test(self, entry: zipfile.ZipInfo) -> None:
        content = self._content(entry)
        if content is not None:
            self._say(f"    testing: {entry.filename:{NAME_WIDTH}}   OK")

    def _print(self, entry: zipfile.ZipInfo) -> None:
        content = None if entry.is_dir() else self._content(entry)
        if content is None:
            return
        if "c" in self._words:
            self._say(self._title(entry))
        self._invocation.stdout.write(content)
        if "c" in self._words:
            self._say("")

    def _title(self, entry: zipfile.ZipInfo, name: str = "") -> str:
        verb = " extracting" if entry.compress_type == zipfile.ZIP_STORED else "  inflating"
        return f"{verb}: {name or entry.filename:{NAME_WIDTH}}  "

    def _name(self, entry: zipfile.ZipInfo) -> str:
        """Return the name that an entry is extracted to, without parts that lead out of the folder."""
        name = entry.filename.lower() if "L" in self._words else entry.filename
        parts = [part for part in name.split("/") if part not in ("", ".")]
        if name.startswith("/"):
            self._complain(f"warning:  stripped absolute path spec from {name}", WARNED)
        if ".." in parts:
            self._complain(f'warning:  skipped "../" path component(s) in {name}', WARNED)
        parts = [part for part in parts if part != ".."]
        if "j" in self._words:
            parts = [] if entry.is_dir() else parts[-1:]
        return "/".join(parts)

    def _extract(self, entry: zipfile.ZipInfo) -> None:
        name = self._name(entry)
        if not name:
            return
        path = os.path.join(self._root, name)
        directory = self._words.last("d")
        shown = os.path.join(directory, name) if directory is not None else name
        if not self._is_inside(os.path.dirname(path)):
            self._complain(
                f"error:  {shown} is below a symbolic link that leads elsewhere; not extracted", DAMAGED
            )
            return
        if entry.is_dir():
            if not os.path.isdir(path):
                os.makedirs(path)
                self._folders.append((path, entry))
                self._say(f"   creating: {shown}/")
        elif self._may_write(entry, path, shown):
            self._write(entry, path, shown)

    def _is_inside(self, folder: str) -> bool:
        root = os.path.realpath(self._root)
        return os.path.commonpath([root, os.path.realpath(folder)]) == root

    def _may_write(self, entry: zipfile.ZipInfo, path: str, shown: str) -> bool:
        exists = os.path.lexists(path)
        if {"f", "u"} & self._words.letters.keys():
            if not exists:
                return "f" not in self._words
            if datetime.fromtimestamp(os.lstat(path).st_mtime, self._zone).timetuple()[:6] >= entry.date_time:
                return False
        if not exists or self._policy == "A":
            return True
        return self._policy != "N" and self._ask(shown)

    def _ask(self, shown: str) -> bool:
        """Take the answer from standard input; without one, nothing is overwritten."""
        question = f"replace {shown}? [y]es, [n]o, [A]ll, [N]one, [r]ename: "
        answer = next(self._answers, None)
        if answer is None:
            self._status = max(self._status, WARNED)
            question += ' NULL\n(EOF or read error, treating as "[N]one" ...)\n'
        self._invocation.stderr.write(question.encode("utf-8", "surrogateescape"))
        letter = (answer or b"N")[:1].decode("latin-1")
        if letter in ("A", "N"):
            self._policy = letter
        return letter in ("A", "y", "Y")

    def _write(self, entry: zipfile.ZipInfo, path: str, shown: str) -> None:
        content = self._content(entry)
        if content is None:
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        mode = entry.external_attr >> 16
        if stat.S_ISLNK(mode):
            self._say(f"    linking: {shown:{NAME_WIDTH}}  -> {os.fsdecode(content)} ")
            self._links.append((path, os.fsdecode(content)))
            return
        self._say(self._title(entry, shown))
        # A link at this place would be followed.
        if os.path.islink(path):
            os.unlink(path)
        with open(path, "wb") as file:
            file.write(content)
        self._set_attributes(path, entry, 0o666)

    def _set_attributes(self, path: str, entry: zipfile.ZipInfo, default: int) -> None:
        mode = (entry.external_attr >> 16) & PERMISSIONS or default
        os.chmod(path, mode & ~self._invocation.umask)
        moment = _time_of(entry).replace(tzinfo=self._zone).timestamp()
        os.utime(path, (moment, moment))

    def _finish(self) -> None:
        """Create links, and set the times of folders, after all files are there."""
        if self._links:
            self._say("finishing deferred symbolic links:")
        for path, target in self._links:
            if os.path.lexists(path):
                os.unlink(path)
            os.symlink(target, path)
            self._say(f"  {os.path.relpath(path, self._root):{NAME_WIDTH}} -> {target}")
        for path, entry in reversed(self._folders):
            self._set_attributes(path, entry, PERMISSIONS)


def _time_of(entry: zipfile.ZipInfo) -> datetime:
    """Return the local time of an entry. Fields out of range, such as a month of 0, move it, as in C's `mktime`."""
    year, month, day, hour, minute, second = entry.date_time
    first = datetime(year + (month - 1) // 12, (month - 1) % 12 + 1, 1)
    return first + timedelta(days=day - 1, hours=hour, minutes=minute, seconds=second)
