"""Everyday one-liners have the same output and exit code in the embedded shell as in bash."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from tests.bash import cases, conductor
from tests.tiers import sampled

MIN_SHARE = 0.92
BATCH = 40
IN_BROWSER = """
import json, tempfile
from gemini.shell.embedded import ShellBackend

async def run_cases(request):
    return await conduct(ShellBackend(), tempfile.mkdtemp(), json.loads(request))
"""


@pytest.mark.skipif(not cases.has_bash(), reason="needs bash 5.2 for the comparison")
@pytest.mark.parametrize("set_name", sampled(reversed(cases.SETS)))
def test_one_liners_match_bash(set_name: str, surface: Any, tmp_path: Path) -> None:
    selected = cases.load(set_name)
    surface.python(inspect.getsource(conductor) + IN_BROWSER)
    ours: list[cases.Answer] = []
    for start in range(0, len(selected), BATCH):
        request = json.dumps(cases.request(selected[start : start + BATCH]))
        ours += cases.answers(surface.python(f"await run_cases({request!r})"))
    expected = [cases.in_bash(case, tmp_path / "case") for case in selected]
    different = [case.name for case, one, other in zip(selected, ours, expected, strict=True) if one != other]
    unknown = [name for name in different if name not in cases.KNOWN]
    assert len(different) <= (1 - MIN_SHARE) * len(selected), different
    assert not unknown
