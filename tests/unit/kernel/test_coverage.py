"""Each tool is called by a test of the page or of its room."""

import re
from pathlib import Path

from gemini.kernel import catalogue

TESTS = Path(__file__).parents[2]
# The first argument of a call, such as `surface.call("file_read", …)`, or of a row of calls.
FIRST = re.compile(r'\(\s*"([a-z_]+)"')


def test_each_tool_is_called() -> None:
    modules = [path for folder in ("web", "unit") for path in (TESTS / folder).rglob("test_*.py")]
    called = {name for path in modules for name in FIRST.findall(path.read_text())}
    assert {row["name"] for row in catalogue.rows()} - called == set()
