"""Servers in the page: sockets between programs of the surface, and requests to what listens there.

A browser has no sockets, so listening ports and connections are in memory. Only what listens in the page is reached
this way; everything else takes the network door (gemini.computer.network).

| module | content |
|---|---|
| `ports` | the table of listening ports, and connections |
| `sockets` | the methods of `socket.socket`, and `select`, for these connections |
| `library` | what `socketserver` does with threads |
| `event_loop` | asyncio's servers and connections |
| `requests` | one HTTP request to a port, for tabs and for the kernel's fetch |
| `websocket` | the protocol of WebSockets, for both sides |
| `pages`, `page_sockets` | answers and WebSockets for the pages of tabs |
| `command`, `main`, `asgi`, `asgi_websocket` | the command `serve` |
"""

from __future__ import annotations

import asyncio
import functools
import select
import selectors
import site
import socket
import sys
import sysconfig
from collections.abc import Callable
from importlib import import_module
from typing import Any

from gemini.computer.network.importing import when_imported
from gemini.core import ffi

PORTS, REQUESTS = f"{__name__}.ports", f"{__name__}.requests"
SOCKETS, LIBRARY, EVENT_LOOP = (f"{__name__}.{module}" for module in ("sockets", "library", "event_loop"))
METHODS = (
    "accept", "bind", "connect", "connect_ex", "getpeername", "getsockname", "getsockopt", "listen", "recv",
    "recv_into", "send", "sendall", "sendfile", "setsockopt", "shutdown",
)  # fmt: skip


def install() -> None:
    """Replace functions of the library by ones that are imported on first use. Do nothing outside of browsers."""
    if not ffi.IN_BROWSER or hasattr(select.select, "__wrapped__"):
        return
    kind: Any = socket.socket
    for name in METHODS:
        setattr(kind, name, _lazy(SOCKETS, name))
    kind._real_close = _lazy(SOCKETS, "real_close")
    names: Any = socket
    names.getaddrinfo, names.gethostbyname = map(_with_loopback, (names.getaddrinfo, names.gethostbyname))
    selector: Any = selectors.SelectSelector
    selector._select = _lazy(SOCKETS, "select_of_selector")
    modules: Any = selectors
    modules.DefaultSelector = modules.PollSelector = selector
    waits: Any = select
    replacement: Any = _lazy(SOCKETS, "select")
    replacement.__wrapped__ = waits.select
    waits.select = replacement
    shared: Any = _lazy(SOCKETS, "fromfd")
    shared.__wrapped__ = names.fromfd
    names.fromfd = shared
    when_imported("socketserver", _patch_socketserver)
    when_imported("werkzeug._reloader", _patch_reloader)
    when_imported("anyio.to_thread", _patch_anyio)
    loop: Any = type(asyncio.get_running_loop())
    for name in ("create_connection", "create_server"):
        setattr(loop, name, _lazy(EVENT_LOOP, name))


def listens(port: int) -> bool:
    """Return whether something in the page listens at a port."""
    ports = sys.modules.get(PORTS)
    return ports is not None and ports.listens(port)


def listening() -> list[tuple[str, int, int]]:
    """Return the host, the number and the process id (0 if unknown) of each listening port."""
    ports = sys.modules.get(PORTS)
    return [] if ports is None else [(each.host, each.port, each.pid) for each in ports.listening()]


def _lazy(module: str, name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return getattr(_import(module), name)(*args, **kwargs)

    call.__name__ = call.__qualname__ = name
    return call


def _with_loopback(function: Callable[..., Any]) -> Callable[..., Any]:
    """Let a function resolve `localhost`, for which Emscripten invents an address as for any other name."""

    @functools.wraps(function)
    def resolve(host: Any, *args: Any, **kwargs: Any) -> Any:
        return function("127.0.0.1" if host in ("localhost", b"localhost") else host, *args, **kwargs)

    return resolve


def _import(module: str) -> Any:
    try:
        return import_module(module)
    except ModuleNotFoundError:
        # It is loaded after the start (builder/preinstall.py).
        ffi.wait(ffi.load_programs())
        return import_module(module)


def _patch_anyio(module: Any) -> None:
    """Run what Starlette and FastAPI run in threads on the caller's stack, such as endpoints that are no coroutines."""

    async def run_sync(function: Callable[..., Any], *args: Any, **_: Any) -> Any:
        return function(*args)

    module.run_sync = run_sync


def _patch_reloader(module: Any) -> None:
    """Serve on a separate stack, in place of a thread, while Flask's reloader looks for changed files."""
    module.threading = _import(LIBRARY)
    # It looks at no file below the interpreter's prefix, which is `/` here.
    libraries = (sysconfig.get_paths()["stdlib"], site.getusersitepackages())
    module._ignore_always = module._stat_ignore_scan = libraries


def _patch_socketserver(module: Any) -> None:
    module.ThreadingMixIn.process_request = _lazy(LIBRARY, "process_request")
    module.BaseServer.shutdown = _lazy(LIBRARY, "shutdown")
    module._ServerSelector = selectors.SelectSelector
