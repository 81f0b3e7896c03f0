"""Takes what the worker has captured (web/kernel/durable/capture.js) into the database.

The worker puts it into a folder, in the same commit as the change. From there it is taken when there is time: to hash
and pack it would make a write slower. A batch stays in the folder until the database has it, so that one in whose
middle the kernel ends is taken by the next.
"""

import json
import os
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path
from typing import Any

from gemini.errors import StorageFull
from gemini.history.packing import pack
from gemini.storage.changes import ChangeStore, Content

BATCH = ".batch"


class Intake:
    """Args:
    folder: Where the worker puts it, an absolute path.
    store: Where it goes.
    """

    def __init__(self, folder: Path, store: ChangeStore) -> None:
        self._folder = folder
        self._store = store

    def take(self) -> Generator[None]:
        """Take all that is there, with pauses. Another one may begin in a pause, and do it all.

        Raises:
            StorageProblem: it can't be kept; it stays where it is.
        """
        for name in sorted(os.listdir(self._folder)):
            if name.endswith(BATCH):
                yield from self._take(self._folder / name)

    def drop(self) -> None:
        """Keep nothing of what is there."""
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
                    # Another one has taken the batch meanwhile.
                    return
                content = yield from pack(data)
                row["content"] = content.hash
                contents[content.hash] = content
                if row["kind"] == "part":
                    row["detail"] = json.dumps(row.get("chunks", []))
        try:
            self._store.add(manifest.stem, batch["who"], batch["at"] / 1000, batch["rows"], contents.values())
        except StorageFull:
            self._add_without(manifest.stem, batch)
        for name in [*(row["blob"] for row in batch["rows"] if "blob" in row), manifest.name]:
            with suppress(FileNotFoundError):
                os.unlink(self._folder / name)
        yield

    def _contents(self, row: dict[str, Any], small: bytes) -> bytes:
        """What was kept for a row, in a file of its own or behind the batch; an empty file has nothing."""
        if "blob" in row:
            return (self._folder / row["blob"]).read_bytes()
        start, end = row.get("span", (0, 0))
        return small[start:end]

    def _add_without(self, name: str, batch: dict[str, Any]) -> None:
        """Note what changed, without what was there: the person's files need the room."""
        rows = [
            {**row, "kind": "lost", "content": None, "detail": None} if "content" in row else row
            for row in batch["rows"]
        ]
        self._store.add(name, batch["who"], batch["at"] / 1000, rows, [])
