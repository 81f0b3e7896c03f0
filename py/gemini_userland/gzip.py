"""`gzip`, `gunzip` and `zcat`: compress and decompress files.

The format is RFC 1952's; messages and exit codes (1 for errors, 2 for warnings) are GNU gzip's.
"""

from __future__ import annotations

import gzip as codec
import io
import os
import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

from gemini_userland.expansion import read_all
from gemini_userland.gzip_listing import Header, Listing, ratio, read_header
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import read

SYNTAX = Syntax(
    short="cdfhklLnqrS:tvN123456789",
    long={
        "stdout": "c",
        "to-stdout": "c",
        "decompress": "d",
        "uncompress": "d",
        "force": "f",
        "keep": "k",
        "list": "l",
        "name": "N",
        "no-name": "n",
        "quiet": "q",
        "recursive": "r",
        "rsyncable": "ignored",
        "suffix=": "S",
        "synchronous": "ignored",
        "test": "t",
        "verbose": "v",
        "license": "L",
        "fast": "1",
        "best": "9",
    },
    answer={"h": "help", "V": "version"},
    refused={"L": "the page's notices have all licenses"},
    help="""
Usage: gzip [OPTION]... [FILE]...
Compress each FILE to FILE.gz, or standard input to standard output.

  -c         write to standard output and don't change the files
  -d         decompress
  -f         overwrite existing files, follow links
  -k         keep the input files
  -l         list sizes and names
  -N, -n     restore the name and the time when decompressing; don't save them when compressing
  -q         print no warnings
  -r         work on the files in folders
  -S TEXT    files end with TEXT instead of .gz
  -t         only test the integrity of the files
  -v         print the name and how much smaller each file has become
  -1 ... -9  compress fast ... compress best
""",
)
ENDINGS = {".gz": "", "-gz": "", ".z": "", "-z": "", "_z": "", ".tgz": ".tar", ".taz": ".tar"}
WARNING = 2


class _Warned(Exception):
    """A file that is left alone. The text is the warning, which may be empty."""


class _Failed(Exception):
    """A file that can't be compressed or decompressed."""


