"""httpx by the browser's fetch: its default transports, which open sockets elsewhere.

A transport that a script gives a client is left alone. The browser unpacks answers and follows redirections by itself.
"""

from typing import Any

from gemini.core import ffi

# The browser sets these.
OWN_OF_BROWSER = frozenset(
    ["host", "connection", "content-length", "transfer-encoding", "accept-encoding", "user-agent"]
)
UNPACKED = frozenset(["content-encoding", "content-length"])


def patch(module: Any) -> None:
    """Replace what a transport does in `module.HTTPTransport` and `module.AsyncHTTPTransport`."""

    def handle_request(_: Any, request: Any) -> Any:
        try:
            got = ffi.exchange(str(request.url), request.method, _headers(request), request.read())
        except OSError as error:
            raise module.ConnectError(str(error), request=request) from error
        return _response(module, request, got)

    async def handle_async_request(_: Any, request: Any) -> Any:
        try:
            got = await ffi.exchange_async(
                str(request.url), request.method, _headers(request), await request.aread()
            )
        except OSError as error:
            raise module.ConnectError(str(error), request=request) from error
        return _response(module, request, got)

    async def leave(*_: Any) -> None:
        """There is no connection to close."""

    nothing = {"__init__": _ignore, "__enter__": _itself, "__exit__": _ignore, "close": _ignore}
    soon = {"__init__": _ignore, "__aenter__": _soon_itself, "__aexit__": leave, "aclose": leave}
    for name, method in {**nothing, "handle_request": handle_request}.items():
        setattr(module.HTTPTransport, name, method)
    for name, method in {**soon, "handle_async_request": handle_async_request}.items():
        setattr(module.AsyncHTTPTransport, name, method)


def _ignore(*_: Any, **__: Any) -> None:
    """There is no connection: no certificates, limits or proxies to set up, and nothing to close."""


def _itself(transport: Any) -> Any:
    return transport


async def _soon_itself(transport: Any) -> Any:
    return transport


def _headers(request: Any) -> dict[str, str]:
    return {name: value for name, value in request.headers.items() if name.lower() not in OWN_OF_BROWSER}


def _response(module: Any, request: Any, got: ffi.Exchanged) -> Any:
    headers = [(name, value) for name, value in got.headers if name not in UNPACKED]
    return module.Response(got.status, headers=headers, content=got.body, request=request)
