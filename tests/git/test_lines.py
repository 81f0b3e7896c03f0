"""Everyday lines of git print in the embedded shell what git 2.39 prints, with the same object ids."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from tests.git import cases, conductor

BATCH = 30
IN_BROWSER = """
import json, tempfile
from gemini.computer.shell.embedded import ShellBackend

async def run_lines(request):
    return await conduct(ShellBackend(), tempfile.mkdtemp(), json.loads(request))
"""


# A journey in tests/web uses git each time.
@pytest.mark.extended
def test_lines_match_git(surface: Any) -> None:
    surface.python(inspect.getsource(conductor) + IN_BROWSER)
    lines = sorted(cases.lines())
    ours: list[dict[str, Any]] = []
    for start in range(0, len(lines), BATCH):
        request = json.dumps({"setup": cases.setup(), "lines": lines[start : start + BATCH]})
        results = surface.python(f"await run_lines({request!r})")
        ours += [cases.normalized(one, one["directory"]) for one in results]
    rows = zip(lines, ours, cases.expected(lines), strict=True)
    different = {f"{state}: {line}": (one, other) for (state, line), one, other in rows if one != other}
    assert not different


@pytest.mark.skipif(not cases.has_git(), reason="needs git 2.39 for the comparison")
@pytest.mark.extended
def test_the_recorded_results_are_those_of_git() -> None:
    assert [cases.in_git(state, line) for state, line in cases.lines()] == cases.expected(cases.lines())
