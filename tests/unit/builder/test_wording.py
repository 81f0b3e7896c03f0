"""Refused words: everywhere, or in prose only."""

from __future__ import annotations

from pathlib import Path

import pytest

from builder import wording

REFUSED = "the " + "person"


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Return a project of empty files, as far as the check looks at files by name."""
    for name in wording.FILES:
        (tmp_path / name).touch()
    return tmp_path


def found(project: Path, name: str, text: str) -> list[str]:
    path = project / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return [line.partition("; ")[0] for line in wording.complaints(project)]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("py/a.py", f"x = 1\n# Asks {REFUSED}.\n", 2),
        ("py/a.py", f'def f():\n    """Ask.\n\n    By {REFUSED}.\n    """\n', 4),
        ("web/a.ts", f"const x = 1;\n/** A.\n * Asks {REFUSED}. */\n", 3),
        ("web/a.css", f"a {{}} /* {REFUSED} */\n", 1),
        ("docs/a.md", f"# A\n\nIt asks {REFUSED}.\n", 3),
    ],
)
def test_prose_has_no_refused_word(project: Path, name: str, text: str, line: int) -> None:
    assert found(project, name, text) == [f"{name}:{line}: '{REFUSED}'"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("py/a.py", f'print("{REFUSED}")\n'),
        ("web/a.ts", f'show("http://{REFUSED}");\n'),
        ("docs/a.md", f"```\n{REFUSED}\n```\nAsk with `{REFUSED}`.\n"),
    ],
)
def test_strings_and_code_may_have_it(project: Path, name: str, text: str) -> None:
    assert found(project, name, text) == []


def test_names_have_no_word_that_is_refused_everywhere(project: Path) -> None:
    word = "Ke" + "pt"
    assert found(project, "py/a.py", f"last{word} = 1\n") == [f"py/a.py:1: '{word}'"]
