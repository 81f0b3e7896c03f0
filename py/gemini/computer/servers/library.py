"""The parts of `socketserver` that start threads, or wait for them."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Sequence
from typing import Any

from gemini.computer.python import tracebacks
from gemini.core import ffi

tracebacks.hide_frames_of(__file__)

# `shutdown` waits for the end of `serve_forever`, which looks for it this often or less.
LOOK_S = 0.01


class Thread:
    """A separate stack that runs a function until the program ends (threading.Thread of a daemon).

    Args:
        target: The function.
        args: Its arguments.
    """

    daemon = True

    def __init__(self, target: Callable[..., object], args: Sequence[Any] = ()) -> None:
        self._start = functools.partial(target, *args)

    def start(self) -> None:
        """Run the function as soon as this stack waits."""
        asyncio.get_running_loop().call_soon(self._start)


def process_request(server: Any, request: Any, client_address: Any) -> None:
    """Handle a request on a separate stack: while one waits, others are handled (ThreadingMixIn)."""
    asyncio.get_running_loop().call_soon(server.process_request_thread, request, client_address)


def shutdown(server: Any) -> None:
    """Stop `serve_forever`, and wait until it has ended (BaseServer)."""
    server._BaseServer__shutdown_request = True
    while not server._BaseServer__is_shut_down.is_set():
        ffi.wait(asyncio.sleep(LOOK_S))
