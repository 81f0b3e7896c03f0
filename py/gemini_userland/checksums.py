"""`cksum`, `sum`, `md5sum`, `sha256sum`, `b2sum` and similar commands: print and check checksums.

Source: the GNU coreutils manual, "Summarizing files".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax, synonyms
from gemini_userland.sums import CHECKSUMS, FULL_BITS, TAGS, hashed
from gemini_userland.text import decode, read

_LONG = {
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
}
_CHECKING = """
  -c, --check           read checksums from the FILEs and check them
      --ignore-missing  with -c, don't report missing files
      --quiet           with -c, don't print OK for valid files
      --status          with -c, print nothing; the exit code is the result
      --strict          with -c, fail on improperly formatted lines
  -w, --warn            with -c, report improperly formatted lines
  -z, --zero            end lines with a null byte, and print names as they are
"""
_PRINTING = """
  -b, --binary          mark files as binary
  -t, --text            mark files as text
      --tag             print a BSD-style checksum
"""
_LENGTH = """
  -l, --length=BITS     print a shorter checksum of blake2b; BITS is a multiple of 8, and at most 512
"""
HASH = Syntax(
    short="bctwz",
    long=_LONG,
    help="Usage: sha256sum [OPTION]... [FILE]...\nPrint the checksum of each FILE, or of standard input.\n"
    + _CHECKING
    + _PRINTING.strip("\n"),
)
B2SUM = Syntax(
    short="bcl:twz",
    long={**_LONG, "length=": "l"},
    numbers={"l": Number("invalid length: '{}'")},
    help=HASH.help.replace("sha256sum", "b2sum") + _LENGTH,
)
CKSUM = Syntax(
    short="a:cl:wz",
    long={
        **{name: letter for name, letter in _LONG.items() if letter not in "bt"},
        "algorithm=": "a",
        "length=": "l",
        "untagged": "untagged",
        "debug": "debug",
    },
    numbers={"l": Number("invalid length: '{}'")},
    words={"a": synonyms(*CHECKSUMS, *TAGS, "sm3")},
    help="""
Usage: cksum [OPTION]... [FILE]...
Print the CRC checksum and the size of each FILE, or of standard input.

  -a, --algorithm=NAME  use bsd, sysv, crc, md5, sha1, sha224, sha256, sha384, sha512 or blake2b
      --untagged        print a checksum without the name of the algorithm
      --debug           say which implementation is used"""
    + _LENGTH.rstrip("\n")
    + _CHECKING,
)
SUM = Syntax(
    short="rs",
    long={"sysv": "s"},
    help="""
Usage: sum [OPTION]... [FILE]...
Print a checksum and the number of blocks of each FILE, or of standard input.

  -r          use BSD's algorithm and blocks of 1 KiB
  -s, --sysv  use System V's algorithm and blocks of 512 bytes
""",
)
PLAIN = re.compile(r"(\\?)([0-9a-fA-F]+) [ *]?(.+)")
TAGGED = re.compile(r"(\\?)([A-Za-z0-9]+)(?:-(\d+))? \((.+)\) = ([0-9a-fA-F]+)")
ALGORITHMS = {tag: name for name, tag in TAGS.items()}
_ESCAPES = {"\\": "\\\\", "\n": "\\n", "\r": "\\r"}
# These only make sense with -c, in the order in which GNU's complains.
_OF_CHECKS = {
    "ignore-missing": "ignore-missing",
    "status": "status",
    "w": "warn",
    "quiet": "quiet",
    "strict": "strict",
}


@dataclass(frozen=True)
class Entry:
    """A line of a list of checksums."""

    algorithm: str
    bits: int
    digest: str
    name: str


@dataclass
class Tally:
    """The counts of a check: files by result, and invalid lines (`unreadable`)."""

    right: int = 0
    wrong: int = 0
    unread: int = 0
    unreadable: int = 0


async def checksum(invocation: Invocation) -> int:
    """Print or check the hashes of the operands; the command's name selects the algorithm."""
    name = invocation.name.removesuffix("sum")
    syntax, algorithm = (B2SUM, "blake2b") if name == "b2" else (HASH, name)
    given = syntax.parse(invocation)
    if isinstance(given, int):
        return given
    return _run(_Call(invocation, given, algorithm, syntax, "tag" in given))


