"""Searches by each engine: its documented format, its key, and the question to the user."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from gemini.errors import InvalidArguments, Refused
from gemini_companion.network.errors import AddressRefused, NetworkProblem, RedirectRefused
from gemini_companion.web.duckduckgo import results as duckduckgo_results
from gemini_companion.web.errors import EngineUnknown, SearchFailed, SearchUnready
from tests.unit.companion.web.conftest import Web

KEY = "tea-0123456789"
RESULTS = [
    {
        "title": "Sencha & more",
        "url": "https://tea.example/sencha",
        "snippet": "Sencha is steamed.",
        "date": "2024-03-05",
    },
    {"title": "Longjing", "url": "https://tea.example/longjing", "snippet": "It is fired."},
]
# As DuckDuckGo's page names its elements; the first is an advertisement.
DUCKDUCKGO = """<html><body><div id="links" class="results">
<div class="result results_links results_links_deep result--ad"><h2 class="result__title">
<a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Buy tea</a></h2>
<a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">Cheap tea.</a></div>
<div class="result results_links results_links_deep web-result"><div class="links_main result__body">
<h2 class="result__title"><a rel="nofollow" class="result__a"
 href="//duckduckgo.com/l/?uddg=https%3A%2F%2Ftea.example%2Fsencha%3Fa%3D1&amp;rut=0a">Sencha &amp; <b>more</b></a></h2>
