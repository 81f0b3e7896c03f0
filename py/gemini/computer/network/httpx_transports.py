"""Default transports of httpx that use the browser's fetch.

A transport that a script passes to a client is unchanged. The browser decompresses answers and follows redirects.
"""

from collections.abc import AsyncIterator, Iterator
from typing import Any

from gemini.core import ffi

# The browser sets these itself.
SET_BY_BROWSER = frozenset(
    ["host", "connection", "content-length", "transfer-encoding", "accept-encoding", "user-agent"]
)
DECOMPRESSED = frozenset(["content-encoding", "content-length"])


def patch(module: Any) -> None:
    """Replace the methods of `module.HTTPTransport` and `module.AsyncHTTPTransport`."""

    def handle_request(_: Any, request: Any) -> Any:
        try:
            answer = ffi.open_request(str(request.url), request.method, _headers(request), request.read())
        except OSError as error:
            raise module.ConnectError(str(error), request=request) from error
        return _response(module, request, answer)

    async def handle_async_request(_: Any, request: Any) -> Any:
        try:
            answer = await ffi.open_request_async(
                str(request.url), request.method, _headers(request), await request.aread()
            )
        except OSError as error:
            raise module.ConnectError(str(error), request=request) from error
        return _response(module, request, answer)

    async def ignore(*_: Any) -> None:
        """Do nothing: there is no connection to close."""

    sync_methods = {"__init__": _ignore, "__enter__": _itself, "__exit__": _ignore, "close": _ignore}
    async_methods = {"__init__": _ignore, "__aenter__": _async_itself, "__aexit__": ignore, "aclose": ignore}
    for name, method in {**sync_methods, "handle_request": handle_request}.items():
        setattr(module.HTTPTransport, name, method)
    for name, method in {**async_methods, "handle_async_request": handle_async_request}.items():
        setattr(module.AsyncHTTPTransport, name, method)


def _ignore(*_: Any, **__: Any) -> None:
    """Do nothing: without connections there are no certificates, limits or proxies to set up, and nothing to close."""


def _itself(transport: Any) -> Any:
    return transport


async def _async_itself(transport: Any) -> Any:
    return transport


def _headers(request: Any) -> dict[str, str]:
    return {name: value for name, value in request.headers.items() if name.lower() not in SET_BY_BROWSER}


def _response(module: Any, request: Any, answer: ffi.Arriving | ffi.Response) -> Any:
    headers = [(name, value) for name, value in answer.headers if name.lower() not in DECOMPRESSED]
    if isinstance(answer, ffi.Response):
        return module.Response(answer.status, headers=headers, content=answer.body, request=request)
    return module.Response(answer.status, headers=headers, stream=_stream_of(module, answer), request=request)


def _stream_of(module: Any, answer: ffi.Arriving) -> Any:
    class Stream(module.SyncByteStream, module.AsyncByteStream):  # type: ignore[misc]
        def __iter__(self) -> Iterator[bytes]:
            while piece := ffi.wait(self._piece()):
                yield piece

        async def __aiter__(self) -> AsyncIterator[bytes]:
            while piece := await self._piece():
                yield piece

        async def _piece(self) -> bytes:
            try:
                return await answer.piece()
            except OSError as error:
                raise module.ReadError(str(error)) from error

        def close(self) -> None:
            answer.close()

        async def aclose(self) -> None:
            answer.close()

    return Stream()
