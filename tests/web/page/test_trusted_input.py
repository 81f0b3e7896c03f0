"""The page script has the same effects as trusted input."""

from __future__ import annotations

import pytest

from tests.tiers import sampled
from tests.web.page.conftest import OpenPage
from tests.web.page.gestures.clicks import CLICKS
from tests.web.page.gestures.composites import COMPOSITES
from tests.web.page.gestures.keys import KEYS
from tests.web.page.gestures.measured import MEASURED
from tests.web.page.gestures.texts import TYPES
from tests.web.page.trusted import Case, by_person, by_script


@pytest.mark.parametrize("case", sampled([*CLICKS, *TYPES, *KEYS, *COMPOSITES, *MEASURED], every=16), ids=str)
def test_state_and_events_match_trusted_input(open_page: OpenPage, case: Case) -> None:
    page = open_page("")
    trusted = by_person(page, case)
    ours = by_script(page, case)
    assert ours.state == trusted.state
    if case.same_events:
        assert ours.events == trusted.events