<a class="result__url" href="#">tea.example/sencha</a>
<a class="result__snippet" href="#">Sencha is <b>steamed</b>.</a></div></div>
<div class="result web-result"><h2><a class="result__a" href="https://tea.example/longjing">Longjing</a></h2>
<td class="result__snippet">It is fired.</td></div>
<div class="result web-result"><h2><a class="result__a" href="javascript:alert(1)">Script</a></h2></div>
</div></body></html>"""


def brave() -> Any:
    first, second = RESULTS
    listed = [
        {"title": "Sencha &amp; <strong>more</strong>", "url": first["url"], "page_age": first["date"],
         "description": "Sencha is <strong>steamed</strong>.", "language": "en"},
        {"title": second["title"], "url": second["url"], "description": second["snippet"]},
    ]  # fmt: skip
    return {"type": "search", "query": {"original": "tea"}, "web": {"type": "search", "results": listed}}


def listed(date: str) -> Any:
    """Return an answer of Tavily or SearXNG, which name the date differently."""
    first, second = RESULTS
    return {
        "query": "tea",
        "results": [
            {
                "title": first["title"],
                "url": first["url"],
                "content": first["snippet"],
                date: first["date"],
                "score": 0.9,
            },
            {
                "title": second["title"],
                "url": second["url"],
                "content": second["snippet"],
                date: None,
                "score": 0.5,
            },
        ],
    }


async def test_duckduckgo_is_asked_without_a_key(web: Web) -> None:
    web.internet.shows("/duckduckgo", DUCKDUCKGO)
    found = await web.ask("search", query="green\n tea", words={"tool": "web_search"})
    dateless = {name: value for name, value in RESULTS[0].items() if name != "date"}
    assert found["engine"] == "DuckDuckGo"
    assert found["results"] == [{**dateless, "url": "https://tea.example/sencha?a=1"}, RESULTS[1]]
    [asked] = web.person.asked
    assert (asked["url"], asked["access"]) == (f"{web.origin}/duckduckgo?q=green+tea", "read")


def test_duckduckgos_question_for_a_person_is_reported() -> None:
    with pytest.raises(SearchFailed, match="whether a person is there"):
        duckduckgo_results('<div class="anomaly-modal__title">Select all ducks</div>')
    assert duckduckgo_results("<p>No results.</p>") == []


async def test_brave_gets_its_key_and_nobody_else_does(web: Web) -> None:
    web.search.choose("brave")
    with pytest.raises(SearchUnready, match="needs a key"):
        await web.ask("search", query="tea")
    await web.search.set_key("brave", KEY)
    assert web.secrets.saved == {("control-surface", "search/brave"): KEY}
    web.internet.says("/brave", brave())
    assert (await web.ask("search", query="tea", count=5))["results"] == RESULTS
    [(line, headers, _)] = web.internet.seen
    assert line == "GET /brave?q=tea&count=5" and headers["x-subscription-token"] == KEY
    # The companion's own key doesn't make it more than a request that reads.
    assert web.person.asked[0]["access"] == "read"
    assert KEY not in json.dumps([web.person.asked, await web.search.rows()])
    web.internet.moves("/brave", web.origin.replace("outside", "other") + "/brave")
    with pytest.raises(RedirectRefused):
        await web.ask("search", query="tea")
    assert len(web.internet.seen) == 2


async def test_tavily_gets_a_post(web: Web) -> None:
    web.search.choose("tavily")
    await web.search.set_key("tavily", KEY)
    web.internet.says("/tavily", listed("published_date"))
    assert (await web.ask("search", query="tea", count=1))["results"] == RESULTS[:1]
    [(line, headers, body)] = web.internet.seen
    assert line == "POST /tavily" and headers["authorization"] == f"Bearer {KEY}"
    assert json.loads(body) == {"query": "tea", "max_results": 1}
    assert web.person.asked[0]["access"] == "send" and web.person.asked[0]["bytes"] == len(body)


@pytest.mark.parametrize("typed", ["http://127.0.0.1:{port}", "http://localhost:{port}/search/"])
async def test_an_instance_of_searxng_may_be_on_this_machine(web: Web, typed: str) -> None:
    web.search.choose("searxng", typed.format(port=web.port))
    web.internet.says("/search", listed("publishedDate"))
    assert (await web.ask("search", query="tea"))["results"] == RESULTS
    url = urlsplit(web.person.asked[0]["url"])
    assert url.netloc == f"127.0.0.1:{web.port}"
    assert parse_qs(url.query) == {"q": ["tea"], "format": ["json"]}


async def test_its_address_opens_no_other_one_of_this_machine(web: Web) -> None:
    web.search.choose("searxng", "http://127.0.0.3:1234")
    with pytest.raises(AddressRefused):
        await web.ask("fetch", url="http://127.0.0.3:1234/search")
    assert web.person.asked == []


@pytest.mark.parametrize(
    "typed",
    ["", "ftp://a.test", "http://a:b@c.test", "http://a.test/?q=1", "http://printer.local", "two words"],
)
async def test_a_wrong_address_is_refused(web: Web, typed: str) -> None:
    with pytest.raises(AddressRefused):
        web.search.choose("searxng", typed)
    assert web.search.engine.name == "duckduckgo"


async def test_searxng_without_an_address_says_so(web: Web) -> None:
    with pytest.raises(EngineUnknown, match="'bing'"):
        web.search.choose("bing")
    assert [row["name"] for row in await web.search.rows() if row["needs_address"]] == ["searxng"]


@pytest.mark.parametrize(
    ("status", "body", "problem"),
    [
        (401, {"error": "no"}, "refuses the search"),
        (429, {}, "too many searches"),
        (500, {}, "status 500"),
        (200, {"web": {"results": [{"url": 1}]}}, "isn't what its documentation says"),
        (200, [], "isn't what its documentation says"),
    ],
)
async def test_an_engine_that_fails_is_reported_with_what_helps(
    web: Web, status: int, body: Any, problem: str
) -> None:
    web.search.choose("brave")
    await web.search.set_key("brave", KEY)
    web.internet.says("/brave", body, status)
    with pytest.raises(SearchFailed, match=problem) as failed:
        await web.ask("search", query="tea")
    assert failed.value.hint and KEY not in failed.value.hint + failed.value.message


async def test_a_refused_search_sends_nothing(web: Web) -> None:
    web.person.refuses = True
    with pytest.raises(Refused):
        await web.ask("search", query="tea")
    assert web.internet.seen == []


@pytest.mark.parametrize(
    "params", [{"query": ""}, {"query": " "}, {"query": "a", "count": 50}, {"query": "a" * 500}]
)
async def test_wrong_parameters_are_refused(web: Web, params: dict[str, Any]) -> None:
    with pytest.raises(InvalidArguments):
        await web.ask("search", **params)


async def test_the_choice_and_the_key_are_saved(web: Web) -> None:
    web.search.choose("searxng", "search.example/")
    assert (web.search.engine.name, web.search.address) == ("searxng", "https://search.example")
    web.search.choose("tavily")
    assert (web.search.engine.name, web.search.address) == ("tavily", "https://search.example")
    await web.search.set_key("tavily", KEY)
    assert [row["key_from"] for row in await web.search.rows() if row["name"] == "tavily"] == ["keyring"]
    assert await web.search.delete_key("tavily") and not await web.search.delete_key("tavily")
    with pytest.raises(NetworkProblem):
        await web.search.set_key("bing", KEY)
