"""Agents find the same in every kind of tab: a frame, and tabs of the companion's and of the user's own browser."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.browser.tabs import TabBrowser
from gemini_testing import Surface, ToolCallFailed
from gemini_testing.html_page import HtmlServer, serving_html
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.extension import opened_extension, with_sites
from tests.pdf import pdf
from tests.web.agent import close_tabs, ref_of
from tests.web.conftest import Start
from tests.web.person import Person

SHOP = """<title>Shop</title>
<h1>Shop</h1>
<form action="thanks.html">
  <label>Name <input name="name"></label>
  <label>Password <input name="password" type="password"></label>
  <button>Buy</button>
</form>
<button id="hello" onclick="console.log('pressed', 1); this.textContent = confirm('Sure?') ? 'Yes' : 'No'">
  Hello</button>
<div id="div" style="position: absolute; left: 300px; top: 20px; width: 90px; height: 30px">Pressable</div>
<script>document.getElementById("div").addEventListener("click", () => { document.title = "Pressed"; });</script>
<button id="bad" onclick="nothing.at.all">Bad</button>
<a href="more.html">More</a> <a href="OTHER/more.html">Far</a>
"""
FILES = {
    "/shop.html": SHOP,
    "/order.html": """<title>Order</title><style>* { margin: 0 }</style>
<form onsubmit="document.title = new URLSearchParams(new FormData(this)); return false">
  <label>Name <input name="name" required></label>
  <label>Kind <select name="kind"><option>Black<option>Green</select></label>
  <label><input type="checkbox" name="gift"> As a gift</label>
  <label>Code <input name="code" type="number"></label> <button>Send</button>
</form>
<h2>Prices</h2>
<table><thead><tr><th>Tea<th>Price</thead><tbody></tbody></table>
<p>Only until <b>Sunday</b>.</p><button id="ask" onclick="ask()">Ask</button>
<script>
  const body = document.querySelector("tbody");
  for (let row = 1; row <= 60; row++) body.insertRow().innerHTML = `<td>Tea ${row}<td>${row} €`;
  function ask() { document.title = prompt("How many?", "2"); fetch("/stock.json?tea=1"); }
</script>""",
    "/stock.json": '{"left": 7}',
    "/tools.html": """<title>Tools</title>
<form toolname="order" tooldescription="Order tea" action="thanks.html" toolautosubmit>
  <input name="kind" toolparamdescription="The kind" required>
</form>
<form toolname="book" tooldescription="Book a table" action="thanks.html">
  <label>Day <select name="day"><option>Monday<option>Sunday</select></label><button>Send</button>
</form>
<script>
  const gone = new AbortController();
  const string = { type: "string" };
  document.modelContext.registerTool({
    name: "search", description: "Search the shop", annotations: { readOnlyHint: true },
    inputSchema: { type: "object", properties: { query: string, limit: { type: "number" } }, required: ["query"] },
    execute: async ({ query }) => ({ found: [query, query] }),
  }, { signal: gone.signal });
  document.modelContext.registerTool({
    name: "buy", description: "Buy it", annotations: { consequentialHint: true },
    inputSchema: { type: "object", properties: { what: string } }, execute: ({ what }) => `bought ${what}`,
  });
  document.modelContext.registerTool({
    name: "close_shop", description: "Close it", execute: () => { gone.abort(); throw new Error("closed"); },
  });
</script>""",
    "/downloads.html": """<title>Downloads</title>
<a href="notes.txt" download>Notes</a> <a href="attached/r%C3%A9port.csv">Report</a>
<button id="blob">Blob</button> <a href="tea.pdf">Tea</a>
<script>
  document.getElementById("blob").onclick = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["made here"]));
    link.download = "made.txt";
    link.click();
    URL.revokeObjectURL(link.href);
  };
