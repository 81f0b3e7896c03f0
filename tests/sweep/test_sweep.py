"""Each option of Debian's programs and of bash has the same answer here, or an error that says what to use instead."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

import pytest

from tests.unit.computer.shell.engine import Engine

from .known import ABSENT, DIFFERENT, REFUSED
from .record import TOPICS, UNSAFE, kind, lines, options, recorded, table
from .run import Line, ours

SHARES = 20
# The shell's own, which take `--help` for an operand, absent ones, and sqlite3, whose version has no name.
WITHOUT_HELP = {"echo", "printf", "pwd", "test", "true", "false", "chroot", "sqlite3", *ABSENT}
TABLE = table()


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return Engine(tmp_path_factory.mktemp("engine"))


def test_each_line_has_an_answer_of_debian() -> None:
    for topic in TOPICS:
        assert {command: list(given) for command, given in recorded(topic).items()} == lines(topic)


@pytest.mark.parametrize("command", sorted(options()))
def test_each_option_of_the_help_text_is_in_the_table(command: str) -> None:
    words = [word for name, line in TABLE if name == command for word in re.split(r"[\s;|]+", line.text)]
    missing = [option for option in options()[command] if not _uses(option, words)]
    assert not missing, f"{command}: add lines with {' '.join(missing)}"


def _uses(option: str, words: list[str]) -> bool:
    if option.startswith("--"):
        return any(word == option or word.startswith((f"{option}=", f"{option}'")) for word in words)
    letter = re.compile(rf"-[A-Za-z0-9]*{re.escape(option[1:])}.*")
    return any(letter.fullmatch(word) for word in words)


@pytest.mark.extended
@pytest.mark.parametrize("share", range(SHARES))
def test_lines_do_what_debians_programs_do(share: int, engine: Engine) -> None:
    known = {
        (command, Line(text, topic)): answer
        for topic in TOPICS
        for command, given in recorded(topic).items()
        for text, answer in given.items()
    }
    chosen = TABLE[share::SHARES]
    answers = ours(engine, [Line(line.text.removeprefix(UNSAFE), line.topic) for _, line in chosen])
    wrong: list[str] = []
    for case, answer in zip(chosen, answers, strict=True):
        command, line = case
        expected = (
            "refused"
            if line.text in REFUSED or command in ABSENT
            else "wrong"
            if line.text in DIFFERENT
            else "equal"
        )
        if (found := kind(known[case], answer)) != expected:
            wrong.append(f"{line.text}: {found}, not {expected}\n  {answer}\n  {known[case]}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.extended
def test_commands_say_what_they_are(engine: Engine) -> None:
    # Builtins and the programs of other packages have lines with what they say.
    others = {*WITHOUT_HELP, *lines("builtins"), *lines("packages")}
    commands = [command for command in options() if command not in others]
    calls = list(chain.from_iterable((f"{command} --help", f"{command} --version") for command in commands))
    answers = ours(engine, [Line(call, "system") for call in calls])
    wrong = [
        command
        for command, asked, version in zip(commands, answers[::2], answers[1::2], strict=True)
        if (asked.exit_code, asked.error, version.exit_code) != (0, "", 0)
        or not asked.stdout.startswith("Usage: ")
        or command not in version.stdout
    ]
    assert not wrong


def test_no_reason_is_left_of_a_line_that_is_gone() -> None:
    assert {*REFUSED, *DIFFERENT} <= {line.text for _, line in TABLE}


def test_the_table_has_no_line_twice() -> None:
    assert len(TABLE) == len(set(TABLE))
    assert Path(__file__).parent.name == "sweep"
