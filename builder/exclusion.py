"""Allows one build at a time in a source tree; a second one waits for the first."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from builder.progress import Progress

if sys.platform == "win32":
    import msvcrt

    def _acquire(file: IO[bytes]) -> bool:
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
else:
    import fcntl

    def _acquire(file: IO[bytes]) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


@contextmanager
def one_build(folder: Path, progress: Progress) -> Generator[None, None, None]:
    """Hold the folder's lock while the block runs; the system releases it if the process dies."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("ab") as file:
        if not _acquire(file):
            with progress.step("waiting for another build of this tree"):
                while not _acquire(file):
                    time.sleep(0.2)
        yield
