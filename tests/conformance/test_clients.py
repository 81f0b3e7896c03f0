"""Two programs by others use one page: the Inspector over MCP, and chrome-devtools-mcp through the browser."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.serving.app import Companion
from gemini_testing import Surface
from tests.conformance.clients import INSPECTOR, NODE, devtools

pytestmark = pytest.mark.extended

Inspect = Callable[..., Any]


@pytest.fixture
def inspect(companion: Companion, tmp_path: Path) -> Inspect:
    """`inspect(method, *options)` returns the parsed JSON that the Inspector's CLI prints."""

    def inspect(method: str, *options: str) -> Any:
        target = ["--cli", companion.mcp_url, "--transport", "http"]
        token = ["--header", f"Authorization: Bearer {companion.token}"]
        done = subprocess.run(
            [NODE, INSPECTOR, *target, *token, "--method", method, *options],
            # It saves a catalogue of servers in the home folder.
            env={**os.environ, "HOME": str(tmp_path), "USERPROFILE": str(tmp_path)},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return inspect


def call(inspect: Inspect, tool: str, /, **arguments: str) -> Any:
    given = [f"{name}={value}" for name, value in arguments.items()]
    return inspect("tools/call", "--tool-name", tool, "--tool-arg", *given)["structuredContent"]


def test_both_list_the_tools_of_the_page(surface: Surface, inspect: Inspect) -> None:
    async def listed() -> str:
        async with devtools(surface) as other:
            return await other.tools()

    listing = asyncio.run(listed())
    own = [tool["name"] for tool in inspect("tools/list")["tools"]]
    assert {"terminal_execute", "browser_click", "test_simple_text"} <= set(own)
    # The companion's own tools are in no page.
    ours = {"call_page_tool"}
    assert {name for name in own if f'name="{name}"' not in listing} == ours


def test_each_client_reads_what_the_other_wrote(surface: Surface, inspect: Inspect) -> None:
    # Each client has its own terminal; both see the same files.
    call(inspect, "file_write", path="/project/inspector.txt", content="by the Inspector")
    assert call(inspect, "terminal_execute", command="echo yes > /project/seen.txt")["exit_code"] == 0

    async def use() -> tuple[Any, Any]:
        async with devtools(surface) as other:
            read = await other.execute("file_read", path="/project/inspector.txt")
            ran = await other.execute(
                "terminal_execute", command="cat /project/seen.txt > /project/devtools.txt"
            )
            return read, ran

    read, ran = asyncio.run(use())
    assert read["content"] == "by the Inspector"
    assert ran["exit_code"] == 0
    assert call(inspect, "file_read", path="/project/devtools.txt")["content"] == "yes\n"


def test_the_inspector_reads_what_the_page_offers(surface: Surface, inspect: Inspect) -> None:
    [content] = inspect("resources/read", "--uri", "test://template/7/data")["contents"]
    assert json.loads(content["text"])["data"] == "Data for ID: 7"
    [message] = inspect(
        "prompts/get",
        "--prompt-name",
        "test_prompt_with_arguments",
        "--prompt-args",
        "arg1=one",
        "arg2=two",
    )["messages"]
    assert message["content"]["text"] == "Prompt with arguments: arg1='one', arg2='two'"
