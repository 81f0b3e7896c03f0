"""Our programs print and change what Debian's do, case by case (text, archives, copying, names)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from .cases import REFUSED, read
from .corpora import OF_PROGRAMS, Corpus
from .programs import Runner

TOPICS = [
    pytest.param(corpus, path, id=f"{corpus.name}-{path.stem}")
    for corpus in OF_PROGRAMS
    for path in corpus.topics()
]


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """Modes were recorded with this mask."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.mark.parametrize(("corpus", "path"), TOPICS)
async def test_programs_do_what_debians_do(corpus: Corpus, path: Path, tmp_path: Path) -> None:
    if path.stem == "openssl-enc":
        pytest.importorskip("cryptography")
    runner = Runner(corpus, tmp_path / "folder")
    wrong: list[str] = []
    for case in read(path):
        answer, errors = await runner.run(case)
        is_right = case.is_right(answer)
        if case.differs.startswith(REFUSED):
            is_right &= answer.exit_code != 0 and errors != b"" and answer.stdout == b""
        if not is_right:
            wrong.append(f"{case.script}\n  {answer} {errors!r}\n  {case.answer} {case.differs}")
    assert not wrong, "\n".join(wrong)
