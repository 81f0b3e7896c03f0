"""Reads files of commands with the output and exit code that they must have.

A case is `$ ` with the arguments, the lines of output with `\\\\` and `\\x00` as in Python, `<no end>` where the
last line has no end, and `= ` with the exit code and the first line of the errors, if it is compared.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_CASE = re.compile(r"^\$ (.*)\n((?:(?!= \d).*\n)*?)= (\d+) ?(.*)$", re.MULTILINE)
_ESCAPE = re.compile(r"\\(?:x(..)|\\)")


@dataclass(frozen=True)
class Case:
    """A command, without its name, and its expected output."""

    arguments: str
    output: str
    exit_code: int
    error: str


def read_cases(name: str) -> list[Case]:
    """Return the cases of a file next to this one."""
    text = (Path(__file__).parent / name).read_text(encoding="utf-8")
    return [
        Case(arguments, _decoded(output), int(code), error)
        for arguments, output, code, error in _CASE.findall(text)
    ]


def _decoded(output: str) -> str:
    text = output.removesuffix("\n<no end>\n")
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else "\\", text)
