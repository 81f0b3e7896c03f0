"""The Activity panel."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import Surface
from tests.web.axe import violations
from tests.web.conftest import Start
from tests.web.person import Person, erase
from tests.web.shadow import FOUND

pytestmark = pytest.mark.extended

SHOWN = f"{FOUND}('group \"Calls\" .call')"


@pytest.fixture
def panel(surface: Surface, person: Person) -> Iterator[Person]:
    """Return the user at the log, without filters."""
    person.open_panel("activity")
    search(person, "")
    if surface.javascript("return document.querySelector('#activity-details').hidden"):
        person.click('button "Filters and statistics"')
    yield person
    for facet in ("status", "caller", "effect", "tool"):
        select(person, facet, "")


def search(person: Person, words: str) -> None:
    field = person.find('region "Activity" searchbox "Filter calls"')
    erase(field)
    # Clearing alone sends no event.
    field.send_keys(words or " ")


def select(person: Person, facet: str, value: str) -> None:
    person.choose(f'region "Activity" [data-facet={facet}]', value)


def shown(surface: Surface) -> list[str]:
    return surface.javascript(f"return {SHOWN}.map((call) => call.querySelector('.call-tool').textContent)")


def test_the_log_lists_every_call_with_its_caller(surface: Surface, panel: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/logged.txt", content="<i>text</i>")
    surface.javascript("await gemini.callTool('file_read', { path: arguments[0] + '/none' })", folder)
    said = panel.sees('group "Calls" .call[data-status=done] .call-said', "Wrote")
    assert said.endswith("/logged.txt") and "{" not in said
    panel.sees('group "Calls" .call[data-status=failed] .call-said', "Couldn’t read")
    entries = surface.javascript(
        f"""
        return Promise.all({SHOWN}.slice(0, 2).map(async (call) => {{
          const opened = new Promise((resolve) => call.addEventListener("toggle", resolve, {{ once: true }}));
          call.open = true;
          await opened;
          return {{ status: call.dataset.status, text: call.textContent }};
        }}));
        """
    )

    failed, done = entries
    assert failed["status"] == "failed" and done["status"] == "done"
    assert "Script" in failed["text"] and "FileMissing" in failed["text"]
    assert (
        "Browser’s agent" in done["text"]
        and '"content": "<i>text</i>"' in done["text"]
        and '"size": 11' in done["text"]
    )
    assert "ms" in done["text"]
    assert surface.javascript("return document.querySelector('#activity-list time').dateTime").startswith(
        "20"
    )


def test_the_user_s_own_actions_are_listed_on_request(surface: Surface, panel: Person) -> None:
    surface.call("terminal_list")
    # A panel calls the tool.
    panel.open_panel("browser")
    panel.click('button "New tab"')
    panel.sees('tablist "Open pages" [aria-selected=true]', "New tab")
    surface.call("file_find", pattern="after")
    panel.sees('group "Calls" .call', "file_find")
    assert "browser_tabs" not in shown(surface)
    panel.no_longer_sees('group "Statistics" [data-count=person]')

    panel.click('region "Activity" checkbox "Your own actions"')
    panel.sees('group "Calls" .call', "browser_tabs")
    panel.sees('group "Statistics" [data-count=person]')
    panel.click('region "Activity" checkbox "Your own actions"')
    panel.no_longer_sees('group "Statistics" [data-count=person]')
    assert "browser_tabs" not in shown(surface)
    panel.click('button "Close tab"')


def test_a_running_call_is_shown_as_running(surface: Surface, panel: Person, start: Start) -> None:
    call = start("python_run", code="import asyncio; await asyncio.sleep(60)")
    panel.sees('group "Calls" .call[data-status=running]', "python_run")
    panel.sees('group "Statistics" [data-count=running]', "running 1")
    call.abort()

    panel.no_longer_sees('group "Calls" .call[data-status=running]')
    panel.sees('group "Calls" .call[data-status=failed]', "python_run")
    panel.no_longer_sees('group "Statistics" [data-count=running]')


def test_the_filter_searches_calls(surface: Surface, panel: Person) -> None:
    surface.call("file_find", pattern="needle")
    surface.call("terminal_list")
    panel.sees('group "Calls" .call', "terminal_list")
    search(panel, "needle")

    surface.wait_for(f"{SHOWN}.length === 1")
    panel.sees('group "Calls" .call', "file_find")
    panel.sees('region "Activity" header [role=status]', "1 of ")
    search(panel, "zzz")
    panel.sees('region "Activity" .empty', "No calls match")


def test_calls_are_filtered_by_tool_caller_status_and_effect(
    surface: Surface, panel: Person, folder: str
) -> None:
    surface.call("file_write", path=f"{folder}/a.txt", content="")
    surface.javascript("await gemini.callTool('file_read', { path: '/none' })")
    surface.call("terminal_list")
    panel.sees('group "Calls" .call', "terminal_list")
    select(panel, "caller", "script")
    surface.wait_for(f"{SHOWN}.every((call) => call.textContent.includes('Script'))")
    select(panel, "status", "failed")
    surface.wait_for(f"{SHOWN}.every((call) => call.dataset.status === 'failed')")
    assert set(shown(surface)) == {"file_read"}
    select(panel, "caller", "")
    select(panel, "status", "")
    select(panel, "effect", "write")
    surface.wait_for(f"!{SHOWN}.some((call) => call.textContent.includes('terminal_list'))")
    assert "file_write" in shown(surface)
    select(panel, "effect", "")
    select(panel, "tool", "terminal_list")
    surface.wait_for(f"{SHOWN}.every((call) => call.textContent.includes('terminal_list'))")

    surface.reload()
    surface.wait_for(
        f"{SHOWN}.length > 0 && {SHOWN}.every((call) => call.textContent.includes('terminal_list'))"
    )


def test_calls_open_by_keyboard_and_stay_open(surface: Surface, panel: Person) -> None:
    surface.call("file_find", pattern="opened")
    panel.sees('group "Calls" .call', "opened")
    panel.by_script('group "Calls" summary', "focus()")
    panel.press(Keys.ENTER)
    panel.sees('group "Calls" .call[open] .call-inside', "Raw call")
    surface.call("terminal_list")

    panel.sees('group "Calls" .call:nth-child(2)[open] .call-said', "opened")


def test_a_call_is_copied_as_json(surface: Surface, panel: Person) -> None:
    panel.copy("nothing")
    surface.call("file_find", pattern="copied")
    panel.sees('group "Calls" .call', "copied")
    panel.click('group "Calls" .call:first-child summary')
    panel.click('group "Calls" .call:first-child .call-acts button')
    panel.sees('region "Activity" [role=status]', "file_find")
    copied = json.loads(surface.javascript("return navigator.clipboard.readText()"))

    assert (copied["tool"], copied["caller"], copied["status"]) == ("file_find", "webmcp", "done")
    assert copied["arguments"] == {"pattern": "copied"}
    assert json.loads(copied["result"]) == []


def saved(surface: Surface, folder: Path, ending: str) -> Path:
    """Wait until the browser has saved a complete file, and return its path."""
    while not (found := list(folder.glob(f"*.{ending}"))):
        # Each check takes a round trip to the page.
        surface.javascript("await new Promise(requestAnimationFrame)")
    return found[0]


def test_the_filtered_calls_are_exported(surface: Surface, panel: Person, tmp_path: Path) -> None:
    behaviour = {"behavior": "allow", "downloadPath": str(tmp_path)}
    surface.driver.execute_cdp_cmd("Browser.setDownloadBehavior", behaviour)
    surface.call("file_find", pattern='=quoted "x",')
    surface.call("terminal_list")
    search(panel, "quoted")
    surface.wait_for(f"{SHOWN}.length === 1")
    panel.click('button "Export filtered calls"')
    panel.click(".menu [data-item=json]")
    [call] = json.loads(saved(surface, tmp_path, "json").read_text())
    assert (call["tool"], call["arguments"]) == ("file_find", {"pattern": '=quoted "x",'})
    panel.click('button "Export filtered calls"')
    panel.click(".menu [data-item=csv]")
    with saved(surface, tmp_path, "csv").open(newline="") as file:
        [row] = csv.DictReader(file)

    assert (row["tool"], row["status"]) == ("file_find", "done")
    assert json.loads(row["arguments"]) == {"pattern": '=quoted "x",'}


def test_the_last_minutes_are_a_chart_and_a_table(surface: Surface, panel: Person) -> None:
    before = table(surface)
    for _ in range(3):
        surface.call("terminal_list")
    surface.javascript("await gemini.callTool('file_read', { path: '/none' })")
    surface.wait_for(f"{SHOWN}[0].querySelector('.call-tool').textContent === 'file_read'")
    after = table(surface)

    assert after["calls"] - before["calls"] == 4
    assert after["failed"] - before["failed"] == 1
    name = surface.javascript("return document.querySelector('.activity-chart').ariaLabel")
    assert "calls in the last 15 minutes; median " in name and "95th percentile" in name


def table(surface: Surface) -> dict[str, int]:
    rows: Any = surface.javascript(
        "return [...document.querySelectorAll('.activity-table tbody tr')]"
        ".map((row) => [...row.cells].map((cell) => cell.textContent))"
    )
    return {"calls": sum(int(row[1]) for row in rows), "failed": sum(int(row[2]) for row in rows)}


def test_the_panel_is_accessible(surface: Surface, panel: Person) -> None:
    surface.call("file_find", pattern="x")
    surface.javascript("await gemini.callTool('file_read', { path: '/none' })")
    panel.sees('group "Calls" .call[data-status=failed]')
    panel.click('group "Calls" .call:first-child summary')
    panel.click(".activity-table summary")
    assert violations(surface, 'region "Activity"') == []


def test_a_burst_of_calls_draws_the_list_few_times(surface: Surface, panel: Person) -> None:
    calls = 600
    drawn = surface.javascript(
        """
        let drawn = 0;
        const observer = new MutationObserver(() => { drawn += 1; });
        observer.observe(document.querySelector("#activity-list"), { childList: true });
        await Promise.all(Array.from({ length: arguments[0] }, () => gemini.callTool("terminal_list")));
        observer.disconnect();
        return drawn;
        """,
        calls,
    )

    surface.wait_for(f"{SHOWN}.length === 500")
    assert 0 < drawn < calls / 4
