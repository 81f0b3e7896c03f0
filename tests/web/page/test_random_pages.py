"""Random pages; `build.py bench dom` tries a thousand."""

from __future__ import annotations

import pytest

from benchmarks._fuzz import fuzz
from tests.tiers import sampled
from tests.web.page.conftest import OpenPage


@pytest.mark.parametrize("first", sampled([0, 10, 20, 40]))
def test_random_pages_keep_their_refs(open_page: OpenPage, first: int) -> None:
    assert fuzz(open_page(""), 10, first=first) == []
