"""The header of a gzip file (RFC 1952), and what `gzip -l` prints."""

from __future__ import annotations

import os
import struct
import time
from dataclasses import dataclass
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments

_MAGIC = b"\x1f\x8b\x08"
_CRC, _EXTRA, _NAME, _COMMENT = 2, 4, 8, 16
_UNIX = 3
_TRAILER = 8


@dataclass(frozen=True)
class Header:
    """The header of a file.

    Attributes:
        time: The time of the original, in seconds since 1970; 0 if it isn't known.
        name: The name of the original, or "".
    """

    time: int
    name: str

    @property
    def size(self) -> int:
        """The bytes of a file that aren't compressed data."""
        return len(self.encode(6)) + _TRAILER

    def encode(self, level: int) -> bytes:
        """Return the header's bytes, for a level of compression."""
        effort = {1: 4, 9: 2}.get(level, 0)
        flags = _NAME if self.name else 0
        name = os.fsencode(self.name) + b"\0" if self.name else b""
        return _MAGIC + struct.pack("<BIBB", flags, self.time & 0xFFFFFFFF, effort, _UNIX) + name


def read_header(content: bytes) -> Header | None:
    """Return the header of a gzip file, or None if the content isn't one."""
    if len(content) < 10 or content[:3] != _MAGIC:
        return None
    flags = content[3]
    at = 10
    if flags & _EXTRA:
        at += 2 + int.from_bytes(content[at : at + 2], "little")
    name = content[at : content.find(b"\0", at)] if flags & _NAME else b""
    return Header(int.from_bytes(content[4:8], "little"), os.fsdecode(os.path.basename(name)))


def ratio(whole: int, packed: int, header: int) -> str:
    """Return how much smaller the compressed data is, as in `27.5%`."""
    share = (whole - (packed - header)) / whole * 100 if whole else 0.0
    return f"{share:5.1f}%"


class Listing:
    """The table of a call of `gzip -l`."""

    def __init__(self, invocation: Invocation, given: Arguments) -> None:
        self._invocation = invocation
        self._verbose, self._quiet, self._names = "v" in given, "q" in given, "N" in given
        self._count = self._packed = self._whole = self._header = 0

    def add(self, name: str, header: Header, content: bytes, size: int, about: os.stat_result | None) -> None:
        """Print a file's line.

        Args:
            name: The name of the decompressed file.
            header: The header.
            content: The compressed file.
            size: The decompressed size.
            about: The compressed file's attributes; None for standard input.
        """
        if self._count == 0 and not self._quiet:
            details = "method  crc     date  time  " if self._verbose else ""
            self._invocation.print(
                f"{details}{'compressed':>19} {'uncompressed':>19}  ratio uncompressed_name"
            )
        if self._names and header.name:
            name = os.path.join(os.path.dirname(name), header.name)
        self._count += 1
        self._packed, self._whole, self._header = self._packed + len(content), self._whole + size, header.size
        details = self._details(header, content, about) if self._verbose else ""
        self._row(details, len(content), size, header.size, name)

    def finish(self) -> None:
        """Print the totals of several files."""
        if self._count > 1 and not self._quiet:
            details = " " * 27 if self._verbose else ""
            self._row(details, self._packed, self._whole, self._header, "(totals)")

    def _details(self, header: Header, content: bytes, about: os.stat_result | None) -> str:
        if self._names and header.time:
            seconds = float(header.time)
        else:
            seconds = about.st_mtime if about else header.time or time.time()
        moment = datetime.fromtimestamp(seconds, zone_of(self._invocation))
        checksum = int.from_bytes(content[-8:-4], "little")
        return f"defla {checksum:08x} {moment:%b} {moment.day:2} {moment:%H:%M} "

    def _row(self, details: str, packed: int, whole: int, header: int, name: str) -> None:
        self._invocation.print(f"{details}{packed:19} {whole:19} {ratio(whole, packed, header)} {name}")
