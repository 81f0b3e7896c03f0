"""The table of `bench starts`."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SOURCE = Path(__file__).parents[3] / "benchmarks/_medians.py"
spec = importlib.util.spec_from_file_location("_medians", SOURCE)
assert spec and spec.loader
starts = importlib.util.module_from_spec(spec)
spec.loader.exec_module(starts)


def visits(paint: float, result: float, sent: float) -> dict[str, dict[str, float]]:
    return {"first": {"paint": paint, "result": result, "bytes": sent}}


ROUNDS = [
    {"ours": visits(100, 2000, 8e6), "other": visits(90, 4000, 9e6), "bare": visits(50, 1000, 5e6)},
    {"ours": visits(300, 9000, 8e6), "other": visits(95, 4100, 9e6), "bare": visits(60, 1100, 5e6)},
    {"ours": visits(120, 2100, 8e6), "other": visits(80, 4200, 9e6), "bare": visits(70, 1200, 5e6)},
]


def test_the_table_has_the_medians() -> None:
    lines = starts.table(ROUNDS).splitlines()
    assert lines[2] == "| ours | first | 120 ms | 2,100 ms | 8,000 kB |"
    assert len(lines) == 5


def test_only_what_another_page_does_better_is_named_and_the_bare_one_does_not_count() -> None:
    assert starts.behind(ROUNDS, "ours", "bare") == [
        "other is first in paint of the first visit: 90, ours 120"
    ]
