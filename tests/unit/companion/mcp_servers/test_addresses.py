"""Servers at addresses: headers, their origin, and answers that are too large."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from mcp.server.mcpserver import Context, MCPServer
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from gemini_companion.mcp_servers import addresses
from gemini_companion.mcp_servers.errors import McpServerProblem
from gemini_companion.mcp_servers.setups import http_setup
from tests.unit.companion.mcp_servers.conftest import Bench
from tests.unit.companion.models.upstreams import served


def server() -> MCPServer:
    made = MCPServer("far")

    @made.tool()
    def key(context: Context) -> str:
        """Return the header of the request."""
        request: Any = context.request_context.request
        return request.headers["x-key"]

    @made.tool()
    def much() -> str:
        """Return a long text."""
        return "x" * 2_000_000

    return made


@contextlib.asynccontextmanager
async def far() -> AsyncGenerator[str]:
    """Serve the server, and yield its address."""
    made = server()
    app = made.streamable_http_app()
    async with made.session_manager.run(), served(app) as url:
        yield f"{url}/mcp"


async def add(bench: Bench, url: str) -> None:
    setup, values = http_setup("far", url, {"X-Key": "hunter2hunter2", "Authorization": "Bearer abcdefgh"})
    await bench.store.add(setup, values, in_file=False)


async def test_headers_reach_the_server_and_no_question(bench: Bench) -> None:
    async with far() as url:
        await add(bench, url)
        _, [shown] = await bench.agreed("mcp/tools", "always", server="far")
        assert shown["facts"]["place"] == url
        assert shown["facts"]["values"] == ["Authorization", "X-Key"]
        assert "hunter2" not in str(shown)
        answer, _ = await bench.agreed("mcp/call", "once", server="far", tool="key")
        assert answer["text"] == "hunter2hunter2"
        await bench.servers.aclose()


async def test_an_answer_that_is_too_long_fails_its_call(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(addresses, "LONGEST_BODY", 1_000_000)
    monkeypatch.setattr(addresses, "LONGEST_EVENT", 1_000_000)
    async with far() as url:
        await add(bench, url)
        await bench.start("far")
        with pytest.raises(McpServerProblem):
            await bench.agreed("mcp/call", "once", server="far", tool="much", timeout_s=20)
        await bench.servers.aclose()


async def test_a_redirect_to_another_origin_gets_no_header(bench: Bench) -> None:
    seen: list[str | None] = []

    async def note(request: Request) -> Response:
        seen.append(request.headers.get("x-key"))
        return Response("{}", media_type="application/json")

    async with served(Starlette(routes=[Route("/mcp", note, methods=["GET", "POST"])])) as elsewhere:

        async def lead(_: Request) -> Response:
            return RedirectResponse(f"{elsewhere}/mcp", status_code=307)

        async with served(Starlette(routes=[Route("/mcp", lead, methods=["GET", "POST"])])) as url:
            await add(bench, f"{url}/mcp")
            with pytest.raises(McpServerProblem):
                await bench.start("far")
            await bench.servers.aclose()
    assert seen == []
