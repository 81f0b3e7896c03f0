"""`xargs`: run a command with arguments from standard input."""

from __future__ import annotations

import asyncio
import re
import shlex
from collections.abc import Sequence
from itertools import count

from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments, Number, Syntax
from gemini_userland.text import decode, read

_NO_QUESTIONS = "it asks nothing; `xargs -t` prints what it runs"
SYNTAX = Syntax(
    numbers={letter: Number(f'invalid number "{{}}" for -{letter} option', minimum=1) for letter in "Lns"}
    | {"P": Number('invalid number "{}" for -P option')},
    short="0a:d:E:e::I:i::L:l::n:oP:prs:tx",
    long={
        "null": "0",
        "arg-file=": "a",
        "delimiter=": "d",
        "eof=?": "e",
        "interactive": "p",
        "max-lines=?": "l",
        "max-args=": "n",
        "max-procs=": "P",
        "no-run-if-empty": "r",
        "max-chars=": "s",
        "open-tty": "o",
        "process-slot-var=": "slot",
        "show-limits": "show-limits",
        "verbose": "t",
        "exit": "x",
        "replace=?": "i",
    },
    refused={
        "p": _NO_QUESTIONS,
        "o": "programs read the terminal by themselves: leave it out, or use `xargs -a FILE`",
        "show-limits": "there are no limits but that of `-s`",
    },
    help="""
Usage: xargs [OPTION]... COMMAND [ARGUMENT]...
Run COMMAND (default echo) with the ARGUMENTs and the words of standard input.

  -0, --null               separate words with null bytes, without quoting
  -a, --arg-file=FILE      read FILE instead of standard input
  -d, --delimiter=CHAR     separate words with CHAR, without quoting
  -E, -e, --eof=TEXT       stop at the line TEXT
  -I, -i, --replace=TEXT   run COMMAND for each line, and replace TEXT in the ARGUMENTs with it
  -L, -l, --max-lines=NUMBER  use at most NUMBER lines for each run
  -n, --max-args=NUMBER    use at most NUMBER words for each run
  -P, --max-procs=NUMBER   run NUMBER commands at the same time
  --process-slot-var=NAME  number them in the variable NAME
  -r, --no-run-if-empty    don't run COMMAND without words
  -s, --max-chars=NUMBER   use at most NUMBER characters for each run
  -t, --verbose            print each command first
  -x, --exit               stop if a run would need more characters
""",
)
WITH_VALUE = "adEILnPs"
OPTIONAL_VALUE = "eil"
ESCAPES = {"n": "\n", "t": "\t", "0": "\0", "r": "\r", "\\": "\\", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
FAILED, ABORTED, ABORTS = 123, 124, 255
CANNOT_RUN = (126, 127)
# A word consists of plain characters, escaped characters and quoted pieces.
WORD = re.compile(r"""(?:[^\s"'\\]|\\.|"[^"\n]*"|'[^'\n]*')+""", re.DOTALL)
PIECE = re.compile(r""""([^"\n]*)"|'([^'\n]*)'|\\(.)|([^"'\\]+)""", re.DOTALL)
KINDS = {"I": "--replace/-I/-i", "L": "--max-lines/-l", "n": "--max-args"}


class _Wrong(Exception):
    """Input or options that can't be used."""


async def xargs(invocation: Invocation) -> int:
    """Run the command as often as needed and return the worst exit code."""
    options, command = _split(invocation.argv[1:])
    given = SYNTAX.parse(invocation, options)
    if isinstance(given, int):
        return given
    text = decode(read(invocation, given.last("a", "-")))
    try:
        runs = _Runs(invocation, given, command or ["echo"])
        words = runs.of(text)
    except _Wrong as problem:
        invocation.error(str(problem))
        return 1
    worst = await _run_all(invocation, given, words)
    if runs.problem and worst != ABORTED:
        invocation.error(runs.problem)
        return 1
    return worst


async def _run_all(invocation: Invocation, given: Arguments, runs: Sequence[list[str]]) -> int:
    together = max(1, given.number("P", 1) or len(runs))
    slot = given.last("slot")
    worst = 0
    for start in range(0, len(runs), together):
        batch = runs[start : start + together]
        if "t" in given:
            invocation.stderr.write(
                "".join(f"{shlex.join(run)}\n" for run in batch).encode("utf-8", "surrogateescape")
            )
        environments = ({**invocation.env, **({slot: str(at)} if slot else {})} for at in count())
        calls = zip(batch, environments, strict=False)
        codes = await asyncio.gather(
            *(invocation.shell(shlex.join(run), invocation.cwd, environment) for run, environment in calls)
        )
        if ABORTS in codes:
            name = batch[codes.index(ABORTS)][0]
            invocation.error(f"{name}: exited with status {ABORTS}; aborting")
            return ABORTED
        worst = max([worst, *(code if code in CANNOT_RUN else FAILED for code in codes if code)])
    return worst


def _split(words: list[str]) -> tuple[list[str], list[str]]:
    """Separate the options of xargs from the command and its own options."""
    valued_long = {f"--{name.removesuffix('=')}" for name in SYNTAX.long if name.endswith("=")}
    at = 0
    while at < len(words) and words[at].startswith("-") and words[at] != "-":
        word = words[at]
        at += 1
        if word == "--":
            break
        if word.startswith("--"):
            at += word in valued_long
            continue
        letters = re.match(f"-[^{WITH_VALUE}{OPTIONAL_VALUE}]*(.?)", word)
        if letters and letters[1] and letters[1] in WITH_VALUE and letters.end() == len(word):
            at += 1
    return words[:at], words[at:]


class _Runs:
    """The command lines of a call.

    Attributes:
        problem: Why the input or a limit ends the runs before the end of the input; "" if nothing does.
    """

    def __init__(self, invocation: Invocation, given: Arguments, command: Sequence[str]) -> None:
        self._given, self._command = given, command
        self._mode = self._chosen(invocation)
        self._limit = given.number("s")
        self.problem = ""

    def _chosen(self, invocation: Invocation) -> str | None:
        """Return which of -I, -L and -n holds: the last one; the others are warned of."""
        kinds = {"i": "I", "l": "L"}
        mode: str | None = None
        for name, value in self._given.items:
            kind = kinds.get(name, name)
            if kind not in KINDS or kind == mode or (kind == "n" and mode == "I" and value == "1"):
                continue
            if mode is not None:
                before = KINDS[mode].split("/")[0]
                both = f"{before} and {KINDS[kind] if kind != 'n' else '--max-args/-n'}"
                text = f"options {both} are mutually exclusive, ignoring previous {before} value"
                invocation.error(f"warning: {text}")
            mode = kind
        return mode

    def of(self, text: str) -> list[list[str]]:
        """Return the command lines for the input.

        Raises:
            _Wrong: An option's value is invalid, or an argument is too long.
        """
        delimited = self._delimit(text)
        if delimited is None:
            text = self._until_end(text)
        if self._mode == "I":
            return self._replace(self._lines(text) if delimited is None else delimited)
        if self._mode == "L":
            rows: list[list[str]] = self._rows(text) if delimited is None else [[word] for word in delimited]
            most = int(self._value("L", "l") or 1)
            grouped = [
                [word for row in rows[at : at + most] for word in row] for at in range(0, len(rows), most)
            ]
        else:
            words = self._words(text) if delimited is None else delimited
            step = self._given.number("n") if self._mode == "n" else None
            grouped = self._group(words, step)
        if not grouped and "r" not in self._given and not self.problem:
            grouped = [list[str]()]
        return [[*self._command, *words] for words in grouped]

    def _value(self, *names: str) -> str:
        chosen = self._given.last_of(*names)
        return self._given.last(chosen, "") if chosen else ""

    def _until_end(self, text: str) -> str:
        """Return the input before the line that -E names."""
        end = self._value("E", "e")
        if not end:
            return text
        lines = text.split("\n")
        return "\n".join(lines[: lines.index(end)]) + "\n" if end in lines else text

    def _replace(self, lines: Sequence[str]) -> list[list[str]]:
        mark = self._value("I", "i") or "{}"
        runs = [[word.replace(mark, line) for word in self._command] for line in lines]
        for run in runs:
            if self._limit is not None and _length(run) > self._limit:
                raise _Wrong("command too long")
        return runs

    def _group(self, words: Sequence[str], step: int | None) -> list[list[str]]:
        """Return the words for each run: at most `step`, and as many as the limit of -s allows."""
        limit = self._limit
        groups: list[list[str]] = []
        base = _length(self._command)
        room = 0
        for word in words:
            is_full = limit is not None and bool(groups) and room + _length([word]) > limit
            if not groups or is_full or (step is not None and len(groups[-1]) == step):
                if is_full and step is not None and "x" in self._given and len(groups[-1]) < step:
                    raise _Wrong("argument list too long")
                groups.append([])
                room = base
            room += _length([word])
            if limit is not None and room > limit:
                groups.pop() if not groups[-1] else None
                self.problem = "argument line too long"
                return groups
            groups[-1].append(word)
        return groups

    def _lines(self, text: str) -> list[str]:
        return ["".join(self._parse(line.strip(" \t"), PIECE)) for line in text.split("\n") if line.strip()]

    def _rows(self, text: str) -> list[list[str]]:
        """Return the words of each line; a blank at its end joins the next one."""
        joined = re.sub(r"[ \t]\n(?=.)", " ", text)
        return [self._words(line) for line in joined.split("\n") if line.strip()]

    def _delimit(self, text: str) -> list[str] | None:
        kind = self._given.last_of("0", "d")
        if kind is None:
            return None
        delimiter = "\0" if kind == "0" else _delimiter(self._given.last("d", ""))
        words = text.split(delimiter)
        if words[-1] == "":
            words.pop()
        return words

    def _words(self, text: str) -> list[str]:
        """Parse quotes and backslashes as xargs does: like the shell, but quotes can't span lines."""
        left = WORD.sub(lambda match: "\0" * len(match[0]), text)
        rest = left.replace("\0", " ").strip()
        if rest:
            kind = "double" if rest[0] == '"' else "single"
            self.problem = (
                f"unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option"
            )
            text = text[: left.index(rest[0])]
        return ["".join(self._parse(word, PIECE)) for word in WORD.findall(text)]

    @staticmethod
    def _parse(word: str, piece: re.Pattern[str]) -> list[str]:
        return ["".join(parts) for parts in piece.findall(word)]


def _length(words: Sequence[str]) -> int:
    """Return how many bytes words take, each with a null byte at its end."""
    return sum(len(word.encode("utf-8", "surrogateescape")) + 1 for word in words)


def _delimiter(text: str) -> str:
    if len(text) == 1:
        return text
    if match := re.fullmatch(r"\\(?:x([0-9a-fA-F]{1,2})|(0[0-7]{1,3})|(.))", text):
        if match[1] or match[2]:
            return chr(int(match[1], 16) if match[1] else int(match[2], 8))
        if match[3] in ESCAPES:
            return ESCAPES[match[3]]
    raise _Wrong(
        f"Invalid input delimiter specification {text}: the delimiter must be either a single character or an escape"
        " sequence starting with \\."
    )
