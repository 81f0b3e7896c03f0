"""`file`: say what a file contains, by its beginning (in the words of file 5.44)."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable

from gemini_userland.invocation import Invocation
from gemini_userland.magic import describe
from gemini_userland.options import Syntax
from gemini_userland.text import STANDARD_INPUT, read

SYNTAX = Syntax(
    short="0bcCde:f:F:hiklLm:nNpP:rsSvzZ",
    long={
        "brief": "b",
        "files-from=": "f",
        "separator=": "F",
        "no-dereference": "h",
        "mime": "i",
        "mime-type": "mime-type",
        "mime-encoding": "mime-encoding",
        "dereference": "L",
        "no-pad": "N",
        "no-buffer": "n",
        "print0": "0",
        "raw": "r",
        "preserve-date": "p",
        "special-files": "s",
        "no-sandbox": "S",
        "parameter=": "P",
        "keep-going": "k",
        "uncompress": "z",
        "uncompress-noreport": "Z",
        "exclude=": "e",
        "exclude-quiet=": "e",
        "magic-file=": "m",
        "checking-printout": "c",
        "compile": "C",
        "debug": "d",
        "list": "l",
        "apple": "apple",
        "extension": "extension",
    },
    answer={"v": "version"},
    refused={
        "k": "it says one thing of each file",
        **dict.fromkeys("zZ", "`zcat FILE | file -` looks into compressed data"),
        "e": "all tests are made: grep the answer",
        **dict.fromkeys(("m", "c", "C", "l", "d"), "what it knows is built in: `man file` says what"),
        **dict.fromkeys(("apple", "extension"), "use --mime-type"),
    },
    help="""
Usage: file [OPTION]... FILE...
Say what each FILE contains.

  -b, --brief         don't print the name
  -i, --mime          print a MIME type and an encoding; --mime-type, --mime-encoding print one of them
  -L, --dereference   follow symbolic links; -h doesn't
  -f, --files-from=FILE  read the names from FILE, one a line
  -F, --separator=TEXT   print TEXT after the name instead of a colon
  -N, --no-pad        don't align the answers
  -0, --print0        end the name with a null byte; -00 the answer, too
  -p, -s, -S, -P, -r, -n  accepted; they change nothing here

Texts, archives, pictures, programs and documents are known; anything else is `data`.
""",
)
KINDS: list[tuple[Callable[[int], bool], str, str]] = [
    (stat.S_ISDIR, "directory", "inode/directory"),
    (stat.S_ISCHR, "character special", "inode/chardevice"),
    (stat.S_ISBLK, "block special", "inode/blockdevice"),
    (stat.S_ISFIFO, "fifo (named pipe)", "inode/fifo"),
    (stat.S_ISSOCK, "socket", "inode/socket"),
]
BINARY = "binary"


async def file(invocation: Invocation) -> int:
    """Print a line for each file; the exit code is 0 also where one is missing, as in the original."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    names = list(given.operands)
    for source in given.all("f"):
        names = [*read(invocation, source).decode("utf-8", "surrogateescape").splitlines(), *names]
    if not names:
        return SYNTAX.usage_error(invocation, "missing file operand")
    separator = given.last("F", ":")
    width = 0 if "N" in given or "b" in given else max(map(len, names)) + len(separator)
    for name in names:
        words, mime, encoding = _describe(invocation, name, follows="L" in given and "h" not in given)
        if "mime-type" in given:
            words = mime
        elif "mime-encoding" in given:
            words = encoding
        elif "i" in given and not words.startswith("cannot open"):
            words = f"{mime}; charset={encoding}"
        shown = "/dev/stdin" if name == "-" else name
        if len(given.all("0")) > 1:
            invocation.print(words if "b" in given else f"{shown}\0{words}", end="\0")
            continue
        mark = "\0" if "0" in given else ""
        head = (
            ""
            if "b" in given
            else shown + mark + separator + " " * (max(width - len(shown + separator), 0) + 1)
        )
        invocation.print(head + words)
    return 0


def _describe(invocation: Invocation, name: str, *, follows: bool) -> tuple[str, str, str]:
    """Return the words, the MIME type and the encoding."""
    if name in STANDARD_INPUT:
        return describe(invocation.stdin)
    path = invocation.path(name) if name else name
    try:
        status = os.stat(path) if follows else os.lstat(path)
    except OSError as error:
        message = f"cannot open `{name}' ({error.strerror})"
        return message, message, message
    if stat.S_ISLNK(status.st_mode):
        broken = "" if os.path.exists(path) else "broken "
        return f"{broken}symbolic link to {os.readlink(path)}", "inode/symlink", BINARY
    for is_kind, words, mime in KINDS:
        if is_kind(status.st_mode):
            return words, mime, BINARY
    try:
        data = read(invocation, name)
    except OSError:
        return "regular file, no read permission", "inode/x-empty", BINARY
    return describe(data)
