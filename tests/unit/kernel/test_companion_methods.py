"""The page passes on what its Python asks the companion for, and nothing else."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
LINK = ROOT / "web/ui/companion/link.ts"
METHOD = re.compile(r'"((?:caller|dav|host|mcp|models|secrets|web)/[a-z]+)"')
# The companion sends these.
RECEIVED = {"mcp/changed", "mcp/progress"}


def test_the_page_permits_each_method_that_its_python_asks_for() -> None:
    sources = (ROOT / "py/gemini").rglob("*.py")
    asked = {method for path in sources for method in METHOD.findall(path.read_text(encoding="utf-8"))}
    permitted = re.search(
        r"PYTHON_METHODS = new Set\(\[(.*?)\]\)", LINK.read_text(encoding="utf-8"), re.DOTALL
    )
    assert permitted is not None
    assert set(METHOD.findall(permitted[1])) == asked - RECEIVED
