"""Records what Debian's programs answer to the lines of the sweep, and compares ours with them.

`python -m tests.sweep.record` writes `recorded/` and `options.json`, and runs only new lines without `--fresh`. With
`--compare` it prints for each command how many lines are equal, refused (an error of ours, without output) and wrong;
words after it name commands.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

from tests.unit.shell.engine import Engine

from .run import HERE, Answer, ours, system

RECORDED = HERE / "recorded"
OPTIONS = HERE / "options.json"
TOPICS = sorted(path.stem for path in (HERE / "lines").glob("*.txt"))
# An option of a help text: at most eight columns from the left, the others after a comma.
_ENTRY = re.compile(r"^ {1,8}(-[^ ]*(?:, -[^ ]*)*)", re.MULTILINE)
_OPTION = re.compile(r"--[a-z][\w-]*|(?<!-)-[A-Za-z0-9](?![\w>])")
UNSAFE = "! "
# They stand in a help text for the end of a range, and for a place in the stack of directories.
NO_OPTIONS = {"-M"}
NUMBERS = {command: {"-N"} for command in ("dirs", "popd", "pushd")}
# A refusal, also within a line that goes on.
_REASON = re.compile(r"\b(?:isn't|aren't) supported: |\bcan't be \w+: ")
# A refusal that names nothing to use instead.
_BARE = re.compile(r"(?:invalid|unrecognized) option|command not found$")


def lines(topic: str) -> dict[str, list[str]]:
    """Return the lines of a topic, by command."""
    found: dict[str, list[str]] = {}
    command: list[str] = []
    for line in (HERE / f"lines/{topic}.txt").read_text().splitlines():
        if line.startswith("### "):
            command = found.setdefault(line.removeprefix("### "), [])
        else:
            command.append(line)
    return found


def recorded(topic: str) -> dict[str, dict[str, Answer | None]]:
    """Return what Debian answers to the lines of a topic, by command; None for a line that would change the machine."""
    text = _path(topic).read_text()
    return {
        command: {line: Answer(*answer) if answer else None for line, answer in answers.items()}
        for command, answers in json.loads(text).items()
    }


def _path(topic: str) -> Path:
    return RECORDED / f"{topic}.json"


def options() -> dict[str, list[str]]:
    """Return the options in the help text of each of Debian's commands."""
    return json.loads(OPTIONS.read_text())


def _options_of(command: str) -> list[str]:
    asked = (
        ["bash", "-c", 'help "$0"', command] if command in lines("builtins") else ["env", command, "--help"]
    )
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    entries = _ENTRY.findall(done.stdout)
    return sorted(
        {option for entry in entries for option in _OPTION.findall(entry)}
        - NO_OPTIONS
        - NUMBERS.get(command, set())
    )


def _record(topic: str, *, fresh: bool) -> None:
    RECORDED.mkdir(exist_ok=True)
    known = {} if fresh or not _path(topic).exists() else recorded(topic)

    def answer(command: str, line: str) -> list[object] | None:
        if line.startswith(UNSAFE):
            return None
        found = known.get(command, {}).get(line) or system(line)
        return list(vars(found).values())

    answers = {
        command: {line: answer(command, line) for line in given} for command, given in lines(topic).items()
    }
    _path(topic).write_text(json.dumps(answers, indent=0) + "\n")


def kind(theirs: Answer | None, answer: Answer) -> str:
    """Return whether an answer of ours is `equal`, `refused`, refused `without a reason`, or `wrong`."""
    if _REASON.search(answer.error) and not (theirs and theirs.error):
        return "refused"
    if theirs is not None and (answer.stdout, answer.exit_code) == (theirs.stdout, theirs.exit_code):
        return "equal" if bool(answer.error) == bool(theirs.error) else "wrong"
    if _REASON.search(answer.error):
        return "refused"
    refuses = answer.exit_code != 0 and answer.error != "" and answer.stdout == ""
    if not refuses or "Traceback" in answer.error:
        return "wrong"
    return "without a reason" if _BARE.search(answer.error) else "refused"


def _compare(topic: str, chosen: list[str], engine: Engine) -> Counter[str]:
    total: Counter[str] = Counter()
    known = {name: given for name, given in recorded(topic).items() if not chosen or name in chosen}
    answers = iter(ours(engine, [line.removeprefix(UNSAFE) for given in known.values() for line in given]))
    for command, given in known.items():
        counts: Counter[str] = Counter()
        for line, theirs in given.items():
            answer = next(answers)
            found = kind(theirs, answer)
            counts[found] += 1
            differs = found == "equal" and theirs is not None and answer.error != theirs.error
            counts["another message"] += differs
            if found != "equal" or differs:
                print(f"  {'message' if differs else found}: {line}")
                print(f"    theirs: {_short(theirs)}\n    ours:   {_short(answer)}")
        print(f"{command}: {dict(counts)}")
        total += counts
    return total


def _short(answer: Answer | None) -> str:
    return "" if answer is None else f"{answer.exit_code} {answer.stdout[:600]!r} {answer.error[:200]}"


def main() -> None:
    """Record or compare."""
    chosen = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--compare" in sys.argv:
        total: Counter[str] = Counter()
        with tempfile.TemporaryDirectory() as directory:
            engine = Engine(Path(directory))
            for topic in TOPICS:
                total += _compare(topic, chosen, engine)
        print(dict(total))
        return
    for topic in TOPICS:
        _record(topic, fresh="--fresh" in sys.argv)
    commands = [command for topic in TOPICS for command in lines(topic)]
    OPTIONS.write_text(json.dumps({command: _options_of(command) for command in commands}, indent=0) + "\n")


if __name__ == "__main__":
    main()
