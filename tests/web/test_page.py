"""What a person sees and does on the page beside its terminals: files, Python, the log of calls, by keyboard too."""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from gemini_testing import PageError, Surface
from gemini_testing.plugin import OpenSurface
from tests.web.conftest import Start
from tests.web.person import Person

PANELS = ("files", "terminal", "python", "activity")


def rows(person: Person) -> list[str]:
    return person.surface.javascript(
        "return [...document.querySelectorAll('#file-list .file-name')].map((row) => row.innerText)"
    )


def test_a_visit_leaves_no_complaint_in_the_browser_s_console(surface: Surface) -> None:
    surface.console()
    surface.reload()
    surface.call("terminal_execute", command="echo hi")

    assert [line for line in surface.console() if line.startswith(("SEVERE", "WARNING"))] == []


# --- files ---


def test_the_list_follows_the_agent(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/one.txt", content="1")
    assert surface.call("file_navigate", path=folder) == {"success": True, "files_count": 1}

    person.sees("#file-list", "one.txt")
    assert surface.javascript("return document.querySelector('#file-path').value") == folder


def test_the_list_follows_every_change_of_a_file(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_navigate", path=folder)
    surface.call("file_write", path=f"{folder}/by-tool.txt", content="123")
    person.sees("#file-list", "by-tool.txt")
    surface.call(
        "terminal_execute", command=f"cd {folder}; mkdir by-shell; ln -s by-tool.txt link; cd /project"
    )
    person.sees("#file-list", "by-shell/")
    surface.call("python_run", code=f"open({folder!r} + '/by-python.py', 'w').close()")
    person.sees("#file-list", "by-python.py")
    surface.call("terminal_execute", command=f"rm {folder}/by-tool.txt")

    person.sees("#file-list", "broken link")
    assert rows(person) == ["by-shell/", "by-python.py", "link → by-tool.txt"]


def test_a_person_walks_the_tree(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/inner/leaf.txt", content="on the leaf")
    surface.call("file_navigate", path=folder)
    person.sees("#file-list", "inner/")
    person.click("#file-list button")
    person.sees("#file-list", "leaf.txt")
    person.click("#file-list button")
    assert person.sees("#file-viewer-body", "leaf") == "on the leaf"
    person.sees("#file-viewer-title", f"{folder}/inner/leaf.txt")
    person.click("#file-viewer-close")
    person.no_longer_sees("#file-viewer")
    person.click("#file-up")
    person.sees("#file-list", "inner/")

    field = person.find("#file-path")
    field.clear()
    field.send_keys("/nowhere\n")
    person.sees("#file-problem", "'/nowhere' does not exist")
    field.clear()
    field.send_keys("/project\n")
    person.sees("#file-list", f"{folder.removeprefix('/project/')}/")
    person.no_longer_sees("#file-problem")


def test_the_tree_is_walked_by_keyboard(surface: Surface, person: Person, folder: str) -> None:
    for name in ("a/in-a.txt", "b/in-b.txt", "c.txt"):
        surface.call("file_write", path=f"{folder}/{name}", content=name)
    surface.call("file_navigate", path=folder)
    person.sees("#file-list", "c.txt")
    surface.driver.execute_script("document.querySelector('#file-list button').focus()")
    person.press(Keys.ARROW_DOWN)
    assert person.focus == f"file:{folder}/b"
    person.press(Keys.ENTER)
    person.sees("#file-list", "in-b.txt")
    person.press(Keys.BACKSPACE)
    person.sees("#file-list", "c.txt")
    surface.wait_for("document.activeElement.id === arguments[0]", f"file:{folder}/b")
    person.press(Keys.END)
    assert person.focus == f"file:{folder}/c.txt"
    person.press(Keys.ENTER)
    assert person.sees("#file-viewer-body", "c.txt") == "c.txt"
    person.press(Keys.ESCAPE)
    person.no_longer_sees("#file-viewer")
    surface.wait_for("document.activeElement.id === arguments[0]", f"file:{folder}/c.txt")


def test_odd_names_are_shown_as_text(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/<img src=x onerror=alert(1)>.txt", content="")
    surface.call("file_navigate", path=folder)

    person.sees("#file-list", "<img src=x onerror=alert(1)>.txt")
    assert not surface.javascript("return document.querySelector('#file-list img')")


def test_what_is_no_text_is_said_to_be_none(surface: Surface, person: Person, folder: str) -> None:
    surface.python(f"open({folder!r} + '/data.bin', 'wb').write(bytes(range(256)))")
    surface.call("file_navigate", path=folder)
    person.sees("#file-list", "data.bin")
    person.click("#file-list button")

    person.sees("#file-viewer-body", "isn't text")
    person.click("#file-viewer-close")


# --- the Python console ---


def enter(person: Person, code: str) -> None:
    person.find("#console-input").send_keys(code, Keys.ENTER)


def test_the_console_awaits_prints_and_shows_values(surface: Surface, person: Person) -> None:
    person.click("#console-clear")
    enter(person, "import asyncio; print('to', 'print'); await asyncio.sleep(0, result={'a': 1})")

    assert person.sees("#console-log .console-stdout") == "to print"
    assert '"a": 1' in person.sees("#console-log .console-result")
    enter(person, "answer = 42")
    enter(person, "answer + 1")
    person.sees("#console-log .console-result", "43")
    assert surface.call("python_run", code="answer")["result"] == 42


def test_the_console_shows_a_traceback_of_the_code_alone(person: Person) -> None:
    person.click("#console-clear")
    enter(person, "1 / 0")
    told = person.sees("#console-log .console-error")

    assert told.startswith("Traceback (most recent call last):")
    assert told.endswith("ZeroDivisionError: division by zero")
    assert "/gemini/" not in told


def test_the_console_remembers_and_takes_several_lines(person: Person) -> None:
    person.click("#console-clear")
    field = person.find("#console-input")
    field.send_keys("for n in range(2):", Keys.SHIFT, Keys.ENTER, Keys.NULL, "    print('n', n)", Keys.ENTER)
    person.sees("#console-log .console-stdout", "n 0\nn 1")
    enter(person, "'later'")
    person.sees("#console-log .console-result", "later")
    field.send_keys(Keys.ARROW_UP, Keys.ARROW_UP)

    assert field.get_attribute("value") == "for n in range(2):\n    print('n', n)"
    field.clear()


def test_the_console_stops_what_runs(person: Person) -> None:
    person.click("#console-clear")
    enter(person, "import asyncio; await asyncio.sleep(60)")
    person.click("#console-stop")

    person.sees("#console-log", "Stopped")
    enter(person, "'free'")
    person.sees("#console-log .console-result", "free")


# --- the log of calls ---


def test_every_call_is_in_the_log_with_who_made_it(surface: Surface, person: Person, folder: str) -> None:
    surface.call("file_write", path=f"{folder}/logged.txt", content="<i>text</i>")
    surface.javascript("await gemini.callTool('file_read', { path: arguments[0] + '/none' })", folder)
    person.sees("#activity-list .call", "file_write")
    person.sees("#activity-list .call[data-status=failed]", "file_read")
    entries = surface.javascript(
        """
        const calls = [...document.querySelectorAll("#activity-list .call")].slice(0, 2);
        return Promise.all(calls.map(async (call) => {
          const opened = new Promise((resolve) => call.addEventListener("toggle", resolve, { once: true }));
          call.open = true;
          await opened;
          return { status: call.dataset.status, text: call.innerText };
        }));
        """
    )

    failed, done = entries
    assert failed["status"] == "failed" and done["status"] == "done"
    assert "script" in failed["text"] and "FileMissing" in failed["text"]
    assert (
        "webmcp" in done["text"]
        and '"content": "<i>text</i>"' in done["text"]
        and '"size": 11' in done["text"]
    )
    assert "ms" in done["text"]
    assert surface.javascript("return document.querySelector('#activity-list time').dateTime").startswith(
        "20"
    )


def test_a_running_call_is_shown_as_running(surface: Surface, person: Person, start: Start) -> None:
    call = start("python_run", code="import asyncio; await asyncio.sleep(60)")
    person.sees("#activity-list .call[data-status=running]", "python_run")
    call.abort()

    person.no_longer_sees("#activity-list .call[data-status=running]")
    person.sees("#activity-list .call[data-status=failed]", "python_run")


def test_the_log_is_filtered(surface: Surface, person: Person) -> None:
    surface.call("file_find", pattern="needle")
    surface.call("terminal_list")
    person.sees("#activity-list .call", "terminal_list")
    field = person.find("#activity-filter")
    field.send_keys("needle")

    person.sees("#activity-list .call", "file_find")
    surface.wait_for(
        "[...document.querySelectorAll('#activity-list .call')].filter((call) => call.checkVisibility()).length === 1"
    )
    field.clear()
    field.send_keys(" ")
    person.sees("#activity-list .call", "terminal_list")


# --- the page as a whole ---


def accessible(surface: Surface) -> list[dict[str, Any]]:
    """The elements of the page as assistive software gets them."""
    nodes = surface.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    return [
        {"role": node["role"]["value"], "name": node.get("name", {}).get("value", "")}
        for node in nodes
        if not node["ignored"]
    ]


def test_everything_that_can_be_used_has_a_name(surface: Surface) -> None:
    surface.call("file_navigate", path="/project")
    surface.call("terminal_create")
    roles = {"button", "textbox", "searchbox", "tab", "tabpanel", "region", "dialog", "alertdialog", "log",
             "navigation", "list", "progressbar", "link", "checkbox", "combobox", "tablist"}  # fmt: skip
    elements = accessible(surface)

    assert [element for element in elements if element["role"] in roles and not element["name"].strip()] == []
    assert {"main", "heading", "tab", "log", "status"} <= {element["role"] for element in elements}
    regions = [element["name"] for element in elements if element["role"] == "region"]
    assert {"Files", "Python console", "Activity"} <= set(regions)


def test_every_panel_is_reached_by_keyboard(surface: Surface, person: Person) -> None:
    surface.call("file_navigate", path="/project")
    surface.driver.execute_script("document.activeElement.blur()")
    panel = """
    return ((panel) => panel && (panel.dataset.terminal ? "terminal" : panel.id || panel.className))(
      document.activeElement.closest("section.panel, [data-region]"))
    """
    panels = []
    while panels.count(panels[0] if panels else "") < 2:
        person.press(Keys.F6)
        panels.append(surface.javascript(panel))

    assert set(PANELS) <= set(panels)
    person.press(Keys.F6, holding=Keys.SHIFT)
    assert surface.javascript(panel) == panels[-2]


def test_a_command_is_run_without_a_mouse(surface: Surface, person: Person) -> None:
    surface.call("terminal_create")
    person.reads("$")
    surface.driver.execute_script("document.activeElement.blur()")
    while "xterm-helper-textarea" not in surface.javascript("return document.activeElement.className"):
        person.press(Keys.F6)
    person.type("echo mouse-free | rev\n")

    person.reads_line("eerf-esuom")


def test_the_focus_can_be_seen(surface: Surface, person: Person) -> None:
    surface.driver.execute_script("document.activeElement.blur()")
    unseen = []
    for _ in range(8):
        person.press(Keys.TAB)
        style = surface.javascript(
            """
            const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(document.activeElement);
            return { outline: outlineStyle !== "none" && outlineWidth !== "0px", shadow: boxShadow !== "none" };
            """
        )
        if not any(style.values()) and not surface.javascript(
            "return document.activeElement.classList.contains('xterm-helper-textarea')"
        ):
            unseen.append(person.focus)

    assert unseen == []


def test_the_page_is_dark_where_the_person_wants_it_dark(surface: Surface, person: Person) -> None:
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


def test_a_narrow_page_shows_one_panel_at_a_time(open_surface: OpenSurface) -> None:
    surface = open_surface(size=(360, 720))
    person = Person(surface)
    assert surface.javascript("return document.documentElement.scrollWidth") == 360
    for panel in ("files", "terminals", "python", "activity"):
        person.click(f"#panel-switch button[value={panel}]")
        shown = surface.javascript(
            "return [...document.querySelectorAll('section.panel')]"
            ".filter((panel) => panel.checkVisibility()).map(({ id }) => id || 'terminals')"
        )
        assert shown == [panel]
        assert surface.javascript("return document.documentElement.scrollWidth") == 360


# --- globalThis.gemini ---


def test_a_script_is_told_when_the_surface_is_ready(surface: Surface) -> None:
    surface.load(wait=False)

    assert surface.javascript(
        "const before = document.documentElement.dataset.kernel; await gemini.ready;"
        "return [before, document.documentElement.dataset.kernel]"
    ) == ["booting", "ready"]


def test_a_script_lists_and_calls_tools(surface: Surface) -> None:
    tools = surface.javascript("return gemini.tools()")
    assert {tool["name"] for tool in tools} == {tool["name"] for tool in surface.tools()}
    assert {tool["name"]: tool["effect"] for tool in tools}["file_read"] == "read"

    assert (
        surface.javascript("return gemini.callTool('terminal_execute', { command: 'echo hi' })")["stdout"]
        == "hi\n"
    )
    answer = surface.javascript("return gemini.callTool('file_read', { path: '/none' })")
    assert answer["error"]["type"] == "FileMissing"


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
    assert surface.call("terminal_execute", command="echo free")["stdout"] == "free\n"


def test_a_script_gets_whole_results_where_agents_get_cut_ones(surface: Surface) -> None:
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
