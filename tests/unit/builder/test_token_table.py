"""The table that `bench tokens` writes into README.md."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
spec = importlib.util.spec_from_file_location("_token_table", ROOT / "benchmarks/_token_table.py")
assert spec and spec.loader
tables = importlib.util.module_from_spec(spec)
# Its dataclasses look for their module.
sys.modules[spec.name] = tables
spec.loader.exec_module(tables)


def result(task: str, client: str, tokens: int, calls: int = 1) -> object:
    recorded = tables.Recorded([("call", "answer")] * calls, 1.25)
    return tables.Result(task, client, "[]", recorded, tokens)


RESULTS = [
    result("add", "code mode", 400),
    result("add", "full list", 3_000, 2),
    result("add", "shell only", 200),
    result("fill", "code mode", 1_000, 3),
    result("fill", "full list", 5_000, 31),
]


def test_a_row_has_tokens_and_calls_of_each_client() -> None:
    lines = tables.table(RESULTS, {"code mode": 330, "full list": 2_700, "shell only": 30}).splitlines()
    assert lines[0].startswith("| tokens (calls) | code mode | full list | lean list | shell only |")
    assert lines[2:] == [
        "| the list of tools | 330 | 2,700 | – | 30 | – | – |",
        "| add | 400 (1) | 3,000 (2) | – | 200 (1) | – | – |",
        "| fill | 1,000 (3) | 5,000 (31) | – | – | – | – |",
        "| seconds of all its calls | 2.5 | 2.5 | – | 1.2 | – | – |",
    ]


def test_a_task_that_a_client_did_not_solve_has_the_reason_and_no_figure() -> None:
    failed = tables.Result(
        "add", "lean list", "[]", tables.Recorded(), 70, "RuntimeError: no | such ref\nmore"
    )
    lines = tables.table([*RESULTS, failed], {}).splitlines()
    assert "| not solved: RuntimeError: no / such ref |" in lines[3]
    assert tables.summary([*RESULTS, failed]) == tables.summary(RESULTS)


def test_the_summary_says_where_code_mode_loses() -> None:
    assert tables.summary(RESULTS) == (
        "As a multiple of code mode's tokens: full list 5.0 to 7.5 (2 tasks, fewer in 0); "
        "shell only 0.5 to 0.5 (1 tasks, fewer in 1)."
    )
