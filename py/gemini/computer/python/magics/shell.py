"""Run shell commands from the console, with values of Python in them."""

from __future__ import annotations

import ast
import asyncio
import builtins
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TextIO

CHUNK = 1 << 16
_VALUE = re.compile(r"\{\{|\}\}|\$\{[^}]*\}?|\{(?P<expression>[^{}]+)\}|(?<![\\$])\$(?P<name>[^\W\d]\w*)")


def expand(command: str, names: Mapping[str, Any]) -> str:
    """Return `command` with `{expression}` and `$name` replaced by values of Python.

    What uses other names stays for the shell: `$HOME`, `${HOME}`, `{a,b}`, `awk '{print $1}'`. `{{` is a brace.
    """

    def value(match: re.Match[str]) -> str:
        if match[0] in ("{{", "}}"):
            return match[0][0]
        if name := match["name"]:
            return str(names[name]) if name in names else match[0]
        expression = match["expression"]
        if expression is None or not _is_expression(expression, names):
            return match[0]
        return str(eval(expression, dict(names)))

    return _VALUE.sub(value, command)


def _is_expression(text: str, names: Mapping[str, Any]) -> bool:
    """Return whether the text is an expression of known names, and not the shell's list in braces."""
    with suppress(SyntaxError, ValueError):
        tree = ast.parse(text.strip(), mode="eval").body
        found = [node.id for node in ast.walk(tree) if isinstance(node, ast.Name)]
        known = all(name in names or hasattr(builtins, name) for name in found)
        return bool(found) and known and not isinstance(tree, ast.Tuple)
    return False


async def run(command: str) -> int:
    """Run a command, print its output as it comes, and return its exit code."""
    child = await asyncio.create_subprocess_shell(
        command, stdin=asyncio.subprocess.DEVNULL, stdout=PIPE, stderr=PIPE
    )
    await _finish(child, _copy(child.stdout, sys.stdout), _copy(child.stderr, sys.stderr))
    return await child.wait()


async def capture(command: str) -> tuple[int, list[str]]:
    """Run a command; return its exit code and the lines of its standard output, and print its errors."""
    child = await asyncio.create_subprocess_shell(
        command, stdin=asyncio.subprocess.DEVNULL, stdout=PIPE, stderr=PIPE
    )
    assert child.stdout is not None
    output, _ = await _finish(child, child.stdout.read(), _copy(child.stderr, sys.stderr))
    return await child.wait(), output.decode("utf-8", "replace").splitlines()


async def _finish(child: Process, *readers: Any) -> Any:
    try:
        return await asyncio.gather(*readers)
    except BaseException:
        with suppress(ProcessLookupError):
            child.terminate()
        await child.wait()
        raise


async def _copy(source: asyncio.StreamReader | None, target: TextIO) -> None:
    assert source is not None
    target.flush()
    while data := await source.read(CHUNK):
        target.buffer.write(data)
        target.flush()
