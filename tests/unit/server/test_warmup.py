"""Calls that the kernel makes of itself, so that the first real ones are quick."""

from __future__ import annotations

import pytest

from gemini.server import warmup as practice
from gemini.tools import registry


async def test_it_is_answered_and_leaves_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(practice, "WAIT_S", 0)
    monkeypatch.setattr(practice, "PAUSE_S", 0)
    logged, tools = len(registry.log.rows()), len(registry.rows())

    assert await practice.practise(25) == 25

    assert len(registry.log.rows()) == logged
    assert len(registry.rows()) == tools
