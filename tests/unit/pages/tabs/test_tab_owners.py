"""Tests for the tabs of agents: who may read, use, navigate and close them."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from gemini.errors import PageUnreachable, TabMissing, UsageProblem
from gemini.pages.tabs.browser import MAX_TABS, MAX_TABS_FOR_AGENTS, Browser
from gemini.pages.tabs.documents import Documents
from gemini.pages.tabs.sites import Sites
from gemini.pages.tabs.tools import BrowserTools
from gemini.tools import Registry, declare
from gemini.tools.registry import PERSON
from gemini.tools.writers import current_run
from tests.unit.pages.tabs.page import ORIGIN, Page, no_pdf

CURSOR = "mcp:cursor “Cursor”"
OTHER = "mcp:claude-code “Claude Code” #2"


class World:
    """A browser behind the registry, whose page of the user is `t1` and in front."""

    def __init__(self, page: Page, folder: Path) -> None:
        self.page = page
        self.registry = Registry()
        self.browser = Browser(self.registry.events, lambda path: str(folder / path), Sites(home=str(folder)))
        self.registry.add_room(BrowserTools(self.browser, lambda path: folder / path, no_pdf))

    async def call(self, tool: str, caller: str = CURSOR, **arguments: Any) -> Any:
        return await self.registry.call(tool, arguments, caller=caller)

    async def tab_of(self, caller: str = CURSOR) -> str | None:
        return next((row["id"] for row in await self.call("browser_tabs", caller) if "yours" in row), None)

    def acted(self, method: str) -> list[str]:
        """Return the tabs whose documents got a request."""
        return [tab for tab, asked, _ in self.page.asked if asked == method]

    def row(self, tab: str) -> Any:
        return next(row for row in self.browser.rows() if row["id"] == tab)

    @property
    def front(self) -> str:
        return self.browser.active.id


@pytest.fixture
async def world(tmp_path: Path) -> World:
    page = Page(lambda method, given: {"text": "[e1] button"} if method == "snapshot" else {"success": True})
    world = World(page, tmp_path)
    await world.browser.attach(Documents(page.connection))
    await world.call("browser_navigate", PERSON, url=f"{ORIGIN}/mine")
    return world


async def allow(_: object) -> None:
    """Answer every request for consent with yes."""


@contextlib.contextmanager
def running(run: str) -> Generator[None]:
    token = current_run.set(run)
    try:
        yield
    finally:
        current_run.reset(token)


async def test_an_agent_s_page_opens_behind_the_user_s_and_its_calls_go_there(world: World) -> None:
    opened = await world.call("browser_navigate", url=f"{ORIGIN}/theirs")
    assert (opened["tab"], world.front, world.row("t1")["url"]) == ("t2", "t1", f"{ORIGIN}/mine")
    assert world.row("t2")["owner"] == {"id": f"client:{CURSOR}", "name": "Cursor", "finished": False}

    await world.call("browser_snapshot")
    await world.call("browser_click", ref="e1")
    assert (world.acted("snapshot"), world.acted("click")) == (["t2"], ["t2"])
    again = await world.call("browser_navigate", url=f"{ORIGIN}/next")
    assert again["tab"] == "t2"


async def test_without_a_tab_an_agent_reads_the_user_s_but_acts_only_after_naming_it(world: World) -> None:
    assert await world.call("browser_snapshot") == "[e1] button"
    assert world.acted("snapshot") == ["t1"]
    for tool, given in (("browser_click", {"ref": "e1"}), ("browser_execute_js", {"code": "return 1"})):
        with pytest.raises(UsageProblem, match="t1 is the user's") as refused:
            await world.call(tool, **given)
        assert "focus" in (refused.value.hint or "")

    await world.call("browser_tabs", action="focus", tab="t1")
    await world.call("browser_click", ref="e1")
    assert world.acted("click") == ["t1"] and await world.tab_of() == "t1"
    # Only acts go there: the next page opens in a tab of the agent's.
    assert (await world.call("browser_navigate", url=f"{ORIGIN}/b"))["tab"] == "t2"
    assert world.row("t1")["url"] == f"{ORIGIN}/mine" and "owner" not in world.row("t1")


async def test_the_surface_s_own_page_needs_no_name(world: World) -> None:
    world.browser.focus("page")
    await world.call("browser_click", ref="e1")
    assert world.acted("click") == ["page"]


@pytest.mark.parametrize("named", [{}, {"tab": "t1"}])
async def test_navigation_never_replaces_the_user_s_tab(world: World, named: dict[str, str]) -> None:
    await world.call("browser_tabs", action="focus", tab="t1")
    for action in ("back", "forward", "reload", "close"):
        with pytest.raises(UsageProblem, match="t1 isn't your tab"):
            await world.call("browser_tabs", action=action, **named)
    assert (await world.call("browser_navigate", url=f"{ORIGIN}/b", **named))["tab"] == "t2"
    assert world.row("t1")["url"] == f"{ORIGIN}/mine"


async def test_agents_read_but_neither_use_nor_close_each_other_s_tabs(world: World) -> None:
    await world.call("browser_navigate", url=f"{ORIGIN}/a")
    await world.call("browser_navigate", OTHER, url=f"{ORIGIN}/b")
    assert [await world.tab_of(), await world.tab_of(OTHER)] == ["t2", "t3"]
    assert world.row("t3")["owner"]["name"] == "Claude Code #2"

    await world.call("browser_snapshot", OTHER, tab="t2")
    await world.call("browser_tabs", OTHER, action="focus", tab="t2")
    for tool, given in (
        ("browser_click", {"ref": "e1"}),
        ("browser_execute_js", {"code": "return 1", "tab": "t2"}),
    ):
        with pytest.raises(UsageProblem, match="t2 is used by Cursor"):
            await world.call(tool, OTHER, **given)
    with pytest.raises(UsageProblem, match="isn't your tab"):
        await world.call("browser_tabs", OTHER, action="close", tab="t2")
    assert (await world.call("browser_navigate", OTHER, url=f"{ORIGIN}/c", tab="t2"))["tab"] == "t3"
    assert world.row("t2")["url"] == f"{ORIGIN}/a"


async def test_a_run_is_known_by_its_id_and_not_by_its_name(world: World) -> None:
    browser = world.browser
    browser.owners.begin_run("run-1", "Researcher")
    browser.owners.begin_run("run-2", "Researcher")
    tabs: list[str] = []
    for run in ("run-1", "run-2"):
        with running(run):
            tabs.append((await world.call("browser_navigate", "agent:Researcher", url=f"{ORIGIN}/x"))["tab"])
    # A client can't claim a run's tab by its name.
    claimed = await world.call("browser_navigate", "run-1", url=f"{ORIGIN}/x")
    assert [*tabs, claimed["tab"]] == ["t2", "t3", "t4"]
    assert world.row("t2")["owner"] == {
        "id": "run-1",
        "name": "Researcher",
        "run": "run-1",
        "finished": False,
    }


async def test_a_script_works_for_the_caller_that_runs_it(world: World) -> None:
    @declare()
    async def run_script() -> list[str]:
        """Open pages as a script does: by the object, and by a call."""
        opened = await world.browser.navigate(f"{ORIGIN}/a")
        called = await world.registry.call("browser_tabs", {"action": "open"})
        return [opened.id, called[-1]["id"]]

    world.registry.add(run_script)
    world.registry.consent.attach(allow)
    assert (await world.browser.navigate(f"{ORIGIN}/console")).id == "t1"
    assert await world.call("run_script") == ["t2", "t3"]
    assert [row.get("owner", {}).get("name") for row in world.browser.rows()[2:]] == ["Cursor", "Cursor"]
    with running("run-1"):
        assert (await world.browser.open(f"{ORIGIN}/direct")).id == "t4"
    assert world.front == "t1" and world.row("t1")["url"] == f"{ORIGIN}/console"


async def test_a_finished_run_s_tab_stays_until_the_user_takes_it(world: World) -> None:
    owners = world.browser.owners
    owners.begin_run("run-1", "Researcher")
    with running("run-1"):
        await world.browser.navigate(f"{ORIGIN}/a")
    owners.end_run("run-1")
    assert world.row("t2")["owner"]["finished"] is True
    world.browser.take("t2")
    assert "owner" not in world.row("t2")
    with pytest.raises(UsageProblem, match="isn't your tab"):
        await world.call("browser_tabs", action="close", tab="t2")
    with pytest.raises(TabMissing):
        world.browser.take("t9")


async def test_a_finished_run_s_tab_is_the_user_s_once_they_navigate_in_it(world: World) -> None:
    owners = world.browser.owners
    owners.begin_run("run-1", "Researcher")
    with running("run-1"):
        await world.browser.navigate(f"{ORIGIN}/a")
    owners.end_run("run-1")
    await world.call("browser_tabs", PERSON, action="focus", tab="t2")
    await world.call("browser_navigate", PERSON, url=f"{ORIGIN}/b")
    assert world.row("t2")["url"] == f"{ORIGIN}/b" and "owner" not in world.row("t2")


async def test_a_follow_up_continues_in_the_earlier_run_s_tab(world: World) -> None:
    owners = world.browser.owners
    owners.begin_run("run-1", "Researcher")
    with running("run-1"):
        await world.browser.navigate(f"{ORIGIN}/a")
    owners.end_run("run-1")
    owners.begin_run("run-2", "Researcher", continues="run-1")
    assert world.row("t2")["owner"]["run"] == "run-2" and not world.row("t2")["owner"]["finished"]
    with running("run-2"):
        assert (await world.browser.navigate(f"{ORIGIN}/b")).id == "t2"


async def test_a_run_uses_the_tab_of_the_agent_that_starts_it(world: World) -> None:
    @declare()
    async def start() -> str:
        """Start a run, as agent_run does."""
        world.browser.owners.begin_run("run-1", "Helper")
        return "run-1"

    world.registry.add(start)
    world.registry.consent.attach(allow)
    await world.call("browser_navigate", url=f"{ORIGIN}/a")
    await world.call("start")
    with running("run-1"):
        await world.call("browser_click", "agent:Helper", ref="e1")
        assert world.acted("click") == ["t2"]
        assert (await world.call("browser_navigate", "agent:Helper", url=f"{ORIGIN}/b"))["tab"] == "t3"
    with running("run-2"), pytest.raises(UsageProblem, match="t2 is used by Cursor"):
        await world.call("browser_execute_js", "agent:Other", code="return 1", tab="t2")


async def test_a_taken_tab_is_no_longer_the_agent_s(world: World) -> None:
    await world.call("browser_navigate", url=f"{ORIGIN}/a")
    world.browser.take("t2")
    with pytest.raises(UsageProblem, match="you have no tab"):
        await world.call("browser_click", ref="e1")
    assert (await world.call("browser_navigate", url=f"{ORIGIN}/b"))["tab"] == "t3"


async def test_an_agent_s_tab_comes_to_the_front_if_the_user_follows_agents(world: World) -> None:
    world.browser.follows = True
    await world.call("browser_navigate", url=f"{ORIGIN}/a")
    assert world.front == "t2"
    await world.call("browser_tabs", action="focus", tab="t1")
    assert world.front == "t2"


async def test_agents_leave_room_for_the_user_s_tabs(world: World) -> None:
    owners = world.browser.owners
    owners.begin_run("run-1", "Researcher")
    with running("run-1"):
        await world.browser.navigate(f"{ORIGIN}/left behind")
    owners.end_run("run-1")
    for _ in range(MAX_TABS_FOR_AGENTS - 1):
        await world.call("browser_tabs", action="open")
    # The first of them took the place of the finished run's tab.
    assert "t2" not in world.browser.tabs
    with pytest.raises(UsageProblem, match="tabs are open"):
        await world.call("browser_tabs", action="open")
    for _ in range(MAX_TABS - MAX_TABS_FOR_AGENTS):
        await world.call("browser_tabs", PERSON, action="open")


async def test_owners_survive_the_death_of_a_kernel(world: World, tmp_path: Path) -> None:
    world.browser.owners.begin_run("run-1", "Researcher")
    await world.call("browser_navigate", url=f"{ORIGIN}/a")
    with running("run-1"):
        await world.browser.navigate(f"{ORIGIN}/b")
    for tab in ("t2", "t3"):
        # The page has it from the tab's row (web/ui/panels/browser/frames.ts).
        world.page.tabs[tab]["owner"] = world.row(tab)["owner"]

    next_one = World(world.page, tmp_path)
    await next_one.browser.attach(Documents(world.page.connection))
    assert await next_one.tab_of() == "t2" and next_one.row("t3")["owner"]["finished"] is True
    next_one.browser.owners.begin_run("run-1", "Researcher")
    with running("run-1"):
        assert next_one.browser.tab().id == "t3"
    assert next_one.row("t3")["owner"]["finished"] is False


async def test_an_observed_run_without_a_tab_learns_whose_page_it_sees(world: World) -> None:
    with running("run-1"):
        text, _ = await world.browser.snapshot(1_000)
        assert text.startswith("(You have no tab. The user looks at t1") and text.endswith("[e1] button")
        # A picture for the run's steps shows only its own tab.
        assert await world.browser.screenshot() is None
        await world.browser.navigate(f"{ORIGIN}/a")
        text, _ = await world.browser.snapshot(1_000)
        assert text == "[e1] button"


async def test_a_server_of_the_page_that_has_ended_is_named_without_a_question(world: World) -> None:
    server = "http://localhost:8000"
    world.page.opening = lambda url: {"site": {"url": url, "root": server}}
    await world.call("browser_navigate", url=f"{server}/")
    world.page.opening = lambda url: {"title": "Of this computer"}
    for url in (f"{server}/next", "127.0.0.1:8000"):
        with pytest.raises(PageUnreachable, match="nothing listens on port 8000 any more"):
            await world.call("browser_navigate", url=url)
    # The user's own address is one of this computer, and so is another port.
    assert (await world.call("browser_navigate", PERSON, url=server))["title"] == "Of this computer"
    assert (await world.call("browser_navigate", url="localhost:8001"))["title"] == "Of this computer"
