"""Reports progress: a live line on a terminal, plain lines elsewhere. Steps may run side by side."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TextIO

TICK_S = 0.2
# Without a terminal, a line this often shows that a long step is still running.
PLAIN_TICK_S = 10.0


class Step:
    """A running step. Its methods may be called from any thread.

    Args:
        label: The description of the step.
    """

    def __init__(self, label: str) -> None:
        self.label = label
        self.started = time.monotonic()
        self._busy_with = ""

    def show(self, busy_with: str) -> None:
        """Set the current detail, such as the file being downloaded."""
        self._busy_with = busy_with

    def line(self) -> str:
        """Return the label, the elapsed time and the current detail."""
        seconds = time.monotonic() - self.started
        return f"{self.label} ... {seconds:.0f} s  {self._busy_with}".rstrip()


class Progress:
    """Reports the steps of a build. Its methods may be called from any thread.

    Args:
        stream: The stream to write to; stdout by default, which leaves stderr to errors.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stdout
        self._live = self._stream.isatty()
        self._lock = threading.Lock()
        self._running: list[Step] = []

    def note(self, text: str) -> None:
        """Write a line."""
        with self._lock:
            self._clear()
            self._write(text + "\n")

    @contextmanager
    def step(self, label: str) -> Generator[Step, None, None]:
        """Show `label` while the block runs, then how long it took."""
        step = Step(label)
        ended = threading.Event()
        ticker = threading.Thread(target=self._tick, args=(step, ended), daemon=True)
        if not self._live:
            self.note(f"{label} ...")
        self._running.append(step)
        ticker.start()
        outcome = "failed after"
        try:
            yield step
            outcome = "done in"
        finally:
            ended.set()
            ticker.join()
            self._running.remove(step)
            self.note(f"{label}: {outcome} {time.monotonic() - step.started:.1f} s")

    def _tick(self, step: Step, ended: threading.Event) -> None:
        while not ended.wait(TICK_S if self._live else PLAIN_TICK_S):
            if not self._live:
                self.note(step.line())
            # The line shows all that run, and the oldest of them draws it.
            elif self._running[:1] == [step]:
                width = shutil.get_terminal_size().columns - 1
                with self._lock:
                    self._clear()
                    self._write(" | ".join(each.line() for each in list(self._running))[:width])

    def _clear(self) -> None:
        if self._live:
            self._write("\r\x1b[K")

    def _write(self, text: str) -> None:
        self._stream.write(text)
        self._stream.flush()
