"""The kernel's warm-up calls."""

from __future__ import annotations

import pytest

from gemini.server import warmup
from gemini.tools import registry


async def test_warm_up_calls_are_answered_and_leave_no_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(warmup, "DELAY_S", 0)
    monkeypatch.setattr(warmup, "PAUSE_S", 0)
    logged, tools = len(registry.log.rows()), len(registry.rows())

    assert await warmup.warm_up(25) == 25

    assert len(registry.log.rows()) == logged
    assert len(registry.rows()) == tools
