"""The page as a whole, its accessibility, and `globalThis.gemini`."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import PageError, Surface
from gemini_testing.plugin import OpenSurface
from tests.web.conftest import CopyOfDist, Resize
from tests.web.person import Background, Person

# A script may call them, whatever the browser's agent lists.
OF_CODE_MODE = {"run", "find"}


def test_a_visit_logs_no_errors_in_the_browser_s_console(surface: Surface) -> None:
    surface.console()
    surface.reload()
    surface.call("terminal_execute", command="echo hi")

    assert [line for line in surface.console() if line.startswith(("SEVERE", "WARNING"))] == []


def test_tools_are_listed_and_take_calls_before_the_page_s_script_has_loaded(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist, surface_dist: Path
) -> None:
    dist = copy_of_dist(without="surface-*/ui.js")
    surface = open_surface(dist=dist, wait=False)
    surface.wait_for(
        "(async () => (await document.modelContext.getTools()).some(({ name }) => name === 'file_list'))()"
    )
    # Python's frame loads meanwhile, too.
    surface.wait_for("document.querySelector('iframe[title=Python]')")
    call = Background(surface, "file_list", {"path": "/project"})
    assert call.is_running

    [script] = surface_dist.glob("surface-*/ui.js")
    shutil.copy(script, dist / script.relative_to(surface_dist))
    # The browser doesn't request again what it didn't find.
    surface.javascript("await import(new URL('ui.js?again', document.baseURI))")

    assert "README.md" in {row["name"] for row in call.result()}


# --- the page as a whole ---


def accessible(surface: Surface) -> list[dict[str, Any]]:
    """Return the page's accessibility tree."""
    nodes = surface.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        {"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")}
        for node in nodes
        if not node["ignored"]
    ]


def test_every_control_has_an_accessible_name(surface: Surface, person: Person) -> None:
    surface.call("file_navigate", path="/project")
    surface.call("terminal_create")
    person.open_panel("python")
    roles = {"button", "textbox", "searchbox", "tab", "tabpanel", "region", "dialog", "alertdialog", "log",
             "navigation", "list", "progressbar", "link", "checkbox", "combobox", "tablist"}  # fmt: skip
    elements = accessible(surface)

    assert [element for element in elements if element["role"] in roles and not element["name"].strip()] == []
    assert {"main", "heading", "tab", "log", "status"} <= {element["role"] for element in elements}
    regions = [element["name"] for element in elements if element["role"] == "region"]
    assert {"Files", "Python console", "Activity"} <= set(regions)


@pytest.mark.parametrize("below", ["terminals", "python"])
def test_every_panel_is_reachable_by_keyboard(surface: Surface, person: Person, below: str) -> None:
    surface.call("file_navigate", path="/project")
    # They are tabs of one group.
    person.open_panel(below)
    surface.driver.execute_script("document.activeElement.blur()")
    panel = """
    return ((panel) => panel && (panel.dataset.terminal ? "terminals" : panel.id || panel.className))(
      document.activeElement.closest("section.panel, [data-region]"))
    """
    panels = []
    while panels.count(panels[0] if panels else "") < 2:
        person.press(Keys.F6)
        panels.append(surface.javascript(panel))

    assert {"rail", "files", "start", "activity", below} <= set(panels)
    person.press(Keys.F6, holding=Keys.SHIFT)
    assert surface.javascript(panel) == panels[-2]


def test_a_command_runs_without_a_mouse(surface: Surface, person: Person) -> None:
    surface.call("terminal_create")
    person.reads("$")
    surface.driver.execute_script("document.activeElement.blur()")
    while "xterm-helper-textarea" not in surface.javascript("return document.activeElement.className"):
        person.press(Keys.F6)
    person.type("echo mouse-free | rev\n")

    person.reads_line("eerf-esuom")


def test_the_focus_is_visible(surface: Surface, person: Person) -> None:
    surface.driver.execute_script("document.activeElement.blur()")
    for _ in range(8):
        person.press(Keys.TAB)
        # The omnibar and an editor show the focus of their field around all of themselves, an editor a moment later.
        # A terminal shows its cursor.
        surface.wait_for(
            """(() => {
              const { activeElement } = document;
              if (activeElement.matches(".xterm-helper-textarea")) return true;
              const field = activeElement.matches("#omnibar-input, .cm-content");
              const element = field ? activeElement.closest(".omnibar, .cm-editor") : activeElement;
              const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
              return (outlineStyle !== "none" && outlineWidth !== "0px") || boxShadow !== "none";
            })()"""
        )


