"""Records what the system's programs answer and which options they list, and compares ours with them.

`python -m tests.unit.userland.options.record PROGRAM…` writes `recorded/PROGRAM.json`. With `--compare` it records
nothing, and prints how many lines are equal, refused (an error with a reason) and wrong.
"""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .runner import ENVIRONMENT, Result, ours, system

HERE = Path(__file__).parent
LINES = HERE / "lines"
RECORDED = HERE / "recorded"
# How a program lists its options, where it isn't by `--help`.
HELP = {
    "curl": ["--help", "all"],
    "ps": ["--help", "all"],
    "unzip": ["-hh"],
    "xxd": ["-h"],
    "zip": ["-h2"],
}
_OPTION = re.compile(r"(?<![\w/.-])--?[A-Za-z0-9][\w-]*")
_LISTED = re.compile(r"^\s{0,10}-")
_MARK = re.compile(r"(?P<kind>refused|different \((?P<reason>[^)]+)\)|options): (?P<line>.*)")


@dataclass(frozen=True)
class Line:
    """A line of a table.

    Attributes:
        text: The commands.
        refused: Whether ours refuses it, with an error that says why.
        reason: Why ours answers something else; empty where it doesn't.
    """

    text: str
    refused: bool = False
    reason: str = ""


def programs() -> list[str]:
    """Return the programs that have a table."""
    return sorted(path.stem for path in LINES.glob("*.txt"))


def lines(program: str) -> list[Line]:
    """Return the lines of a program's table."""
    return [_line(text) for text in _texts(program) if not text.startswith("options: ")]


def elsewhere(program: str) -> set[str]:
    """Return the options that a table names without a line for them, after `options: `, with the reason above."""
    named = (text for text in _texts(program) if text.startswith("options: "))
    return {word for text in named for word in text.split()[1:]}


def _texts(program: str) -> list[str]:
    text = (LINES / f"{program}.txt").read_text()
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def _line(text: str) -> Line:
    match = _MARK.fullmatch(text)
    if match is None:
        return Line(text)
    return Line(match["line"], match["kind"] == "refused", match["reason"] or "")


def recorded(program: str) -> tuple[list[list[str]], dict[str, Result]]:
    """Return the options of Debian's program, each with its names, and its answers."""
    found = json.loads((RECORDED / f"{program}.json").read_text())
    return found["options"], {line: Result(**answer) for line, answer in found["answers"].items()}


def _options(program: str) -> list[list[str]]:
    """Return the options that a program's help lists, each with its names."""
    command = [program, *HELP.get(program, ["--help"])]
    done = subprocess.run(
        command, capture_output=True, env=ENVIRONMENT, stdin=subprocess.DEVNULL, check=False
    )
    help_text = (done.stdout + done.stderr).decode("utf-8", "replace")
    entries = (line for line in help_text.splitlines() if _LISTED.match(line))
    # Two blanks, or a tab, are before what an option does.
    names = [_OPTION.findall(re.split(r"(?<=\S)(?: {2,}|\t)(?!-)", entry)[0]) for entry in entries]
    return [name for name in names if name]


def is_refusal(answer: Result) -> bool:
    """Return whether a program has said why it does nothing; zip says so on standard output."""
    said = answer.error if not answer.stdout else answer.stdout.startswith(("\nzip error", "\tzip warning"))
    return answer.exit_code != 0 and bool(said) and not answer.files


def _fresh(line: str) -> Result:
    with tempfile.TemporaryDirectory() as root:
        return system(line, Path(root))


async def _kind(line: Line) -> str:
    """Compare a line, print a difference, and return its kind."""
    theirs = _fresh(line.text)
    with tempfile.TemporaryDirectory() as root:
        try:
            answer = await ours(line.text, Path(root))
        except Exception as error:  # noqa: BLE001 a line that crashes is reported with the others
            print(f"  CRASH: {line.text}\n    {error!r}")
            return "wrong"
    if answer == theirs:
        return "equal"
    if answer.equals(theirs):
        print(f"  words: {line.text}\n    theirs: {theirs.error}\n    ours:   {answer.error}")
        return "equal but for words"
    if is_refusal(answer):
        print(
            f"  refused: {line.text}\n    {answer.error or answer.stdout.strip()}\n    theirs: {str(theirs)[:150]}"
        )
        return "refused"
    print(f"  WRONG: {line.text}\n    theirs: {str(theirs)[:600]}\n    ours:   {str(answer)[:600]}")
    return "wrong"


def main() -> None:
    """Record or compare the programs that the arguments name, or all."""
    chosen = [word for word in sys.argv[1:] if not word.startswith("--")] or programs()
    for program in chosen:
        if "--compare" in sys.argv:
            counts = Counter(asyncio.run(_kind(line)) for line in lines(program))
            print(f"{program}: {dict(counts)}")
        else:
            answers = {line.text: vars(_fresh(line.text)) for line in lines(program)}
            RECORDED.mkdir(exist_ok=True)
            found = {"options": _options(program), "answers": answers}
            (RECORDED / f"{program}.json").write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
