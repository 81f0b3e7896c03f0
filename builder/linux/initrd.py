"""Writes an archive of files that Linux unpacks as its first filesystem.

The format is "newc" (https://docs.kernel.org/driver-api/early-userspace/buffer-format.html).
"""

from __future__ import annotations

import gzip

DIRECTORY, FILE, LINK, DEVICE = 0o040755, 0o100000, 0o120777, 0o020600
ALIGNMENT = 4


class Initrd:
    """An archive in memory."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def directory(self, *paths: str) -> None:
        """Add directories; parents first."""
        for path in paths:
            self._add(path, DIRECTORY)

    def file(self, path: str, content: bytes, mode: int = 0o644) -> None:
        """Add a file."""
        self._add(path, FILE | mode, content)

    def link(self, path: str, target: str) -> None:
        """Add a symbolic link."""
        self._add(path, LINK, target.encode())

    def device(self, path: str, major: int, minor: int) -> None:
        """Add a character device."""
        self._add(path, DEVICE, numbers=(major, minor))

    def packed(self) -> bytes:
        """Return the archive, compressed."""
        end = Initrd()
        end._add("TRAILER!!!", 0)
        return gzip.compress(b"".join([*self._parts, *end._parts]), mtime=0)

    def _add(self, path: str, mode: int, content: bytes = b"", numbers: tuple[int, int] = (0, 0)) -> None:
        name = path.encode() + b"\0"
        inode = len(self._parts) + 1
        fields = (inode, mode, 0, 0, 1, 0, len(content), 0, 0, *numbers, len(name), 0)
        header = b"070701" + b"".join(b"%08X" % field for field in fields)
        self._parts.append(_pad(header + name) + _pad(content))


def _pad(data: bytes) -> bytes:
    return data + bytes(-len(data) % ALIGNMENT)
