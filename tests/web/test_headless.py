"""A headless companion: a complete MCP server that opens its own page."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError

from gemini_companion.mcp.prompts import PROMPTS
from gemini_testing.html_page import serving_html
from tests.browsers import PROC, browsers_of

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples/mcp_client.py"
ENDED_WITHIN_S = 20

pytestmark = [
    pytest.mark.fortnightly,
    pytest.mark.skipif(not PROC.is_dir(), reason="browsers are found by /proc"),
]


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    return tmp_path / "data/control-surface/browser/headless"


@pytest.fixture
def command(surface_dist: Path, tmp_path: Path, profile: Path) -> Path:
    """Create a `control-surface` command like an installed wheel's."""
    program = tmp_path / "bin/control-surface"
    program.parent.mkdir()
    start = f"exec {sys.executable} -m gemini_companion"
    options = f"--dist {surface_dist} --profile {profile} --port 0"
    program.write_text(f'#!/bin/sh\nPYTHONPATH={ROOT}/py {start} "$@" {options}\n')
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program


async def wait_for_exit(profile: Path) -> None:
    async with asyncio.timeout(ENDED_WITHIN_S):
        # Only a parent is notified of a process's end.
        while browsers_of(profile):
            await asyncio.sleep(0.05)


@asynccontextmanager
async def connected(command: Path, *options: str) -> AsyncGenerator[Client]:
    words = ["mcp", "--headless", *options]
    server = StdioServerParameters(command=str(command), args=words, env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        yield client


def test_the_example_starts_and_uses_a_surface(command: Path, profile: Path) -> None:
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 60
    path = f"{command.parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        [sys.executable, str(EXAMPLE)],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Hello from" in ran.stdout
    assert '"Pressed 1"' in ran.stdout
    asyncio.run(wait_for_exit(profile))


@pytest.mark.extended
async def test_calls_that_need_consent_are_refused_without_a_user(command: Path) -> None:
    async with connected(command) as client:
        answer = await client.call_tool("browser_navigate", {"url": "https://example.com/"})
    assert answer.is_error
    assert answer.structured_content["error"]["type"] == "Refused"
    assert "nobody is at the page" in answer.structured_content["error"]["message"]


async def test_a_site_that_the_command_allows_is_read_in_the_companion_s_browser(command: Path) -> None:
    with serving_html(Path("none.js")) as site:
        site.files["/page.html"] = "<!doctype html><title>Elsewhere</title><button>Press me</button>"
        async with connected(command, "--allow-site", site.url) as client:
            opened = await client.call_tool("browser_navigate", {"url": f"{site.url}/page.html"})
            assert opened.structured_content["title"] == "Elsewhere"
            shown = await client.call_tool("browser_snapshot", {})
            assert '"Press me"' in str(shown.content)
            refused = await client.call_tool("browser_navigate", {"url": f"{site.other_url}/page.html"})
            assert refused.structured_content["error"]["type"] == "Refused"


@pytest.mark.extended
async def test_a_browser_that_ends_is_restarted_with_its_files(command: Path, profile: Path) -> None:
    async with connected(command) as client:
        await client.call_tool("file_write", {"path": "/project/saved.txt", "content": "saved"})
        [before] = browsers_of(profile)
        waiting = asyncio.create_task(client.call_tool("terminal_execute", {"command": "sleep 600"}))
        listed = await client.call_tool("file_list", {"path": "/project"})
        assert "saved.txt" in str(listed.structured_content)
        os.kill(before, signal.SIGKILL)
        assert (await waiting).is_error
        answer = await client.call_tool("file_read", {"path": "/project/saved.txt"})
        assert answer.structured_content["content"] == "saved"
        assert browsers_of(profile) != [before]
    await wait_for_exit(profile)


@pytest.mark.extended
async def test_a_companion_that_is_killed_leaves_no_browser_behind(
    surface_dist: Path, command: Path, profile: Path
) -> None:
    process = await asyncio.create_subprocess_exec(
        str(command), "serve", "--headless", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    async with asyncio.timeout(ENDED_WITHIN_S):
        while not browsers_of(profile):
            await asyncio.sleep(0.05)
    process.kill()
    await process.wait()
    await wait_for_exit(profile)


@pytest.mark.extended
async def test_process_lists_contain_no_code_and_no_token(command: Path, profile: Path) -> None:
    process = await asyncio.create_subprocess_exec(
        str(command), "serve", "--headless", stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    output = b""
    while b"Bearer" not in output:
        output += await process.stdout.readline()
    token = output.split()[-1]
    assert b"companion=" not in output
    async with asyncio.timeout(ENDED_WITHIN_S):
        while not browsers_of(profile):
            await asyncio.sleep(0.05)
    commands = [(PROC / str(each) / "cmdline").read_bytes() for each in [process.pid, *browsers_of(profile)]]
    assert len(token) == 43 and not any(token in each or b"companion=" in each for each in commands)
    process.terminate()
    await process.communicate()
    assert process.returncode == 0
    await wait_for_exit(profile)


@pytest.mark.extended
async def test_prompts_are_listed_and_filled(command: Path) -> None:
    async with connected(command) as client:
        listed = (await client.list_prompts()).prompts
        assert [prompt.name for prompt in listed] == list(PROMPTS)
        for prompt in listed:
            given = {argument.name: f"<{argument.name}>" for argument in prompt.arguments or []}
            [message] = (await client.get_prompt(prompt.name, given)).messages
            assert all(value in str(message.content) for value in given.values())
            with pytest.raises(MCPError, match=f"the prompt {prompt.name} needs"):
                await client.get_prompt(prompt.name, {})
