"""When the page starts a kernel again that has ended."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from builder.npm import find_node
from tests.compiling import compiled_module

SHORT = [100, False]
USED = [100, True]
LONG = [60_000, False]
SLOW = [100, False, 120_000]


@pytest.mark.parametrize(
    ("lives", "starts"),
    [
        ([SHORT] * 6, [True] * 4 + [False] * 2),
        ([SLOW] * 6, [True] * 4 + [False] * 2),
        ([USED] * 9, [True] * 9),
        ([LONG] * 9, [True] * 9),
        ([*[SHORT] * 4, USED, *[SHORT] * 5], [True] * 9 + [False]),
        ([*[SHORT] * 4, LONG, *[SHORT] * 5], [True] * 9 + [False]),
        ([*[SHORT] * 5, "forget", *[SHORT] * 5], [True] * 4 + [False] + [True] * 4 + [False]),
    ],
)
def test_a_kernel_that_dies_at_once_again_and_again_is_not_started(
    lives: list[Any], starts: list[bool]
) -> None:
    command = [
        find_node().node,
        Path(__file__).with_name("deaths.mjs"),
        compiled_module("ui/kernel/deaths.ts").as_uri(),
        json.dumps(lives),
    ]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    assert json.loads(printed) == starts
