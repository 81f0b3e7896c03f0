"""Every option of the programs that aren't GNU coreutils: each line does what Debian's program does, or is refused.

The lines are in `options/lines`, Debian's answers in `options/recorded`. A line that begins with `refused:` must say
why on standard error; one with `different (REASON):` is the known rest.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.tiers import in_turn

from .options.record import Line, elsewhere, is_refusal, lines, programs, recorded
from .options.runner import ours

# All lines run in the extended tier, and so many of them each time.
EVERY = 6
# Help and versions are texts of our own.
OWN = {"-h", "--help", "-V", "--version", "-v"}


@pytest.mark.parametrize("program", programs())
def test_each_option_of_debians_help_is_in_the_table(program: str) -> None:
    options, answers = recorded(program)
    assert list(answers) == [line.text for line in lines(program)]
    words = {word.partition("=")[0] for line in answers for word in line.split()} | elsewhere(program) | OWN
    missing = [names for names in options if not any(_is_in(name, words) for name in names)]
    assert not missing


def _is_in(name: str, words: set[str]) -> bool:
    if name in words:
        return True
    is_letter = len(name) == 2
    # A letter may be one of several in a word.
    return is_letter and any(word[:1] == "-" != word[1:2] and name[1] in word for word in words)


async def _problems(chosen: Sequence[Line], program: str, folder: Path) -> list[str]:
    _, answers = recorded(program)
    found: list[str] = []
    for line in chosen:
        answer = await ours(line.text, folder)
        expected = answers[line.text]
        right = is_refusal(answer) if line.refused else answer.equals(expected) == (not line.reason)
        if not right:
            found.append(f"{line.text}\n  ours:     {answer}\n  Debian's: {expected}")
        shutil.rmtree(folder)
    return found


@in_turn("program", programs())
async def test_some_lines_do_what_debians_program_does(program: str, tmp_path: Path) -> None:
    problems = await _problems(lines(program)[::EVERY], program, tmp_path / "folder")
    assert not problems, "\n".join(problems)


@pytest.mark.extended
@pytest.mark.parametrize("program", programs())
async def test_all_lines_do_what_debians_program_does(program: str, tmp_path: Path) -> None:
    problems = await _problems(lines(program), program, tmp_path / "folder")
    assert not problems, "\n".join(problems)
