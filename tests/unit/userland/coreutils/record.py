"""Records what the system's programs answer, and compares ours with them.

`python -m tests.unit.userland.coreutils.record TOPIC…` writes `recorded/TOPIC.json`. With `--compare` it records
nothing, and prints for each command how many lines are equal, refused (an error of ours, with a reason) and wrong.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections import Counter
from pathlib import Path

from .folder import create
from .runner import LINES, Result, lines, ours, system

RECORDED = Path(__file__).parent / "recorded"


def topics() -> list[str]:
    """Return the topics: the names of the files of lines."""
    return sorted(path.stem for path in LINES.glob("*.txt"))


def recorded(topic: str) -> dict[str, Result]:
    """Return the recorded answers of a topic."""
    return {
        line: Result(**answer)
        for line, answer in json.loads((RECORDED / f"{topic}.json").read_text()).items()
    }


def _fresh(line: str) -> Result:
    with tempfile.TemporaryDirectory() as root:
        return system(line, Path(root))


async def _compare(topic: str) -> None:
    counts: Counter[str] = Counter()
    for line in lines(topic):
        theirs = _fresh(line)
        with tempfile.TemporaryDirectory() as root:
            create(Path(root))
            try:
                answer, errors = await ours(line, Path(root))
            except Exception as error:  # noqa: BLE001 a line that crashes is reported with the others
                answer, errors = None, repr(error)
        if answer == theirs:
            counts["equal"] += 1
        elif answer and answer.exit_code and errors and not answer.stdout and not answer.files:
            counts["refused"] += 1
            print(f"  refused: {line}\n    {errors.strip()}")
        else:
            counts["wrong"] += 1
            print(f"  WRONG: {line}\n    theirs: {str(theirs)[:400]}")
            print(f"    ours:   {str(answer)[:400]} {errors.strip()[:300]}")
    print(f"{topic}: {dict(counts)}")


def main() -> None:
    """Record or compare the topics that the arguments name, or all."""
    chosen = [word for word in sys.argv[1:] if not word.startswith("--")] or topics()
    for topic in chosen:
        if "--compare" in sys.argv:
            asyncio.run(_compare(topic))
        else:
            answers = {line: vars(_fresh(line)) for line in lines(topic)}
            RECORDED.mkdir(exist_ok=True)
            (RECORDED / f"{topic}.json").write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
