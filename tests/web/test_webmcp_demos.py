"""Agents list and call the tools of every WebMCP demo of GoogleChromeLabs, in tabs of the browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from gemini_testing import Surface
from tests.extension import opened_extension, with_sites
from tests.web import webmcp_demos
from tests.web.person import Background, Person
from tests.web.webmcp_demos import Demos

pytestmark = pytest.mark.extended


@dataclass(frozen=True)
class Step:
    """A call of a page's tool, and what its result has, as JSON."""

    tool: str
    arguments: dict[str, Any]
    part: str


TABLE = {
    "name": "Ada Lovelace", "phone": "0123456789", "date": "2027-01-02", "time": "19:00", "guests": "2"
}  # fmt: skip
FLIGHT = {
    "origin": "LON",
    "destination": "PAR",
    "tripType": "round-trip",
    "outboundDate": "2027-01-04",
    "inboundDate": "2027-01-08",
    "passengers": 1,
}
# The calls by page, each in a page that has just loaded.
STATIC: dict[str, list[Step]] = {
    "coffee-shop/index.html": [
        Step("get_machine_specifications", {}, "12 inches"),
        Step("get_order_history", {}, "DR-001"),
        Step("reorder_product", {"item_id": "DR-001"}, '"cart_total": 1'),
        Step("search_catalog", {"query": "alchemist"}, "the_alchemist.html"),
    ],
    "coffee-shop/order_history.html": [Step("get_order_history", {}, "DR-001")],
    "doors/index.html": [
        Step("openDoor1", {}, "The Whispering Woods"),
        Step("openDoor2", {}, "The Coral Cove"),
        Step("openDoor3", {}, "The Wizard's Attic"),
    ],
    "doors/forest.html": [
        Step("talk", {"choice": "Give me a gift"}, "acorn"),
        Step("returnToHallway", {}, "Hallway"),
    ],
    "doors/ocean.html": [Step("dance", {}, "Wheee"), Step("hide", {}, "can't see me")],
    "doors/magic.html": [Step("castLight", {}, "owl")],
    "explainer/index.html": [
        Step("getAvailability", {"startDate": "2027-01-04", "endDate": "2027-01-08"}, "2027-01-0"),
        Step(
            "bookSlot",
            {"date": "2027-01-04", "time": "10:00", "name": "Ada", "email": "ada@example.net"},
            '"ok": true',
        ),
        Step("cancelBooking", {"confirmationId": "BK-000000"}, '"ok": false'),
    ],
    "french-bistro/index.html?toolautosubmit": [Step("book_table_le_petit_bistro", TABLE, "Ada Lovelace")],
    "french-bistro/index.html?toolautosubmit&crossdocument": [
        Step("book_table_le_petit_bistro", TABLE, "result.html")
    ],
    "order-tracking/index.html": [Step("get_order_status", {"timeframe": "today"}, "history.html")],
    "order-tracking/history.html": [
        Step("initiate_return", {"order_id": "ORD123", "reason": "wrong_size"}, "result.html")
    ],
    # Its own agent, which needs a key, and offers no tool.
    "page-agent/index.html": [],
    "pizza-maker/index.html": [
        Step("set_pizza_size", {"size": "Large"}, "Large"),
        Step("set_pizza_style", {"style": "BBQ"}, "BBQ"),
        Step("add_topping", {"topping": "🍄", "count": 3}, "Added 3"),
        Step("manage_pizza", {"action": "reset"}, "eset"),
        Step("share_pizza", {}, "share="),
    ],
    "real-estate-map/index.html": [Step("search_location", {"location": "Seattle"}, "map.html")],
    "real-estate-map/map.html": [Step("clear_filters", {}, "cleared all filters")],
    "ticket-booking/index.html": [
        Step("query_content", {"genre": "comedy"}, '"status": "success"'),
        Step("update_location", {"city": "Paris"}, '"status": "success"'),
    ],
}
BUILT: dict[str, list[Step]] = {
    "analytics-dashboard": [
        Step("query", {"groupBy": "status", "measure": "count", "chartType": "table"}, '"success": true')
    ],
    "hotel-chain": [Step("search_location", {"query": "Cleveland"}, "Cleveland")],
    "leather-bag": [Step("check_return_policy", {}, "30-Day Guarantee")],
    "react-flightsearch": [Step("searchFlights", FLIGHT, "A new flight search was started")],
    "smart-home": [Step("rearrangeDOMComponents", {"componentIds": ["weather_widget"]}, "updated")],
    "sport-shop-angular": [Step("get_store_promos_and_rules", {}, "basketball_3_for_2")],
    "webmcp-maze": [Step("start_game", {}, '"startPosition": {"row": 0, "col": 0}')],
}


@pytest.fixture(scope="module")
def demos(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demos]:
    source = webmcp_demos.fetch(tmp_path_factory.mktemp("webmcp-tools"))
    with webmcp_demos.serving(source, tmp_path_factory.mktemp("demos")) as demos:
        yield demos


@pytest.fixture(scope="module")
def surface(demos: Demos, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Surface]:
    folder = with_sites(tmp_path_factory.mktemp("extension") / "unpacked")
    with opened_extension(folder) as surface:
        person = Person(surface)
        opening = Background(surface, "browser_navigate", {"url": demos.url("doors/index.html")})
        person.sees("#approval-question")
        person.click("#approval-always")
        opening.result()
        yield surface


def run(surface: Surface, url: str, steps: list[Step]) -> None:
    """Call a page's tools, which it must list; without steps it has none."""
    if not steps:
        surface.call("browser_navigate", url=url)
        assert surface.call("page_tool")["tools"] == []
    for step in steps:
        surface.call("browser_navigate", url=url)
        assert step.tool in {each["name"] for each in surface.call("page_tool")["tools"]}
        answer = surface.call("page_tool", name=step.tool, arguments=step.arguments)
        assert answer["success"] and step.part in json.dumps(answer, ensure_ascii=False), answer


def test_each_demo_is_here(demos: Demos) -> None:
    static = {path.partition("/")[0] for path in STATIC}
    assert (static, set(BUILT)) == (
        {name for name in demos.names if not demos.needs_build(name)},
        {name for name in demos.names if demos.needs_build(name)},
    )


@pytest.mark.parametrize(("path", "steps"), STATIC.items(), ids=STATIC)
def test_an_agent_uses_the_demo(demos: Demos, surface: Surface, path: str, steps: list[Step]) -> None:
    run(surface, demos.url(path), steps)


@pytest.mark.parametrize(("name", "steps"), BUILT.items(), ids=BUILT)
def test_an_agent_uses_the_demo_that_npm_builds(
    demos: Demos, surface: Surface, name: str, steps: list[Step]
) -> None:
    demos.build(name)
    run(surface, demos.url(f"{name}/"), steps)
