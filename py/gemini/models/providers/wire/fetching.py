"""An httpx2 transport that uses the browser's fetch (https://fetch.spec.whatwg.org).

The default transport, httpx2-jsfetch, doesn't abort cancelled requests: a local model would keep generating for
minutes.
"""

from collections.abc import AsyncIterator

import httpx2

from gemini.core import ffi


class FetchTransport(httpx2.AsyncBaseTransport):
    """Sends requests, and aborts them when they are cancelled or their responses are closed."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request by fetch.

        Raises:
            httpx2.ConnectError: The server can't be reached.
        """
        headers = {
            name: value for name, value in request.headers.items() if name not in ("host", "user-agent")
        }
        try:
            fetched = await ffi.fetch(str(request.url), request.method, headers, await request.aread())
        except OSError as error:
            raise httpx2.ConnectError(str(error), request=request) from error
        return httpx2.Response(fetched.status, headers=fetched.headers, stream=_Stream(fetched, request))


class _Stream(httpx2.AsyncByteStream):
    def __init__(self, fetched: ffi.StreamingResponse, request: httpx2.Request) -> None:
        self._fetched = fetched
        self._request = request

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for piece in self._fetched.pieces():
                yield piece
        except OSError as error:
            raise httpx2.ReadError(str(error), request=self._request) from error

    async def aclose(self) -> None:
        self._fetched.abort()
