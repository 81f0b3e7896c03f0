"""An agent whose file says `python: own` has an interpreter in a worker of its own."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from gemini_testing import Surface
from tests.web.conftest import Start

SETUP = """
import asyncio, json, time
import gemini
from gemini.agents import ScriptedModel, call, say
from gemini.errors import GeminiError
from gemini.python import own
from gemini.python.owners import own_python
from gemini.tools import registry

async def as_agent(tool, owner="loner", **arguments):
    own_python.set(owner)
    try:
        return await registry.call_json(tool, arguments, caller=f"agent:{owner}")
    except GeminiError as error:
        return {"error": {"type": error.type, "message": error.message}}
"""
Ask = Callable[..., Any]


@pytest.fixture(scope="module")
def page(surface_of_module: Surface) -> Surface:
    surface_of_module.python(SETUP)
    return surface_of_module


@pytest.fixture(scope="module")
def ask(page: Surface) -> Ask:
    """Call a tool as the agent."""

    def ask(tool: str, owner: str = "loner", **arguments: Any) -> Any:
        code = f"await as_agent({tool!r}, {owner!r}, **json.loads({json.dumps(arguments)!r}))"
        return (
            page.python(f"asyncio.create_task({code[6:]}) and None")
            if False
            else _decoded(page.python(f"str(await asyncio.create_task({code[6:]}))"))
        )

    return ask


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def test_x(page: Surface, ask: Ask) -> None:
    print(ask("python_run", code="x = 1; import sys; sys.version"))
    print(ask("python_run", code="x + 1"))
    print(page.python("own.current().rows()"))
    print(ask("python_run", code="import os; os.listdir('/project'), os.getcwd()"))
    print(
        ask(
            "terminal_execute",
            command="echo 'import sys, os; print(sys.argv, os.getcwd(), sys.stdin.read())' > /project/a.py; echo hi | python3 /project/a.py 1 2; python3 -c 'import os; open(\"/project/n.txt\",\"w\").write(\"n\" * 100000)'; wc -c n.txt; python3 -c 'import subprocess; subprocess.run([\"ls\"])'; python3 -c 'import x'; yes | head -c 100000 | python3 -c 'import sys; print(sum(1 for _ in sys.stdin))'",
        )
    )
    print(ask("python_run", code="bytearray(1 << 30)"))
    print(ask("python_run", code="import js; js.location.href"))
    print(
        ask("python_run", code="import urllib.request; urllib.request.urlopen('https://example.com').read()")
    )
    print(page.python("own.current().rows()"))
    assert 0
