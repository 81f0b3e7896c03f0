"""Which steps have nothing to do: a stamp holds the hash of what a step was made from."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from builder.progress import Progress, Step

UNTRACKED = {"__pycache__", "node_modules"}

Inputs = Callable[[], Iterable[Path | str]]


def files_below(folder: Path) -> Iterator[Path]:
    """Every source file in a folder, sorted, without what tools leave behind."""
    for path in sorted(folder.iterdir()):
        if path.name in UNTRACKED:
            continue
        if path.is_dir():
            yield from files_below(path)
        else:
            yield path


def fingerprint(inputs: Iterable[Path | str]) -> str:
    """A hash over texts, and over names and contents of files and folders. What is missing counts as such."""
    digest = hashlib.sha256()

    def add(label: str, content: bytes) -> None:
        digest.update(f"{label}\0{len(content)}\0".encode())
        digest.update(content)

    for item in inputs:
        if isinstance(item, str):
            add("text", item.encode())
        elif item.is_dir():
            for path in files_below(item):
                add(path.relative_to(item).as_posix(), path.read_bytes())
        else:
            add(item.name, item.read_bytes() if item.exists() else b"missing")
    return digest.hexdigest()


class Steps:
    """Runs the steps of a build that have something to do, and counts them."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.taken = 0

    def run(
        self,
        label: str,
        stamp: Path,
        inputs: Inputs,
        outputs: Iterable[Path],
        action: Callable[[Step], None],
    ) -> None:
        """Run `action` unless `stamp` was made from the same inputs and every output is still there.

        `inputs` is asked again after the action, because some steps learn there what they were made from.
        """
        if is_fresh(stamp, inputs, outputs):
            return
        stamp.unlink(missing_ok=True)
        with self.progress.step(label) as step:
            action(step)
        self.taken += 1
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(fingerprint(inputs()))


def is_fresh(stamp: Path, inputs: Inputs, outputs: Iterable[Path]) -> bool:
    return (
        stamp.exists()
        and all(output.exists() for output in outputs)
        and stamp.read_text() == fingerprint(inputs())
    )
