"""The result of a command in a terminal."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal, get_args

from gemini.computer.shell.backend import Finished
from gemini.computer.shell.output import Capture
from gemini.errors import TerminalProblem

Text = Literal["output", "stdout", "stderr", "raw_output"]
"""A text of a result."""
TEXTS: tuple[Text, ...] = get_args(Text)
TIMED_OUT = 124
STILL_RUNNING = -1


@dataclass(frozen=True)
class CommandResult:
    r"""The result of a command.

    Attributes:
        output: Standard output and standard error in the order of printing, as a terminal shows them: without colors,
            and without what was overwritten. It is UTF-8, with `\xff` for other bytes.
        exit_code: 0 for success, 124 after a timeout, -1 while the command waits for input.
        terminal_id: The terminal that ran the command.
        stdout: Standard output alone, as it was written.
        stderr: Standard error alone, as it was written.
        raw_output: The output as it was written.
        truncated: `output` was too long, so its middle was cut.
        raw_truncated: The text of the raw output was too long.
        output_file: The file with all output as it was written, if a text was cut or the output isn't UTF-8.
        timed_out: The time limit ended the command.
        waiting_for_input: The prompt of the command, which continues: it reads a line, which terminal_input types.
    """

    output: str
    exit_code: int
    terminal_id: str
    stdout: str
    stderr: str
    raw_output: str = ""
    truncated: bool = False
    raw_truncated: bool = False
    output_file: str | None = None
    timed_out: bool = False
    waiting_for_input: str | None = None

    @property
    def success(self) -> bool:
        """True if the exit code is 0."""
        return self.exit_code == 0


def result_of(
    terminal_id: str,
    capture: Capture,
    finished: Finished,
    timeout_s: float | None,
    texts: Collection[Text] = TEXTS,
) -> CommandResult:
    """Return the result of a command that has ended, with a note if it timed out.

    Args:
        terminal_id: The terminal that ran the command.
        capture: The finished capture of its output.
        finished: The end of the command.
        timeout_s: The time limit in seconds, for the note.
        texts: The members of text that the result has; the others are empty.
    """
    timed_out = finished.ended == "timed_out"
    note = f"[timed out after {timeout_s:g} s]\n" if timed_out else ""
    return CommandResult(
        output=_with_line(capture.output, note) if "output" in texts else "",
        exit_code=TIMED_OUT if timed_out else finished.exit_code,
        terminal_id=terminal_id,
        stdout=capture.stdout if "stdout" in texts else "",
        stderr=_with_line(capture.stderr, note) if "stderr" in texts else "",
        raw_output=_with_line(capture.raw_output, note) if "raw_output" in texts else "",
        truncated=capture.truncated,
        raw_truncated=capture.raw_truncated,
        output_file=capture.file,
        timed_out=timed_out,
    )


def result_so_far(
    terminal_id: str, capture: Capture, prompt: str, texts: Collection[Text] = TEXTS
) -> CommandResult:
    """Return the result so far of a command that waits for a line of input.

    Args:
        terminal_id: The terminal that runs the command.
        capture: The capture of its output, which continues.
        prompt: The text before the cursor.
        texts: As for `result_of`.
    """
    return CommandResult(
        output=capture.output if "output" in texts else "",
        exit_code=STILL_RUNNING,
        terminal_id=terminal_id,
        stdout=capture.stdout if "stdout" in texts else "",
        stderr=capture.stderr if "stderr" in texts else "",
        raw_output=capture.raw_output if "raw_output" in texts else "",
        truncated=capture.truncated,
        raw_truncated=capture.raw_truncated,
        waiting_for_input=prompt,
    )


def waiting_problem(terminal_id: str, prompt: str) -> TerminalProblem:
    """Return the error for a command that can't start because another one waits for input."""
    return TerminalProblem(
        f"{terminal_id} runs a command that waits for input, at the prompt {prompt!r}",
        hint="Answer with terminal_input, end it with terminal_interrupt, or use another terminal.",
    )


def busy_problem(terminal_id: str, running: str | None) -> TerminalProblem:
    """Return the error for a command that wasn't started, because another one ran for all of its time limit."""
    return TerminalProblem(
        f"{terminal_id} still runs {running!r}, so the command wasn't started",
        hint="End the other one with terminal_interrupt, or use another terminal: terminal_create opens one.",
    )


def _with_line(text: str, line: str) -> str:
    """Append `line` to `text` as a separate line."""
    return f"{text}\n{line}" if line and text and not text.endswith("\n") else text + line
