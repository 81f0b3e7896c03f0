"""docs/coverage.md: each tool has a row, and a test that the row names uses it."""

import re
from pathlib import Path

from gemini.server import catalogue

TESTS = Path(__file__).parents[2]
ROWS = [
    re.findall(r"`([\w./]+)`", line)
    for line in (TESTS.parent / "docs/coverage.md").read_text().splitlines()
    if line.startswith("| ") and ".py`" in line
]


def test_each_tool_has_tests() -> None:
    tested: set[str] = set()
    for row in ROWS:
        text = "".join((TESTS / name).read_text() for name in row if name.endswith(".py"))
        tested.update(name for name in row if re.search(rf"\b{name}\b", text))
    assert tested >= {row["name"] for row in catalogue.rows()}
