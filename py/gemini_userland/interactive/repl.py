"""Python's interactive mode on a terminal: statements, their values, history and completion."""

from __future__ import annotations

import ast
import codeop
import linecache
import os
import sys
from collections.abc import Callable
from typing import Any

from gemini_userland.interactive.reader import Read
from gemini_userland.invocation import LineRequest

HISTORY = ".python_history"
MAX_HISTORY = 1_000
INDENT = "    "
PROMPT, CONTINUATION = ">>> ", "... "
# Without parentheses they end the session, too, as in CPython since 3.13.
ENDINGS = ("exit", "quit")


class Repl:
    """An interactive session.

    Args:
        namespace: The names of `__main__`.
        read: Reads a line.
        report: Prints the error of a statement.
        complete: Takes a text and a cursor in it; returns completions, each with the typed part.
        on_interrupt: Called after Ctrl-C has ended a statement.
    """

    def __init__(
        self,
        namespace: dict[str, Any],
        read: Read,
        report: Callable[[BaseException], None],
        complete: Callable[[str, int], list[str]],
        on_interrupt: Callable[[], None],
    ) -> None:
        self._namespace = namespace
        self._read = read
        self._report = report
        self._complete = complete
        self._on_interrupt = on_interrupt
        self._history_file = os.path.join(os.environ.get("HOME", "/"), HISTORY)
        self._history = _load(self._history_file)
        self._inputs = 0

    def run(self) -> None:
        """Run statements until the end of the input, or until one raises SystemExit."""
        sys.displayhook = self._display
        try:
            while (text := self._next()) is not None:
                if text.strip() in ENDINGS and text.strip() not in self._namespace:
                    return
                if text.strip():
                    self._run(text)
        finally:
            _save(self._history_file, self._history)

    def _next(self) -> str | None:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        request = LineRequest(
            prompt=PROMPT,
            history=self._history,
            complete=self._completions,
            is_complete=is_complete,
            continuation=CONTINUATION,
        )
        try:
            return self._read(request)
        except KeyboardInterrupt:
            self._interrupted()
            return ""

    def _run(self, text: str) -> None:
        name = f"<python-input-{self._inputs}>"
        self._inputs += 1
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        try:
            # All statements of a pasted text show their values, as if they were typed one after another.
            for statement in compile(text, name, "exec", ast.PyCF_ONLY_AST, dont_inherit=True).body:  # type: ignore[attr-defined]
                code = compile(ast.Interactive([statement]), name, "single", dont_inherit=True)
                exec(code, self._namespace)
        except SystemExit:
            raise
        except KeyboardInterrupt:
            self._interrupted()
        except Exception as error:
            self._report(error)

    def _interrupted(self) -> None:
        self._on_interrupt()
        print("KeyboardInterrupt", file=sys.stderr)

    def _display(self, value: object) -> None:
        """Print a value and bind it to `_`, in the program's own namespace: programs share the module `builtins`."""
        if value is not None:
            print(repr(value))
            self._namespace["_"] = value

    def _completions(self, text: str, cursor: int) -> list[str]:
        line = text[:cursor].rpartition("\n")[2]
        return self._complete(text, cursor) if line.strip() else [line + INDENT]


def is_complete(text: str) -> bool:
    """Return whether Enter runs the text: a block ends with an empty line."""
    for symbol in ("single", "exec"):
        try:
            return codeop.compile_command(text, symbol=symbol) is not None
        except (SyntaxError, ValueError, OverflowError):
            # Several statements are an error as a single one; others are printed when the text runs.
            continue
    return True


def _load(path: str) -> list[str]:
    try:
        with open(path, encoding="utf-8", newline="\n") as file:
            # Line breaks within an entry are "\r\n", as in CPython's own file.
            entries = file.read().replace("\r\n", "\r").split("\n")
    except (OSError, UnicodeDecodeError):
        return []
    return [entry.replace("\r", "\n") for entry in entries if entry][-MAX_HISTORY:]


def _save(path: str, history: list[str]) -> None:
    try:
        with open(path, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.writelines(entry.replace("\n", "\r\n") + "\n" for entry in history[-MAX_HISTORY:])
    except OSError as error:
        print(f"The history is not saved: {error}", file=sys.stderr)
