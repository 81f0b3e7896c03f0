"""Places by name and by coordinates, at a server that answers as Nominatim."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from gemini.errors import InvalidArguments, Refused
from gemini_companion.network.errors import NetworkProblem
from gemini_companion.web import Places, WebAccess
from gemini_companion.web.errors import PlacesFailed
from tests.unit.companion.web.conftest import Web

# As https://nominatim.openstreetmap.org/search?q=brandenburg+gate&format=jsonv2 answers.
GATE: dict[str, Any] = {
    "place_id": 1,
    "licence": "Data © OpenStreetMap contributors, ODbL 1.0.",
    "lat": "52.5162699",
    "lon": "13.3777034",
    "category": "tourism",
    "type": "attraction",
    "display_name": "Brandenburg Gate, Pariser Platz, Berlin, 10117, Germany",
    "boundingbox": ["52.5161", "52.5164", "13.3775", "13.3779"],
}
ROW = {
    "name": "Brandenburg Gate, Pariser Platz, Berlin, 10117, Germany",
    "latitude": 52.5162699,
    "longitude": 13.3777034,
    "kind": "tourism: attraction",
}


@pytest.fixture
async def places(web: Web, tmp_path: Path) -> Places:
    return await serving(web, Places(tmp_path / "places.json", f"{web.origin}/nominatim"))


async def serving(web: Web, places: Places) -> Places:
    await web.access.aclose()
    web.access = WebAccess(web.fetcher, web.search, places=places)
    return places


async def test_a_name_has_coordinates_and_coordinates_have_a_name(web: Web, places: Places) -> None:
    web.internet.says("/nominatim/search", [GATE])
    web.internet.says("/nominatim/reverse", GATE)
    found = await web.ask("places", query="Brandenburg  gate", count=3)
    assert found["places"] == [ROW]
    assert "OpenStreetMap" in found["attribution"]
    named = await web.ask("places", latitude=52.51627, longitude=13.3777)
    assert named["places"] == [ROW]
    (search, headers, _), (reverse, _, _) = web.internet.seen
    assert parse_qs(urlsplit(search).query) == {
        "q": ["Brandenburg gate"],
        "limit": ["3"],
        "format": ["jsonv2"],
    }
    assert "lat=52.516270&lon=13.377700" in reverse
    assert headers["user-agent"].startswith("control-surface")
    assert set(web.asked_origins) == {web.origin}


async def test_the_same_question_is_answered_from_the_cache(web: Web, places: Places) -> None:
    web.internet.says("/nominatim/search", [GATE])
    for _ in range(2):
        await web.ask("places", query="gate")
    assert len(web.internet.seen) == len(web.asked_origins) == 1


async def test_requests_are_a_second_apart(web: Web, tmp_path: Path) -> None:
    now = [100.0]
    public = f"{web.origin}/nominatim"
    places = await serving(web, Places(tmp_path / "places.json", public, clock=lambda: now[0]))
    web.internet.says("/nominatim/search", [])
    await web.ask("places", query="one")
    assert places.due == 101.0
    now[0] = 100.99
    await web.ask("places", query="two")
    # The clock of the test didn't advance while it waited.
    assert places.due == 101.99


async def test_a_refusal_sends_nothing(web: Web, places: Places) -> None:
    web.person.refuses = True
    with pytest.raises(Refused):
        await web.ask("places", query="gate")
    assert web.internet.seen == []


async def test_nothing_at_the_coordinates_is_no_error(web: Web, places: Places) -> None:
    web.internet.says("/nominatim/reverse", {"error": "Unable to geocode"})
    assert (await web.ask("places", latitude=0, longitude=0))["places"] == []


@pytest.mark.parametrize(
    ("status", "answer", "words"),
    [(429, {}, "too many"), (503, {}, "status 503"), (200, {"hello": 1}, "isn't Nominatim's")],
)
async def test_other_answers_are_errors(
    web: Web, places: Places, status: int, answer: Any, words: str
) -> None:
    web.internet.says("/nominatim/search", answer, status)
    with pytest.raises(PlacesFailed, match=words):
        await web.ask("places", query="gate")


async def test_the_person_chooses_another_server(web: Web, places: Places) -> None:
    places.choose(f"http://127.0.0.1:{web.port}/own/search")
    web.internet.says("/own/search", [GATE])
    assert (await web.ask("places", query="gate"))["places"] == [ROW]
    assert web.asked_origins == [f"http://127.0.0.1:{web.port}"]
    places.choose("")
    assert places.address == ""
    with pytest.raises(NetworkProblem):
        places.choose("not an address")


async def test_half_of_the_coordinates_are_refused(web: Web, places: Places) -> None:
    with pytest.raises(InvalidArguments):
        await web.ask("places", latitude=1)