</script>""",
    "/notes.txt": "Some notes",
    "/attached/r%C3%A9port.csv": "tea,price",
    "/tea.pdf": pdf([["Prices of tea"]]),
    "/thanks.html": "<title>Thanks</title><h1>Thank you</h1>",
    "/more.html": "<title>More</title><p>More of it.</p>",
}


@dataclass
class Tabs:
    """A page whose tabs are of one kind, and a server of another origin with pages for them."""

    surface: Surface
    server: HtmlServer
    kind: str

    def url(self, path: str) -> str:
        return f"{self.server.url}{path}"


@contextlib.contextmanager
def served(surface: Surface, kind: str, dist: Path) -> Generator[Tabs]:
    with serving_html(dist / "gemini-page.js") as server:
        # A frame is read only if its document names the surface; a tab elsewhere needs no help of its document.
        origin = surface.javascript("return location.origin")
        script = (
            f'<script src="/gemini-page.js" data-controllers="{origin}"></script>' if kind == "frame" else ""
        )
        for path, text in FILES.items():
            head = f"<!doctype html>{script}" if path.endswith(".html") else ""
            server.files[path] = f"{head}{text.replace('OTHER', server.other_url)}"
        yield Tabs(surface, server, kind)


@pytest.fixture(
    scope="module",
    params=[
        "frame",
        pytest.param("companion", marks=pytest.mark.fortnightly(together="companion")),
        pytest.param("extension", marks=pytest.mark.extended),
    ],
)
def tabs(
    request: pytest.FixtureRequest,
    surface_dist: Path,
    browsers: BrowserPool,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Tabs]:
    browser = None
    if request.param == "extension":
        folder = with_sites(tmp_path_factory.mktemp("extension") / "unpacked")
        with opened_extension(folder) as surface, served(surface, request.param, surface_dist) as tabs:
            switch_on_extra_tools(Person(surface))
            yield tabs
        return
    if request.param == "companion":
        browser = TabBrowser(surface_dist, tmp_path_factory.mktemp("tabs"))
    with (
        companion_of(surface_dist, browser=browser) as companion,
        opened_by(companion, browsers) as surface,
        served(surface, request.param, surface_dist) as tabs,
    ):
        switch_on_extra_tools(Person(surface))
        yield tabs


def switch_on_extra_tools(person: Person) -> None:
    person.open_panel("tools")
    person.click('region "Tools" .switch[data-group=dom_extra]')
    person.sees('region "Tools" .switch[data-group=dom_extra]', "On")


@pytest.fixture
def surface(tabs: Tabs) -> Iterator[Surface]:
    yield tabs.surface
    close_tabs(tabs.surface)


@pytest.fixture
def path() -> str:
    """Return the path of the page to open."""
    return "/shop.html"


@pytest.fixture
def shop(tabs: Tabs, surface: Surface, person: Person, start: Start, path: str) -> dict[str, Any]:
    """Open a page with the user's consent, and return the tool's answer."""
    call = start("browser_navigate", url=tabs.url(path))
    assert tabs.server.url in person.asked()
    person.click('button "Allow once"')
    return call.result()


def own_tab(surface: Surface) -> dict[str, Any]:
    [row] = [row for row in surface.call("browser_tabs") if "yours" in row]
    return row


def test_a_page_is_opened_read_and_used(tabs: Tabs, surface: Surface, shop: dict[str, Any]) -> None:
    assert shop == {"tab": own_tab(surface)["id"], "url": tabs.url("/shop.html"), "title": "Shop"}
    assert surface.call("browser_type", ref=ref_of(surface, '] "Name"'), text="Ada")["value"] == "Ada"
    answer = surface.call("browser_click", ref=ref_of(surface, '"Buy"'))
    assert answer["success"] and "name=Ada" in answer["url"] and answer["title"] == "Thanks"
    assert "Thank you" in surface.call("browser_get_text")["text"]


def test_what_listens_for_presses_is_listed(surface: Surface, shop: dict[str, Any]) -> None:
    surface.call("browser_click", ref=ref_of(surface, "Pressable"))
    assert "Pressed" in surface.call("browser_snapshot").splitlines()[0]


def test_refs_belong_to_their_document(surface: Surface, shop: dict[str, Any]) -> None:
    ref = ref_of(surface, '"Buy"')
    surface.call("browser_click", ref=ref_of(surface, '"More"'))
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_click", ref=ref)
    assert failed.value.type in {"StaleRef", "NotFound"}


@pytest.mark.fortnightly(together="frame")
def test_back_forward_and_reload(tabs: Tabs, surface: Surface, shop: dict[str, Any]) -> None:
    surface.call("browser_click", ref=ref_of(surface, '"More"'))
    assert own_tab(surface)["title"] == "More"
    for action, title in (("back", "Shop"), ("forward", "More")):
        surface.call("browser_tabs", action=action)
        assert own_tab(surface)["title"] == title
    before = tabs.server.files["/more.html"]
    tabs.server.files["/more.html"] = before.replace("<title>More", "<title>Newer")
    surface.call("browser_tabs", action="reload")
    tabs.server.files["/more.html"] = before
    assert own_tab(surface)["title"] == "Newer"


@pytest.mark.extended
@pytest.mark.fortnightly(together="frame")
def test_messages_errors_and_dialogs_are_reported(surface: Surface, shop: dict[str, Any]) -> None:
    answer = surface.call("browser_click", selector="#hello")
    assert answer["answered"] == [{"kind": "confirm", "message": "Sure?", "answer": False}]
    assert '"No"' in surface.call("browser_snapshot")
    surface.call("browser_click", selector="#bad")
    first, second = surface.call("browser_console")["messages"]
    assert first["text"] == "pressed 1"
    assert second["level"] == "error" and "nothing is not defined" in second["text"]


@pytest.mark.fortnightly(together="frame")
def test_screenshots_show_the_page_or_an_element(surface: Surface, shop: dict[str, Any]) -> None:
    whole = surface.call("browser_screenshot")
    assert whole["width"] >= 1024
    part = surface.call("browser_screenshot", ref=ref_of(surface, "Pressable"))
    assert (part["width"], part["height"]) == (90, 30)


def test_javascript_runs_after_consent(
    tabs: Tabs, surface: Surface, person: Person, start: Start, shop: dict[str, Any]
) -> None:
    call = start("browser_execute_js", code="return document.forms.length + 41")
    assert tabs.server.url in person.asked()
    person.click('button "Allow once"')
    assert call.result() == {"result": 42}


def test_a_password_is_typed_after_consent(
    surface: Surface, person: Person, start: Start, shop: dict[str, Any]
) -> None:
    call = start("browser_type", selector="[name=password]", text="hunter2")
    assert "password" in person.asked()
    person.click('button "Allow once"')
    assert call.result()["value"] == "••••"


def test_a_refused_origin_is_neither_opened_nor_read(
    tabs: Tabs, surface: Surface, person: Person, start: Start, shop: dict[str, Any]
) -> None:
    call = start("browser_click", ref=ref_of(surface, '"Far"'))
    assert tabs.server.other_url in person.asked()
    person.click('button "Refuse"')
    assert call.result()["error"]["type"] == "Refused"
    assert own_tab(surface)["url"] == tabs.url("/shop.html")


@pytest.mark.fortnightly(together="frame")
def test_a_tab_in_the_background_is_read_and_used(surface: Surface, shop: dict[str, Any]) -> None:
    surface.call("browser_tabs", action="open", url="about:blank")
    assert '"Buy"' in surface.call("browser_snapshot", tab=shop["tab"])
    surface.python("gemini.browser.focus('page').id")
    surface.call("browser_tabs", action="focus", tab=shop["tab"])
    assert surface.call("browser_type", selector="[name=name]", text="Ada")["value"] == "Ada"


def test_a_page_that_nobody_serves_says_why(
    tabs: Tabs, surface: Surface, person: Person, start: Start
) -> None:
    with serving_html(Path("none.js")) as other:
        url = f"{other.url}/page.html"
    call = start("browser_navigate", url=url)
    person.click('button "Allow once"')
    opened = call.result()
    if "error" in opened:
        assert opened["error"]["type"] == "PageUnreachable"
    else:
        # A frame doesn't tell the surface whether a server has answered.
        assert opened["readable"] is False and "server" in opened["why"]


def test_a_closed_tab_is_gone(surface: Surface, shop: dict[str, Any]) -> None:
    surface.call("browser_tabs", action="close", tab=shop["tab"])
    with pytest.raises(ToolCallFailed) as failed:
        surface.call("browser_snapshot", tab=shop["tab"])
    assert failed.value.type == "TabMissing"


@pytest.mark.parametrize("path", ["/downloads.html"])
@pytest.mark.fortnightly(together="TestDownloads")
class TestDownloads:
    """The files that a page downloads."""

    @pytest.mark.extended
    def test_they_are_stored_in_the_project(self, tabs: Tabs, surface: Surface, shop: dict[str, Any]) -> None:
        surface.python("__import__('shutil').rmtree('/project/downloads', ignore_errors=True)")
        stored = [
            ('"Notes"', "notes.txt", "Some notes"),
            ('"Notes"', "notes (2).txt", "Some notes"),
            ('"Report"', "réport.csv", "tea,price"),
            ('"Blob"', "made.txt", "made here"),
            ('"Tea"', "tea.pdf", "--- Page 1 of 1 ---\nPrices of tea"),
        ]
        for label, name, content in stored:
            answer = surface.call("browser_click", ref=ref_of(surface, label))
            [download] = answer["downloads"]
            assert answer["success"] and download["state"] == "done", answer
            assert download["path"] == f"/project/downloads/{name}"
            assert download["size"] > 0
            assert surface.call("file_read", path=download["path"])["content"] == content
        row = own_tab(surface)
        # The browser of the extension shows the PDF file, too, in a viewer that nobody can read.
        assert row["readable"] == (tabs.kind != "extension")
        assert row["url"] == tabs.url("/downloads.html" if row["readable"] else "/tea.pdf")
        assert [each["path"].rpartition("/")[2] for each in row["downloads"]] == [each[1] for each in stored]

        surface.call("browser_navigate", url=tabs.url("/downloads.html"))
        [download] = surface.call("browser_click", ref=ref_of(surface, '"Notes"'))["downloads"]
        assert download["path"] == "/project/downloads/notes (3).txt"


@pytest.mark.parametrize("path", ["/tools.html"])
class TestPageTools:
    """The tools that a page offers."""

    def test_they_are_listed_and_called(self, surface: Surface, shop: dict[str, Any]) -> None:
        shown = surface.call("browser_snapshot")
        assert "search(query: string, limit?: number) Search the shop" in shown
        assert "book(day?: Monday|Sunday) Book a table" in shown
        names = ["book", "buy", "close_shop", "order", "search"]
        assert sorted(own_tab(surface)["tools"]) == names
        listed = surface.call("page_tool")["tools"]
        assert sorted(tool["name"] for tool in listed) == names

        answer = surface.call("page_tool", name="search", arguments={"query": "tea"})
        assert answer["result"] == {"found": ["tea", "tea"]}
        assert answer["success"] and "note" not in answer
        by_python = f"(await gemini.browser.tab({shop['tab']!r}).search(query='cake'))['result']['found'][0]"
        assert surface.python(by_python) == "cake"

    def test_wrong_calls_say_what_to_do(self, surface: Surface, shop: dict[str, Any]) -> None:
        with pytest.raises(ToolCallFailed) as failed:
            surface.call("page_tool", name="search", arguments={"limit": 3})
        assert failed.value.type == "InvalidArguments" and "query" in str(failed.value)
        with pytest.raises(ToolCallFailed) as failed:
            surface.call("page_tool", name="find")
        assert failed.value.type == "NotFound" and "search" in (failed.value.hint or "")

    def test_a_tool_that_goes_away_says_so(self, surface: Surface, shop: dict[str, Any]) -> None:
        with pytest.raises(ToolCallFailed) as failed:
            surface.call("page_tool", name="close_shop")
        assert failed.value.type == "ScriptFailed"
        with pytest.raises(ToolCallFailed) as failed:
            surface.call("page_tool", name="search", arguments={"query": "tea"})
        assert "no longer" in str(failed.value)

    def test_one_with_consequences_asks(
        self, surface: Surface, person: Person, start: Start, shop: dict[str, Any]
    ) -> None:
        call = start("page_tool", name="buy", arguments={"what": "tea"})
        asked = person.asked()
        assert "buy" in asked and '"what": "tea"' in asked
        person.click('button "Allow once"')
        assert call.result()["result"] == "bought tea"

    def test_a_form_is_filled_and_sent(self, surface: Surface, shop: dict[str, Any]) -> None:
        filled = surface.call("page_tool", name="book", arguments={"day": "Sunday"})
        assert "press" in filled["result"]
        assert "Sunday" in surface.call("browser_snapshot", scope="[name=day]")
        sent = surface.call("page_tool", name="order", arguments={"kind": "green"})
        assert sent["title"] == "Thanks" and "kind=green" in sent["url"]


@pytest.mark.parametrize("path", ["/order.html"])
@pytest.mark.fortnightly(together="TestExtraTools")
class TestExtraTools:
    """The tools that the user has switched on."""

    def test_a_form_is_filled_in_one_call(self, surface: Surface, shop: dict[str, Any]) -> None:
        values = {"Name": "Ada", "Kind": "Green", "As a gift": True, "Code": "many", "Colour": "red"}
        fields = [{"field": field, "value": value} for field, value in values.items()]
        answer = surface.call("browser_fill", fields=fields)
        assert answer["success"] is False
        by_field = {row["field"]: row for row in answer["fields"]}
        assert [by_field[name]["value"] for name in ("Name", "Kind", "As a gift")] == ["Ada", "Green", True]
        assert "error" in by_field["Code"]
        assert "'Name'" in by_field["Colour"]["error"]["hint"]

        sent = surface.call("browser_fill", fields=[{"field": "code", "value": "3"}], submit=True)
        assert sent["success"] and "name=Ada&kind=Green&gift=on&code=3" in surface.call("browser_snapshot")

    def test_text_anywhere_is_found(self, surface: Surface, shop: dict[str, Any]) -> None:
        found = surface.call("browser_find", text="sunday")
        assert found["total"] == 1 and found["matches"][0]["below"] == "Prices"
        heading = surface.call("browser_find", role="heading")["matches"][0]
        assert heading["text"] == "Prices"
        many = surface.call("browser_find", pattern="^Tea \\d$", limit=2)
        assert [each["text"] for each in many["matches"]] == ["Tea 1", "Tea 2"] and many["total"] == 9

    def test_a_table_is_read_in_parts(self, surface: Surface, shop: dict[str, Any]) -> None:
        first = surface.call("browser_table", count=2)
        assert (first["columns"], first["rows"]) == (["Tea", "Price"], [["Tea 1", "1 €"], ["Tea 2", "2 €"]])
        assert (first["total"], first["next"]) == (60, 2)
        last = surface.call("browser_table", start=59)
        assert (last["rows"], last["next"]) == ([["Tea 60", "60 €"]], None)

    def test_dialogs_are_answered_and_requests_listed(self, surface: Surface, shop: dict[str, Any]) -> None:
        surface.call("browser_dialog", accept=True, text="5")
        answer = surface.call("browser_click", selector="#ask")
        assert answer["answered"] == [{"kind": "prompt", "message": "How many?", "answer": "5"}]
        listed = surface.call("browser_network", url="stock.json")["requests"]
        [request] = listed
        assert (request["method"], request["status"]) == ("GET", 200)
        assert surface.call("browser_network", body=request["id"])["body"] == '{"left": 7}'

    def test_a_screenshot_shows_refs(self, surface: Surface, shop: dict[str, Any]) -> None:
        plain, marked = (surface.call("browser_screenshot", boxes=boxes) for boxes in (False, True))
        assert plain["width"] == marked["width"] and plain["bytes"] != marked["bytes"]
        assert "e1" not in surface.call("browser_get_text")["text"]
