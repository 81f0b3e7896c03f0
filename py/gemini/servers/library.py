"""The parts of `socketserver` that start threads, or wait for them."""

from __future__ import annotations

import asyncio
from typing import Any

from gemini.core import ffi
from gemini.python import tracebacks

tracebacks.hide_frames_of(__file__)

# `shutdown` waits for the end of `serve_forever`, which looks for it this often or less.
LOOK_S = 0.01


def process_request(server: Any, request: Any, client_address: Any) -> None:
    """Handle a request on a stack of its own: while one waits, others are handled (ThreadingMixIn)."""
    asyncio.get_running_loop().call_soon(server.process_request_thread, request, client_address)


def shutdown(server: Any) -> None:
    """Stop `serve_forever`, and wait until it has ended (BaseServer)."""
    server._BaseServer__shutdown_request = True
    while not server._BaseServer__is_shut_down.is_set():
        ffi.wait(asyncio.sleep(LOOK_S))
