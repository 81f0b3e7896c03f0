"""patch, zip, unzip, sqlite3, openssl and others answer as Debian's programs do (shelf/recorded.json)."""

import json
from pathlib import Path

import pytest

from .shelf.record import RECORDED
from .shelf.runner import Result, lines, ours

ANSWERS = {line: Result(**answer) for line, answer in json.loads(RECORDED.read_text()).items()}
DIFFERENT = {
    "patch missing.txt p0.diff": "GNU's also leaves an empty missing.txt.orig",
}
LEAST_EQUAL = 0.92


def test_every_line_has_an_answer() -> None:
    assert list(ANSWERS) == lines()
    assert len(DIFFERENT) <= (1 - LEAST_EQUAL) * len(ANSWERS)


@pytest.mark.parametrize("line", ANSWERS)
async def test_a_line_does_what_debians_programs_do(line: str, tmp_path: Path) -> None:
    if line.startswith("openssl enc"):
        pytest.importorskip("cryptography")
    answer = await ours(line, tmp_path / "folder")
    assert (answer == ANSWERS[line]) == (line not in DIFFERENT), answer
