"""Runs other programs, keeping their whole output in a log."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from builder.problems import BuildProblem


class ProgramFailed(BuildProblem):
    """A program ended with a code other than zero. `output` is all that it wrote."""

    def __init__(self, program: str, code: int, output: str, log: Path) -> None:
        super().__init__(f"{program} failed with exit code {code}; its output is in {log}.", output)
        self.output = output
        self.log = log


def run(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    log: Path,
    env: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
) -> str:
    """Run `command` to its end and return what it wrote to both streams.

    Each line goes to `on_line` as it arrives.

    Raises:
        ProgramFailed: it ended with a code other than zero.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    lines: list[str] = []
    with (
        log.open("w", encoding="utf-8") as copy,
        subprocess.Popen(
            [str(part) for part in command],
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            lines.append(line)
            copy.write(line)
            if on_line and line.strip():
                on_line(line.strip())
    output = "".join(lines)
    if process.returncode:
        raise ProgramFailed(Path(command[0]).name, process.returncode, output, log)
    return output
