"""Finds the prose of a file: comments, docstrings, and the paragraphs of documents, line by line."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

# A comment of JavaScript, TypeScript or CSS. A string may have the mark of one; an address has `//` after a colon.
_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'`\w])//[^\n]*", re.DOTALL)
_CODE_SPAN = re.compile(r"`[^`\n]*`")
_LINK_TARGET = re.compile(r"(?<=\])\([^)\s]*\)")
_SCRIPTS = {".js", ".mjs", ".ts", ".css"}


def prose(path: Path, text: str) -> Iterator[tuple[int, str]]:
    """Yield the number and the prose of each line that has some, without the code that it quotes.

    Args:
        path: The file, whose ending says how its prose is marked.
        text: The file's content.

    Raises:
        SyntaxError: It ends in `.py` and isn't Python.
    """
    for number, line in _mark(path, text):
        yield number, _CODE_SPAN.sub("``", _LINK_TARGET.sub("", line))


def _mark(path: Path, text: str) -> Iterator[tuple[int, str]]:
    if path.suffix in {".py", ".pyi"}:
        yield from _comments(text)
        yield from _docstrings(text)
    elif path.suffix in _SCRIPTS:
        for comment in _COMMENT.finditer(text):
            yield from enumerate(comment[0].split("\n"), text.count("\n", 0, comment.start()) + 1)
    elif path.suffix == ".md":
        yield from _paragraphs(text)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string


def _docstrings(text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)) and node.body:
            first = node.body[0]
            if ast.get_docstring(node, clean=False) is not None and isinstance(first, ast.Expr):
                lines = text.split("\n")[first.lineno - 1 : first.end_lineno]
                yield from enumerate(lines, first.lineno)


def _paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of a document outside of blocks of code."""
    is_code = False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith(("```", "~~~")):
            is_code = not is_code
        elif not is_code:
            yield number, line
