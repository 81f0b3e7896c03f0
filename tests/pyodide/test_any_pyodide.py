"""The package in any Pyodide: `await micropip.install(<our wheel>)`, `import gemini`, `await gemini.start()`."""

from __future__ import annotations

from typing import Any

import pytest
from pytest_pyodide import run_in_pyodide
from pytest_pyodide.runner import JavascriptException

pytestmark = pytest.mark.extended


def test_importing_loads_only_the_errors(selenium: Any) -> None:
    loaded = selenium.run(
        """
        import sys
        before = set(sys.modules)
        import gemini
        sorted(set(sys.modules) - before)
        """
    )

    assert loaded == ["gemini", "gemini.errors"]


def test_functions_raise_before_the_start(selenium: Any) -> None:
    with pytest.raises(JavascriptException, match=r"NotStarted: the surface isn't running"):
        selenium.run("import gemini; gemini.create_terminal()")


@run_in_pyodide
async def test_a_terminal_runs_commands(selenium_started):
    import gemini

    terminal = gemini.create_terminal(x=5, y=6)
    result = await terminal.execute("cd /tmp && export A=1 && echo $PWD; echo oops >&2; false")

    assert (result.stdout, result.stderr, result.exit_code) == ("/tmp\n", "oops\n", 1)
    assert not result.success
    assert (terminal.x, terminal.y, terminal.working_dir) == (5, 6, "/tmp")
    assert (await terminal.execute("echo $A | tr 1 2")).stdout == "2\n"
    assert terminal.command_history[-1] == "echo $A | tr 1 2"
    assert any(line.startswith("/tmp $ echo $A") for line in terminal.lines)
    assert terminal.get_state()["id"] == terminal.term_id
    terminal.clear()
    assert "echo" not in "\n".join(terminal.lines)


@run_in_pyodide
async def test_the_namespace_is_complete(selenium_started):
    import gemini

    first = gemini.create_terminal()
    second = gemini.create_terminal()

    assert gemini.terminals[first.term_id] is first
    assert gemini.active_terminal is second
    gemini.terminal_manager.focus(first.term_id)
    assert gemini.active_terminal is first
    assert (await gemini.run_command("echo active")).stdout == "active\n"
    assert (await gemini.run_command("echo named", second.term_id)).stdout == "named\n"
    await gemini.terminal_manager.close(second.term_id)
    assert second.term_id not in gemini.terminals
    assert set(gemini.__all__) <= set(dir(gemini))
    for name in gemini.__all__:
        assert getattr(gemini, name) is not None or name == "active_terminal"


@run_in_pyodide
async def test_files_are_listed_found_and_read(selenium_started):
    from pathlib import Path

    import gemini

    Path("/project/deep/er").mkdir(parents=True, exist_ok=True)
    Path("/project/deep/er/notes.txt").write_text("grüße")

    names = [file.name for file in gemini.list_files("/project")]
    assert names[0] == "deep"
    assert {"README.md", "app.log", "report.py"} <= set(names)
    [found] = gemini.find_file("notes.*", "/project")
    assert (found.path, found.file_type, found.size) == ("/project/deep/er/notes.txt", "text", 7)
    assert found.permissions.startswith("rw-") and found.color.startswith("#")
    assert (found.x, found.y) is not None and found.modified
    assert gemini.file_browser.navigate("deep") is not None
    assert gemini.file_browser.path == "/project/deep"
    assert await gemini.file_browser.read_file("/project/deep/er/notes.txt") == "grüße"
    assert await gemini.file_browser.read_file("/project/deep/er/notes.txt", max_bytes=4) == "grü"
    assert [file.name for file in gemini.file_browser.find_files("**/*.txt", "/project")] == ["notes.txt"]


@run_in_pyodide
async def test_a_script_combines_terminals_and_files(selenium_started):
    import gemini

    reported = []
    term = gemini.create_terminal(x=100, y=100)
    result = await term.execute("cd /project && python report.py")
    if not result.success:
        for log in gemini.find_file("*.log", "/project"):
            if "error" in (await gemini.file_browser.read_file(log.path)).lower():
                reported.append(log.path)

    assert "app.log: 9 lines" in result.stdout
    assert reported == ["/project/app.log"]


