"""Runs other programs and logs their output."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from builder.problems import BuildProblem


class ProgramFailed(BuildProblem):
    """A program exited with an error.

    Args:
        program: Its name.
        code: Its exit code.
        output: Everything it wrote to stdout and stderr.
        log: The file that has the output.
    """

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
    """Run a command and return its output.

    Args:
        command: The program and its arguments.
        cwd: The working directory.
        log: The file that the output is also written to.
        env: The environment; this process's by default.
        on_line: Called with each nonempty line as it arrives.

    Returns:
        Everything that the command wrote to stdout and stderr.

    Raises:
        ProgramFailed: The exit code isn't 0.
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


def modestly(priority: int) -> list[str]:
    """Return what a command begins with to run at a lower priority, if this system can do that.

    Args:
        priority: How much lower: 1 leaves it most of its share of a core, 5 a quarter.
    """
    nice = shutil.which("nice")
    return [nice, "-n", str(priority)] if nice else []
