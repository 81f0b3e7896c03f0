"""`xargs`: run a command with arguments from standard input."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Sequence

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import decode, read

SYNTAX = Syntax(
    numbers={
        "L": Number('invalid number "{}" for -L option', minimum=1),
        "n": Number('invalid number "{}" for -n option', minimum=1),
        "P": Number('invalid number "{}" for -P option'),
    },
    short="0a:d:E:I:L:n:P:rs:tx",
    long={
        "null": "0",
        "arg-file=": "a",
        "delimiter=": "d",
        "max-lines=": "L",
        "max-args=": "n",
        "max-procs=": "P",
        "no-run-if-empty": "r",
        "max-chars=": "s",
        "verbose": "t",
        "exit": "x",
        "replace=?": "I",
    },
    help="""
Usage: xargs [OPTION]... COMMAND [ARGUMENT]...
Run COMMAND (default echo) with the ARGUMENTs and the words of standard input.

  -0, --null               separate words with null bytes, without quoting
  -a, --arg-file=FILE      read FILE instead of standard input
  -d, --delimiter=CHAR     separate words with CHAR, without quoting
  -I TEXT                  run COMMAND for each line, and replace TEXT in the ARGUMENTs with it
  -L, --max-lines=NUMBER   use at most NUMBER lines for each run
  -n, --max-args=NUMBER    use at most NUMBER words for each run
  -P, --max-procs=NUMBER   run NUMBER commands at the same time
  -r, --no-run-if-empty    don't run COMMAND without words
  -t, --verbose            print each command first
""",
)
WITH_VALUE = "adEILnPs"
ESCAPES = {"n": "\n", "t": "\t", "0": "\0", "r": "\r", "\\": "\\"}
FAILED, ABORTED, ABORTS = 123, 124, 255
# A word consists of plain characters, escaped characters and quoted pieces.
WORD = re.compile(r"""(?:[^\s"'\\]|\\.|"[^"\n]*"|'[^'\n]*')+""", re.DOTALL)
PIECE = re.compile(r""""([^"\n]*)"|'([^'\n]*)'|\\(.)|([^"'\\]+)""", re.DOTALL)


async def xargs(invocation: Invocation) -> int:
    """Run the command as often as needed and return the worst exit code."""
    options, command = _split(invocation.argv[1:])
    given = SYNTAX.parse(invocation, options)
    if isinstance(given, int):
        return given
    text = decode(read(invocation, given.last("a", "-")))
    try:
        runs = _runs(given, command or ["echo"], text)
    except ValueError as problem:
        invocation.error(str(problem))
        return 1
    together = max(1, given.number("P", 1) or len(runs))
    worst = 0
    for start in range(0, len(runs), together):
        batch = runs[start : start + together]
        if "t" in given:
            invocation.stderr.write("".join(f"{shlex.join(run)}\n" for run in batch).encode())
        codes = await asyncio.gather(*(_run(invocation, run) for run in batch))
        if ABORTS in codes:
            return ABORTED
        worst = max([worst, *(code if code in (126, 127) else FAILED for code in codes if code)])
    return worst


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Separate the options of xargs from the command and its own options."""
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        word = words[at]
        at += 1
        if word == "--":
            break
        if (
            not word.startswith("--")
            and word[-1] in WITH_VALUE
            and not any(c in WITH_VALUE for c in word[1:-1])
        ):
            at += 1
    return words[:at], words[at:]


def _runs(given: Arguments, command: Sequence[str], text: str) -> list[list[str]]:
    if (mark := given.last("I")) is not None:
        return [[word.replace(mark or "{}", line) for word in command] for line in _lines(given, text)]
    grouped: list[list[str]]
    if (most := given.number("L")) is not None:
        rows = [_words(line) for line in text.split("\n") if line.strip()]
        starts = range(0, len(rows), most)
        grouped = [[word for row in rows[at : at + most] for word in row] for at in starts]
    else:
        words = _delimited(given, text)
        if words is None:
            words = _words(text)
        step = given.number("n", len(words) or 1)
        grouped = [words[at : at + step] for at in range(0, len(words), step)]
    if not grouped and "r" not in given:
        grouped = [[]]
    return [[*command, *words] for words in grouped]


def _lines(given: Arguments, text: str) -> list[str]:
    words = _delimited(given, text)
    if words is not None:
        return words
    return [" ".join(_words(line, blanks=False)) for line in text.split("\n") if line.strip()]


def _delimited(given: Arguments, text: str) -> list[str] | None:
    kind = given.last_of("0", "d")
    if kind is None:
        return None
    delimiter = "\0" if kind == "0" else given.last("d", "")
    if delimiter.startswith("\\"):
        delimiter = ESCAPES.get(delimiter[1:], delimiter[1:])
    words = text.split(delimiter)
    if words[-1] == "":
        words.pop()
    return words


def _words(text: str, *, blanks: bool = True) -> list[str]:
    """Parse quotes and backslashes as xargs does: like the shell, but quotes can't span lines."""
    if not blanks:
        text = text.strip(" \t")
        return ["".join("".join(piece) for piece in PIECE.findall(text))] if text else []
    left = WORD.sub("", text).strip()
    if left:
        kind = "double" if left[0] == '"' else "single"
        raise ValueError(
            f"unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option"
        )
    return ["".join("".join(piece) for piece in PIECE.findall(word)) for word in WORD.findall(text)]


async def _run(invocation: Invocation, words: Sequence[str]) -> int:
    return await invocation.shell(shlex.join(words), invocation.cwd, invocation.env)