async def cksum(invocation: Invocation) -> int:
    """Print or check checksums of any algorithm."""
    given = CKSUM.parse(invocation)
    if isinstance(given, int):
        return given
    algorithm = given.last("a", "crc")
    if algorithm == "sm3":
        invocation.error("sm3 isn't supported: use sha256")
        return 1
    if given.number("l") and algorithm != "blake2b":
        return CKSUM.usage_error(invocation, "--length is only supported with --algorithm=blake2b")
    if "c" in given and "a" in given and algorithm in CHECKSUMS:
        invocation.error("--check is not supported with --algorithm={bsd,sysv,crc}")
        return 1
    if "debug" in given:
        invocation.error("pclmul support not detected")
    call = _Call(invocation, given, algorithm, CKSUM, given.last_of("tag", "untagged") != "untagged")
    return _run(call)


async def sum(invocation: Invocation) -> int:  # noqa: A001 the command's name
    """Print BSD's or System V's checksums."""
    given = SUM.parse(invocation)
    if isinstance(given, int):
        return given
    algorithm = "sysv" if given.last_of("r", "s") == "s" else "bsd"
    return _run(_Call(invocation, given, algorithm, SUM, tagged=False))


class _Call:
    def __init__(
        self, invocation: Invocation, given: Arguments, algorithm: str, syntax: Syntax, tagged: bool
    ) -> None:
        self.invocation = invocation
        self.given = given
        self.algorithm = algorithm
        self.syntax = syntax
        self.tagged = tagged
        self.bits = given.number("l", 0) or FULL_BITS

    def print(self, name: str) -> int:
        """Print the checksum of a file; return the exit code."""
        try:
            data = read(self.invocation, name)
        except OSError as error:
            # GNU's reads nothing from a folder, and doesn't notice.
            if not (isinstance(error, IsADirectoryError) and self.algorithm == "crc"):
                self.invocation.error(f"{name}: {error.strerror}")
                return 1
            data = b""
        end = "\0" if "z" in self.given else "\n"
        if self.algorithm in CHECKSUMS:
            shown = "" if name == "-" and not self.given.operands else f" {name}"
            self.invocation.print(CHECKSUMS[self.algorithm](data) + shown, end=end)
            return 0
        escaped = name if "z" in self.given else "".join(_ESCAPES.get(one, one) for one in name)
        digest = hashed(self.algorithm, data, self.bits)
        mark = "*" if self.given.last_of("b", "t") == "b" else " "
        tag = TAGS[self.algorithm] + (f"-{self.bits}" if self.bits != FULL_BITS else "")
        line = f"{tag} ({escaped}) = {digest}" if self.tagged else f"{digest} {mark}{escaped}"
        self.invocation.print("\\" * (escaped != name) + line, end=end)
        return 0

    def entry(self, row: str) -> Entry | None:
        """Return what a line of a list says, or None if it isn't one of ours."""
        any_algorithm = self.syntax is CKSUM and "a" not in self.given
        if match := TAGGED.fullmatch(row):
            algorithm = ALGORITHMS.get(match[2])
            if algorithm is None or (not any_algorithm and algorithm != self.algorithm):
                return None
            return Entry(algorithm, int(match[3] or FULL_BITS), match[5], _unescape(match[1], match[4]))
        match = PLAIN.fullmatch(row)
        if match is None or any_algorithm:
            return None
        bits = len(match[2]) * 4
        if self.algorithm != "blake2b" and bits != len(hashed(self.algorithm, b"")) * 4:
            return None
        return Entry(self.algorithm, bits, match[2], _unescape(match[1], match[3]))