@run_in_pyodide
async def test_the_shell_and_python_share_the_filesystem(selenium_started):
    import os
    from pathlib import Path

    import gemini

    await gemini.run_command(
        "mkdir -p /tmp/shared && cd /tmp/shared && printf 'a\\nb\\n' > f && ln -s f link"
    )
    assert Path("/tmp/shared/link").read_text() == "a\nb\n"
    assert os.readlink("/tmp/shared/link") == "f"
    Path("/tmp/shared/f").write_bytes(bytes(range(256)))
    result = await gemini.run_command("wc -c < /tmp/shared/f; md5sum < /tmp/shared/f")
    assert result.stdout.split() == ["256", "e2c865db4162bed963bfaa9ef6ac18f0", "-"]


@run_in_pyodide
async def test_scripts_run_in_separate_namespaces(selenium_started):
    import os
    import sys
    from pathlib import Path

    import gemini

    Path("/tmp/script.py").write_text(
        "import os, sys\n"
        "print(sys.argv[1:], os.getcwd(), os.environ['COLOUR'], sys.stdin.read().strip())\n"
        "os.environ['LEAK'] = '1'; leak = 1; sys.path.append('/leak')\n"
        "sys.exit(7)\n"
    )
    argv, cwd = list(sys.argv), os.getcwd()
    result = await gemini.run_command("cd /tmp && echo in | COLOUR=red python3 script.py a 'b c'")

    assert result.stdout == "['a', 'b c'] /tmp red in\n"
    assert result.exit_code == 7
    assert (sys.argv, os.getcwd()) == (argv, cwd)
    assert "LEAK" not in os.environ and "/leak" not in sys.path
    assert (await gemini.run_command("python -c 'print(\"leak\" in globals())'")).stdout == "False\n"
    assert (await gemini.run_command("python -m json.tool <<< '[1]'")).stdout == "[\n    1\n]\n"
    assert (await gemini.run_command("python3 -c '1/0'")).stderr.endswith(
        "ZeroDivisionError: division by zero\n"
    )


@run_in_pyodide
async def test_a_command_over_its_time_limit_is_ended(selenium_started):
    import gemini

    terminal = gemini.create_terminal()
    for command in ("sleep 60", "while :; do :; done", "python3 -c 'while True: pass'"):
        result = await terminal.execute(f"echo before; {command}", timeout_s=0.5)
        assert (result.stdout, result.exit_code, result.timed_out) == ("before\n", 124, True), command
    assert (await terminal.execute("echo after")).stdout == "after\n"


@run_in_pyodide
async def test_cancelling_a_task_ends_its_command(selenium_started):
    import asyncio

    import gemini

    terminal = gemini.create_terminal()
    task = asyncio.create_task(terminal.execute("echo started; sleep 60"))
    while not any(line.strip() == "started" for line in terminal.lines):
        await asyncio.sleep(0)
    task.cancel()
    try:
        await task
        raise AssertionError("the task was not cancelled")
    except asyncio.CancelledError:
        pass
    assert not terminal.busy
    assert (await terminal.execute("echo after")).stdout == "after\n"


@run_in_pyodide
async def test_errors_are_typed(selenium_started):
    import pytest

    import gemini
    from gemini import errors

    with pytest.raises(errors.FileMissing) as missing:
        gemini.list_files("/project/nowhere")
    assert missing.value.hint
    with pytest.raises(errors.NotADirectory):
        gemini.list_files("/project/README.md")
    with pytest.raises(errors.TerminalMissing):
        await gemini.run_command("true", "term-0")
    terminal = gemini.create_terminal()
    await gemini.terminal_manager.close(terminal.term_id)
    with pytest.raises(errors.TerminalClosed):
        await terminal.execute("true")


@run_in_pyodide
async def test_without_a_page_consent_is_refused(selenium_started):
    import pytest

    import gemini
    from gemini.errors import Refused

    @gemini.tool(effect="outside")
    def outward() -> None:
        """Reach outside."""

    with pytest.raises(Refused, match="no page is open to ask"):
        await gemini.registry.call("outward")
    gemini.registry.remove("outward")


