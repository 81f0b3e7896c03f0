"""Skips build steps whose inputs haven't changed: a stamp file holds the hash of a step's inputs."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from builder.progress import Progress, Step

UNTRACKED = {"__pycache__", "node_modules"}

Inputs = Callable[[], Iterable[Path | str]]


def files_below(folder: Path) -> Iterator[Path]:
    """Yield every source file in a folder, sorted, without caches and npm packages."""
    for path in sorted(folder.iterdir()):
        if path.name in UNTRACKED:
            continue
        if path.is_dir():
            yield from files_below(path)
        else:
            yield path


def fingerprint(inputs: Iterable[Path | str]) -> str:
    """Return a hash of strings, and of the names and contents of files and folders, which may be missing."""
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
    """Runs the steps of a build whose inputs changed, and counts them. Its methods may be called from any thread.

    Args:
        progress: Where running steps are reported.
    """

    def __init__(self, progress: Progress) -> None:
        self.progress = progress
        self.taken = 0
        self._counting = threading.Lock()

    def run(
        self,
        label: str,
        stamp: Path,
        inputs: Inputs,
        outputs: Iterable[Path],
        action: Callable[[Step], None],
    ) -> None:
        """Run `action` unless the inputs match `stamp` and every output exists.

        Args:
            label: The description of the step.
            stamp: The file that holds the fingerprint of the inputs.
            inputs: Returns the inputs. It is called again after the action, which may change the list.
            outputs: The files and folders that the action creates.
            action: The work to do.
        """
        if is_fresh(stamp, inputs, outputs):
            return
        with self.progress.step(label) as step:
            self.take({stamp: inputs}, lambda: action(step))

    def take(self, stamps: Mapping[Path, Inputs], action: Callable[[], None]) -> None:
        """Run `action` in any case, then write the stamps. For steps that are shown as a part of another.

        Args:
            stamps: The inputs of each stamp, as for `run`.
            action: The work to do.
        """
        for stamp in stamps:
            stamp.unlink(missing_ok=True)
        action()
        with self._counting:
            self.taken += 1
        for stamp, inputs in stamps.items():
            stamp.parent.mkdir(parents=True, exist_ok=True)
            stamp.write_text(fingerprint(inputs()))


def is_fresh(stamp: Path, inputs: Inputs, outputs: Iterable[Path]) -> bool:
    """Return whether the stamp matches the inputs and every output exists."""
    return (
        stamp.exists()
        and all(output.exists() for output in outputs)
        and stamp.read_text() == fingerprint(inputs())
    )
