"""The companion as an MCP client, for the official suite: `python -m tests.conformance.foreign_client URL`.

The user of this client agrees to everything, and their browser follows the redirects of a sign-in.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gemini_companion.mcp_servers.access import McpAccess
from gemini_companion.mcp_servers.servers import McpServers
from gemini_companion.mcp_servers.setups import http_setup
from gemini_companion.mcp_servers.store import ServerStore
from gemini_companion.mcp_servers.versions import Versions
from gemini_companion.models.key_file import KeyFile
from gemini_companion.pages.consent import Decision, Questions
from tests.unit.companion.keyrings import memory_keyring

NAME = "suite"


class Agreeable(Questions):
    """Answers as a user who agrees, with the defaults of forms."""

    async def ask(self, kind: str, facts: Mapping[str, Any], *_: Any, **__: Any) -> Any:
        fields = facts.get("fields", ())
        return Decision(
            "once", filled={each["name"]: each["default"] for each in fields if "default" in each}
        )


def follow(address: str) -> None:
    """Open an address as a browser does; its redirects lead back to the client."""
    with urllib.request.urlopen(address, timeout=30) as answer:
        answer.read()


async def use(url: str) -> None:
    """Connect to a server, and call each of its tools."""
    folder = Path(tempfile.mkdtemp())
    servers = McpServers(
        ServerStore(folder / "servers.json", KeyFile(folder / "keys.json")), open_page=follow
    )
    setup, values = http_setup(NAME, url, {})
    await servers.store.add(setup, values, in_file=False)
    questions = Agreeable(lambda *_: None)
    page = McpAccess(servers, Versions(folder / "tools.json")).for_page(questions, lambda *_: None).handlers()
    listed = await page["mcp/tools"]({"server": NAME})
    for tool in listed["tools"]:
        arguments = {name: 2 for name in tool["input"].get("properties", {})}
        answer = await page["mcp/call"]({"server": NAME, "tool": tool["name"], "arguments": arguments})
        print(tool["name"], answer["text"] or answer.get("structured"))
    await servers.aclose()


def main() -> None:
    """Run the client, with a keyring in memory."""
    with memory_keyring():
        asyncio.run(use(sys.argv[1]))


if __name__ == "__main__":
    main()
