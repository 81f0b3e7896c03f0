"""Checksums and messages match those of the GNU commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.userland.conftest import Call

GOOD = "900150983cd24fb0d6963f7d28e17f72"


@pytest.fixture(autouse=True)
def files(tmp_path: Path) -> None:
    """Create a file, and lists of valid, invalid and malformed checksums."""
    (tmp_path / "abc").write_text("abc")
    (tmp_path / "good").write_text(f"{GOOD}  abc\n")
    (tmp_path / "bad").write_text(f"{GOOD}  good\n{GOOD} *abc\n{GOOD}  missing\nnonsense\n")
    (tmp_path / "tagged").write_text(f"MD5 (abc) = {GOOD.upper()}\n")
    (tmp_path / "none").write_text("nothing\n")


@pytest.mark.parametrize(
    "words",
    [
        ["md5sum", "abc", "good"],
        ["sha1sum", "abc"],
        ["sha256sum"],
        ["sha512sum", "-"],
        ["md5sum", "-b", "abc"],
        ["md5sum", "--tag", "abc"],
        ["md5sum", "-z", "abc"],
        ["md5sum", "missing", "abc"],
        ["md5sum", "-c", "good"],
        ["md5sum", "-c", "bad"],
        ["md5sum", "-c", "--quiet", "bad"],
        ["md5sum", "-c", "--status", "bad"],
        ["md5sum", "-c", "--ignore-missing", "bad"],
        ["md5sum", "-c", "tagged"],
        ["md5sum", "-c", "none"],
        ["md5sum", "-c", "missing"],
        ["md5sum", "-q"],
    ],
    ids=" ".join,
)
async def test_checksums_match_gnu(call: Call, system: Call, words: list[str]) -> None:
    assert await call(*words, stdin=b"in\n") == await system(*words, stdin=b"in\n")