def _unescape(mark: str, name: str) -> str:
    if not mark:
        return name
    return re.sub(r"\\(.)", lambda match: {"n": "\n", "r": "\r"}.get(match[1], match[1]), name)


def _run(call: _Call) -> int:
    if problem := _problem(call):
        return call.syntax.usage_error(call.invocation, problem)
    names = call.given.operands or ["-"]
    if "c" in call.given:
        return max([_check(call, name) for name in names])
    return max([call.print(name) for name in names])


def _problem(call: _Call) -> str | None:
    """Return why the options contradict each other, if they do; the messages are GNU's."""
    given = call.given
    if call.bits % 8:
        return f"invalid length: '{call.bits}'\nlength is not a multiple of 8"
    if call.bits > FULL_BITS:
        return f"invalid length: '{call.bits}'\nmaximum digest length for 'BLAKE2b' is 512 bits"
    if "c" in given:
        if "tag" in given:
            return "the --tag option is meaningless when verifying checksums"
        if "z" in given:
            return "the --zero option is not supported when verifying checksums"
        if given.last_of("b", "t"):
            return "the --binary and --text options are meaningless when verifying checksums"
        return None
    wrong = next((name for letter, name in _OF_CHECKS.items() if letter in given), None)
    return wrong and f"the --{wrong} option is meaningful only when verifying checksums"


def _check(call: _Call, listing: str) -> int:
    try:
        rows = decode(read(call.invocation, listing)).splitlines()
    except OSError as error:
        call.invocation.error(f"{listing}: {error.strerror}")
        return 1
    tally = Tally()
    for number, entry in _entries(call, rows):
        if entry is not None:
            _compare(call, entry, tally)
            continue
        tally.unreadable += 1
        if "w" in call.given:
            tag = TAGS.get(call.algorithm, "CRC")
            call.invocation.error(f"{listing}: {number}: improperly formatted {tag} checksum line")
    return _report(call, "'standard input'" if listing == "-" else listing, tally)


def _entries(call: _Call, rows: list[str]) -> Iterator[tuple[int, Entry | None]]:
    for number, row in enumerate(rows, 1):
        if row and not row.startswith("#"):
            yield number, call.entry(row)


def _compare(call: _Call, entry: Entry, tally: Tally) -> None:
    verbose = "status" not in call.given
    try:
        found = hashed(entry.algorithm, read(call.invocation, entry.name), entry.bits)
    except OSError as error:
        if "ignore-missing" in call.given and isinstance(error, FileNotFoundError):
            return
        tally.unread += 1
        call.invocation.error(f"{entry.name}: {error.strerror}")
        if verbose:
            call.invocation.print(f"{entry.name}: FAILED open or read")
        return
    if found == entry.digest.lower():
        tally.right += 1
        if verbose and "quiet" not in call.given:
            call.invocation.print(f"{entry.name}: OK")
        return
    tally.wrong += 1
    if verbose:
        call.invocation.print(f"{entry.name}: FAILED")


def _report(call: _Call, listing: str, tally: Tally) -> int:
    invocation, given = call.invocation, call.given
    if not tally.right + tally.wrong + tally.unread and not (
        "ignore-missing" in given and not tally.unreadable
    ):
        invocation.error(f"{listing}: no properly formatted checksum lines found")
        return 1
    if "status" not in given:
        _warn(invocation, tally.unreadable, "line is", "lines are", "improperly formatted")
        _warn(invocation, tally.unread, "listed file", "listed files", "could not be read")
        _warn(invocation, tally.wrong, "computed checksum", "computed checksums", "did NOT match")
    if "ignore-missing" in given and not tally.right:
        if "status" not in given:
            invocation.error(f"{listing}: no file was verified")
        return 1
    return int(bool(tally.wrong or tally.unread or ("strict" in given and tally.unreadable)))


def _warn(invocation: Invocation, count: int, one: str, many: str, what: str) -> None:
    if count:
        invocation.error(f"WARNING: {count} {one if count == 1 else many} {what}")
