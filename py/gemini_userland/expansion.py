"""Limits what archives and compressed data expand to, so that a small file can't fill the memory."""

from __future__ import annotations

import errno
import tarfile
from typing import Protocol, Self

# Ordinary data shrinks to a tenth; DEFLATE reaches a thousandth (RFC 1951).
RATIO = 100
# Data up to this size may shrink to anything.
ALWAYS = 256 << 20
CHUNK = 1 << 20
# What a member takes besides its content: an object of `tarfile`, and a node of the filesystem.
MEMBER = 2_048
# The largest content of headers by type. Headers for the entire archive add up.
HEADERS = {
    tarfile.XGLTYPE: 64 << 10,
    tarfile.XHDTYPE: 1 << 20,
    tarfile.SOLARIS_XHDTYPE: 1 << 20,
    tarfile.GNUTYPE_LONGNAME: 64 << 10,
    tarfile.GNUTYPE_LONGLINK: 64 << 10,
}


class ExpandsTooFar(OSError):
    """The data would expand to more bytes than allowed."""

    def __init__(self, most: int) -> None:
        super().__init__(errno.EFBIG, f"expands to more than {most:,} bytes")


def limit(packed: int, always: int | None = None) -> int:
    """Return how many bytes a file of `packed` bytes may expand to; by default, at least `ALWAYS`."""
    return max(ALWAYS if always is None else always, RATIO * packed)


class Readable(Protocol):
    """An open file of bytes."""

    def read(self, size: int = -1, /) -> bytes:
        """Return the next bytes, at most `size`."""
        ...


def read_all(file: Readable, packed: int) -> bytes:
    """Read an open compressed file of `packed` bytes.

    Raises:
        ExpandsTooFar: Its content is larger than the limit.
    """
    most, content = limit(packed), bytearray()
    while chunk := file.read(CHUNK):
        content += chunk
        if len(content) > most:
            raise ExpandsTooFar(most)
    return bytes(content)


def cost(member: tarfile.TarInfo) -> int:
    """Return how many bytes a member of a tar archive takes, as its header says. A sparse file has no data for them."""
    return MEMBER + (max(member.size, 0) if member.isreg() else 0)


class TarMember(tarfile.TarInfo):
    """A member of a tar archive, whose headers have a bounded size: `tarfile` reads extended ones into memory."""

    @classmethod
    def frombuf(cls, buf: bytes | bytearray, encoding: str, errors: str) -> Self:
        """Parse a header.

        Raises:
            tarfile.ReadError: A size in it is impossible.
        """
        member = super().frombuf(buf, encoding, errors)
        if not 0 <= member.size <= HEADERS.get(member.type, member.size):
            raise tarfile.ReadError(f"a header of {member.size:,} bytes")
        return member
