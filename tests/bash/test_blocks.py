"""Blocks of commands that were written before they ran here print what they print in Debian."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

from tests.bash import cases, conductor
from tests.bash.blocks.record import blocks, recorded
from tests.bash.test_oneliners import IN_BROWSER
from tests.tiers import sampled

SHARES = 16

# The blocks that print something else here, and why; docs/shell.md describes them.
KNOWN: dict[str, str] = {}


@pytest.mark.parametrize("share", sampled(range(SHARES), every=SHARES))
def test_blocks_print_what_they_print_in_debian(share: int, surface: Any) -> None:
    chosen = blocks()[share::SHARES]
    surface.python(inspect.getsource(conductor) + IN_BROWSER)
    request = json.dumps(cases.request(chosen))
    ours = cases.answers(surface.python(f"await run_cases({request!r})"))
    expected = recorded()
    different = {
        block.name: (answer, expected[block.name])
        for block, answer in zip(chosen, ours, strict=True)
        if answer != expected[block.name]
    }
    assert set(different) == {block.name for block in chosen} & set(KNOWN), different


def test_each_block_has_an_answer_of_debian() -> None:
    assert list(recorded()) == [block.name for block in blocks()]
    assert set(KNOWN) <= set(recorded())