@run_in_pyodide
async def test_a_tool_validates_and_serialises(selenium_started):
    import dataclasses
    import json
    from typing import Literal

    import pytest

    import gemini
    from gemini.errors import InvalidArguments

    @dataclasses.dataclass
    class Area:
        size: float
        unit: str

    @gemini.tool(effect="read")
    def area(width: float, height: float, unit: Literal["m", "ft"] = "m") -> Area:
        """Return the area of a rectangle.

        Args:
            width: The horizontal length.
        """
        return Area(width * height, f"{unit}²")

    assert area(2, 3) == Area(6, "m²")
    assert await gemini.registry.call("area", {"width": 2, "height": 3}) == Area(6, "m²")
    text = await gemini.registry.call_json("area", {"width": 2, "height": 3}, caller="test")
    assert json.loads(text) == {"size": 6, "unit": "m²"}
    with pytest.raises(InvalidArguments) as invalid:
        await gemini.registry.call("area", {"width": "wide", "unit": "mile"})
    assert [problem["path"] for problem in invalid.value.data] == ["width", "height", "unit"]
    assert "'m' or 'ft'" in invalid.value.message
    [row] = [row for row in gemini.registry.rows() if row["name"] == "area"]
    assert row["inputSchema"]["properties"]["unit"] == {"type": "string", "enum": ["m", "ft"], "default": "m"}
    gemini.registry.remove("area")


@run_in_pyodide
async def test_builtin_tools_can_be_called_from_python(selenium_started):
    import gemini

    created = await gemini.registry.call("terminal_create", {"x": 3})
    assert created.x == 3
    result = await gemini.registry.call(
        "terminal_execute", {"command": "echo by tool", "terminal_id": created.terminal_id}
    )
    assert (result["output"], result["exit_code"]) == ("by tool\n", 0)
    assert (
        await gemini.registry.call("python_run", {"code": "await gemini.run_command('echo in') and 1"})
    ).result == 1


def test_a_page_calls_the_tools_over_a_port(selenium: Any) -> None:
    answers = selenium.run_js(
        """
        await pyodide.runPythonAsync(`
            import asyncio, gemini

            @gemini.tool
            async def count(to: int) -> int:
                "Count, and report progress."
                for number in range(1, to + 1):
                    gemini.report_progress(number, to, f"at {number}")
                    await asyncio.sleep(0)
                return to

            @gemini.tool
            async def never() -> None:
                "Never return."
                try:
                    await asyncio.Event().wait()
                finally:
                    ended.append(True)

            ended = []
        `);
        const { port1, port2 } = new MessageChannel();
        const gemini = pyodide.pyimport("gemini");
        const connection = gemini.serve(port1);
        const received = [];
        const waiting = new Map();
        port2.onmessage = ({ data }) => {
          const message = JSON.parse(data);
          if (waiting.has(message.id)) waiting.get(message.id)(message);
          else received.push(message);
        };
        let last = 0;
        const request = (method, params) => new Promise((resolve) => {
          waiting.set(++last, resolve);
          port2.postMessage(JSON.stringify({ jsonrpc: "2.0", id: last, method, params }));
        });
        const counted = await request("tools/call",
          { name: "count", arguments: { to: 3 }, _meta: { caller: "test", progressToken: "token" } });
        const names = (await request("tools/list", {})).result.tools.map(({ name }) => name);
        request("tools/call", { name: "never", arguments: {} });
        port2.postMessage(JSON.stringify(
          { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: last } }));
        const unknown = await request("tools/none", {});
        await request("tools/list", {});
        const ended = pyodide.globals.get("ended").length;
        pyodide.runPython("[gemini.registry.remove(name) for name in ('count', 'never')]");
        await request("tools/list", {});
        port2.close();
        return {
          counted: counted.result, names, received: JSON.stringify(received), unknown: unknown.error.code, ended,
        };
        """
    )
    import json

    received = json.loads(answers["received"])
    progress = [message["params"] for message in received if message["method"] == "notifications/progress"]

    assert answers["counted"] == 3
    assert {"count", "never"} <= set(answers["names"])
    assert progress == [
        {"progressToken": "token", "progress": n, "total": 3, "message": f"at {n}"} for n in (1, 2, 3)
    ]
    assert answers["unknown"] == -32601
    assert answers["ended"] == 1
    assert "notifications/tools/list_changed" in {message["method"] for message in received}


@run_in_pyodide
async def test_starting_twice_returns_the_same_surface(selenium_started):
    import gemini

    assert await gemini.start() is await gemini.start()


def test_pyodides_own_console_is_unchanged(selenium_started: Any) -> None:
    selenium_started.run_async("await gemini.run_command('python3 -c \"print(1); import sys; sys.exit(3)\"')")
    selenium_started.clean_logs()
    selenium_started.run("print('still here')")

    assert "still here" in selenium_started.logs