def test_the_page_follows_the_preferred_color_scheme(surface: Surface, person: Person) -> None:
    def lightness() -> float:
        return surface.javascript(
            """
            const luma = (colour) => colour.match(/[0-9.]+/g).slice(0, 3).map(Number).reduce((a, b) => a + b) / 765;
            return luma(getComputedStyle(document.body).backgroundColor)
              - luma(getComputedStyle(document.body).color);
            """
        )

    def prefer(scheme: str) -> None:
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        surface.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    assert lightness() > 0.5
    prefer("dark")
    assert lightness() < -0.5
    prefer("light")


def test_a_narrow_page_shows_one_panel_at_a_time(surface: Surface, person: Person, resize: Resize) -> None:
    resize(360, 720)
    assert surface.javascript("return document.documentElement.scrollWidth") == 360
    for panel in ("files", "terminals", "python", "activity"):
        person.open_panel(panel)
        shown = surface.javascript(
            "return [...document.querySelectorAll('section.panel')]"
            ".filter((panel) => panel.checkVisibility()).map(({ id }) => id || 'terminals')"
        )
        assert shown == [panel]
        assert surface.javascript("return document.documentElement.scrollWidth") == 360


# --- globalThis.gemini ---


@pytest.mark.fortnightly
def test_a_script_is_notified_when_the_surface_is_ready(surface: Surface) -> None:
    surface.load(wait=False)

    assert surface.javascript(
        "const before = document.documentElement.dataset.kernel; await gemini.ready;"
        "return [before, document.documentElement.dataset.kernel]"
    ) == ["booting", "ready"]


def test_a_script_lists_and_calls_tools(surface: Surface) -> None:
    tools = surface.javascript("return gemini.tools()")
    assert {tool["name"] for tool in tools} == {tool["name"] for tool in surface.tools()} | OF_CODE_MODE
    assert {tool["name"]: tool["effect"] for tool in tools}["file_read"] == "read"

    assert (
        surface.javascript("return gemini.callTool('terminal_execute', { command: 'echo hi' })")["output"]
        == "hi\n"
    )
    answer = surface.javascript("return gemini.callTool('file_read', { path: '/none' })")
    assert answer["error"]["type"] == "FileMissing"


def test_a_script_that_may_run_only_briefly_reads_the_value_later(surface: Surface) -> None:
    pending = surface.javascript(
        "return gemini.callTool('terminal_execute', { command: 'sleep 2; echo done' }, { within: 50 })"
    )
    assert list(pending) == ["pending"]
    read = "return gemini.result(arguments[0], { within: 60_000 })"
    assert surface.javascript(read, pending["pending"])["output"] == "done\n"
    assert surface.javascript(read, pending["pending"])["error"]["type"] == "InvalidArguments"


def test_a_script_describes_tools(surface: Surface) -> None:
    described = surface.javascript("return gemini.describe()")
    assert set(described) == {tool["name"] for tool in surface.tools()} | OF_CODE_MODE
    tool = surface.javascript("return gemini.describe(arguments[0])", "file_read")
    assert tool["inputSchema"]["required"] == ["path"] and tool["description"].startswith(
        described["file_read"]
    )


def test_a_script_cancels_a_call(surface: Surface) -> None:
    answer = surface.javascript(
        """
        const controller = new AbortController();
        const call = gemini.callTool("terminal_execute", { command: "sleep 60" }, { signal: controller.signal });
        controller.abort();
        return call;
        """
    )

    assert answer["error"]["type"] == "Cancelled"
    assert surface.call("terminal_execute", command="echo free")["output"] == "free\n"


def test_a_script_gets_complete_results_while_agents_get_cut_ones(surface: Surface) -> None:
    content = surface.javascript(
        """
        await gemini.callTool("file_write", { path: "/project/long.txt", content: "x".repeat(100_000) });
        return (await gemini.callTool("file_read", { path: "/project/long.txt" })).content.length;
        """
    )

    assert content == 100_000


def test_a_script_runs_python(surface: Surface) -> None:
    assert surface.javascript("return gemini.python('import math; math.comb(5, 2)')") == 10
    with pytest.raises(PageError) as failed:
        surface.javascript("return gemini.python('1 / 0')")
    assert "ZeroDivisionError: division by zero" in failed.value.data["traceback"]


def test_the_page_s_api_can_not_be_replaced(surface: Surface) -> None:
    assert surface.javascript(
        """
        "use strict";
        const tries = [() => { gemini.callTool = null; }, () => { globalThis.gemini = null; }];
        return tries.map((attempt) => { try { attempt(); return "done"; } catch (error) { return error.name; } });
        """
    ) == ["TypeError", "TypeError"]
