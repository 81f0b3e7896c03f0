"""Browsers and hosts without some features: everything else works, and the page lists the missing ones."""

from __future__ import annotations

import pytest

from gemini_testing.plugin import OpenSurface
from tests.web.conftest import CopyOfDist
from tests.web.names import FACT
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended


def test_without_webmcp_the_polyfill_has_the_tools(open_surface: OpenSurface) -> None:
    surface = open_surface(webmcp=False)

    assert surface.javascript("return document.modelContext.__isWebMCPPolyfill")
    assert {"terminal_execute", "file_read", "python_run"} <= {tool["name"] for tool in surface.tools()}
    assert surface.call("terminal_execute", command="echo polyfilled")["output"] == "polyfilled\n"
    surface.python('@gemini.tool\ndef late() -> int:\n    "Come late."\n    return 9')
    assert surface.call("late") == 9
    answer = surface.javascript(
        """
        const tool = (await document.modelContext.getTools()).find(({ name }) => name === "terminal_execute");
        const controller = new AbortController();
        const input = JSON.stringify({ command: "sleep 60" });
        const call = document.modelContext.executeTool(tool, input, { signal: controller.signal });
        controller.abort();
        return call.catch(({ name }) => name);
        """
    )
    assert answer == "AbortError"
    Person(surface).sees('contentinfo "Status" [role=status]', "Ready")
    Person(surface).sees(FACT, "polyfill")


def test_a_service_worker_isolates_the_page_on_a_static_host(open_surface: OpenSurface) -> None:
    surface = open_surface(isolated=False)

    assert surface.javascript("return crossOriginIsolated")
    assert surface.call("terminal_execute", command="echo isolated")["output"] == "isolated\n"
    # Such a host has one origin, and only that is missing.
    Person(surface).click('contentinfo "Status" button "1 missing feature"')
    Person(surface).sees('region "Missing features"', "Isolation of Python from this page")


def test_without_isolation_the_page_works_and_lists_what_is_missing(
    open_surface: OpenSurface, copy_of_dist: CopyOfDist
) -> None:
    surface = open_surface(isolated=False, dist=copy_of_dist(without="service_worker.js"))
    person = Person(surface)

    assert not surface.javascript("return crossOriginIsolated")
    assert surface.call("python_run", code="6 * 7")["result"] == 42
    assert surface.call("terminal_execute", command="cd /tmp && echo $PWD | rev")["output"] == "pmt/\n"
    ended = surface.call("terminal_execute", command="echo before; while :; do :; done", timeout_s=1)
    assert (ended["exit_code"], ended["output"]) == (124, "before\n[timed out after 1 s]\n")
    sleeping = Background(surface, "python_run", {"code": "import asyncio; await asyncio.sleep(60)"})
    sleeping.abort()
    assert sleeping.result() == {"aborted": "AbortError"}
    surface.call("file_write", path="/project/saved.txt", content="saved")
    surface.reload()
    assert surface.call("file_read", path="/project/saved.txt")["content"] == "saved"

    person.click('contentinfo "Status" .warning')
    shown = person.sees('region "Missing features"', "code that never pauses")
    assert "Cross-Origin-Opener-Policy" in shown


def test_another_pyodide_offers_its_functions(open_surface: OpenSurface) -> None:
    surface = open_surface(path="examples/plain-pyodide.html", wait=False)
    Person(surface).sees("#state", "Three tools are registered")

    tools = {tool["name"]: tool for tool in surface.tools()}
    assert set(tools) == {"add", "count_words", "wait"}
    assert tools["add"]["description"] == "Add two numbers."
    assert tools["add"]["inputSchema"]["required"] == ["a", "b"]
    assert surface.call("add", a=1, b=2.5) == 3.5
    assert surface.call("count_words", text="to be or not to be") == {"to": 2, "be": 2, "or": 1, "not": 1}
    assert surface.call("wait", seconds=0) == "waited 0 s"
    answer = surface.javascript(
        """
        const tools = Object.fromEntries((await document.modelContext.getTools()).map((tool) => [tool.name, tool]));
        return JSON.parse(await document.modelContext.executeTool(tools.add, { a: "one" }));
        """
    )
    assert [problem["path"] for problem in answer["error"]["data"]] == ["a", "b"]
    waiting = Background(surface, "wait", {"seconds": 60})
    waiting.abort()
    assert waiting.result() == {"aborted": "AbortError"}
