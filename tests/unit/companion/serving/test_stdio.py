"""`control-surface mcp`: clients that start their server themselves use its standard input and output."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import TextResourceContents

from gemini import manual
from tests.unit.companion.surface import TOOL, small_surface

PACKAGES = Path(__file__).parents[4] / "py"
COMMAND = [sys.executable, "-m", "gemini_companion", "mcp"]

Begin = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    return [*COMMAND[1:], "--dist", str(small_surface(tmp_path / "dist"))]


@pytest.fixture
def begin(arguments: list[str]) -> Iterator[Begin]:
    """`begin(*more)` starts the command, which ends with the test."""
    with ExitStack() as stack:

        def begin(*more: str) -> subprocess.Popen[str]:
            process = subprocess.Popen(
                [sys.executable, *arguments, *more],
                env={**os.environ, "PYTHONPATH": str(PACKAGES)},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            stack.enter_context(process)
            stack.callback(process.kill)
            return process

        yield begin


def printed_url(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline().split()[1]


async def test_the_command_can_list_the_tools_of_code_mode(arguments: list[str], tmp_path: Path) -> None:
    code = [{**TOOL, "name": name, "code": True} for name in ("run", "find")]
    (tmp_path / "dist/tools.json").write_text(json.dumps({"tools": [TOOL, *code]}), encoding="utf-8")
    more = ["--port", "0", "--tools", "code"]
    server = StdioServerParameters(
        command=sys.executable, args=[*arguments, *more], env={"PYTHONPATH": str(PACKAGES)}
    )
    async with Client(stdio_client(server)) as client:
        assert [tool.name for tool in (await client.list_tools()).tools] == ["run", "find"]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_tools_are_listed_and_a_call_without_a_page_says_what_to_open(
    arguments: list[str], mode: Any
) -> None:
    server = StdioServerParameters(
        command=sys.executable, args=[*arguments, "--port", "0"], env={"PYTHONPATH": str(PACKAGES)}
    )
    async with Client(stdio_client(server), mode=mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert names == ["look", "call_page_tool"]
        answer = await client.call_tool("look", {})
        assert answer.is_error
        content = str(answer.structured_content)
        assert re.search(r"open http://127\.0\.0\.1:\d+/ in a browser", content)
        assert "build.py url" in content and "#" not in content
        [prompt, *_] = (await client.list_prompts()).prompts
        assert prompt.name == "use_the_surface"
        # An agent that knows nothing finds the manual.
        assert client.instructions == manual.TEXT
        assert manual.URI in [str(each.uri) for each in (await client.list_resources()).resources]
        [content] = (await client.read_resource(manual.URI)).contents
        assert isinstance(content, TextResourceContents) and content.text == manual.TEXT


def test_it_ends_when_the_client_closes_its_input(begin: Begin) -> None:
    process = begin("--port", "0")
    printed_url(process)
    rest, problems = process.communicate()
    assert (process.returncode, rest, problems) == (0, "", "")


@pytest.mark.extended
@pytest.mark.skipif(sys.platform == "win32", reason="Windows ends processes without asking them")
def test_it_ends_on_sigterm(begin: Begin) -> None:
    process = begin("--port", "0")
    printed_url(process)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 0


@pytest.mark.extended
def test_a_client_that_has_left_is_no_failure(begin: Begin) -> None:
    process = begin("--port", "0")
    printed_url(process)
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None
    process.stdout.close()
    process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}) + "\n")
    process.stdin.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0


@pytest.mark.extended
def test_each_process_takes_its_own_port(begin: Begin) -> None:
    urls = [printed_url(begin()) for _ in range(2)]
    ports = [int(re.findall(r":(\d+)/", url)[0]) for url in urls]
    assert len(set(ports)) == 2


@pytest.mark.fortnightly
def test_a_named_port_that_is_taken_is_reported(begin: Begin) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = begin("--port", str(taken.getsockname()[1]))
        _, errors = process.communicate()
    assert process.returncode == 1
    assert "is in use" in errors or "taken" in errors


@pytest.mark.extended
def test_headless_without_a_browser_says_what_to_do(begin: Begin, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHROME_BIN", "/nowhere")
    process = begin("--port", "0", "--headless")
    _, errors = process.communicate()
    assert process.returncode == 1
    assert "CHROME_BIN names /nowhere, which isn't a file. Install" in errors and "Traceback" not in errors


@pytest.mark.extended
@pytest.mark.parametrize(
    ("code", "reason"), [(3, "the browser ended with code 3"), (21, "since another browser uses ")]
)
@pytest.mark.skipif(sys.platform == "win32", reason="the browser here is a shell script")
async def test_a_browser_that_ends_at_once_is_reported_and_restarted_with_pauses(
    arguments: list[str], tmp_path: Path, code: int, reason: str
) -> None:
    starts = tmp_path / "starts"
    browser = tmp_path / "chromium"
    browser.write_text(f"#!/bin/sh\necho >> {starts}\nexit {code}\n")
    browser.chmod(0o755)
    env = {"PYTHONPATH": str(PACKAGES), "CHROME_BIN": str(browser), "XDG_DATA_HOME": str(tmp_path)}
    server = StdioServerParameters(
        command=sys.executable, args=[*arguments, "--port", "0", "--headless"], env=env
    )
    async with Client(stdio_client(server)) as client:
        for _ in range(2):
            answer = await client.call_tool("look", {})
            assert answer.is_error
            assert reason in answer.structured_content["error"]["message"]
    # Pauses grow from half a second.
    assert 1 <= len(starts.read_text().splitlines()) <= 6


@pytest.mark.fortnightly
@pytest.mark.skipif(
    sys.platform != "linux", reason="the browser here is a shell script, on a screen that isn't there"
)
async def test_the_arguments_of_a_window_reveal_nothing_to_other_users(
    arguments: list[str], tmp_path: Path
) -> None:
    started = tmp_path / "started"
    browser = tmp_path / "chromium"
    # Prints the modes of the last argument's file and its folder, and the file.
    inspect = (
        'for last; do :; done; file="${last#file://}"; stat -c %a "$file" "$(dirname "$file")"; cat "$file"'
    )
    browser.write_text(
        f'#!/bin/sh\n{{ echo "$@"; {inspect}; }} > {started}.part\nmv {started}.part {started}\nsleep 60\n'
    )
    browser.chmod(0o755)
    env = {
        **os.environ,
        "PYTHONPATH": str(PACKAGES),
        "CHROME_BIN": str(browser),
        "DISPLAY": ":0",
        "XDG_RUNTIME_DIR": str(tmp_path / "run"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    words = [arguments[0], arguments[1], "serve", *arguments[3:], "--port", "0"]
    process = await asyncio.create_subprocess_exec(sys.executable, *words, env=env, stdout=subprocess.PIPE)
    assert process.stdout is not None
    async with asyncio.timeout(60):
        while not started.exists():
            await asyncio.sleep(0.05)
    command, mode, folder_mode, *page = started.read_text(encoding="utf-8").splitlines()
    code = re.findall(r"#companion=([\w-]{43})", "\n".join(page))[0]
    assert (mode, folder_mode) == ("600", "700")
    assert code not in command and "#" not in command
    assert code not in Path(f"/proc/{process.pid}/cmdline").read_text(encoding="utf-8")
    process.terminate()
    printed, _ = await process.communicate()
    assert code.encode() not in printed and b"python3 build.py url --port " in printed
    # Nothing is left, although the code was not used.
    assert list((tmp_path / "run/control-surface").iterdir()) == []
