"""An MCP server of the SDK, as a program: `python honest_server.py`."""

from __future__ import annotations

import asyncio
import base64
import os
import sys
from typing import Annotated

from mcp.server.mcpserver import (
    AcceptedElicitation,
    Context,
    Elicit,
    ElicitationResult,
    Image,
    MCPServer,
    Resolve,
)
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel

server = MCPServer("honest", instructions="Add before you count.")
PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Sum(BaseModel):
    """A sum."""

    total: int


class Color(BaseModel):
    """A choice."""

    color: str
    loud: bool = False


@server.tool()
def add(a: int, b: int = 1) -> Sum:
    """Add two numbers."""
    return Sum(total=a + b)


@server.tool()
def picture() -> Image:
    """Draw a pixel."""
    return Image(data=PIXEL, format="png")


@server.tool()
def fail() -> str:
    """Fail."""
    raise ToolError("the shelf is empty")


@server.tool()
def variable(name: str) -> str:
    """Return a variable of the program."""
    return os.environ.get(name, "(none)")


@server.tool()
async def count(context: Context, until: int = 3) -> str:
    """Count, with progress."""
    for number in range(until):
        await context.report_progress(number + 1, until, f"at {number + 1}")
    return "counted"


def which_color() -> Elicit[Color]:
    return Elicit("Which color?", Color)


@server.tool()
async def choose(answer: Annotated[ElicitationResult[Color], Resolve(which_color)]) -> str:
    """Ask the user for a color."""
    return (
        f"{answer.action} {answer.data.color}" if isinstance(answer, AcceptedElicitation) else answer.action
    )


@server.tool()
async def sleep() -> str:
    """Never answer."""
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        print("cancelled", file=sys.stderr, flush=True)
        raise
    return ""


@server.tool()
def end() -> str:
    """End the program without an answer."""
    print("out of ink", file=sys.stderr, flush=True)
    os._exit(3)


@server.tool()
async def grow(context: Context) -> str:
    """Offer one more tool."""

    def shrink() -> str:
        """Come later."""
        return "shrunk"

    server.add_tool(shrink)
    await context.notify_tools_changed()
    return "grown"


@server.resource("note://today")
def note() -> str:
    """Return a note."""
    return "Buy milk."


if __name__ == "__main__":
    server.run("stdio")
