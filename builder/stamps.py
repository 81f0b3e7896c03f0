"""Skips build steps whose inputs haven't changed: a stamp file holds the hash of a step's inputs.

Hashes of files are remembered from build to build, so that a build reads only the files that have changed since then.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from builder.progress import Progress, Step

UNTRACKED = {"__pycache__", "node_modules"}

# A file that changes again so soon may have the same times and size as before: the coarsest file systems count in 2 s.
SETTLED_NS = 3 * 10**9

Inputs = Callable[[], Iterable[Path | str]]


class Hashes:
    """Hashes of files, remembered as long as the times, the size and the inode of a file stay the same."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[list[int], str]] = {}

    def of(self, path: Path) -> str:
        """Return the SHA-256 of a file's content."""
        about = path.stat()
        seen = [about.st_mtime_ns, about.st_ctime_ns, about.st_size, about.st_ino]
        known = self._known.get(str(path))
        if known and known[0] == seen:
            return known[1]
        begun = time.time_ns()
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        if begun - max(seen[:2]) > SETTLED_NS:
            self._known[str(path)] = (seen, digest)
        return digest

    @contextmanager
    def remembered(self, file: Path) -> Generator[None, None, None]:
        """Begin the block with the hashes in a file, if it is there and whole, and write them after it."""
        before: dict[str, tuple[list[int], str]] = {}
        if file.is_file():
            try:
                listed = json.loads(file.read_text(encoding="utf-8"))
                before = {path: (list(seen), str(digest)) for path, (seen, digest) in listed.items()}
            except (ValueError, TypeError, AttributeError):
                # Half of a file, after the machine stopped: all hashes can be computed again.
                before = {}
        self._known |= before
        try:
            yield
        finally:
            # Another thread may still be adding to it.
            found = dict(self._known)
            if found != before:
                partial = file.with_name(f"{file.name}.partial")
                partial.write_text(json.dumps(found), encoding="utf-8")
                partial.replace(file)


HASHES = Hashes()


def files_below(folder: Path) -> Iterator[Path]:
    """Yield every source file in a folder, sorted, without caches and npm packages."""
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        if entry.name in UNTRACKED:
            continue
        if entry.is_dir():
            yield from files_below(folder / entry.name)
        else:
            yield folder / entry.name


def fingerprint(inputs: Iterable[Path | str]) -> str:
    """Return a hash of strings, and of the names and contents of files and folders, which may be missing."""
    digest = hashlib.sha256()

    def add(label: str, content: str) -> None:
        digest.update(f"{label}\0{len(content)}\0{content}".encode())

    for item in inputs:
        if isinstance(item, str):
            add("text", item)
        elif item.is_dir():
            for path in files_below(item):
                add(path.relative_to(item).as_posix(), HASHES.of(path))
        else:
            add(item.name, HASHES.of(item) if item.exists() else "missing")
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
