"""The text of a program: its parts and the files that it includes."""

from __future__ import annotations

import os
import re

from gemini_userland.awk.errors import BadProgram
from gemini_userland.characters import encoding
from gemini_userland.invocation import Invocation

_DIRECTIVE = re.compile(r"[ \t]*@(include|load)[ \t]+(?:\"([^\"\n]*)\"|(\S+))[ \t]*;?[ \t]*(?:#.*)?$")
STANDARD_INPUT = frozenset(["-", "/dev/stdin", "/dev/fd/0"])
_FOLDERS = ".:/usr/share/awk"


class Source:
    """The lines of a program, and where each one is from.

    Args:
        invocation: The call of awk.
        standard_input: What `-f -` reads.

    Attributes:
        lines: The lines.
    """

    def __init__(self, invocation: Invocation, standard_input: str = "") -> None:
        self.lines: list[str] = []
        self._invocation = invocation
        self._standard_input = standard_input
        self._places: list[tuple[str, int]] = []
        self._included: set[str] = set()

    @property
    def text(self) -> str:
        """The full text of the program."""
        return "\n".join(self.lines)

    def add(self, text: str, name: str = "") -> None:
        """Add a part, and in place of each `@include` the file that it names, once.

        Args:
            text: The part.
            name: Its file; "" for the command line.

        Raises:
            BadProgram: A file can't be included.
        """
        for number, line in enumerate(text.split("\n"), 1):
            match = _DIRECTIVE.match(line)
            if match is None:
                self.lines.append(line)
                self._places.append((name, number))
                continue
            wanted = match[2] if match[2] is not None else match[3]
            try:
                if match[1] == "load":
                    raise BadProgram(f"@load isn't supported: there is no extension library {wanted}")
                self.include(wanted)
            except BadProgram as problem:
                self.lines.append(line)
                self._places.append((name, number))
                problem.line = len(self.lines)
                raise

    def add_file(self, name: str) -> None:
        """Add a file of -f; `-` is the standard input.

        Raises:
            BadProgram: It, or a file that it includes, can't be read.
        """
        if name in STANDARD_INPUT:
            self.add(self._standard_input, name)
            return
        path = self._find(name) or self._invocation.path(name)
        self._add_content(path, name)

    def include(self, name: str) -> None:
        """Add a file unless it has been added.

        Raises:
            BadProgram: It can't be read.
        """
        path = self._find(name)
        if path is None:
            raise BadProgram(f"cannot open {name} for @include (No such file or directory)")
        if path not in self._included:
            self._add_content(path, name)

    def _add_content(self, path: str, name: str) -> None:
        self._included.add(path)
        try:
            with open(os.fsencode(path), "rb") as file:
                text = file.read().decode(encoding(), "surrogateescape")
        except OSError as problem:
            raise BadProgram(f"cannot open {name} ({problem.strerror})") from problem
        self.add(text, name)

    def _find(self, name: str) -> str | None:
        """Return the path of a file in the folders of AWKPATH, with or without `.awk`."""
        folders = (self._invocation.env.get("AWKPATH") or _FOLDERS).split(":")
        for folder in [""] if "/" in name else folders:
            for ending in ("", ".awk"):
                path = self._invocation.path(
                    f"{folder}/{name}{ending}" if folder not in ("", ".") else name + ending
                )
                if os.path.isfile(path):
                    return path
        return None

    def place(self, line: int) -> str:
        """Return how a message names a line of the full program, from 1; "" for 0."""
        if not line:
            return ""
        name, number = self._places[min(line, len(self._places)) - 1]
        return f"{name}: line {number}: " if name else f"line {number}: "
