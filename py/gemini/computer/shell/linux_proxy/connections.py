"""Connections of programs to the proxy, as frames; builder/linux/guest/proxy.c is the other end and explains them."""

import asyncio
import struct
from collections.abc import Awaitable, Callable
from typing import Protocol, TypedDict

from gemini.computer.python import process

READY, OPEN, GONE = 1, 2, 3
DATA, END, CREDIT = 16, 17, 18
SECURE = 32
# Length of the payload, number of the connection, kind, and an unused byte.
HEADER = struct.Struct("<IHBx")
NUMBER = struct.Struct("<I")
# The most bytes of a connection that either end may send without credit, and of one frame.
WINDOW = 1 << 17
CHUNK = 1 << 14
# As many as the machine's program has.
MOST = 64


class Broken(Exception):
    """A frame that the machine's program doesn't send: another of its programs, which all are root, has meddled."""


class Wire(Protocol):
    """Carries the frames."""

    async def receive(self) -> bytes:
        """Return the next bytes of the machine; none once its program has ended."""
        ...

    def send(self, data: bytes) -> None:
        """Send bytes to the machine."""
        ...

    def close(self) -> None:
        """End the machine's program."""
        ...


class Connection:
    """A connection of a program.

    Args:
        send: Sends a frame, given its kind and payload.

    Attributes:
        left: Done once the program has closed the connection.
    """

    def __init__(self, send: Callable[[int, bytes], None]) -> None:
        self.left: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._send = send
        self._received = bytearray()
        self._credit = WINDOW
        self._ended = False
        self._changed = asyncio.Event()

    async def read(self) -> bytes:
        """Wait for bytes and return them; none at the end."""
        while not self._received and not self._ended:
            await self._change()
        data = bytes(self._received)
        self._received.clear()
        if data:
            self._send(CREDIT, NUMBER.pack(len(data)))
        return data

    async def write(self, data: bytes) -> None:
        """Send bytes, as fast as the program takes them.

        Raises:
            ConnectionResetError: The program has closed the connection.
        """
        at = 0
        while at < len(data):
            while self._credit <= 0 and not self.left.done():
                await self._change()
            if self.left.done():
                raise ConnectionResetError("the program has closed the connection")
            part = data[at : at + min(CHUNK, self._credit)]
            self._credit -= len(part)
            at += len(part)
            self._send(DATA, part)

    def secure(self, host: str, answer: bytes) -> None:
        """Send an answer, and continue with TLS, as a server with that name or address."""
        self._send(SECURE, host.encode("ascii") + b"\0" + answer)

    def end(self) -> None:
        """Close the connection once the program has taken all bytes."""
        if not self.left.done():
            self._send(END, b"")

    def receive(self, kind: int, payload: bytes) -> None:
        """Take a frame of the machine.

        Raises:
            Broken: The frame breaks the protocol.
        """
        if kind == DATA:
            self._received += payload
            if len(self._received) > WINDOW:
                raise Broken("more data than the credit")
        elif kind == CREDIT:
            if len(payload) != NUMBER.size:
                raise Broken("a credit of another length")
            self._credit += NUMBER.unpack(payload)[0]
            if self._credit > WINDOW:
                raise Broken("more credit than data")
        elif kind in (END, GONE):
            self._ended = True
            if kind == GONE and not self.left.done():
                self.left.set_result(None)
        self._changed.set()

    async def _change(self) -> None:
        self._changed.clear()
        await self._changed.wait()


class SavedConnections(TypedDict):
    """The connections of a saved machine: the port, if it was known, their numbers, and a frame's beginning."""

    port: int | None
    open: list[int]
    rest: list[int]


class Connections:
    """All connections of a machine.

    Args:
        wire: Carries the frames.
        serve: Serves a connection.
        saved: The connections of a saved machine, which end.

    Attributes:
        ready: The proxy's port, once the machine's program listens; None if it ended before.
    """

    def __init__(
        self,
        wire: Wire,
        serve: Callable[[Connection], Awaitable[None]],
        saved: SavedConnections | None = None,
    ) -> None:
        self.ready: asyncio.Future[int | None] = asyncio.get_running_loop().create_future()
        self._wire = wire
        self._serve = serve
        self._open: dict[int, Connection] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._rest = b""
        if saved is not None:
            self._rest = bytes(saved["rest"])
            if saved["port"] is not None:
                self.ready.set_result(saved["port"])
            for number in saved["open"]:
                self._send(number, END, b"")

    def save(self) -> SavedConnections:
        """Return what a copy of the machine needs."""
        port = self.ready.result() if self.ready.done() else None
        return {"port": port, "open": list(self._open), "rest": list(self._rest)}

    async def run(self) -> None:
        """Pass frames on until the machine's program ends. One that breaks the protocol is ended."""
        try:
            while data := await self._wire.receive():
                self._rest = self._take(self._rest + data)
        except Broken:
            self._wire.close()
        if not self.ready.done():
            self.ready.set_result(None)
        for connection in self._open.values():
            connection.receive(GONE, b"")
        self._open.clear()

    def _take(self, data: bytes) -> bytes:
        """Take the complete frames, and return the remaining bytes."""
        at = 0
        while len(data) - at >= HEADER.size:
            length, number, kind = HEADER.unpack_from(data, at)
            if length > CHUNK:
                raise Broken("a frame that is too long")
            end = at + HEADER.size + length
            if end > len(data):
                break
            self._receive(number, kind, data[at + HEADER.size : end])
            at = end
        return data[at:]

    def _receive(self, number: int, kind: int, payload: bytes) -> None:
        if kind == READY:
            if self.ready.done():
                raise Broken("it is ready twice")
            self.ready.set_result(int.from_bytes(payload, "little"))
        elif kind == OPEN:
            if number in self._open or len(self._open) >= MOST:
                raise Broken("a connection too many")
            connection = self._open[number] = Connection(
                lambda kind, payload: self._send(number, kind, payload)
            )
            # It outlives the call during which it was opened.
            task = asyncio.get_running_loop().create_task(
                self._serve_until_end(connection), context=process.detached()
            )
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        elif number in self._open:
            found = self._open[number] if kind != GONE else self._open.pop(number)
            found.receive(kind, payload)

    async def _serve_until_end(self, connection: Connection) -> None:
        try:
            await self._serve(connection)
        finally:
            connection.end()

    def _send(self, number: int, kind: int, payload: bytes) -> None:
        self._wire.send(HEADER.pack(len(payload), number, kind) + payload)
