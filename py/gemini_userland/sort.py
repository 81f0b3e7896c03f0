"""`sort`: sort lines by bytes, as in the C locale."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cmp_to_key
from heapq import merge
from itertools import compress, count, islice
from operator import eq
from typing import Any

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Syntax, synonyms
from gemini_userland.random_source import RandomSource, SourceEnded
from gemini_userland.sort_debug import explained
from gemini_userland.sort_keys import Key, read_keys, seed_random_order
from gemini_userland.text import decode, lines, listed_names, read, write

SYNTAX = Syntax(
    short="bcCdfghik:mMno:rRst:uVzT:S:y:",
    long={
        "ignore-leading-blanks": "b",
        "check=?": "c",
        "dictionary-order": "d",
        "ignore-case": "f",
        "ignore-nonprinting": "i",
        "sort=": "sort",
        "general-numeric-sort": "g",
        "human-numeric-sort": "h",
        "key=": "k",
        "merge": "m",
        "month-sort": "M",
        "numeric-sort": "n",
        "output=": "o",
        "reverse": "r",
        "random-sort": "R",
        "stable": "s",
        "field-separator=": "t",
        "unique": "u",
        "version-sort": "V",
        "zero-terminated": "z",
        "parallel=": "parallel",
        "batch-size=": "batch-size",
        "buffer-size=": "S",
        "compress-program=": "compress-program",
        "debug": "debug",
        "files0-from=": "files0-from",
        "random-source=": "random-source",
        "temporary-directory=": "T",
    },
    words={
        "c": synonyms("quiet silent", "diagnose-first"),
        "sort": synonyms("general-numeric", "human-numeric", "month", "numeric", "random", "version"),
    },
    wrong_usage=2,
    help="""
Usage: sort [OPTION]... [FILE]...
Print the sorted lines of all FILEs.

  -n, -g, -h, -M, -V      compare numbers, floating-point numbers, sizes such as 2K, months, versions
  -R                      sort randomly
      --sort=WORD         general-numeric, human-numeric, month, numeric, random, version: the same as -g, -h, -M, ...
  -b, -d, -f, -i          ignore leading blanks; compare only blanks and alphanumerics; ignore case; ignore
                          characters that aren't printed
  -k, --key=FROM[,TO]     compare these fields; FROM and TO are FIELD[.CHARACTER][LETTERS], with letters as above
  -t, --field-separator=C use C as the field separator (default: blanks)
  -r, --reverse           reverse the order
  -s, --stable            preserve the order of lines with equal keys
  -u, --unique            print only the first of equal lines
  -c, -C, --check         only check whether the input is sorted; -C without a message
  -m, --merge             merge FILEs that are sorted
      --debug             underline the part of each line that is compared
      --files0-from=FILE  read the names of the inputs from FILE, each followed by a null byte
      --random-source=FILE  take the bytes that decide the order of -R from FILE
  -o, --output=FILE       write to FILE, which may be an input file
  -z, --zero-terminated   end lines with a null byte
  -S, -T, --parallel, --batch-size, --compress-program  have no effect: all lines are in memory
