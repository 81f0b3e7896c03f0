"""A server at an address: streamable HTTP with headers, a limit for answers, and sign-in by OAuth.

The SDK follows redirects within the server's origin alone, so headers and tokens reach no other.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping

import httpx2
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from gemini_companion.mcp_servers.program import Streams
from gemini_companion.mcp_servers.setups import ServerSetup

LONGEST_EVENT = 64 * 1024 * 1024
# Of an answer that isn't a stream of events.
LONGEST_BODY = 64 * 1024 * 1024


class _Bounded(httpx2.AsyncByteStream):
    """A body that ends with an error when it gets too long."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        read = 0
        async for chunk in self._stream:
            read += len(chunk)
            if read > LONGEST_BODY:
                raise httpx2.StreamError(f"the answer is longer than {LONGEST_BODY:,} bytes")
            yield chunk

    async def aclose(self) -> None:
        """Close the body."""
        await self._stream.aclose()


async def _bound(response: httpx2.Response) -> None:
    """Limit the length of an answer. Streams of events have their own limit, for each event."""
    is_events = response.headers.get("content-type", "").lower().startswith("text/event-stream")
    if not is_events and isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _Bounded(response.stream)


@contextlib.asynccontextmanager
async def connected(
    setup: ServerSetup, headers: Mapping[str, str], auth: httpx2.Auth | None
) -> AsyncGenerator[Streams]:
    """Connect to a server's address, and yield the streams of its messages.

    Args:
        setup: The server.
        headers: The values of its headers.
        auth: Signs its requests in.
    """
    client = create_mcp_http_client(headers=dict(headers), auth=auth)
    client.event_hooks["response"].append(_bound)
    async with (
        client,
        streamable_http_client(setup.url, http_client=client, max_sse_event_size=LONGEST_EVENT) as streams,
    ):
        yield streams  # pyright: ignore[reportReturnType] - the SDK's streams carry a context, too
