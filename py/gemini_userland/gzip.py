"""`gzip`, `gunzip` and `zcat`: compress and decompress files."""

from __future__ import annotations

import gzip as codec
import io
import os
import zlib

from gemini_userland.expansion import read_all
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import read

SYNTAX = Syntax(
    short="cdfhklnqrtvN123456789",
    long={
        "stdout": "c",
        "to-stdout": "c",
        "decompress": "d",
        "uncompress": "d",
        "force": "f",
        "keep": "k",
        "no-name": "n",
        "quiet": "q",
        "test": "t",
        "verbose": "v",
        "fast": "1",
        "best": "9",
    },
    help="""
Usage: gzip [OPTION]... [FILE]...
Compress each FILE to FILE.gz, or standard input to standard output.

  -c         write to standard output and don't change the files
  -d         decompress
  -f         overwrite existing files
  -k         keep the input files
  -t         only test the integrity of the files
  -1 ... -9  compress fast ... compress best
""",
)
ENDING = ".gz"


async def gzip(invocation: Invocation) -> int:
    """Compress or decompress the operands; return 1 if one fails."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    unpacks = "d" in given or "t" in given or invocation.name in ("gunzip", "zcat")
    results = [_one(invocation, given, name, unpacks=unpacks) for name in given.operands or ["-"]]
    return int(not all(results))


def _one(invocation: Invocation, given: Arguments, name: str, *, unpacks: bool) -> bool:
    try:
        content = read(invocation, name)
        level = int(next((digit for digit, _ in given.items if digit.isdigit()), "6"))
        result = _unpacked(content) if unpacks else codec.compress(content, level, mtime=0)
    except (codec.BadGzipFile, EOFError, zlib.error):
        invocation.error(f"{name}: not in gzip format")
        return False
    except OSError as error:
        invocation.error(f"{name}: {error.strerror}")
        return False
    if "t" in given:
        return True
    if name == "-" or "c" in given or invocation.name == "zcat":
        invocation.stdout.write(result)
        return True
    return _replace(invocation, given, name, result, unpacks=unpacks)


def _unpacked(content: bytes) -> bytes:
    with codec.open(io.BytesIO(content)) as file:
        return read_all(file, len(content))


def _replace(invocation: Invocation, given: Arguments, name: str, result: bytes, *, unpacks: bool) -> bool:
    if unpacks and not name.endswith(ENDING):
        invocation.error(f"{name}: unknown suffix -- ignored")
        return False
    target = name.removesuffix(ENDING) if unpacks else name + ENDING
    path = invocation.path(target)
    if os.path.exists(path) and "f" not in given:
        invocation.error(f"{target} already exists; not overwritten")
        return False
    with open(path, "wb") as file:
        file.write(result)
    _copy_attributes(invocation.path(name), path)
    if "k" not in given:
        os.unlink(invocation.path(name))
    return True


def _copy_attributes(source: str, target: str) -> None:
    """Give a file the permissions and times of the one that it was made of."""
    about = os.stat(source)
    os.chmod(target, about.st_mode & 0o777)
    os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))
