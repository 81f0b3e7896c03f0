"""Several tabs of one surface: one owns it, and the others show it and can take over, without losses."""

from __future__ import annotations

import pytest

from gemini_testing import Surface, ToolCallFailed
from gemini_testing.plugin import OpenSurface
from tests.web.conftest import CopyOfDist
from tests.web.person import Person
from tests.web.test_offline import change_build

pytestmark = pytest.mark.extended


def open_tab(surface: Surface) -> str:
    """Open another tab in front, and return the handle of the previous one."""
    before: str = surface.driver.current_window_handle
    surface.driver.switch_to.new_window("tab")
    surface.load(wait=False)
    return before


def wait_until_elsewhere(surface: Surface) -> None:
    surface.wait_for("document.documentElement.dataset.kernel === 'elsewhere'")


def test_a_second_tab_mirrors_the_first_and_takes_over_on_request(open_surface: OpenSurface) -> None:
    surface = open_surface()
    surface.call("file_write", path="/project/first.txt", content="first")
    first = open_tab(surface)
    person = Person(surface)

    person.sees("[role=alert].failure", "another tab")
    # The window of a new tab has room for one of them.
    person.open_panel("activity")
    person.sees('group "Calls" .call', "file_write")
    person.open_panel("files")
    person.sees('region "Files"', "first.txt")
    with pytest.raises(ToolCallFailed, match="another tab"):
        surface.call("file_list", path="/project")

    second = surface.driver.current_window_handle
    surface.driver.switch_to.window(first)
    # No call acknowledged it, but it is saved.
    surface.python("open('/project/late.txt', 'w').write('late')")
    surface.call("file_write", path="/project/second.txt", content="second")
    surface.driver.switch_to.window(second)
    person.sees('region "Files"', "second.txt")

    person.click('button "Use it here"')
    surface.wait_until_ready()
    names = {row["name"] for row in surface.call("file_list", path="/project")}
    assert {"first.txt", "second.txt", "late.txt"} <= names

    surface.driver.switch_to.window(first)
    wait_until_elsewhere(surface)
    with pytest.raises(ToolCallFailed, match="took over the surface"):
        surface.call("file_list", path="/project")


def test_a_waiting_tab_takes_over_when_the_first_closes(open_surface: OpenSurface) -> None:
    surface = open_surface()
    surface.call("file_write", path="/project/saved.txt", content="saved")
    first = open_tab(surface)
    wait_until_elsewhere(surface)
    second = surface.driver.current_window_handle
    surface.driver.switch_to.window(first)
    surface.driver.close()
    surface.driver.switch_to.window(second)

    surface.wait_until_ready()
    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"


def test_of_several_waiting_tabs_the_one_that_asks_takes_over(open_surface: OpenSurface) -> None:
    surface = open_surface()
    open_tab(surface)
    wait_until_elsewhere(surface)
    second = open_tab(surface)
    wait_until_elsewhere(surface)
    Person(surface).click('button "Use it here"')
    surface.wait_until_ready()
    surface.driver.switch_to.window(second)
    wait_until_elsewhere(surface)


def test_tabs_of_two_builds_share_the_files_and_the_older_says_that_it_is_to_be_reloaded(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    dist = copy_of_dist()
    surface = open_surface(dist=dist)
    surface.call("file_write", path="/project/old.txt", content="of the older build")
    build = change_build(dist)
    first = open_tab(surface)
    assert build in surface.javascript("return document.baseURI")
    wait_until_elsewhere(surface)
    person = Person(surface)
    person.click('button "Use it here"')
    surface.wait_until_ready()
    assert surface.call("file_read", path="/project/old.txt")["content"] == "of the older build"
    surface.call("file_write", path="/project/new.txt", content="of the newer build")

    # The host has nothing of the older build any more.
    surface.driver.switch_to.window(first)
    wait_until_elsewhere(surface)
    person.click('button "Use it here"')
    person.sees("[role=alert].failure", "another build than this page's by now. Reload this page")
    surface.load(wait=False)
    wait_until_elsewhere(surface)
    person.click('button "Use it here"')
    surface.wait_until_ready()
    assert build in surface.javascript("return document.baseURI")
    assert surface.call("terminal_execute", command="cat /project/*.txt")["output"].count("build") == 2
