"""Parts that asyncio's transports within the page share."""

from __future__ import annotations

import asyncio
from typing import Any

from gemini.computer.python import tracebacks

tracebacks.hide_frames_of(__file__)


class ProtocolTransport(asyncio.Transport):
    """A transport that has a protocol and may be closing.

    Args:
        loop: The event loop.
        protocol: Receives the data.
        extra: What `get_extra_info` returns.
    """

    def __init__(self, loop: Any, protocol: Any, extra: dict[str, Any]) -> None:
        super().__init__(extra)
        self._loop = loop
        self._protocol: Any = protocol
        self._closing = False

    def get_protocol(self) -> Any:
        """Return the protocol."""
        return self._protocol

    def set_protocol(self, protocol: Any) -> None:
        """Replace the protocol."""
        self._protocol = protocol

    def is_closing(self) -> bool:
        """Return whether the transport is closing or closed."""
        return self._closing


class ReadingTransport(ProtocolTransport):
    """A transport whose protocol may pause it. A reader waits for `_goes_on` before each piece."""

    def __init__(self, loop: Any, protocol: Any, extra: dict[str, Any]) -> None:
        super().__init__(loop, protocol, extra)
        self._goes_on = asyncio.Event()
        self._goes_on.set()

    def is_reading(self) -> bool:
        """Return whether the protocol receives data."""
        return self._goes_on.is_set() and not self._closing

    def pause_reading(self) -> None:
        """Stop passing data to the protocol."""
        self._goes_on.clear()

    def resume_reading(self) -> None:
        """Continue after `pause_reading`."""
        self._goes_on.set()
