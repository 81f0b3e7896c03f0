"""Moves the surface to another port while its companion runs.

Only the surface's own port changes. The kernel's and the sites' stay, since files and the data of pages belong to their
origins. The page's data in the surface's origin moves with it (`gemini_companion.serving.moved`).
"""

from __future__ import annotations

import asyncio
import logging

from gemini.errors import InvalidArguments
from gemini_companion.errors import FolderUnusable
from gemini_companion.serving.chosen_port import LARGEST, SMALLEST, save_port
from gemini_companion.serving.server import Server

# The page gets the answer to its request before its connection ends, in seconds.
ANSWERED_S = 0.3

logger = logging.getLogger(__name__)


class Relocation:
    """The way to another port.

    Args:
        server: The server that the companion has now.

    Attributes:
        wanted: Set when the companion should continue with `server`, which then has another port.
    """

    def __init__(self, server: Server) -> None:
        self.wanted = asyncio.Event()
        self.server = server

    async def move(self, port: int) -> str:
        """Open a port, and let the companion continue there soon; return its address.

        Raises:
            InvalidArguments: It is no port, or the companion is moving already.
            PortUnavailable: It can't be opened; the message names its owner, if known.
        """
        if not SMALLEST <= port <= LARGEST:
            raise InvalidArguments(f"{port} isn't a port", hint=f"Choose one from 1024 to {LARGEST}.")
        if self.wanted.is_set():
            raise InvalidArguments("the companion is moving to another port now", hint="Wait a moment.")
        # Looking for the owner of a port that is taken may take a second.
        server = await asyncio.to_thread(self.server.moved, port)
        self.server = server
        try:
            save_port(server.main.number, server.retained)
        except FolderUnusable as problem:
            logger.warning("The port is used until this process ends: %s.", problem.message)
        asyncio.get_running_loop().call_later(ANSWERED_S, self.wanted.set)
        return server.url
