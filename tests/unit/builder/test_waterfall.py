"""The waterfall that `bench boot` draws."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SOURCE = Path(__file__).parents[3] / "benchmarks/_waterfall.py"
spec = importlib.util.spec_from_file_location("_waterfall", SOURCE)
assert spec and spec.loader
waterfall = importlib.util.module_from_spec(spec)
spec.loader.exec_module(waterfall)

MARKS = {
    "The page's document": 10.0,
    "Its script": 60.0,
    "First paint": 90.0,
    "All tools": 100.0,
    "Downloading Python": 120.0,
    "Opening your files": 700.0,
    "Starting the surface": 800.0,
    "Ready": 1000.0,
}


def test_each_step_lasts_until_the_next_one() -> None:
    assert waterfall.spans(MARKS, 1100.0) == [
        ("The page's document", 0.0, 10.0),
        ("Its script", 10.0, 60.0),
        ("First paint", 10.0, 90.0),
        ("All tools", 10.0, 100.0),
        ("Downloading Python", 120.0, 700.0),
        ("Opening your files", 700.0, 800.0),
        ("Starting the surface", 800.0, 1000.0),
        ("The first call", 1000.0, 1100.0),
    ]


def test_a_step_that_was_too_short_to_be_seen_is_left_out() -> None:
    marks = {name: at for name, at in MARKS.items() if name != "Opening your files"}
    assert ("Downloading Python", 120.0, 800.0) in waterfall.spans(marks, 1100.0)


def test_bars_are_drawn_in_proportion() -> None:
    lines = waterfall.draw(MARKS, 1100.0).splitlines()
    [download] = [line for line in lines if line.startswith("Downloading Python")]
    assert download.count("█") == round(580 * waterfall.WIDTH / 1100)
    assert download.endswith("   120 + 580 ms")
    assert lines[-1] == "getTools() has all tools at 0.100 of the time to ready"
