"""What a command printed and how it ended."""

from dataclasses import dataclass

from gemini.shell.backend import Finished
from gemini.shell.output import Captured

TIMED_OUT = 124


@dataclass(frozen=True)
class CommandResult:
    """What a command printed and how it ended.

    `stdout` and `stderr` are UTF-8 with `\\xff` for bytes that aren't; `output` is both in the order of
    printing. Where they were too long for the reader, `truncated` is True and `output_file` holds everything.
    """

    stdout: str
    stderr: str
    exit_code: int
    output: str = ""
    truncated: bool = False
    output_file: str | None = None
    timed_out: bool = False

    @property
    def success(self) -> bool:
        return self.exit_code == 0


def result_of(captured: Captured, finished: Finished, timeout_s: float | None) -> CommandResult:
    """The result for whoever ran the command, with a note where its time ran out."""
    timed_out = finished.ended == "timed_out"
    note = f"[timed out after {timeout_s:g} s]\n" if timed_out else ""
    return CommandResult(
        stdout=captured.stdout,
        stderr=_with_line(captured.stderr, note),
        exit_code=TIMED_OUT if timed_out else finished.exit_code,
        output=_with_line(captured.output, note),
        truncated=captured.truncated,
        output_file=captured.file,
        timed_out=timed_out,
    )


def _with_line(text: str, line: str) -> str:
    """`text` with a line of its own behind it."""
    return f"{text}\n{line}" if line and text and not text.endswith("\n") else text + line
