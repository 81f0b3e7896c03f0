"""Measures Python: a module has at most 400 lines, a function 40. `build.py check` runs it.

builder/sizes.toml lists the exceptions. The linter measures web/.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path

MODULE = 400
FUNCTION = 40
# Not tests: a journey reads as one story, and a file has all cases of a subject.
FOLDERS = ("benchmarks", "builder", "py")
EXCEPTIONS = "builder/sizes.toml"
_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def long_functions(source: str) -> Iterator[tuple[str, int]]:
    """Yield the qualified name of each function that is too long, and the lines of code in its body.

    Docstrings, comments, blank lines and the signature don't count: a signature has one argument a line.

    Raises:
        SyntaxError: The source is no Python.
    """
    tree = ast.parse(source)
    spans = {name: _lines(body[0], body[-1]) for name, body in _bodies(tree, "")}
    # Few modules have one that is long even with all its lines; tokens take most of the time.
    if any(len(span) > FUNCTION for span in spans.values()):
        code = _code_lines(source) - _docstring_lines(tree)
        sizes = {name: len(code.intersection(span)) for name, span in spans.items()}
        yield from ((name, size) for name, size in sizes.items() if size > FUNCTION)


def _lines(first: ast.stmt, last: ast.stmt) -> range:
    return range(first.lineno, (last.end_lineno or last.lineno) + 1)


def complaints(root: Path) -> Iterator[str]:
    """Yield a line for each module and function below `root` that is too long, and each exception that isn't needed."""
    exceptions: dict[str, dict[str, str]] = tomllib.loads((root / EXCEPTIONS).read_text(encoding="utf-8"))
    allowed = {name for names in exceptions.values() for name in names}
    found: set[str] = set()
    for name, size, limit in _measure(root):
        if size > limit:
            found.add(name)
            if name not in allowed:
                yield f"{name} has {size} lines; split it into parts of at most {limit}"
    for name in sorted(allowed - found):
        yield f"{EXCEPTIONS}: {name} is short enough; remove it"


def _measure(root: Path) -> Iterator[tuple[str, int, int]]:
    """Yield the name, the lines and the limit of each module, `a/b.py`, and of its long functions, `a/b.py:name`."""
    for path in sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.py")):
        if "node_modules" in path.parts:
            continue
        name, source = path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")
        yield name, source.count("\n"), MODULE
        for function, size in long_functions(source):
            yield f"{name}:{function}", size, FUNCTION


def _code_lines(source: str) -> set[int]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    spans = (range(each.start[0], each.end[0] + 1) for each in tokens if each.type not in _NO_CODE)
    return {line for span in spans for line in span}


def _docstring_lines(tree: ast.Module) -> set[int]:
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, _Function | ast.ClassDef) and ast.get_docstring(node, clean=False) is not None:
            found.update(_lines(node.body[0], node.body[0]))
    return found


def _bodies(node: ast.AST, prefix: str) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yield the qualified name and the statements of each function in a node."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _Function):
            yield prefix + child.name, child.body
        name = f"{prefix}{child.name}." if isinstance(child, _Function | ast.ClassDef) else prefix
        yield from _bodies(child, name)


if __name__ == "__main__":
    lines = list(complaints(Path(__file__).parent.parent))
    print("\n".join(lines))
    sys.exit(bool(lines))
