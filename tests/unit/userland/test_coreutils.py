"""The small text programs answer as Debian's do, line by line (coreutils/lines, coreutils/recorded)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .coreutils.folder import create
from .coreutils.record import recorded, topics
from .coreutils.runner import lines, ours

# What ours refuses, with an error that names what to use instead.
REFUSED = {
    "sed --posix s/a/x/ abc",
    "basenc --z85 abc",
    "pr -J -t -2 n20",
    "pr -S: -t -2 n20",
    "pr -c abc",
    "pr -v latin1",
    "pr -i -t blanks",
    "diff -D X abc bcd",
    "diff --line-format=%L abc bcd",
    "diff -l abc bcd",
    "sed -i 's/a/x/' sub",
    "sed -i -f missing abc",
    "sed -i --debug s/a/x/ abc",
}


@pytest.mark.parametrize("topic", topics())
def test_every_line_has_an_answer(topic: str) -> None:
    assert list(recorded(topic)) == lines(topic)
    assert len(lines(topic)) >= 10


@pytest.mark.parametrize("topic", topics())
async def test_lines_do_what_debians_programs_do(topic: str, tmp_path: Path) -> None:
    wrong: list[str] = []
    root = tmp_path / "folder"
    for line, expected in recorded(topic).items():
        if not root.exists():
            create(root)
        answer, errors = await ours(line, root)
        if line in REFUSED:
            is_right = answer.exit_code != 0 and errors != "" and answer.stdout == ""
        else:
            is_right = answer == expected
        if not is_right:
            wrong.append(f"{line}\n  {answer}\n  {expected}\n  {errors}")
        # Files are written again only where a line has changed some.
        if answer.files or line in REFUSED or topic in ("sed", "split"):
            shutil.rmtree(root)
    assert not wrong, "\n".join(wrong)
