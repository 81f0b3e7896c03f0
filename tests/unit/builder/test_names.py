"""The project has one name, and what messages and documents tell people to install exists."""

from __future__ import annotations

import re
import tomllib
from typing import Any

from gemini.project import PROJECT

from .conftest import ROOT

DECLARED: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
# A name with extras, as in `pip install "control-surface[companion]"` or `'…whl[companion]'`.
WITH_EXTRAS = re.compile(r"(?:([\w-]+)|\{PROJECT\}|\.whl)\[([a-z,]+)\](?=[\"'` ])")
FORMER = re.compile(
    r"pip install \S*gemini.surface|loadPackage\(\W*gemini.surface|version\(\W*gemini.surface"
)


def shown() -> list[tuple[str, str]]:
    """Return the path and the text of each file that people read or that prints messages."""
    found = [*(ROOT / "py").rglob("*.py"), *(ROOT / "docs").glob("*.md"), *(ROOT / "examples").iterdir()]
    files = [*(path for path in found if path.suffix in {".py", ".md", ".html"}), ROOT / "README.md"]
    return [(path.relative_to(ROOT).as_posix(), path.read_text()) for path in sorted(files)]


def test_the_package_has_the_name_of_the_constant() -> None:
    assert DECLARED["name"] == PROJECT
    assert PROJECT in DECLARED["scripts"]


def test_what_is_to_be_installed_exists() -> None:
    lines = [(path, line) for path, text in shown() for line in text.splitlines() if "pip install" in line]
    named = [(path, found) for path, line in lines for found in WITH_EXTRAS.finditer(line)]
    assert {path for path, _ in named} >= {"docs/companion.md", "docs/testing.md", "examples/mcp_client.py"}
    for path, found in named:
        assert found[1] in {None, PROJECT}, path
        assert set(found[2].split(",")) <= set(DECLARED["optional-dependencies"]), path


def test_nothing_uses_the_former_name() -> None:
    assert [path for path, text in shown() if FORMER.search(text)] == []
