"""Code mode in the page: calls without `await`, limits of time, and a client that lists two tools."""

from __future__ import annotations

from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.person import Person
from tests.web.test_tool_list import LISTED, choose

pytestmark = pytest.mark.fortnightly

SHOP = """<title>Tea shop</title><script>
document.modelContext.registerTool({ name: "search-tea", description: "Find tea.",
  inputSchema: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  execute: ({ query }) => ({ content: [{ type: "text", text: JSON.stringify([{ name: query, price: 4 }]) }] }) });
</script>"""


def call(surface: Surface, tool: str, **arguments: Any) -> Any:
    """Call a tool that isn't listed, and return its answer or `{error}`."""
    return surface.javascript("return await gemini.callTool(...arguments)", tool, arguments)


def answer(surface: Surface, code: str, **options: Any) -> list[dict[str, Any]]:
    answered = call(surface, "run", code=code, **options)
    assert "error" not in answered, answered["error"]
    return answered["content"]


def run(surface: Surface, code: str, **options: Any) -> str:
    """Run code as a client in code mode; return the text of the answer."""
    return "\n".join(block.get("text", block["type"]) for block in answer(surface, code, **options))


def failure(surface: Surface, code: str, **options: Any) -> dict[str, Any]:
    """Return the error of code that fails."""
    return call(surface, "run", code=code, **options)["error"]


def test_calls_need_no_await_and_may_have_one(surface: Surface) -> None:
    code = "files.write('/project/tea.txt', 'oolong')\nfiles.read('/project/tea.txt').content"
    assert run(surface, code) == "oolong"
    assert run(surface, "(await files.read('/project/tea.txt')).content") == "oolong"
    assert (
        run(surface, "[terminal.execute(f'echo {n}').output.strip() for n in range(3)]") == "['0', '1', '2']"
    )
    code = "async def one(n): return terminal.execute(f'echo {n}').exit_code\nimport asyncio\n"
    code += "await asyncio.gather(one(1), one(2))"
    assert run(surface, code) == "[0, 0]"
    error = failure(surface, "def f():\n    files.read('/project/none')\nf()")
    assert error["message"].splitlines()[1:] == [
        "  line 3: f()",
        "  line 2 in f: files.read('/project/none')",
    ]


def test_the_stubs_are_files(surface: Surface) -> None:
    call(surface, "find")
    stub = surface.call("file_read", path="/usr/share/control-surface/stubs/browser.pyi")["content"]
    assert "def click(" in stub and "class Acted" in stub
    assert call(surface, "find", query="click a button")["content"][0]["text"].startswith("browser.click(")


@pytest.mark.extended
def test_code_that_never_pauses_is_stopped_at_its_limit(surface: Surface) -> None:
    for code in ("while True: pass", "try:\n    while True: pass\nfinally:\n    while True: pass"):
        error = failure(surface, code, timeout_s=0.3)
        assert "the code ran for 0.3 s and was stopped" in error["message"], error
    assert run(surface, "1 + 1") == "2"


@pytest.mark.extended
def test_stop_ends_code(surface: Surface) -> None:
    code = (
        "import js, pyodide.ffi; js.postMessage(pyodide.ffi.to_js({'type': 'snapshot', 'state': 'started'}, "
        "dict_converter=js.Object.fromEntries))\nmine = 1\nwhile True: pass"
    )
    surface.javascript(
        """
        document.documentElement.dataset.snapshot = "";
        globalThis.stopping = new AbortController();
        const options = { signal: stopping.signal };
        globalThis.stopped = gemini.callTool("run", { code: arguments[0] }, options).catch((error) => String(error));
        """,
        code,
    )
    surface.wait_for("document.documentElement.dataset.snapshot === 'started'")
    surface.javascript("stopping.abort(); return await stopped")
    assert run(surface, "mine") == "1"


@pytest.mark.extended
def test_tasks_outlive_a_call_and_their_output_comes_next(surface: Surface) -> None:
    code = "import asyncio\nmay_end = asyncio.Event()\nasync def late():\n    print('late')\n    await may_end.wait()\n"
    first = run(surface, f"{code}task = asyncio.create_task(late())")
    second = run(surface, "await asyncio.sleep(0)\n1")
    assert "tasks that still run: 1" in first and "late" in first + second
    assert run(surface, "may_end.set()\nawait task\nprint('over')") == "over"


@pytest.mark.extended
def test_a_chart_is_an_image(surface: Surface) -> None:
    [picture] = answer(surface, "browser.screenshot(data=True)")[-1:]
    assert (picture["type"], picture["mimeType"]) == ("image", "image/png")


@pytest.mark.extended
def test_fifty_megabytes_are_cut_and_a_file_has_them(surface: Surface) -> None:
    text = run(surface, "import sys\nfor _ in range(5_000): n = sys.stdout.write('x' * 9_999 + '\\n')")
    assert "of 50,000,000 characters cut; all of it is in /tmp/results/run-" in text and len(text) < 9_000
    path = text.partition("all of it is in ")[2].partition(":")[0]
    assert run(surface, f"import os\nos.path.getsize({path!r})") == "50000000"
    surface.python(f"import os; os.remove({path!r})")


@pytest.mark.extended
def test_a_page_s_tools_are_functions(surface: Surface) -> None:
    surface.call("file_write", path="/project/shop/index.html", content=SHOP)
    surface.call("browser_navigate", url="/project/shop/index.html")
    try:
        listed = run(surface, "site")
        name = listed.splitlines()[1].strip().partition(":")[0]
        assert "Tea shop" in listed
        assert run(surface, f"{name}.search_tea(query='sencha')[0].price") == "4"
        assert "search_tea(query: str)" in run(surface, f"{name}()")
        assert "has no 'buy'; it has search_tea" in failure(surface, f"{name}.buy()")["message"]
    finally:
        surface.call("browser_tabs", action="close")


@pytest.mark.extended
def test_names_are_lost_in_a_reload_and_the_answer_says_so(surface: Surface) -> None:
    run(surface, "rows = [1, 2]\nfiles.write('/project/saved.txt', 'tea')")
    surface.reload()
    text = run(surface, "1")
    assert "Lost: the names " in text and "rows" in text and "/project/saved.txt" in text


@pytest.mark.extended
def test_a_user_chooses_code_for_agents_in_the_browser(surface: Surface, person: Person) -> None:
    choose(person, "code")
    surface.wait_for(f"(async () => String({LISTED}.sort()) === 'find,run')()")
    person.sees('region "Tools for agents in the browser" [role=status]', "Agents see 2 tools.")
    code = """
        const run = (await document.modelContext.getTools()).find(({ name }) => name === "run");
        return JSON.parse(await document.modelContext.executeTool(run, { code: "6 * 7" })).content;
    """
    assert surface.javascript(code) == [{"type": "text", "text": "42"}]
    choose(person, "automatic")
    surface.wait_for(f"(async () => {LISTED}.length > 30)()")
