"""Serve a WSGI or ASGI application at a port of the page: the program of the command `serve`."""

from __future__ import annotations

import argparse
import inspect
import sys
from http.server import ThreadingHTTPServer
from importlib import import_module
from socketserver import ThreadingMixIn
from typing import Any
from wsgiref.simple_server import WSGIServer, make_server

from gemini.computer.servers import asgi
from gemini.core import ffi

NAMES = ("app", "application")
EPILOG = "A page of the application opens in a tab, and with curl: http://localhost:PORT/"


class ApplicationMissing(Exception):
    """The command line names no application."""


class ThreadingWSGIServer(ThreadingMixIn, WSGIServer):
    """A server that handles further requests while one waits."""

    daemon_threads = True


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser("serve", description="Serve a WSGI or ASGI application.", epilog=EPILOG)
    made.add_argument("application", metavar="module:name", help="the name is app or application by default")
    made.add_argument("-p", "--port", type=int, default=8000, help="8000 by default; 0 chooses one")
    made.add_argument("--host", "--bind", default="127.0.0.1", metavar="ADDRESS", help="localhost by default")
    made.add_argument("--factory", action="store_true", help="call the name, which returns the application")
    return made


def load(named: str, *, factory: bool = False) -> Any:
    """Return the application that `module:name` names.

    Raises:
        ApplicationMissing: The module has no such name.
    """
    module_name, _, name = named.partition(":")
    module = import_module(module_name.removesuffix(".py").replace("/", "."))
    for attribute in (name,) if name else NAMES:
        value: Any = module
        for part in attribute.split("."):
            value = getattr(value, part, None)
        if value is not None:
            return value() if factory else value
    wanted = repr(name) if name else " or ".join(map(repr, NAMES))
    raise ApplicationMissing(f"{module_name} has no {wanted}. Name the application: {module_name}:NAME")


def is_asgi(application: Any) -> bool:
    """Return whether an application is one of ASGI, so that calling it returns a coroutine."""
    return inspect.iscoroutinefunction(application) or inspect.iscoroutinefunction(
        getattr(application, "__call__", None)  # noqa: B004 - its kind is what counts
    )


def run(application: Any, host: str, port: int) -> None:
    """Serve an application until the program is interrupted."""
    if not is_asgi(application):
        with make_server(host, port, application, server_class=ThreadingWSGIServer) as server:
            _serve(server, "WSGI")
        return
    lifespan = asgi.Lifespan(application)
    with ThreadingHTTPServer((host, port), asgi.handler_of(application, lifespan)) as server:
        ffi.wait(lifespan.start())
        try:
            _serve(server, "ASGI")
        finally:
            ffi.wait(lifespan.stop())


def _serve(server: Any, kind: str) -> None:
    print(f"Serving {kind} on http://localhost:{server.server_port}/ (press Ctrl-C to quit)", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print("\nKeyboard interrupt received, exiting.")


def main() -> int:
    """Run the command; return its exit code."""
    options = parser().parse_args()
    try:
        application = load(options.application, factory=options.factory)
    except ApplicationMissing as error:
        print(f"serve: {error}", file=sys.stderr)
        return 1
    run(application, options.host, options.port)
    return 0


if __name__ == "__main__":
    sys.exit(main())
