"""The command `awk`: its program, its run and its exit code."""

from __future__ import annotations

from gemini_userland.awk.errors import AwkError, BadProgram, WrongUsage
from gemini_userland.awk.options import HELP, CommandLine, read_arguments
from gemini_userland.awk.parser import parse
from gemini_userland.awk.reader import PipeSource
from gemini_userland.awk.run import Run
from gemini_userland.awk.sandbox import refuse_effects
from gemini_userland.awk.source import STANDARD_INPUT, Source
from gemini_userland.awk.translation import Translator
from gemini_userland.characters import encoding
from gemini_userland.invocation import Invocation

FAILED = 2
# As the shell reports a program that SIGPIPE has ended.
CLOSED = 141
VERSION = "awk of control-surface: POSIX awk with gawk's functions, translated to Python"


async def awk(invocation: Invocation) -> int:
    """Run the program and return its exit code: 2 after an error, else what `exit` says, or 0."""
    try:
        line = read_arguments(invocation.argv[1:])
    except WrongUsage as problem:
        invocation.error(str(problem))
        invocation.stderr.write(f"Try '{invocation.name} --help' for more information.\n".encode())
        return FAILED
    if line.flags & {"h", "V"}:
        invocation.print(HELP.strip() if "h" in line.flags else VERSION)
        return 0
    source = Source(invocation, await _standard_input(invocation, line))
    try:
        _read(source, line)
        return await _run(invocation, line, source)
    except BrokenPipeError:
        return CLOSED
    except AwkError as problem:
        invocation.error(source.place(problem.line) + problem.message)
        return FAILED


async def _standard_input(invocation: Invocation, line: CommandLine) -> str:
    """Return the standard input if the program is there."""
    if not any(letter == "f" and name in STANDARD_INPUT for letter, name in line.parts):
        return ""
    pipe = PipeSource(invocation.stdin, invocation.input)
    pieces: list[bytes] = []
    while data := await pipe.read():
        pieces.append(data)
    return b"".join(pieces).decode(encoding(), "surrogateescape")


def _read(source: Source, line: CommandLine) -> None:
    for letter, value in line.parts:
        if letter == "f":
            source.add_file(value)
        elif letter == "i":
            source.include(value)
        else:
            source.add(value)


async def _run(invocation: Invocation, line: CommandLine, source: Source) -> int:
    folds = any(name == "IGNORECASE" for name, _ in line.settings)
    try:
        program = parse(source.text)
        if "S" in line.flags:
            refuse_effects(program)
        translation = Translator(program, folds, line.given()).translate()
        running = Run(translation, invocation, line)
        for name, value in line.settings:
            running.assign(name, value)
    except (RecursionError, SyntaxError) as problem:
        raise BadProgram("the program is nested too deeply") from problem
    return await running.run()
