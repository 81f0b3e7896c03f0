"""Tests for tabs, with a fake page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemini.core.events import Event, EventLog
from gemini.errors import (
    CrossOrigin,
    FileMissing,
    InvalidArguments,
    NoPage,
    PageFailure,
    Refused,
    StaleRef,
    TabMissing,
    UsageProblem,
)
from gemini.pages.tabs.browser import MAX_TABS, Browser
from gemini.pages.tabs.documents import Documents
from gemini.pages.tabs.events import TabChanged, TabClosed
from gemini.pages.tabs.sites import Sites
from tests.unit.pages.tabs.page import ORIGIN, Page

ELSEWHERE = "https://example.com/"


class World:
    """A browser with a fake page, and the events that it publishes."""

    def __init__(self, home: Path) -> None:
        self.events: list[Event] = []
        self.page = Page()
        self.home = home
        log = EventLog()
        log.subscribe(lambda _, event: self.events.append(event))
        self.sites = Sites(home=str(home))
        self.browser = Browser(log, self._resolve, self.sites)

    def _resolve(self, path: str) -> str:
        return str(self.home / path)

    def file(self, name: str, text: str = "<h1>Hi</h1>") -> str:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return str(path)


@pytest.fixture
async def world(tmp_path: Path) -> World:
    world = World(tmp_path)
    await world.browser.attach(Documents(world.page.connection))
    return world


def ids(world: World) -> list[str]:
    return [row["id"] for row in world.browser.rows()]


def front(world: World) -> str:
    [row] = [row for row in world.browser.rows() if row["active"]]
    return row["id"]


async def test_the_surface_itself_is_a_permanent_tab(world: World) -> None:
    assert world.browser.rows() == [
        {
            "id": "page",
            "url": f"{ORIGIN}/",
            "title": "Surface",
            "active": True,
            "loading": False,
            "readable": True,
        }
    ]
    for act in (world.browser.close, world.browser.reload):
        with pytest.raises(UsageProblem):
            await act("page")
    with pytest.raises(UsageProblem, match="would end"):
        await world.browser.navigate(f"{ORIGIN}/other", "page")


async def test_the_first_page_opens_a_new_tab_and_the_next_reuses_it(world: World) -> None:
    first = await world.browser.navigate(f"{ORIGIN}/a.html")
    second = await world.browser.navigate(f"{ORIGIN}/b.html")

    assert (first.id, first.url, first.title) == ("t1", f"{ORIGIN}/b.html", f"Title of {ORIGIN}/b.html")
    assert second is first and front(world) == "t1" and ids(world) == ["page", "t1"]


async def test_the_last_event_of_each_tab_is_its_current_row(world: World) -> None:
    await world.browser.navigate(f"{ORIGIN}/a.html")

    latest = {event.tab["id"]: event.tab for event in world.events if isinstance(event, TabChanged)}
    assert latest == {row["id"]: row for row in world.browser.rows()}
    assert any(event.tab["loading"] for event in world.events if isinstance(event, TabChanged))


@pytest.mark.parametrize(
    ("url", "opened"),
    [
        ("example.com", "https://example.com"),
        ("example.com/a?b#c", "https://example.com/a?b#c"),
        ("localhost:3000/x", "http://localhost:3000/x"),
        ("127.0.0.1:9999", "http://127.0.0.1:9999"),
        ("http://127.0.0.1:9999/", "http://127.0.0.1:9999/"),
        (" https://example.com/ ", "https://example.com/"),
    ],
)
async def test_another_origin_is_passed_to_the_page_which_asks(world: World, url: str, opened: str) -> None:
    tab = await world.browser.navigate(url)
    assert tab.url == opened == world.page.tabs["t1"]["url"]


async def test_a_refused_url_is_not_opened(world: World) -> None:
    world.page.refuses = True
    with pytest.raises(Refused):
        await world.browser.navigate(ELSEWHERE)
    assert ids(world) == ["page"] and world.page.tabs == {} and front(world) == "page"

    world.page.refuses = False
    tab = await world.browser.navigate(f"{ORIGIN}/a")
    world.page.refuses = True
    with pytest.raises(Refused):
        await world.browser.navigate(ELSEWHERE, tab.id)
    assert tab.url == f"{ORIGIN}/a" and not tab.loading


@pytest.mark.parametrize("url", ["javascript:alert(1)", "data:text/html,x", "ftp://a/", "http://", "", " "])
async def test_an_invalid_url_raises_with_a_hint(world: World, url: str) -> None:
    with pytest.raises(InvalidArguments) as raised:
        await world.browser.navigate(url)
    assert raised.value.hint
    assert ids(world) == ["page"]


@pytest.mark.parametrize("path", ["nothing.html", "/nothing/at/all.html", "./nothing", "two words"])
async def test_a_missing_path_raises(world: World, path: str) -> None:
    with pytest.raises(FileMissing):
        await world.browser.navigate(path)
    assert ids(world) == ["page"]


async def test_a_file_opens_from_the_origin_of_its_site(world: World) -> None:
    path = world.file("site/a page.html")
    tab = await world.browser.navigate("site/a page.html?x=1#top")

    site = world.page.place(f"{world.home}/site")
    assert tab.url == f"{site['url'][:-1]}{path.replace(' ', '%20')}?x=1#top"
    assert world.page.tabs["t1"]["kind"] == "file"
    # From now on, the URL is an address of the file.
    again = await world.browser.navigate(tab.url)
    assert again.url == tab.url


async def test_a_directory_opens_its_index(world: World) -> None:
    path = world.file("site/index.html")
    site = world.page.place(f"{world.home}/site")
    assert (await world.browser.navigate("site")).url == f"{site['url'][:-1]}{path}"


async def test_a_site_is_readable_until_its_tab_closes(world: World) -> None:
    browser, root, other = world.browser, f"{world.home}/site", f"{world.home}/other"
    path, other_path = world.file("site/index.html"), world.file("other/index.html")

    def readable(file: str, *roots: str) -> bool:
        return world.sites.answer(file, roots).status == 200

    await browser.open(path)
    assert readable(path, root) and not readable(other_path, root, other)
    await browser.navigate(other_path)
    assert readable(other_path, other) and not readable(path, root, other)
    await browser.navigate(f"{ORIGIN}/a")
    assert not readable(other_path, root, other)
    tab = await browser.navigate(path)
    world.browser.changed(
        {"tab": tab.id, "url": ELSEWHERE, "loading": False, "readable": False, "site": None}
    )
    assert not readable(path, root)
    await browser.open(path)
    await browser.close()
    assert not readable(path, root)


async def test_a_page_is_reloaded_from_its_own_site(world: World) -> None:
    world.file("site/index.html")
    deep = world.file("site/deep/page.html")
    tab = await world.browser.navigate("site/index.html")
    site = world.page.place(f"{world.home}/site")
    url = f"{site['url'][:-1]}{deep}?x=1"
    world.browser.changed({"tab": tab.id, "url": url, "loading": False, "readable": True, "site": site})  # type: ignore[typeddict-item]
    Path(deep).unlink()
    await world.browser.reload()
    assert tab.url == url and world.page.tabs[tab.id]["site"] == site


async def test_a_step_back_to_a_left_site_opens_it_again(world: World) -> None:
    world.file("site/index.html")
    tab = await world.browser.navigate("site/index.html")
    url = tab.url
    world.browser.changed({"tab": tab.id, "url": ELSEWHERE, "loading": False, "readable": True, "site": None})
    world.page.script = traversing({"moved": True, "same_document": False})
    await world.browser.go(-1)
    assert tab.url == url and world.page.asked == []


async def test_tabs_are_focused_and_closed(world: World) -> None:
    browser = world.browser
    await browser.open(f"{ORIGIN}/a")
    await browser.open(f"{ORIGIN}/b")
    await browser.open()
    assert ids(world) == ["page", "t1", "t2", "t3"] and front(world) == "t3"

    browser.focus("t1")
    await browser.close("t2")
    assert front(world) == "t1" and set(world.page.tabs) == {"t1", "t3"}
    await browser.close()
    assert front(world) == "page" and ids(world) == ["page", "t3"]
    assert [event.tab_id for event in world.events if isinstance(event, TabClosed)] == ["t2", "t1"]


async def test_a_missing_tab_lists_the_open_ones(world: World) -> None:
    await world.browser.open()
    with pytest.raises(TabMissing) as raised:
        world.browser.tab("t9")
    assert raised.value.hint == "The tabs are: page, t1."


async def test_the_number_of_tabs_is_limited(world: World) -> None:
    for _ in range(MAX_TABS):
        await world.browser.open()
    with pytest.raises(UsageProblem, match="20 tabs"):
        await world.browser.open()


def traversing(answer: dict[str, Any]) -> Callable[[str, dict[str, Any]], Any]:
    return lambda method, params: answer if method == "go" else {}


async def test_back_and_forward_go_through_the_visited_pages(world: World) -> None:
    browser = world.browser
    world.page.script = traversing({"moved": False, "same_document": False})
    for name in "abc":
        await browser.navigate(f"{ORIGIN}/{name}")
    await browser.go(-1)
    tab = await browser.go(-1)
    assert tab.url == f"{ORIGIN}/a"
    with pytest.raises(UsageProblem, match="back"):
        await browser.go(-1)

    await browser.go(1)
    assert tab.url == f"{ORIGIN}/b"
    await browser.navigate(f"{ORIGIN}/d")
    with pytest.raises(UsageProblem, match="forward"):
        await browser.go(1)


async def test_a_step_within_the_document_does_not_load_another(world: World) -> None:
    world.page.script = traversing({"moved": True, "same_document": True})
    await world.browser.navigate(f"{ORIGIN}/a")
    tab = await world.browser.go(-1)
    assert tab.url == f"{ORIGIN}/a"


async def test_a_step_to_another_document_ends_when_it_has_loaded(world: World) -> None:
    browser = world.browser
    tab = await browser.navigate(f"{ORIGIN}/a")
    await browser.navigate(f"{ORIGIN}/b")
    arrived = {"tab": "t1", "url": f"{ORIGIN}/a", "title": "A", "loading": False, "readable": True}
    world.page.script = traversing({"moved": True, "same_document": False, "document": arrived})
    await browser.go(-1)
    assert (tab.url, tab.title) == (f"{ORIGIN}/a", "A")

    world.page.script = traversing({"moved": False, "same_document": False})
    assert (await browser.go(1)).url == f"{ORIGIN}/b"


async def test_following_a_link_changes_the_tab(world: World) -> None:
    tab = await world.browser.navigate(f"{ORIGIN}/a")
    world.browser.changed(
        {"tab": "t1", "url": f"{ORIGIN}/b", "title": "B", "loading": False, "readable": True}
    )
    assert (tab.url, tab.title) == (f"{ORIGIN}/b", "B")
    world.page.script = traversing({"moved": False, "same_document": False})
    assert (await world.browser.go(-1)).url == f"{ORIGIN}/a"


async def test_an_unreadable_page_raises_with_its_reason_and_a_hint(world: World) -> None:
    world.page.opening = lambda url: {"readable": False, "why": "it is of another origin"}
    tab = await world.browser.navigate(ELSEWHERE)
    with pytest.raises(CrossOrigin, match="it is of another origin") as raised:
        await tab.snapshot()
    assert "curl" in (raised.value.hint or "") and world.page.asked == []


async def test_a_page_that_forbids_frames_says_what_is_left(world: World) -> None:
    world.page.opening = lambda url: {
        "readable": False,
        "why": "it is of another origin",
        "framing": "frame-ancestors",
    }
    tab = await world.browser.navigate(ELSEWHERE)
    row = tab.row(active=True)
    assert row.get("framing") == "frame-ancestors"
    why = row.get("why", "")
    assert "inside another page (frame-ancestors)" in why and "curl" in why and "their browser" in why
    with pytest.raises(CrossOrigin, match="forbids") as raised:
        await tab.snapshot()
    assert "can see" not in (raised.value.hint or "")

    world.browser.changed(
        {"tab": tab.id, "url": ELSEWHERE, "loading": False, "readable": True, "framing": None}
    )  # type: ignore[typeddict-item]
    assert "why" not in tab.row(active=True) and "framing" not in tab.row(active=True)


async def test_errors_of_the_page_are_raised(world: World) -> None:
    tab = await world.browser.open()
    stale = StaleRef("stale", hint="Take a new snapshot.", data={"match": {"ref": "e2"}})
    world.page.script = lambda method, params: stale
    with pytest.raises(StaleRef) as raised:
        await tab.click(ref="e1")
    assert vars(raised.value) == vars(stale)

    world.page.script = lambda method, params: PageFailure("TypeError: x")
    with pytest.raises(PageFailure):
        await tab.click(ref="e1")


async def test_tabs_survive_the_death_of_a_kernel(world: World, tmp_path: Path) -> None:
    path = world.file("site/index.html")
    await world.browser.open(f"{ORIGIN}/a")
    await world.browser.open(path)
    next_one = World(tmp_path)
    await next_one.browser.attach(Documents(world.page.connection))

    assert ids(next_one) == ["page", "t1", "t2"]
    assert next_one.sites.answer(path, [f"{tmp_path}/site"]).status == 200
    assert (await next_one.browser.open()).id == "t3"


async def test_opening_a_tab_without_a_page_raises(tmp_path: Path) -> None:
    world = World(tmp_path)
    with pytest.raises(NoPage):
        await world.browser.open("about:blank")
