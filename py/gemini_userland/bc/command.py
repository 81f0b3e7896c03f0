"""The command `bc`: its options, files and messages."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator

from gemini_userland.awk.reader import PipeSource
from gemini_userland.bc.compiler import Compiler, Function, Quit
from gemini_userland.bc.machine import LINE, Halt, Machine
from gemini_userland.bc.number import CalculationError
from gemini_userland.bc.tokens import SyntaxProblem
from gemini_userland.invocation import Invocation
from gemini_userland.options import Syntax
from gemini_userland.text import decode, read

SYNTAX = Syntax(
    short="iqlsw",
    long={"mathlib": "l", "quiet": "q", "interactive": "i", "standard": "s", "warn": "w"},
    refused={
        **dict.fromkeys("sw", "the whole language is read without warnings: leave it out"),
        "i": "write the expressions into a pipe: `echo 1+2 | bc`",
    },
    help="""
Usage: bc [OPTION]... [FILE]...
Evaluate the statements in the FILEs and on standard input.

  -l, --mathlib  set scale to 20, and define s, c, a, l, e and j: sine, cosine, arctangent, logarithm, exponential
                 and Bessel functions
  -q, --quiet    has no effect

The language is that of GNU bc, without read() and random().
""",
)
LIBRARY_SCALE = 20
SOURCE = "(standard_in)"


async def bc(invocation: Invocation) -> int:
    """Print the value of each expression that isn't an assignment."""
    given = SYNTAX.parse(invocation)
    if isinstance(given, int):
        return given
    has_library = "l" in given
    machine = Machine(
        LIBRARY_SCALE if has_library else 0,
        lambda text: invocation.print(text, end=""),
        has_library=has_library,
        width=_width(invocation),
    )
    for name in given.operands:
        try:
            text = decode(read(invocation, name))
        except OSError:
            invocation.stderr.write(f"File {name} is unavailable.\n".encode("utf-8", "surrogateescape"))
            return 1
        if not await _run(invocation, machine, name, Compiler(text)):
            return 0
    compiler = Compiler("")
    async for text in _pieces(PipeSource(invocation.stdin, invocation.input)):
        compiler.extend(text)
        if not await _run(invocation, machine, SOURCE, compiler):
            break
    return 0


# Strings and comments, in which a brace opens nothing, and what has none that is open.
_QUOTED = re.compile(r'"[^"]*"|/\*.*?\*/|#[^\n]*', re.DOTALL)
_CLOSED = re.compile(r'(?:[^"/#]|"[^"]*"|/\*.*?\*/|#[^\n]*|/(?!\*))*', re.DOTALL)


async def _pieces(source: PipeSource) -> AsyncIterator[str]:
    """Yield the input as it comes, in complete statements and functions."""
    text = ""
    while data := await source.read():
        text += decode(data)
        plain = _QUOTED.sub("", text)
        ends = text.endswith("\n") and not text.endswith("\\\n") and _CLOSED.fullmatch(text)
        if ends and plain.count("{") <= plain.count("}"):
            yield text
            text = ""
    yield text


def _width(invocation: Invocation) -> int:
    text = invocation.env.get("BC_LINE_LENGTH", "")
    if not text.isdecimal():
        return LINE
    return int(text) if int(text) == 0 or int(text) > len("\\\n") else LINE


async def _run(invocation: Invocation, machine: Machine, source: str, compiler: Compiler) -> bool:
    """Run what a compiler has read; return false if it ends the program."""
    while True:
        try:
            unit = compiler.next()
            if unit is None:
                return True
            if isinstance(unit, Function):
                machine.define(unit)
            else:
                await machine.run(unit)
        except (Quit, Halt):
            return False
        except SyntaxProblem as problem:
            invocation.stderr.write(f"{source} {problem.line}: {problem}\n".encode())
        except CalculationError as problem:
            invocation.stderr.write(f"Runtime error (func=(main)): {problem}\n".encode())
