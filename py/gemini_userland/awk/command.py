"""The command `awk`: its options, its program and its exit code."""

from __future__ import annotations

from dataclasses import dataclass, field

from gemini_userland.awk.errors import AwkError, BadProgram
from gemini_userland.awk.main_input import assignment
from gemini_userland.awk.parser import parse
from gemini_userland.awk.run import Run
from gemini_userland.awk.translation import Translator
from gemini_userland.invocation import Invocation

FAILED = 2
# As the shell reports a program that SIGPIPE has ended.
CLOSED = 141
VERSION = "awk of gemini-surface: POSIX awk with gawk's functions, translated to Python"
HELP = """
Usage: awk [OPTION]... 'PROGRAM' [FILE|NAME=VALUE]...
       awk [OPTION]... -f PROGRAMFILE [FILE|NAME=VALUE]...
Run PROGRAM for the records of each FILE, or of standard input.

  -f, --file=FILE             read the program from FILE; with several, from all of them
  -F, --field-separator=TEXT  set FS
  -v, --assign=NAME=VALUE     set a variable before the program begins
  -e, --source=TEXT           the program, or a part of it
      --version               print the version
"""
# Options without a value that change nothing here.
_IGNORED = frozenset([
    "--posix", "--traditional", "--re-interval", "--use-lc-numeric", "--characters-as-bytes", "--sandbox", "--lint",
    "--optimize", "--no-optimize", "--non-decimal-data", "--bignum",
])  # fmt: skip
_LONG = {"--file": "f", "--field-separator": "F", "--assign": "v", "--source": "e"}


@dataclass
class CommandLine:
    """The arguments.

    Attributes:
        parts: The program: its texts, with whether they are names of files.
        settings: The values of -F and -v, in their order.
        operands: The files and assignments.
        answer: `help` or `version` if only that was asked for.
    """

    parts: list[tuple[str, bool]] = field(default_factory=list[tuple[str, bool]])
    settings: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    operands: list[str] = field(default_factory=list[str])
    answer: str = ""


class WrongUsage(ValueError):
    """The arguments are wrong; the message says how."""


def read_arguments(words: list[str]) -> CommandLine:
    """Parse the arguments.

    Raises:
        WrongUsage: An option is unknown or lacks its value, or there is no program.
    """
    line = CommandLine()
    left = list(words)
    while left and left[0].startswith("-") and left[0] != "-":
        word = left.pop(0)
        if word == "--":
            break
        name, equals, value = word.partition("=")
        if word in ("--version", "-V", "--help", "-h"):
            line.answer = "help" if word in ("--help", "-h") else "version"
            return line
        if name in _IGNORED:
            continue
        letter = _LONG.get(name, word[1:2])
        if (word.startswith("--") and name not in _LONG) or letter not in "fFve":
            raise WrongUsage(f"not an option: {word}")
        attached = (
            value if word.startswith("--") and equals else word[2:] if not word.startswith("--") else ""
        )
        if not attached and not (word.startswith("--") and equals):
            if not left:
                raise WrongUsage(f"option {word} requires a value")
            attached = left.pop(0)
        _take(line, letter, attached)
    if not line.parts:
        if not left:
            raise WrongUsage("no program")
        line.parts.append((left.pop(0), False))
    line.operands = left
    return line


def _take(line: CommandLine, letter: str, value: str) -> None:
    if letter in "fe":
        line.parts.append((value, letter == "f"))
        return
    given = assignment(f"FS={value}" if letter == "F" else value)
    if given is None:
        raise WrongUsage(f"improper assignment: -v {value}")
    line.settings.append(given)


def _source(invocation: Invocation, line: CommandLine) -> str:
    texts: list[str] = []
    for text, is_file in line.parts:
        if not is_file:
            texts.append(text)
        elif text in ("-", "/dev/stdin"):
            texts.append(invocation.stdin.decode("utf-8", "surrogateescape"))
        else:
            with open(invocation.path(text), "rb") as file:
                texts.append(file.read().decode("utf-8", "surrogateescape"))
    return "\n".join(texts)


async def awk(invocation: Invocation) -> int:
    """Run the program and return its exit code: 2 after an error, else what `exit` says, or 0."""
    try:
        line = read_arguments(invocation.argv[1:])
    except WrongUsage as problem:
        invocation.error(str(problem))
        invocation.stderr.write(f"Try '{invocation.name} --help' for more information.\n".encode())
        return FAILED
    if line.answer:
        invocation.print(VERSION if line.answer == "version" else HELP.strip())
        return 0
    try:
        source = _source(invocation, line)
    except OSError as problem:
        invocation.error(f"cannot open {problem.filename} ({problem.strerror})")
        return FAILED
    try:
        return await _run(invocation, line, source)
    except AwkError as problem:
        where = f"line {problem.line}: " if problem.line else ""
        invocation.error(where + problem.message)
        return FAILED
    except BrokenPipeError:
        return CLOSED


async def _run(invocation: Invocation, line: CommandLine, source: str) -> int:
    folds = any(name == "IGNORECASE" for name, _ in line.settings)
    try:
        translation = Translator(parse(source), folds).translate()
        running = Run(translation, invocation, line.operands)
    except (RecursionError, SyntaxError) as problem:
        raise BadProgram("the program is nested too deeply") from problem
    for name, value in line.settings:
        running.assign(name, value)
    return await running.run()
