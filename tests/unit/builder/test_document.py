"""The place of a benchmark's table in a document."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
spec = importlib.util.spec_from_file_location("_document", ROOT / "benchmarks/_document.py")
assert spec and spec.loader
document = importlib.util.module_from_spec(spec)
spec.loader.exec_module(document)


def test_the_table_replaces_what_is_between_the_marks() -> None:
    marks = start, end = "<!-- table -->", "<!-- end -->"
    text = f"before\n\n{start}\n\nold\n\n{end}\n\nafter\n"
    once = document.written(text, "new", marks)
    assert once == f"before\n\n{start}\n\nnew\n\n{end}\n\nafter\n" == document.written(once, "new", marks)
    with pytest.raises(ValueError):
        document.written("no marks", "new", marks)


@pytest.mark.parametrize(
    ("name", "source", "place"),
    [
        ("tokens", "benchmarks/_token_table.py", "README.md"),
        ("starts", "benchmarks/starts.py", "docs/performance.md"),
    ],
)
def test_the_documents_have_the_marks(name: str, source: str, place: str) -> None:
    marks = re.findall(rf"<!-- {name}: .*?-->|<!-- end of {name} -->", (ROOT / source).read_text())
    assert "\n\nnew\n\n" in document.written((ROOT / place).read_text(), "new", tuple(marks))
