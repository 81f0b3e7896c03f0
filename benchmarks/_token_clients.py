"""Clients of tools as `build.py bench tokens` compares them: what they list, call and are answered."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
from _token_table import Recorded
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

MODULES = Path(__file__).parent / "token_clients/node_modules"
TOKENIZER = "o200k_base of gpt-tokenizer"
# One text a line as JSON; prints the number of tokens of each.
COUNT = """
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) console.log(countTokens(JSON.parse(line)));
"""
BASH = {
    "name": "bash",
    "description": "Run a command in bash.",
    "inputSchema": {"type": "object", "properties": {"command": {"type": "string"}}, "required": ["command"]},
}
REF = re.compile(r"(?:\bref=|uid=|\[|\()((?:f\d+)?e\d+|\d+_\d+)\b")


class Tools:
    """The tools of one client.

    Args:
        name: The client's name in the table.
        listed: The list of tools, as the model reads it.
        call: Calls a tool, and returns the text of the answer.
        root: What comes before a page's path in its address.
    """

    def __init__(
        self, name: str, listed: Sequence[Any], call: Callable[[str, dict[str, Any]], Any], root: str
    ) -> None:
        self.name = name
        self.list = json.dumps(list(listed), ensure_ascii=False, separators=(",", ":"))
        self.recorded = Recorded()
        self._call = call
        self._root = root

    @property
    def is_own(self) -> bool:
        """True for the clients of this project."""
        return not self._root.startswith("http:")

    def url(self, page: str) -> str:
        """Return the address of a page of the tasks."""
        return f"{self._root}/{page}"

    async def call(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool, record the call, and return the text of the answer."""
        began = time.perf_counter()
        text = await self._call(tool, arguments)
        self.recorded.seconds += time.perf_counter() - began
        asked = json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False, separators=(",", ":"))
        self.recorded.calls.append((asked, text))
        return text


def ref_of(text: str, *words: str) -> str:
    """Return the ref of the first element in a snapshot whose line has all words."""
    for line in text.splitlines():
        if all(word in line for word in words) and (found := REF.search(line)):
            return found[1]
    raise LookupError(f"no line has {words} in {text[:2_000]}")


def _text(result: Any) -> str:
    """Return what a model reads of a result: its texts."""
    texts = [block.text for block in result.content if block.type == "text"]
    if result.is_error:
        raise RuntimeError("\n".join(texts)[:2_000])
    return "\n".join(texts)


def _rows(listed: Any) -> list[dict[str, Any]]:
    """Return the list as clients give it to models: names, descriptions and schemas of arguments."""
    return [
        {"name": each.name, "description": each.description, "inputSchema": each.input_schema}
        for each in listed.tools
    ]


@asynccontextmanager
async def own(address: str, token: str, lean: set[str], root: str) -> AsyncGenerator[list[Tools]]:
    """Connect to the companion as a client of each profile, and yield the clients.

    Args:
        address: The companion's address for MCP.
        token: A token for it.
        lean: The names of the tools of the lean list.
        root: The folder of the tasks' pages.
    """
    headers = {"Authorization": f"Bearer {token}"}
    async with httpx2.AsyncClient(headers=headers, timeout=120) as http:
        every = Client(streamable_http_client(f"{address}?tools=all", http_client=http))
        code = Client(streamable_http_client(f"{address}?tools=code", http_client=http))
        async with every, code:
            rows = _rows(await every.list_tools())

            async def call(tool: str, arguments: dict[str, Any]) -> str:
                return _text(await every.call_tool(tool, arguments))

            async def run(tool: str, arguments: dict[str, Any]) -> str:
                return _text(await code.call_tool(tool, arguments))

            async def bash(tool: str, arguments: dict[str, Any]) -> str:
                return json.loads(_text(await every.call_tool("terminal_execute", arguments)))["output"]

            yield [
                Tools("full list", rows, call, root),
                Tools("lean list", [row for row in rows if row["name"] in lean], call, root),
                Tools("code mode", _rows(await code.list_tools()), run, root),
                Tools("shell only", [BASH], bash, root),
            ]


@asynccontextmanager
async def foreign(name: str, command: Sequence[str], root: str, folder: Path) -> AsyncGenerator[Tools]:
    """Start an MCP server of an npm package in a folder, and yield its client."""
    program = StdioServerParameters(command=command[0], args=[*command[1:]], cwd=folder)
    async with Client(stdio_client(program)) as client:

        async def call(tool: str, arguments: dict[str, Any]) -> str:
            return _text(await client.call_tool(tool, arguments))

        yield Tools(name, _rows(await client.list_tools()), call, root)


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Return the number of tokens of each text, by `TOKENIZER`."""
    lines = "".join(json.dumps(text) + "\n" for text in texts)
    command = ["node", "--input-type=module", "--eval", COUNT]
    done = subprocess.run(
        command, input=lines, capture_output=True, text=True, check=True, cwd=MODULES.parent
    )
    return [int(line) for line in done.stdout.split()]
