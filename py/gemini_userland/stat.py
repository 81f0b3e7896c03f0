"""`stat`: print files' metadata.

Source: the GNU coreutils manual, "stat".
"""

from __future__ import annotations

import os
import re
import stat as bits
from datetime import datetime

from gemini_userland.clock import zone_of
from gemini_userland.find.owners import group_names, user_names
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.quoting import quote

SYNTAX = Syntax(
    short="c:fLt",
    long={
        "dereference": "L",
        "file-system": "f",
        "format=": "c",
        "printf=": "printf",
        "terse": "t",
        "cached=": "cached",
    },
    help="""
Usage: stat [OPTION]... FILE...
Print the size, type, permissions and times of each FILE.

  -c, --format=FORMAT  print FORMAT, with a line break
      --printf=FORMAT  print FORMAT, with \\n for a line break
  -L, --dereference    print those of the file that a link leads to
  -t, --terse          print all in one line

In FORMAT: %n name, %N quoted name and target of a link, %s size, %F type, %a and %A permissions, %u %U %g %G owner,
%x %y %z times of access, content and status, %X %Y %Z in seconds, %h links, %i inode, %d device, %b blocks, %f raw mode
""",
)
BLOCK = 4096
NANO = 1_000_000_000
DEFAULT = """  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F
Device: %Hd,%Ld\tInode: %-11i Links: %h
Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)
Access: %x
Modify: %y
Change: %z
 Birth: %w
"""
TERSE = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n"
DIRECTIVE = re.compile(r"%([-+ #0']*)(\d*)(?:\.(\d*))?([HL]?)(.?)", re.DOTALL)
ESCAPE = re.compile(r"\\(?:([0-7]{1,3})|x([0-9A-Fa-f]{1,2})|(.))", re.DOTALL)
ESCAPES = dict(zip("abefnrtv", "\a\b\x1b\f\n\r\t\v", strict=True))
OCTAL, HEXADECIMAL = "a", "DftTr"
NUMBERS = {"x": "a", "y": "m", "z": "c", "X": "a", "Y": "m", "Z": "c"}


