"""`md5sum`, `sha1sum`, `sha256sum` and similar commands: print and check checksums."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax
from gemini_userland.text import decode, read

SYNTAX = Syntax(
    short="bctwz",
    long={
        "binary": "b",
        "check": "c",
        "text": "t",
        "warn": "w",
        "zero": "z",
        "tag": "tag",
        "quiet": "quiet",
        "status": "status",
        "strict": "strict",
        "ignore-missing": "ignore-missing",
    },
    help="""
Usage: sha256sum [OPTION]... [FILE]...
Print the checksum of each FILE, or of standard input.

  -c, --check           read checksums from the FILEs and check them
      --ignore-missing  with -c, don't report missing files
      --quiet           with -c, don't print OK for valid files
      --status          with -c, print nothing; the exit code is the result
      --strict          with -c, fail on improperly formatted lines
      --tag             print a BSD-style checksum
  -b, --binary          mark files as binary
  -t, --text            mark files as text
  -z, --zero            end lines with a null byte
""",
)
PLAIN = re.compile(r"\\?([0-9a-fA-F]+) [ *]?(.+)")
TAGGED = re.compile(r"[A-Z0-9]+ \((.+)\) = ([0-9a-fA-F]+)")


@dataclass
class Tally:
    """The counts of a check: files by result, and invalid lines (`unreadable`)."""

    right: int = 0
    wrong: int = 0
    unread: int = 0
    unreadable: int = 0


async def checksum(invocation: Invocation) -> int:
    """Print or check the checksums of the operands; the command's name selects the algorithm."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    names = given.operands or ["-"]
    if "c" in given:
        return max([_check(invocation, given, name) for name in names])
    return max([_print(invocation, given, name) for name in names])


def _sum(invocation: Invocation, name: str) -> str:
    return hashlib.new(invocation.name.removesuffix("sum"), read(invocation, name)).hexdigest()


def _print(invocation: Invocation, given: Arguments, name: str) -> int:
    try:
        digest = _sum(invocation, name)
    except OSError as error:
        invocation.error(f"{name}: {error.strerror}")
        return 1
    kind = invocation.name.removesuffix("sum").upper()
    mark = "*" if given.last_of("b", "t") == "b" else " "
    line = f"{kind} ({name}) = {digest}" if "tag" in given else f"{digest} {mark}{name}"
    invocation.print(line, end="\0" if "z" in given else "\n")
    return 0


def _check(invocation: Invocation, given: Arguments, listing: str) -> int:
    try:
        rows = decode(read(invocation, listing)).splitlines()
    except OSError as error:
        invocation.error(f"{listing}: {error.strerror}")
        return 1
    tally = Tally()
    for row in rows:
        plain, tagged = PLAIN.fullmatch(row), TAGGED.fullmatch(row)
        if plain:
            _compare(invocation, given, plain[2], plain[1], tally)
        elif tagged:
            _compare(invocation, given, tagged[1], tagged[2], tally)
        else:
            tally.unreadable += bool(row and not row.startswith("#"))
    return _report(invocation, given, listing, tally)


def _compare(invocation: Invocation, given: Arguments, name: str, expected: str, tally: Tally) -> None:
    verbose = "status" not in given
    try:
        found = _sum(invocation, name)
    except FileNotFoundError as error:
        if "ignore-missing" in given:
            return
        tally.unread += 1
        invocation.error(f"{name}: {error.strerror}")
        if verbose:
            invocation.print(f"{name}: FAILED open or read")
        return
    if found == expected.lower():
        tally.right += 1
        if verbose and "quiet" not in given:
            invocation.print(f"{name}: OK")
        return
    tally.wrong += 1
    if verbose:
        invocation.print(f"{name}: FAILED")


def _report(invocation: Invocation, given: Arguments, listing: str, tally: Tally) -> int:
    if not tally.right + tally.wrong + tally.unread:
        none = (
            "no file was verified"
            if "ignore-missing" in given
            else "no properly formatted checksum lines found"
        )
        invocation.error(f"{listing}: {none}")
        return 1
    if "status" not in given:
        _warn(invocation, tally.unreadable, "line is", "lines are", "improperly formatted")
        _warn(invocation, tally.unread, "listed file", "listed files", "could not be read")
        _warn(invocation, tally.wrong, "computed checksum", "computed checksums", "did NOT match")
    return int(bool(tally.wrong or tally.unread or ("strict" in given and tally.unreadable)))


def _warn(invocation: Invocation, count: int, one: str, many: str, what: str) -> None:
    if count:
        invocation.error(f"WARNING: {count} {one if count == 1 else many} {what}")
