"""Servers that tests start as programs."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def started(
    command: Sequence[str | Path], announced: str, variables: Mapping[str, str] | None = None
) -> Generator[str]:
    """Run a server until the block ends; yield its announcement.

    Args:
        command: The program and its arguments.
        announced: A regular expression that matches the line of the output that says it is ready. Its group is
            yielded.
        variables: Environment variables in addition to this process's.
    """
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        env=os.environ | (variables or {}),
    ) as process:
        assert process.stdout is not None
        lines: list[str] = []
        try:
            for line in process.stdout:
                lines.append(line)
                if found := re.search(announced, line):
                    # Unread output would block it in the end.
                    threading.Thread(target=process.stdout.read, daemon=True).start()
                    yield found[1]
                    break
            else:
                pytest.fail(f"{command[0]} didn't start:\n" + "".join(lines))
        finally:
            process.terminate()
