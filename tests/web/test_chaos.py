"""Kernels die at random: no acknowledged change is lost, and none is incomplete."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini_testing import Surface
from tests.web import chaos


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.extended) for seed in (2, 3, 4))])
def test_kernels_that_die_at_random_lose_nothing(surface: Surface, tmp_path: Path, seed: int) -> None:
    assert chaos.survive(surface, seed, 10, tmp_path, least=21) > 20
