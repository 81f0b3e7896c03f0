"""Everyday one-liners print the same in the embedded shell as in bash, and end with the same exit code."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from tests.bash import cases, conductor

LEAST = 0.92
BATCH = 40
IN_BROWSER = """
import json, tempfile
from gemini.shell.embedded import ShellBackend

async def conducted(request):
    return await conduct(ShellBackend(), tempfile.mkdtemp(), json.loads(request))
"""


@pytest.mark.skipif(not cases.has_bash(), reason="bash 5.2 is what the shell is compared with")
@pytest.mark.parametrize("chosen_set", cases.SETS)
def test_one_liners_are_as_in_bash(chosen_set: str, surface: Any, tmp_path: Path) -> None:
    chosen = cases.load(chosen_set)
    surface.python(inspect.getsource(conductor) + IN_BROWSER)
    ours: list[cases.Answer] = []
    for start in range(0, len(chosen), BATCH):
        request = json.dumps(cases.request(chosen[start : start + BATCH]))
        ours += cases.answers(surface.python(f"await conducted({request!r})"))
    expected = [cases.in_bash(case, tmp_path / "case") for case in chosen]
    different = [case.name for case, one, other in zip(chosen, ours, expected, strict=True) if one != other]
    unknown = [name for name in different if name not in cases.KNOWN]
    assert len(different) <= (1 - LEAST) * len(chosen), different
    assert not unknown
