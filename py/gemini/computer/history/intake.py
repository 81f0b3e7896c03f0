"""Move the changes that the worker captures (web/kernel/durable/capture.ts) into the database.

The worker writes each batch to a folder, in the same commit as the change. The batch is hashed and packed later, so
that writes stay fast. It stays in the folder until the database has it, so a batch survives the end of a kernel.
"""

import json
import os
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

from gemini.computer.history.packing import pack
from gemini.errors import StorageFull
from gemini.storage.changes import ChangeStore, Content

BATCH = ".batch"


class Intake:
    """The batches that wait in the worker's folder.

    Args:
        folder: The absolute path of the folder.
        store: Receives the changes.
    """

    def __init__(self, folder: Path, store: ChangeStore) -> None:
        self._folder = folder
        self._store = store

    def take(self) -> Generator[None]:
        """Move all batches into the database, yielding between steps. Another call may run in between.

        Raises:
            StorageProblem: A batch can't be saved; it stays in the folder.
        """
        for name in sorted(os.listdir(self._folder)):
            if name.endswith(BATCH):
                yield from self._take(self._folder / name)

    def drop(self) -> None:
        """Delete all waiting batches."""
        for name in os.listdir(self._folder):
            with suppress(FileNotFoundError):
                os.unlink(self._folder / name)

    def _take(self, manifest: Path) -> Generator[None]:
        try:
            head, _, small = manifest.read_bytes().partition(b"\n")
        except FileNotFoundError:
            return
        batch: dict[str, Any] = json.loads(head)
        contents: dict[str, Content] = {}
        for row in batch["rows"]:
            if row["kind"] in ("whole", "part"):
                try:
                    data = self._contents(row, small)
                except FileNotFoundError:
                    # Another call has moved the batch in the meantime.
                    return
                content = yield from pack(data)
                row["content"] = content.hash
                contents[content.hash] = content
                if row["kind"] == "part":
                    row["detail"] = json.dumps(row.get("chunks", []))
        try:
            self._store.add(manifest.stem, batch["who"], batch["at"] / 1000, batch["rows"], contents.values())
        except StorageFull:
            self._add_without_contents(manifest.stem, batch)
        for name in [*(row["blob"] for row in batch["rows"] if "blob" in row), manifest.name]:
            with suppress(FileNotFoundError):
                os.unlink(self._folder / name)
        yield

    def _contents(self, row: dict[str, Any], small: bytes) -> bytes:
        """Return the saved content of a row: in its own file, after the batch, or empty."""
        if "blob" in row:
            return (self._folder / row["blob"]).read_bytes()
        start, end = row.get("span", (0, 0))
        return small[start:end]

    def _add_without_contents(self, name: str, batch: dict[str, Any]) -> None:
        """Save the changes without their contents: the user's files need the space."""
        rows = [
            {**row, "kind": "lost", "content": None, "detail": None} if "content" in row else row
            for row in batch["rows"]
        ]
        self._store.add(name, batch["who"], batch["at"] / 1000, rows, [])
