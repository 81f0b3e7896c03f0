"""The task of `build.py bench tokens` with another MCP server: search its repositories, and star one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from _token_clients import Tools
from _token_server import ALL
from _token_tasks import Task

from gemini_companion.mcp_servers.setups import stdio_setup
from gemini_companion.mcp_servers.store import ServerStore
from gemini_testing.surface import Surface
from tests.web.person import QUESTION, Person

SERVER = "repos"
WORD = "cache"
BEST = max((each for each in ALL if WORD in each.about), key=lambda each: each.stars).name
SWITCH = "from gemini.kernel.kernel import kernel; kernel.registry.groups.switch('mcp', {on})"


async def add(starred: Path) -> None:
    """Add the server to the companion's, as one that the user has allowed to start."""
    store = ServerStore()
    program = Path(__file__).with_name("_token_server.py")
    setup, values = stdio_setup(SERVER, sys.executable, [str(program), str(starred)], {})
    await store.add(setup, values, in_file=False)
    store.change(store.get(SERVER), allowed=setup.digest)


def switch_on(surface: Surface) -> None:
    """Switch the tools of servers on, as the user does in the settings."""
    surface.python(SWITCH.format(on=True))


def answer(surface: Surface, questions: int) -> None:
    """Agree to so many questions once each, as the user does: a server's text from outside pauses other permissions."""
    for _ in range(questions):
        number = surface.wait_for(QUESTION)
        Person(surface).answer_until(f"{QUESTION} !== arguments[0]", number)


async def own(tools: Tools) -> str:
    """Solve the task with our list."""
    await tools.call("mcp_tools", server=SERVER)
    asked = {"server": SERVER, "tool": "search_repositories", "arguments": {"query": WORD}}
    rows = json.loads(await tools.call("mcp_call", **asked))["structured"]["result"]
    best = max(rows, key=lambda row: row["stars"])
    asked = {"server": SERVER, "tool": "star_repository", "arguments": {"name": best["name"]}}
    return await tools.call("mcp_call", **asked)


async def code(tools: Tools) -> str:
    """Solve the task in code mode."""
    await tools.call("find", query="search repositories and star one")
    block = (
        f"rows = mcp.repos.search_repositories('{WORD}')\n"
        "mcp.repos.star_repository(max(rows, key=lambda row: row.stars).name)"
    )
    return await tools.call("run", code=block)


def task(starred: Path) -> Task:
    """Return the task, whose server writes the starred repositories to a file."""
    return Task(
        "search and star by a second MCP server",
        {},
        lambda answer, files: starred.read_text().split()[-1] == BEST,
        own,
        code,
        has_lean=False,
        questions=2,
    )
