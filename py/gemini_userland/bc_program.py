"""Statements of `bc`: blocks, `if`, `while`, `for`, `break`, texts and `print` (POSIX bc, GNU bc 1.07)."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass, field

# How many rounds of loops run between two chances for other work, and for a time limit.
ROUNDS = 256
DEFINITION = re.compile(r"define\b")
KEYWORD = re.compile(r"(if|while|for)\s*\(")
WORD = re.compile(r"(break|continue|quit|halt)\b")
ELSE = re.compile(r"\s*else\b")
PRINT = re.compile(r"print\b")
ESCAPES = {"n": "\n", "t": "\t", "q": '"', "\\": "\\", "a": "\a", "b": "\b", "r": "\r"}
PAIRS = {"(": ")", "{": "}"}


class SyntaxProblem(ValueError):
    """The text isn't a program; the message is GNU's."""


class Leave(Exception):
    """The program ends, or a loop does.

    Args:
        word: `break`, `continue`, `quit` or `halt`.
    """

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


@dataclass
class Statement:
    """A statement.

    Attributes:
        kind: A keyword, `block`, `text`, `print` or `expression`.
        parts: Its expressions, or its text.
        body: What it runs.
        otherwise: The statement after `else`.
    """

    kind: str
    parts: list[str] = field(default_factory=list[str])
    body: list[Statement] = field(default_factory=list["Statement"])
    otherwise: list[Statement] = field(default_factory=list["Statement"])


def end_of(text: str, at: int) -> int:
    """Return the place after the bracket that closes the one at `at`.

    Raises:
        SyntaxProblem: It isn't closed.
    """
    opened, closed = text[at], PAIRS[text[at]]
    depth = 0
    for place in range(at, len(text)):
        depth += (text[place] == opened) - (text[place] == closed)
        if depth == 0:
            return place + 1
    raise SyntaxProblem("syntax error")


def _blank(text: str, at: int, blanks: str) -> int:
    while at < len(text) and text[at] in blanks:
        at += 1
    return at


def statement_at(text: str, at: int) -> tuple[Statement, int]:
    """Return the statement that begins at `at`, and the place after it."""
    if text[at] == "}":
        raise SyntaxProblem("syntax error")
    if DEFINITION.match(text, at):
        raise SyntaxProblem("functions aren't supported: use awk or python3")
    if text[at] == "{":
        end = end_of(text, at)
        return Statement("block", body=statements(text[at + 1 : end - 1])), end
    if text[at] == '"':
        end = text.find('"', at + 1)
        if end < 0:
            raise SyntaxProblem("syntax error")
        return Statement("text", [text[at + 1 : end]]), end + 1
    if word := WORD.match(text, at):
        return Statement(word[1]), word.end()
    if keyword := KEYWORD.match(text, at):
        return _compound(text, keyword[1], keyword.end() - 1)
    end = at
    while end < len(text) and text[end] not in ";\n}" and not ELSE.match(text, end):
        end = end_of(text, end) if text[end] == "(" else end + 1
    if PRINT.match(text, at):
        return Statement("print", re.findall(r'"[^"]*"|[^,"]+', text[at + len("print") : end])), end
    return Statement("expression", [text[at:end]]), end


def _compound(text: str, kind: str, at: int) -> tuple[Statement, int]:
    end = end_of(text, at)
    parts = text[at + 1 : end - 1].split(";") if kind == "for" else [text[at + 1 : end - 1]]
    if kind == "for" and len(parts) != 3:
        raise SyntaxProblem("syntax error")
    start = _blank(text, end, " \t\n")
    if start >= len(text):
        raise SyntaxProblem("syntax error")
    body, end = statement_at(text, start)
    statement = Statement(kind, parts, [body])
    if kind == "if" and (found := ELSE.match(text, end)):
        start = _blank(text, found.end(), " \t\n")
        otherwise, end = statement_at(text, start)
        statement.otherwise = [otherwise]
    return statement, end


def statements(text: str) -> list[Statement]:
    """Return the statements of a text.

    Raises:
        SyntaxProblem: The text isn't a program.
    """
    found: list[Statement] = []
    at = _blank(text, 0, " \t\n;")
    while at < len(text):
        statement, at = statement_at(text, at)
        found.append(statement)
        at = _blank(text, at, " \t\n;")
    return found


class Runner:
    """Runs statements.

    Args:
        value: Evaluates an expression to its value, as the text that is printed and whether it is zero.
        evaluate: Evaluates an expression and prints its value, unless it is an assignment.
        write: Prints a text.
    """

    def __init__(
        self,
        value: Callable[[str], tuple[str, bool]],
        evaluate: Callable[[str], None],
        write: Callable[[str], None],
    ) -> None:
        self._value = value
        self._evaluate = evaluate
        self._write = write
        self._rounds = 0

    async def run(self, body: list[Statement]) -> None:
        """Run statements one after another.

        Raises:
            Leave: One of them is `break`, `continue`, `quit` or `halt`.
        """
        for statement in body:
            match statement.kind:
                case "block":
                    await self.run(statement.body)
                case "text":
                    self._write(statement.parts[0])
                case "print":
                    for part in statement.parts:
                        self._write(self._shown(part.strip()))
                case "expression":
                    self._evaluate(statement.parts[0])
                case "if":
                    await self.run(
                        statement.otherwise if self._value(statement.parts[0])[1] else statement.body
                    )
                case "while" | "for":
                    await self._loop(statement)
                case word:
                    raise Leave(word)

    def _shown(self, part: str) -> str:
        if part.startswith('"'):
            return re.sub(r"\\(.)", lambda found: ESCAPES.get(found[1], found[0]), part[1:-1])
        return self._value(part)[0] if part else ""

    async def _loop(self, statement: Statement) -> None:
        first, condition, step = statement.parts if statement.kind == "for" else ("", statement.parts[0], "")
        if first.strip():
            self._value(first)
        while not condition.strip() or not self._value(condition)[1]:
            self._rounds += 1
            if self._rounds % ROUNDS == 0:
                await asyncio.sleep(0)
            try:
                await self.run(statement.body)
            except Leave as leave:
                if leave.word == "break":
                    return
                if leave.word != "continue":
                    raise
            if step.strip():
                self._value(step)