async def stat(invocation: Invocation) -> int:
    """Print the files; return 1 if one of them can't be looked at."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    if not given.operands:
        return SYNTAX.usage_error(invocation, "missing operand")
    if "f" in given:
        invocation.error("-f isn't supported: use df")
        return 1
    form = _format(given)
    if problem := _problem(form):
        invocation.error(f"‘{problem}’: invalid directive")
        return 1
    status = 0
    for name in given.operands:
        try:
            text = _File(invocation, name, follow="L" in given).format(form)
        except OSError as error:
            invocation.error(f"cannot statx '{name}': {error.strerror}")
            status = 1
            continue
        invocation.print(text, end="")
    return status


def _format(given: Arguments) -> str:
    kind = given.last_of("c", "printf")
    if kind == "c":
        return given.last("c", "") + "\n"
    if kind == "printf":
        return ESCAPE.sub(_unescape, given.last("printf", ""))
    return TERSE if "t" in given else DEFAULT


def _unescape(match: re.Match[str]) -> str:
    if match[1]:
        return os.fsdecode(bytes([int(match[1], 8) & 0xFF]))
    if match[2]:
        return os.fsdecode(bytes([int(match[2], 16)]))
    return ESCAPES.get(match[3], match[3])


def _problem(form: str) -> str | None:
    """Return a directive that has a width but no letter."""
    for match in DIRECTIVE.finditer(form):
        if match[5] in ("", "\n") and match[0].rstrip("\n") != "%":
            return match[0].rstrip("\n")
    return None


class _File:
    def __init__(self, invocation: Invocation, name: str, *, follow: bool) -> None:
        self._invocation = invocation
        self._name = name
        path = invocation.path(name)
        follow = follow or name.endswith("/")
        self._status = os.stat(path) if follow else os.lstat(path)
        self._target = os.readlink(path) if bits.S_ISLNK(self._status.st_mode) else None

    def format(self, form: str) -> str:
        text = DIRECTIVE.sub(self._directive, form)
        if form is not DEFAULT:
            return text
        # Only here names aren't quoted.
        return f"  File: {self._name}{'' if self._target is None else f' -> {self._target}'}\n{text}"

    def _directive(self, match: re.Match[str]) -> str:
        flags, width, precision, half, letter = match.groups()
        if letter == "%":
            return "%"
        if letter in ("", "\n"):
            return match[0]
        value = self._halves(half) if half and letter in "dr" else self._value(letter, precision)
        if isinstance(value, int):
            return _pad(_number(value, letter, flags), flags, width, zeros="0" in flags)
        if precision and letter not in "XYZW":
            value = value[: int(precision)]
        return _pad(value, flags, width, zeros="0" in flags and value.isdigit())

    def _halves(self, half: str) -> int:
        device = self._status.st_dev
        return os.major(device) if half == "H" else os.minor(device)

    def _value(self, letter: str, precision: str | None) -> str | int:
        status, env = self._status, self._invocation.env
        if letter in "XYZ":
            return _seconds(self._nanoseconds(letter), precision)
        if letter in "xyz":
            return self._time(self._nanoseconds(letter))
        values: dict[str, str | int] = {
            "n": self._name,
            "N": _quote(self._name) + ("" if self._target is None else f" -> {_quote(self._target)}"),
            "s": status.st_size,
            "F": _type(status),
            "a": bits.S_IMODE(status.st_mode),
            "A": bits.filemode(status.st_mode),
            "f": status.st_mode,
            "u": status.st_uid,
            "g": status.st_gid,
            "U": user_names(env, status.st_uid),
            "G": group_names(env, status.st_gid),
            "h": status.st_nlink,
            "i": status.st_ino,
            "d": status.st_dev,
            "D": status.st_dev,
            "t": 0,
            "T": 0,
            "r": 0,
            "b": 0 if self._target is not None else -(-status.st_size // BLOCK) * (BLOCK // 512),
            "B": 512,
            "o": BLOCK,
            "w": "-",
            "W": 0,
            "m": "/",
        }
        return values.get(letter, "?")

    def _nanoseconds(self, letter: str) -> int:
        status = self._status
        return {"a": status.st_atime_ns, "m": status.st_mtime_ns, "c": status.st_ctime_ns}[NUMBERS[letter]]

    def _time(self, stamp: int) -> str:
        when = datetime.fromtimestamp(stamp // NANO, zone_of(self._invocation))
        return f"{when:%Y-%m-%d %H:%M:%S}.{stamp % NANO:09d} {when:%z}"


def _seconds(stamp: int, precision: str | None) -> str:
    if precision is None:
        return str(stamp // NANO)
    digits = int(precision or 9)
    return (
        f"{stamp // NANO}.{stamp % NANO:09d}"[: len(str(stamp // NANO)) + 1 + digits]
        if digits
        else str(stamp // NANO)
    )


def _number(value: int, letter: str, flags: str) -> str:
    if letter in OCTAL:
        return ("0" if "#" in flags and value else "") + f"{value:o}"
    if letter in HEXADECIMAL:
        return ("0x" if "#" in flags and value else "") + f"{value:x}"
    return f"{value:+d}" if "+" in flags else str(value)


def _pad(text: str, flags: str, width: str, *, zeros: bool) -> str:
    if not width:
        return text
    if "-" in flags:
        return text.ljust(int(width))
    return text.rjust(int(width), "0" if zeros else " ")


def _type(status: os.stat_result) -> str:
    mode = status.st_mode
    if bits.S_ISREG(mode):
        return "regular file" if status.st_size else "regular empty file"
    kinds = {
        bits.S_IFDIR: "directory",
        bits.S_IFLNK: "symbolic link",
        bits.S_IFCHR: "character special file",
        bits.S_IFBLK: "block special file",
        bits.S_IFIFO: "fifo",
        bits.S_IFSOCK: "socket",
    }
    return kinds.get(bits.S_IFMT(mode), "weird file")


def _quote(name: str) -> str:
    """Quote a name as the shell reads it, as `%N` prints each name."""
    return quote(name, "shell-escape-always")
