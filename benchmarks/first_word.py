"""Measures the seconds from the press of Connect to the first word of a chat, with a real llama.cpp, in a new page.

    PYTHONPATH=py python -m benchmarks.first_word [--wait 0]

SmolLM2-135M-Instruct and the server come from PyPI (`tests/llama.py`), 120 MB once. The page is the built one. `--wait`
is how long the user looks at what the dialog has found, before the press: packages load meanwhile.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import socket
import tempfile
import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from gemini_testing.browser import launch
from gemini_testing.surface import Surface
from tests.companions import CONNECTED, companion_of
from tests.llama import running
from tests.web.first_word import first_word
from tests.web.person import Person

DIST = Path(__file__).parents[1] / "dist"
PIECE = 65536
# The page's Python notes when packages load, without delaying them.
NOTE_PACKAGES = """
import time
from gemini.models.providers import packages
loaded = []
packages.on_progress(lambda done, total: loaded.append((done == total, time.time())))
None
"""


class Tap:
    """A proxy in front of a server, which notes when a chat's request and its first word pass.

    Args:
        port: The server's.
    """

    def __init__(self, port: int) -> None:
        self._port = port
        self.requested = self.answered = 0.0

    async def _connect(self, client: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        server, to_server = await asyncio.open_connection("127.0.0.1", self._port)
        await asyncio.gather(self._copy(client, to_server), self._copy(server, out))

    async def _copy(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        while piece := await source.read(PIECE):
            if b"/chat/completions" in piece:
                self.requested, self.answered = time.time(), 0.0
            if self.answered == 0.0 and b'"content":"' in piece.replace(b'"content":""', b""):
                self.answered = time.time()
            target.write(piece)
            await target.drain()
        target.close()

    def serve(self, listening: socket.socket) -> None:
        """Pass on until the process ends."""

        async def forever() -> None:
            async with await asyncio.start_server(self._connect, sock=listening) as server:
                await server.serve_forever()

        asyncio.run(forever())


@contextmanager
def new_page() -> Generator[Surface]:
    """Open a new page of a new companion, without a model."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = folder
        with companion_of(DIST) as companion:
            driver = launch()
            try:
                surface = Surface(driver, companion.entrance.address())
                surface.load()
                surface.wait_for(CONNECTED)
                yield surface
            finally:
                driver.quit()


def connect(person: Person, address: str, wait_s: float) -> float:
    """Connect the server by the dialog and open the chat; return when Connect was pressed, in seconds since 1970."""
    person.click("#status-model")
    person.surface.wait_for(
        "document.activeElement === document.querySelector('#model-dialog [name=address]')"
    )
    person.type(address)
    person.sees("#model-status", "Found 1 model")
    time.sleep(wait_s)
    pressed = time.time()
    person.click("#model-connect")
    person.no_longer_sees("#model-dialog")
    person.open_panel("chat")
    person.click("#chat-input")
    return pressed


def measure(surface: Surface, address: str, tap: Tap, wait_s: float) -> dict[str, float]:
    """Connect the server and send a message; return the seconds from the press of Connect."""
    surface.python(NOTE_PACKAGES)
    person = Person(surface)
    person.open_workspace()
    pressed = connect(person, address, wait_s)
    sent, drawn = first_word(surface, person, "Say hello.")
    loads: list[tuple[bool, float]] = surface.python("loaded")
    return {
        "packages took": loads[-1][1] - loads[0][1],
        "packages loaded": max(0.0, loads[-1][1] - pressed),
        "message sent": sent - pressed,
        "request at the server": tap.requested - pressed,
        "first word from the server": tap.answered - pressed,
        "first word drawn": drawn - pressed,
    }


def main() -> None:
    """Print the seconds."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--wait", type=float, default=0.0, help="seconds before the press of Connect")
    wait_s: float = parser.parse_args().wait
    with running() as server, socket.create_server(("127.0.0.1", 0)) as listening, new_page() as surface:
        tap = Tap(int(server.url.rpartition(":")[2]))
        threading.Thread(target=tap.serve, args=[listening], daemon=True).start()
        before = os.getloadavg()[0]
        seconds = measure(surface, f"127.0.0.1:{listening.getsockname()[1]}", tap, wait_s)
    print(json.dumps({name: round(value, 1) for name, value in seconds.items()}, indent=2))
    print(f"load of the machine: {before:.1f} before, {os.getloadavg()[0]:.1f} after, {os.cpu_count()} cores")


if __name__ == "__main__":
    main()
