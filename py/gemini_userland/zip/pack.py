"""`zip`: create and change archives."""

from __future__ import annotations

import asyncio
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation
from gemini_userland.text import lines
from gemini_userland.zip.words import ArchiveError, Grammar, Refused, Words, matches

NOTHING_TO_DO, WRONG_USAGE, UNREADABLE, BROKEN = 12, 16, 18, 3
UNIX = 3
FOLDER_BIT = 0x10
HELP = """\
Usage: zip [OPTION]... ARCHIVE[.zip] [FILE]... [-x PATTERN...] [-i PATTERN...]
Put each FILE into ARCHIVE, or replace it there. ARCHIVE - is standard output.

  -r         put the files of folders in, too
  -j         store only the last component of each name
  -u, -f     replace only older files; -f adds no new ones
  -d         delete the entries that match the FILEs
  -m         move the files into the archive: delete them after
  -x, -i     exclude, or only include, names that match a pattern
  -@         read names from standard input
  -D         store no entries for folders
  -y         store symbolic links as links
  -FS        delete the entries whose files are gone
  -T         test the archive
  -0 ... -9  store only ... compress best
  -q         print nothing
"""
_SHOWS = "unzip -l and unzip -v show what is in an archive"
_REPAIRS = "it repairs nothing: unzip -t says whether an archive is sound"
_COMMENTS = "it writes no comments: put a text file into the archive"
_WINDOWS = "there are no names and attributes of Windows: names are UTF-8"
_REFUSED = {
    **dict.fromkeys(("db", "dc", "dd", "dg", "ds", "du", "dv", "sf", "sc", "so", "sd", "su", "sU"), _SHOWS),
    **dict.fromkeys(("F", "FF", "A", "J"), _REPAIRS),
    **dict.fromkeys(("c", "z"), _COMMENTS),
    **dict.fromkeys(("k", "AS", "AC", "UN", "ws", "nw"), _WINDOWS),
    **dict.fromkeys(("e", "P"), "this zip can't encrypt: use `openssl enc` on the archive"),
    **dict.fromkeys(("s", "sp", "sb", "sv"), "split the archive with `split -b SIZE`"),
    **dict.fromkeys(("lf", "la", "li"), "redirect the output into a file with >"),
    **dict.fromkeys(("U", "DF"), "make another archive with cp, zip -d and zip -u"),
    "R": "use `find . -name PATTERN | zip -@ ARCHIVE`",
    "MM": "the exit code is 12 where no file is there",
    "TT": "unzip tests archives: use -T",
    "L": "the page's notices have all licenses",
    "w": "there are no versions of files: leave it out",
}
GRAMMAR = Grammar(
    flags={*"0123456789@dDfghjlmoqrSTuvXy", "FS", "ll"},
    valued={"b", "n", "t", "tt", "O", "Z"},
    lists={"x", "i"},
    long={
        "recurse-paths": "r",
        "junk-paths": "j",
        "update": "u",
        "freshen": "f",
        "delete": "d",
        "move": "m",
        "grow": "g",
        "exclude": "x",
        "include": "i",
        "quiet": "q",
        "verbose": "v",
        "no-dir-entries": "D",
        "symlinks": "y",
        "filesync": "FS",
        "test": "T",
        "output-file": "O",
        "out": "O",
        "password": "P",
        "encrypt": "e",
        "help": "h",
        "version": "version",
        "no-extra": "X",
        "names-stdin": "@",
        "compression-method": "Z",
        "from-crlf": "ll",
        "to-crlf": "l",
        "from-date": "t",
        "before-date": "tt",
        "suffixes": "n",
        "latest-time": "o",
        "temp-path": "b",
        "split-size": "s",
        "fix": "F",
        "fixfix": "FF",
        "recurse-patterns": "R",
        "copy-entries": "U",
        "show-files": "sf",
        "archive-comment": "z",
        "entry-comments": "c",
        "license": "L",
    },
    refused=_REFUSED,
)


@dataclass
class Entry:
    """An entry of an archive: its header and its content."""

    info: zipfile.ZipInfo
    content: bytes