""",
)
# Bytes of a random source.
SEED = 16
# +FIELD.CHARACTER or -FIELD.CHARACTER, with letters.
OLD_KEY = re.compile(r"([-+])(\d+)(?:\.(\d+))?([bdfghiMnrRV]*)")
# The number at the start of a line: "" if there is none, one that `int` refuses if it has a fraction.
WHOLE = re.compile(rb"[ \t]*(-?\d*\.?\d*).*\n")


async def sort(invocation: Invocation) -> int:
    """Sort, merge or check the lines of the operands."""
    given = SYNTAX.parse(invocation, _with_keys(invocation.argv[1:]))
    if isinstance(given, int):
        return given
    end = b"\0" if "z" in given else b"\n"
    try:
        _check_options(given)
        keys = read_keys(given)
        names = _names(invocation, given)
        if (source := given.last("random-source")) is not None:
            seed_random_order(RandomSource(read(invocation, source)).read(SEED))
        files = [lines(_content(invocation, name), end) for name in names]
    except (ValueError, SourceEnded) as problem:
        invocation.error(str(problem))
        return 2
    except OSError as error:
        source = given.last("random-source") or given.last("files0-from")
        invocation.error(f"open failed: {source}: {error.strerror}")
        return 2
    compare = _comparison(given, keys)
    if (check := _kind_of_check(given)) is not None:
        return _check(invocation, given, files[0], compare, quiet=check == "C")
    if "m" in given:
        found = list(merge(*files, key=cmp_to_key(compare)))
    else:
        found = _sort(given, [line for one in files for line in one], keys)
    if "u" in given:
        found = _unique(found, keys)
    if "debug" in given:
        found = explained(invocation, given, found, keys)
    try:
        write(invocation, given.last("o"), end.join([*found, b""]))
    except OSError as error:
        invocation.error(f"open failed: {given.last('o')}: {error.strerror}")
        return 2
    return 0


def _content(invocation: Invocation, name: str) -> bytes:
    try:
        return read(invocation, name)
    except OSError as error:
        problem = "read failed" if isinstance(error, IsADirectoryError) else "cannot read"
        raise ValueError(f"{problem}: {name}: {error.strerror}") from error


def _with_keys(arguments: list[str]) -> list[str]:
    """Return the arguments with `-k` for each pair of `+FIELD -FIELD`, which count from 0."""
    found: list[str] = []
    at = 0
    while at < len(arguments):
        start = OLD_KEY.fullmatch(arguments[at])
        end = OLD_KEY.fullmatch(arguments[at + 1]) if at + 1 < len(arguments) else None
        if start is None or start[1] != "+" or end is None or end[1] != "-":
            found.append(arguments[at])
            at += 1
            continue
        until = int(end[3] or 0)
        last = f"{int(end[2]) + 1}.{until}" if until else end[2]
        found.append(f"-k{int(start[2]) + 1}.{int(start[3] or 0) + 1}{start[4]},{last}{end[4]}")
        at += 2
    return found


def _check_options(given: Arguments) -> None:
    """Check the options that change nothing here, because all is in memory.

    Raises:
        ValueError: One of them is invalid; the message is GNU's.
    """
    for name, shown, valid in (
        ("S", "-S", r"\d+(?:[%bEgGkKmMPtTYZ]|[EGKMPTYZ]i?B)?"),
        ("parallel", "--parallel", r"\d+"),
        ("batch-size", "--batch-size", r"0*(?:[2-9]|[1-9]\d+)"),
    ):
        for value in given.all(name):
            if not re.fullmatch(valid, value):
                raise ValueError(f"invalid {shown} argument '{value}'")
    if any(int(value) == 0 for value in given.all("parallel")):
        raise ValueError("number in parallel must be nonzero")
    if len(set(given.all("o"))) > 1:
        raise ValueError("multiple output files specified")
    if (kind := _kind_of_check(given)) is not None and len(given.operands) > 1:
        raise ValueError(f"extra operand '{given.operands[1]}' not allowed with -{kind}")


def _kind_of_check(given: Arguments) -> str | None:
    kind = given.last_of("c", "C")
    return "C" if kind == "c" and given.last("c") == "quiet" else kind


def _names(invocation: Invocation, given: Arguments) -> list[str]:
    """Return the names of the inputs.

    Raises:
        OSError: The file of `--files0-from` can't be read.
        ValueError: It contradicts the operands, or is empty.
    """
    source = given.last("files0-from")
    if source is None:
        return given.operands or ["-"]
    if given.operands:
        raise ValueError(
            f"extra operand '{given.operands[0]}'\nfile operands cannot be combined with --files0-from"
        )
    names = listed_names(invocation, source)
    if not names:
        raise ValueError(f"no input from '{source}'")
    return names


def _sort(given: Arguments, found: list[bytes], keys: list[Key]) -> list[bytes]:
    """Sort by the last resort, then by each key from the last to the first; Python's sort is stable."""
    last_resort = "s" not in given and "u" not in given
    [key, *others] = keys
    numbers = _numbers(found) if not others and key.whole and key.letters.strip("r") == "n" else None
    if numbers is not None:
        key_of = iter(numbers)
        # Python's sort asks for each line's key once, in order.
        found.sort(key=lambda _: next(key_of), reverse="r" in key.letters)
        if last_resort:
            _sort_ties(found, sorted(numbers, reverse="r" in key.letters), backwards="r" in given)
        return found
    if last_resort:
        found.sort(reverse="r" in given)
    for key in reversed(keys):
        if not (last_resort and key.whole and not key.letters.strip("r")):
            found.sort(key=key.reader(), reverse="r" in key.letters)
    return found


def _sort_ties(ordered: list[bytes], numbers: list[int], *, backwards: bool) -> None:
    """Sort the lines whose numbers are equal."""
    done = 0
    for start in compress(count(), map(eq, numbers, islice(numbers, 1, None))):
        if start >= done:
            done = start
            while done < len(numbers) and numbers[done] == numbers[start]:
                done += 1
            ordered[start:done] = sorted(ordered[start:done], reverse=backwards)


def _numbers(found: list[bytes]) -> list[int] | None:
    """Return the number at the start of each line if all are integers, else None. All are read at once."""
    try:
        numbers = [int(number or 0) for number in WHOLE.findall(b"\n".join([*found, b""]))]
    except ValueError:
        return None
    return numbers if len(numbers) == len(found) else None


def _comparison(given: Arguments, keys: list[Key]) -> Callable[[bytes, bytes], int]:
    last_resort = "s" not in given and "u" not in given
    backwards = "r" in given
    readers = [(key, key.reader()) for key in keys]

    def compare(one: bytes, other: bytes) -> int:
        for key, value_of in readers:
            left, right = value_of(one), value_of(other)
            if left != right:
                return (-1 if left < right else 1) * (-1 if "r" in key.letters else 1)
        if not last_resort or one == other:
            return 0
        return (-1 if one < other else 1) * (-1 if backwards else 1)

    return compare


def _check(
    invocation: Invocation,
    given: Arguments,
    found: list[bytes],
    compare: Callable[[bytes, bytes], int],
    *,
    quiet: bool,
) -> int:
    for number, (one, other) in enumerate(zip(found, found[1:], strict=False), 2):
        order = compare(one, other)
        if order > 0 or (order == 0 and "u" in given):
            if not quiet:
                name = given.operands[0] if given.operands else "-"
                invocation.error(f"{name}:{number}: disorder: {decode(other)}")
            return 1
    return 0


def _unique(found: list[bytes], keys: list[Key]) -> list[bytes]:
    readers = [key.reader() for key in keys]
    unique: list[bytes] = []
    last: list[Any] | None = None
    for line in found:
        values = [value_of(line) for value_of in readers]
        if values != last:
            unique.append(line)
            last = values
    return unique
