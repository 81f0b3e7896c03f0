"""`bc` prints the same results as GNU bc 1.07, whose output is in `bc_cases.json`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.unit.userland.conftest import Call

CASES = json.loads(Path(__file__).with_name("bc_cases.json").read_text())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["text"][:30])
async def test_bc_matches_gnu(call: Call, case: dict[str, Any]) -> None:
    ran = await call("bc", *case["options"], stdin=f"{case['text']}\n".encode())
    assert (ran.exit_code, ran.text) == (0, case["output"])


async def test_errors_name_the_line_and_what_was_wrong(call: Call) -> None:
    ran = await call("bc", stdin=b"1\n1/0\n(2\nf(3)\nread()\n")
    assert ran.text == "1\n"
    assert ran.error.splitlines() == [
        "Runtime error (func=(main)): Divide by zero",
        "(standard_in) 4: syntax error",
        "Runtime error (func=(main)): Function f not defined.",
        "Runtime error (func=(main)): read() isn't supported here: assign a variable, as in `echo x=read | bc`",
    ]
