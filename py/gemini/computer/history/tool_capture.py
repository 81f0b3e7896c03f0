"""Capture the changes of the surface's own tools where no worker captures every change: embedded or on CPython."""

import json
import secrets
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from gemini.computer.history.packing import pack
from gemini.computer.history.states import current_state
from gemini.storage.changes import ChangeStore, Content


class ToolCapture:
    """A replacement for the worker's capture; see web/kernel/durable/capture.ts.

    Args:
        roots: The directories whose files are tracked.
    """

    def __init__(self, roots: Sequence[Path]) -> None:
        self.mostBytes = 64 << 20  # noqa: N815 - the name in JavaScript
        self._roots = [f"{root}/" for root in roots]
        self._who = ""
        self._rows: dict[str, dict[str, Any]] = {}
        self._data: dict[str, bytes] = {}
        self._ended: list[tuple[str, list[dict[str, Any]], dict[str, bytes]]] = []

    def turn(self, who: str) -> None:
        """Attribute the changes from now on to other callers."""
        if who != self._who:
            self.end()
            self._who = who

    def note(self, path: str) -> None:
        """Capture a path that is about to change, and the missing directories above it."""
        for missing in reversed([str(above) for above in Path(path).parents if not above.exists()]):
            self._capture(missing)
        self._capture(path)

    def _capture(self, path: str) -> None:
        if self._who == "" or path in self._rows or not path.startswith(tuple(self._roots)):
            return
        state = current_state(path)
        kind = {"nothing": "made", "file": "whole", "link": "link", "directory": "dir"}[state.kind]
        row: dict[str, Any] = {"path": path, "kind": kind, "mode": state.mode, "size": state.size}
        if kind == "link":
            row["detail"] = state.target
        elif kind == "whole" and state.size > self.mostBytes:
            row["kind"] = "lost"
        elif kind == "whole":
            self._data[path] = state.read()
        self._rows[path] = row

    def end(self) -> None:
        """End the current batch."""
        if self._rows:
            self._ended.append((self._who, list(self._rows.values()), self._data))
        self._rows, self._data = {}, {}

    def save_to(self, store: ChangeStore) -> None:
        """Save the captured changes.

        Raises:
            StorageProblem, StorageFull: The changes can't be saved.
        """
        self.end()
        while self._ended:
            who, rows, data = self._ended[0]
            contents: list[Content] = []
            for row in rows:
                if row["path"] in data:
                    content = _run(pack(data[row["path"]]))
                    row["content"] = content.hash
                    contents.append(content)
            store.add(secrets.token_hex(8), json.loads(who), time.time(), rows, contents)
            self._ended.pop(0)


def _run(steps: Generator[None, None, Content]) -> Content:
    """Run a generator to its end, and return its result."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            return stop.value
