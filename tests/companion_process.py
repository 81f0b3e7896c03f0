"""A companion as a separate process, which tests kill and start again."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.companions import server_to_reopen

PACKAGES = Path(__file__).parents[1] / "py"
ADDRESS = re.compile(r"(http://127\.0\.0\.1:\d+/#companion=\S+)")


class CompanionProcess:
    """The command `control-surface serve`, always on the same port and with the same folders.

    Args:
        dist: The built surface.
        folder: Holds its configuration and data.

    Attributes:
        address: The address that admits a browser, once.
        url: The page's address.
    """

    def __init__(self, dist: Path, folder: Path) -> None:
        with contextlib.closing(server_to_reopen()) as free:
            port = str(free.main.number)
        self.url = f"http://127.0.0.1:{port}/"
        self.address = ""
        self._command = [sys.executable, "-m", "gemini_companion", "serve", "--no-open"]
        self._command += ["--port", port, "--dist", str(dist)]
        names = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "HOME")
        self._variables = {name: str(folder) for name in names} | {"PYTHONPATH": str(PACKAGES)}
        self._process: subprocess.Popen[str] | None = None
        self._reader: threading.Thread | None = None

    def start(self) -> None:
        """Start it, and wait until it serves."""
        process = self._process = subprocess.Popen(
            self._command,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            env=os.environ | self._variables,
        )
        assert process.stdout is not None
        lines: list[str] = []
        for line in process.stdout:
            lines.append(line)
            if found := ADDRESS.search(line):
                self.address = found[1]
                # Unread output would block it in the end.
                self._reader = threading.Thread(target=process.stdout.read, daemon=True)
                self._reader.start()
                return
        pytest.fail("the companion didn't start:\n" + "".join(lines))

    def stop(self, number: int = signal.SIGKILL) -> None:
        """Send it a signal that ends it."""
        if self._process is not None:
            self._process.send_signal(number)

    def restart(self) -> None:
        """Wait until it has ended, and start it again."""
        self._wait()
        self.start()

    def close(self) -> None:
        """End it."""
        self.stop()
        self._wait()

    def _wait(self) -> None:
        if self._process is None or self._reader is None:
            return
        self._process.wait()
        self._reader.join()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def companion_process(dist: Path, folder: Path) -> Generator[CompanionProcess]:
    """Run a companion in a process until the block ends."""
    companion = CompanionProcess(dist, folder)
    companion.start()
    try:
        yield companion
    finally:
        companion.close()