class Packer:
    """A run of zip.

    Args:
        invocation: The call of the command.
        words: The parsed options; the first operand is the archive.
    """

    def __init__(self, invocation: Invocation, words: Words) -> None:
        self._invocation = invocation
        self._words = words
        self._zone = zone_of(invocation)
        self._name, *self._operands = words.operands
        self._to_stdout = self._name == "-"
        if not self._to_stdout and "." not in os.path.basename(self._name):
            self._name += ".zip"
        self._path = invocation.path(self._name)
        self._entries: dict[str, Entry] = {}
        self._level = int(next((digit for digit in "9876543210" if digit in words), "6"))
        method = (words.last("Z") or "deflate").lower()
        if method not in ("store", "deflate"):
            raise ArchiveError(
                f"zip error: Invalid command arguments (-Z {method} isn't supported: use store or deflate)",
                WRONG_USAGE,
            )
        if method == "store":
            self._level = 0
        self._since, self._before = (self._date(words.last(letter)) for letter in ("t", "tt"))
        self._status = 0
        self._changed = False
        self._packed: list[str] = []

    def _date(self, text: str | None) -> datetime | None:
        """Return the date of -t or -tt: `mmddyyyy` or `yyyy-mm-dd`."""
        if text is None:
            return None
        for form in ("%m%d%Y", "%Y-%m-%d"):
            with suppress(ValueError):
                return datetime.strptime(text, form).replace(tzinfo=self._zone)
        raise ArchiveError(
            "zip error: Invalid command arguments (invalid date entered for -t option - use mmddyyyy or yyyy-mm-dd)",
            WRONG_USAGE,
        )

    def _say(self, text: str) -> None:
        # The archive has standard output to itself.
        stream = self._invocation.stderr if self._to_stdout else self._invocation.stdout
        stream.write((text + "\n").encode("utf-8", "surrogateescape"))

    async def run(self) -> int:
        """Change the archive and return the exit code."""
        self._load()
        if "T" in self._words and not self._operands and self._entries and "@" not in self._words:
            self._say(f"test of {self._name} OK")
            return 0
        if "d" in self._words:
            self._delete()
        else:
            await self._add()
        if not self._changed:
            if "d" in self._words or not ({"u", "f", "FS"} & self._words.letters.keys()):
                raise ArchiveError(f"zip error: Nothing to do! ({self._name})", NOTHING_TO_DO)
            return self._status or NOTHING_TO_DO
        self._save()
        if "m" in self._words:
            self._remove_packed()
        return self._status

    def _load(self) -> None:
        if self._to_stdout or not os.path.exists(self._path):
            return
        try:
            with zipfile.ZipFile(self._path) as archive:
                self._entries = {one.filename: Entry(one, archive.read(one)) for one in archive.infolist()}
        except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error) as error:
            raise ArchiveError(f"zip error: Zip file structure invalid ({self._name})", BROKEN) from error

    def _delete(self) -> None:
        for name in list(self._entries):
            if matches(name, self._operands):
                del self._entries[name]
                self._changed = True
                if "q" not in self._words:
                    self._say(f"deleting: {name}")
        for pattern in self._operands if not self._changed else ():
            self._say(f"\tzip warning: name not matched: {pattern}")

    async def _add(self) -> None:
        found = dict(self._find())
        for name, path in found.items():
            # Let other terminals run, and time limits take effect.
            await asyncio.sleep(0)
            self._put(name, path)
        for name in [one for one in self._entries if "FS" in self._words and one not in found]:
            del self._entries[name]
            self._changed = True
            self._say(f"deleting: {name}")

    def _find(self) -> Iterator[tuple[str, str]]:
        """Yield the name in the archive and the path of each file that is selected."""
        operands = self._operands
        if "@" in self._words:
            operands = [*operands, *(os.fsdecode(line) for line in lines(self._invocation.stdin))]
        for operand in operands:
            if operand == "-":
                yield "-", "-"
                continue
            path = self._invocation.path(operand)
            if not os.path.lexists(path):
                self._say(f"\tzip warning: name not matched: {operand}")
                continue
            yield from self._select(path, operand)

    def _select(self, path: str, shown: str) -> Iterator[tuple[str, str]]:
        is_folder = os.path.isdir(path) and not (os.path.islink(path) and "y" in self._words)
        name = os.path.normpath(shown).lstrip("/") if shown else ""
        name = "" if name == "." else name
        while name.startswith("../"):
            name = name[3:]
        junks = "j" in self._words
        if is_folder:
            if name and not junks and "D" not in self._words and self._wants(name + "/"):
                yield name + "/", path
            for below in sorted(os.listdir(path)) if "r" in self._words else ():
                yield from self._select(os.path.join(path, below), f"{name}/{below}" if name else below)
        elif not (os.path.exists(self._path) and os.path.realpath(path) == os.path.realpath(self._path)):
            stored = os.path.basename(name) if junks else name
            if self._wants(name) and self._is_in_time(path):
                yield stored, path

    def _is_in_time(self, path: str) -> bool:
        if self._since is None and self._before is None:
            return True
        changed = datetime.fromtimestamp(os.lstat(path).st_mtime, self._zone)
        return not (self._since and changed < self._since) and not (self._before and changed >= self._before)

    def _wants(self, name: str) -> bool:
        excluded, included = self._words.values.get("x", []), self._words.values.get("i")
        return not matches(name, excluded) and (included is None or matches(name, included))

    def _put(self, name: str, path: str) -> None:
        old = self._entries.get(name)
        try:
            entry = self._entry(name, path)
        except OSError as error:
            self._say(f"\tzip warning: could not open for reading: {name}\n\tzip warning: {error.strerror}")
            self._status = UNREADABLE
            return
        keeps_newer = {"u", "f", "FS"} & self._words.letters.keys()
        if old is not None and keeps_newer and entry.info.date_time <= old.info.date_time:
            return
        if old is None and "f" in self._words:
            return
        self._entries[name] = entry
        self._changed = True
        self._packed.append(path)
        if "q" not in self._words:
            verb = "freshening" if "f" in self._words else "updating" if old else "  adding"
            info = entry.info
            sizes = f"\t(in={info.file_size}) (out={info.compress_size})" if "v" in self._words else ""
            self._say(f"{verb}: {name}{sizes} ({self._ratio(entry)})")

    def _entry(self, name: str, path: str) -> Entry:
        if path == "-":
            info = zipfile.ZipInfo(name, datetime.now(self._zone).timetuple()[:6])
            info.external_attr = (stat.S_IFREG | 0o600) << 16
            return self._compress(Entry(info, self._invocation.stdin))
        is_link = os.path.islink(path) and "y" in self._words
        about = os.lstat(path) if is_link else os.stat(path)
        # The format counts years from 1980, and two seconds at a time.
        year, *rest = datetime.fromtimestamp(about.st_mtime, self._zone).timetuple()[:6]
        moment = (year, *rest) if year >= 1980 else (1980, 1, 1, 0, 0, 0)
        info = zipfile.ZipInfo(name, moment)  # type: ignore[arg-type]
        info.external_attr = (about.st_mode & 0xFFFF) << 16
        info.create_system = UNIX
        if name.endswith("/"):
            info.external_attr |= FOLDER_BIT
            return Entry(info, b"")
        if is_link:
            return self._compress(Entry(info, os.fsencode(os.readlink(path))))
        with open(path, "rb") as file:
            return self._compress(Entry(info, self._with_line_ends(file.read())))

    def _with_line_ends(self, content: bytes) -> bytes:
        """Return a text with the line ends of -l (Windows) or -ll (Unix)."""
        if b"\0" in content or not {"l", "ll"} & self._words.letters.keys():
            return content
        return content.replace(b"\r\n", b"\n") if "ll" in self._words else content.replace(b"\n", b"\r\n")

    def _compress(self, entry: Entry) -> Entry:
        """Choose the method of compression: none if it makes the content no smaller."""
        packer = zlib.compressobj(self._level, zlib.DEFLATED, -15)
        size = len(packer.compress(entry.content) + packer.flush())
        shrinks = self._level > 0 and size < len(entry.content)
        entry.info.compress_type = zipfile.ZIP_DEFLATED if shrinks else zipfile.ZIP_STORED
        entry.info.file_size = len(entry.content)
        entry.info.compress_size = size if shrinks else len(entry.content)
        return entry

    def _ratio(self, entry: Entry) -> str:
        info = entry.info
        method = "deflated" if info.compress_type == zipfile.ZIP_DEFLATED else "stored"
        saved = (
            (200 * (info.file_size - info.compress_size) // info.file_size + 1) // 2 if info.file_size else 0
        )
        return f"{method} {saved}%"

    def _save(self) -> None:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for entry in self._entries.values():
                archive.writestr(entry.info, entry.content, entry.info.compress_type, self._level or None)
        target = self._words.last("O")
        if self._to_stdout:
            self._invocation.stdout.write(buffer.getvalue())
            return
        path = self._invocation.path(target) if target else self._path
        if not self._entries:
            self._say("\tzip warning: zip file empty")
            if os.path.exists(path):
                os.unlink(path)
            return
        with self._invocation.create(path) as file:
            file.write(buffer.getvalue())
        if "v" in self._words:
            self._say_totals()
        if "T" in self._words and "q" not in self._words:
            self._say(f"test of {self._name} OK")

    def _say_totals(self) -> None:
        infos = [entry.info for entry in self._entries.values()]
        whole, packed = sum(one.file_size for one in infos), sum(one.compress_size for one in infos)
        saved = (200 * (whole - packed) // whole + 1) // 2 if whole else 0
        self._say(f"total bytes={whole}, compressed={packed} -> {saved}% savings")

    def _remove_packed(self) -> None:
        for path in sorted(self._packed, key=len, reverse=True):
            if os.path.isdir(path) and not os.path.islink(path):
                if not os.listdir(path):
                    os.rmdir(path)
            elif path != "-":
                os.unlink(path)


async def zip_command(invocation: Invocation) -> int:
    """Create or change an archive; return 12 if there is nothing to do, 18 if a file can't be read."""
    try:
        words = GRAMMAR.parse(invocation.argv[1:])
    except Refused as refusal:
        return _fail(invocation, f"zip error: Invalid command arguments ({refusal})")
    except KeyError as error:
        return _fail(invocation, f"zip error: Invalid command arguments (unknown option: {error.args[0]})")
    if "h" in words or not invocation.argv[1:]:
        invocation.print(HELP, end="")
        return 0
    if not words.operands:
        return _fail(invocation, "zip error: Invalid command arguments (no archive named)")
    try:
        return await Packer(invocation, words).run()
    except ArchiveError as error:
        return _fail(invocation, str(error), error.exit_code)


def _fail(invocation: Invocation, message: str, exit_code: int = WRONG_USAGE) -> int:
    invocation.print(f"\n{message}")
    return exit_code
