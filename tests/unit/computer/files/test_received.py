"""The names of files that pages download."""

from __future__ import annotations

import pytest

from gemini.computer.files.received import safe_name


@pytest.mark.parametrize(
    ("given", "media_type", "stored"),
    [
        ("report.csv", "", "report.csv"),
        ("../../home/user/.bashrc", "", "bashrc"),
        ("C:\\windows\\a.txt", "", "a.txt"),
        ("", "", "download"),
        ("..", "", "download"),
        ("a\0b\n\u202egpj.exe", "", "abgpj.exe"),
        ("\ud800x.txt", "", "x.txt"),
        ("what?.txt", "", "what_.txt"),
        ("table", "text/csv", "table.csv"),
        ("archive.tar.gz", "application/gzip", "archive.tar.gz"),
        ("é" * 300 + ".pdf", "", "é" * 98 + ".pdf"),
    ],
)
def test_names_are_safe(given: str, media_type: str, stored: str) -> None:
    assert safe_name(given, media_type) == stored
