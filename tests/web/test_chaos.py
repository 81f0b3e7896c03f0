"""Kernels die at random: no acknowledged change is lost, and none is incomplete."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web import chaos


@pytest.fixture(scope="module")
def surface_options() -> dict[str, Any]:
    # A snapshot makes each start after a death faster.
    return {"saves_data": False}


@pytest.mark.extended
@pytest.mark.parametrize("seed", range(1, 5))
def test_kernels_that_die_at_random_lose_nothing(surface: Surface, tmp_path: Path, seed: int) -> None:
    assert chaos.survive(surface, seed, 10, tmp_path, least=21) > 20
