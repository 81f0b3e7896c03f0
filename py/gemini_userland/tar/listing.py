"""Formats members for listings."""

from __future__ import annotations

import stat
import tarfile
from datetime import datetime, tzinfo

KINDS = {
    tarfile.SYMTYPE: stat.S_IFLNK,
    tarfile.DIRTYPE: stat.S_IFDIR,
    tarfile.CHRTYPE: stat.S_IFCHR,
    tarfile.BLKTYPE: stat.S_IFBLK,
    tarfile.FIFOTYPE: stat.S_IFIFO,
}
ESCAPES = str.maketrans(
    {"\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r", "\b": "\\b", "\f": "\\f", "\v": "\\v"}
)


def shown(name: str) -> str:
    """Escape a name so it fits on one line."""
    return name.translate(ESCAPES)


def name_of(member: tarfile.TarInfo) -> str:
    """Return a member's name for listings: a directory's ends with a slash."""
    return member.name + "/" if member.isdir() and not member.name.endswith("/") else member.name


class Lister:
    """Formats the lines of a listing; columns become wider with longer entries.

    Args:
        verbosity: From 2 on, lines have details.
        numeric: Whether to show IDs instead of names of users and groups.
        zone: The time zone of the times.
        with_seconds: Whether times have seconds.
    """

    def __init__(self, verbosity: int, numeric: bool, zone: tzinfo, *, with_seconds: bool = False) -> None:
        self._zone = zone
        self._form = "%Y-%m-%d %H:%M:%S" if with_seconds else "%Y-%m-%d %H:%M"
        self._verbosity = verbosity
        self._numeric = numeric
        self._width = 19

    def line(self, member: tarfile.TarInfo, name: str | None = None) -> str:
        """Return the line for a member: its name, preceded by mode, owner, size and time in verbose listings."""
        label = shown(name_of(member) if name is None else name)
        return label if self._verbosity < 2 else self._details(member) + label + _target(member)

    def _details(self, member: tarfile.TarInfo) -> str:
        mode = stat.filemode(KINDS.get(member.type, stat.S_IFREG) | member.mode)
        if member.islnk():
            mode = "h" + mode[1:]
        user = str(member.uid) if self._numeric or not member.uname else member.uname
        group = str(member.gid) if self._numeric or not member.gname else member.gname
        size = (
            f"{member.devmajor},{member.devminor}"
            if member.isdev() and not member.isfifo()
            else str(member.size)
        )
        self._width = max(self._width, len(user) + len(group) + len(size) + 2)
        gap = " " * (self._width - len(user) - len(group) - len(size) - 1)
        when = datetime.fromtimestamp(member.mtime, self._zone)
        return f"{mode} {user}/{group}{gap}{size} {when.strftime(self._form)} "


def _target(member: tarfile.TarInfo) -> str:
    if member.issym():
        return " -> " + shown(member.linkname)
    if member.islnk():
        return " link to " + shown(member.linkname)
    return ""