async def gzip(invocation: Invocation) -> int:
    """Compress or decompress the operands; return 1 if one fails, or 2 if one is left alone."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    run = _Gzip(invocation, given)
    for name in given.operands or ["-"]:
        run.operand(name)
    if run.listing is not None:
        run.listing.finish()
    return run.status


@dataclass(frozen=True)
class _Source:
    """A file, or standard input (`-`), and the file that it becomes."""

    name: str
    target: str


class _Gzip:
    """A call of gzip."""

    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self._invocation, self._given = invocation, given
        self.status = 0
        self.listing = Listing(invocation, given) if "l" in given else None
        self._prints = "c" in given or invocation.name == "zcat"
        named = invocation.name in ("gunzip", "zcat")
        self._unpacks = named or any(letter in given for letter in "dtl")
        suffix = given.last("S")
        self._suffix = suffix or ".gz"
        self._endings = {suffix: "", **ENDINGS} if suffix else ENDINGS
        self._level = int(next((digit for digit, _ in reversed(given.items) if digit.isdigit()), "6"))

    def operand(self, name: str) -> None:
        """Work on a file, or on the files of a folder."""
        for path in self._files(name):
            try:
                self._one(path)
            except _Warned as warning:
                if "q" not in self._given:
                    self._say(f"{self._invocation.name}: {warning}" if str(warning) else "")
                    self.status = self.status or WARNING
            except _Failed as problem:
                self._fail(str(problem))
            except OSError as error:
                self._fail(f"{path}: {error.strerror}")

    def _files(self, name: str) -> Iterator[str]:
        if "r" not in self._given or name == "-" or not os.path.isdir(self._invocation.path(name)):
            yield name
            return
        top = self._invocation.path(name)
        for folder, _, names in os.walk(top):
            below = name.rstrip("/") + folder[len(top.rstrip("/")) :]
            for one in sorted(names):
                # Only what fits is taken of a folder, without warnings.
                if self._unpacks == any(one.endswith(ending) for ending in self._endings):
                    yield f"{below}/{one}"

    def _fail(self, text: str) -> None:
        self._invocation.error(text)
        self.status = 1

    def _say(self, text: str) -> None:
        if text:
            self._invocation.stderr.write(f"{text}\n".encode("utf-8", "surrogateescape"))

    def _one(self, name: str) -> None:
        source = self._source(name)
        if source is None:
            return
        content = read(self._invocation, source.name)
        about = None if name == "-" else os.stat(self._invocation.path(source.name))
        if self._unpacks:
            self._unpack(source, content, about)
            return
        keeps = "n" not in self._given and about is not None
        header = Header(
            int(about.st_mtime) if about and keeps else 0, os.path.basename(name) if keeps else ""
        )
        packed = _pack(content, header, self._level)
        self._write(source, packed, about, 0)
        self._report(source, ratio(len(content), len(packed), header.size))

    def _source(self, name: str) -> _Source | None:
        """Return the file for an operand, or None if it is reported and left alone."""
        if name == "-":
            return _Source(name, "")
        path = self._invocation.path(name)
        if self._unpacks and not os.path.lexists(path) and not self._has_ending(name):
            name, path = name + self._suffix, path + self._suffix
        about = os.lstat(path)
        if stat.S_ISDIR(about.st_mode):
            raise _Warned(f"{name} is a directory -- ignored")
        if stat.S_ISLNK(about.st_mode) and not (self._prints or "f" in self._given or self._reads_only):
            raise _Failed(f"{name}: Too many levels of symbolic links")
        if self._unpacks:
            return _Source(name, self._unpacked_name(name))
        if not self._prints and any(name.endswith(ending) for ending in self._endings):
            if "q" not in self._given:
                ending = next(ending for ending in self._endings if name.endswith(ending))
                self._invocation.error(f"{name} already has {ending} suffix -- unchanged")
            return None
        return _Source(name, name + self._suffix)

    @property
    def _reads_only(self) -> bool:
        return "t" in self._given or self.listing is not None

    def _has_ending(self, name: str) -> bool:
        return any(name.endswith(ending) for ending in self._endings)

    def _unpacked_name(self, name: str) -> str:
        for ending, replacement in self._endings.items():
            if name.endswith(ending) and len(os.path.basename(name)) > len(ending):
                return name.removesuffix(ending) + replacement
        if not self._prints and not self._reads_only:
            raise _Warned(f"{name}: unknown suffix -- ignored")
        return name

    def _unpack(self, source: _Source, content: bytes, about: os.stat_result | None) -> None:
        header = read_header(content)
        if header is None and "f" in self._given and self._prints:
            self._invocation.stdout.write(content)
            return
        shown = "stdin" if source.name == "-" else source.name
        try:
            result = _unpacked(content)
        except (codec.BadGzipFile, EOFError, zlib.error) as error:
            is_cut = isinstance(error, EOFError) and header is not None
            raise _Failed(
                f"{shown}: {'unexpected end of file' if is_cut else 'not in gzip format'}"
            ) from None
        if header is None:
            raise _Failed(
                f"{shown}: unexpected end of file" if not content else f"{shown}: not in gzip format"
            )
        if self.listing is not None:
            self.listing.add(
                "stdout" if source.name == "-" else source.target, header, content, len(result), about
            )
            return
        if "t" in self._given:
            if "v" in self._given:
                self._say(f"{source.name}:\t OK")
            return
        if "N" in self._given and header.name:
            source = _Source(source.name, os.path.join(os.path.dirname(source.target), header.name))
        self._write(source, result, about, header.time if "N" in self._given else 0)
        self._report(source, ratio(len(result), len(content), header.size))

    def _write(self, source: _Source, data: bytes, about: os.stat_result | None, time: int) -> None:
        if about is None or self._prints:
            self._invocation.stdout.write(data)
            return
        path = self._invocation.path(source.target)
        if os.path.lexists(path) and "f" not in self._given:
            raise _Warned(f"{source.target} already exists;\tnot overwritten")
        with open(path, "wb") as file:
            file.write(data)
        os.chmod(path, about.st_mode & 0o777)
        modified = time * 1_000_000_000 if time else about.st_mtime_ns
        os.utime(path, ns=(about.st_atime_ns, modified))
        if "k" not in self._given:
            os.unlink(self._invocation.path(source.name))

    def _report(self, source: _Source, share: str) -> None:
        if "v" not in self._given:
            return
        if source.name == "-" or self._prints:
            self._say(f"{source.name}:\t{share}" if source.name != "-" else share)
            return
        verb = "created" if "k" in self._given else "replaced with"
        self._say(f"{source.name}:\t{share} -- {verb} {source.target}")


def _pack(content: bytes, header: Header, level: int) -> bytes:
    engine = zlib.compressobj(level, zlib.DEFLATED, -zlib.MAX_WBITS)
    body = engine.compress(content) + engine.flush()
    return header.encode(level) + body + struct.pack("<II", zlib.crc32(content), len(content) & 0xFFFFFFFF)


def _unpacked(content: bytes) -> bytes:
    with codec.open(io.BytesIO(content)) as file:
        return read_all(file, len(content))
