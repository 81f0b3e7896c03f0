"""WebSocket connections (RFC 6455) over a connection in the page, for both sides of it. No extension is supported."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import os
from dataclasses import dataclass

from gemini.computer.servers import ports

CHUNK = 1 << 16
MAX_MESSAGE = 64 << 20
MAX_CONTROL = 125
CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
# https://www.rfc-editor.org/rfc/rfc6455.html#section-7.4.1
NORMAL, PROTOCOL_ERROR, NO_STATUS, BROKEN_OFF, NOT_UTF_8, TOO_LARGE, FAILED = (
    1000,
    1002,
    1005,
    1006,
    1007,
    1009,
    1011,
)
GUID = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
FINAL, RESERVED, OPCODE, IS_MASKED, SIZE = 0x80, 0x70, 0x0F, 0x80, 0x7F


@dataclass(frozen=True)
class Closed:
    """The end of a connection. `code` is `NO_STATUS` if the other side named none, `BROKEN_OFF` if it sent no end."""

    code: int
    reason: str = ""


class _Ended(Exception):
    """The other side has sent its end, or closed the connection without one."""

    def __init__(self, closed: Closed) -> None:
        self.closed = closed


class _Violation(Exception):
    """The other side doesn't follow the protocol."""

    def __init__(self, code: int) -> None:
        self.code = code


def accepted(key: str) -> str:
    """Return the header `Sec-WebSocket-Accept` that answers a `Sec-WebSocket-Key`."""
    # The RFC prescribes SHA-1; no secret depends on it.
    digest = hashlib.sha1(key.encode("latin-1") + GUID, usedforsecurity=False).digest()
    return base64.b64encode(digest).decode()


def is_sendable(code: int) -> bool:
    """Return whether a frame may name a code as the reason of an end (RFC 6455, 7.4)."""
    return 1000 <= code < 5000 and code not in (1004, NO_STATUS, BROKEN_OFF) and not 1014 < code < 3000


class Connection:
    """One side of an established connection.

    Args:
        end: The connection.
        received: What was read of it after the handshake.
        is_client: Whether this side has sent the request, so that it masks its frames.
    """

    def __init__(self, end: ports.End, received: bytes = b"", *, is_client: bool) -> None:
        self._end = end
        self._received = bytearray(received)
        self._is_client = is_client
        self._sending = asyncio.Lock()
        self._has_sent_close = False
        self._closed: Closed | None = None

    async def receive(self) -> str | bytes | Closed:
        """Wait for the next message, or the end, which every later call returns, too. Only one caller may wait."""
        while self._closed is None:
            try:
                return await self._message()
            except _Ended as ended:
                self._finish(ended.closed)
            except _Violation as violation:
                await self.close(violation.code)
                self._finish(Closed(BROKEN_OFF))
        return self._closed

    async def send(self, message: str | bytes) -> None:
        """Send a message.

        Raises:
            BrokenPipeError: The connection is closed, or is being closed.
        """
        if self._has_sent_close:
            raise BrokenPipeError("the WebSocket is closed")
        if isinstance(message, str):
            await self._write(TEXT, message.encode())
        else:
            await self._write(BINARY, message)

    async def close(self, code: int = NORMAL, reason: str = "") -> None:
        """Send the end of this side once; `receive` returns when the other side has answered.

        Args:
            code: Why; `NO_STATUS` sends no code.
            reason: The words for it, of at most 123 bytes in UTF-8.
        """
        if self._has_sent_close:
            return
        self._has_sent_close = True
        data = b"" if code == NO_STATUS else code.to_bytes(2) + reason.encode()
        try:
            await self._write(CLOSE, data[:MAX_CONTROL])
        except BrokenPipeError:
            self._end.close()

    def abort(self) -> None:
        """Close the connection at once; a pending `receive` returns `BROKEN_OFF`."""
        self._end.close()

    def _finish(self, closed: Closed) -> None:
        self._closed = closed
        self._has_sent_close = True
        self._end.close()

    async def _message(self) -> str | bytes:
        """Wait for a message, and answer control frames meanwhile."""
        kind = size = 0
        parts: list[bytes] = []
        while True:
            final, opcode, data = await self._frame(MAX_MESSAGE - size)
            if opcode >= CLOSE:
                await self._control(opcode, data)
                continue
            if (opcode == CONTINUATION) != bool(kind):
                raise _Violation(PROTOCOL_ERROR)
            kind = kind or opcode
            parts.append(data)
            size += len(data)
            if final:
                whole = b"".join(parts)
                return _text(whole) if kind == TEXT else whole

    async def _control(self, opcode: int, data: bytes) -> None:
        if opcode == PING:
            await self._answer_ping(data)
        elif opcode == CLOSE:
            closed = _closed(data)
            await self.close(closed.code, closed.reason)
            raise _Ended(closed)

    async def _answer_ping(self, data: bytes) -> None:
        if self._has_sent_close:
            return
        try:
            await self._write(PONG, data)
        except BrokenPipeError as error:
            raise _Ended(Closed(BROKEN_OFF)) from error

    async def _frame(self, limit: int) -> tuple[bool, int, bytes]:
        """Read a frame; return whether it is the message's last, its opcode and its data (RFC 6455, 5.2)."""
        first, second = await self._exactly(2)
        opcode, size = first & OPCODE, second & SIZE
        known = opcode in (CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG)
        long_control = opcode >= CLOSE and (size > MAX_CONTROL or not first & FINAL)
        if not known or first & RESERVED or long_control or bool(second & IS_MASKED) == self._is_client:
            raise _Violation(PROTOCOL_ERROR)
        if size > MAX_CONTROL:
            size = int.from_bytes(await self._exactly(2 if size == MAX_CONTROL + 1 else 8))
        if size > limit:
            raise _Violation(TOO_LARGE)
        key = b"" if self._is_client else await self._exactly(4)
        data = await self._exactly(size)
        return bool(first & FINAL), opcode, _mask(data, key) if key else data

    async def _exactly(self, count: int) -> bytes:
        while len(self._received) < count:
            piece = await self._end.received(CHUNK)
            if not piece:
                raise _Ended(Closed(BROKEN_OFF))
            self._received += piece
        data = bytes(self._received[:count])
        del self._received[:count]
        return data

    async def _write(self, opcode: int, data: bytes) -> None:
        size = len(data)
        if size <= MAX_CONTROL:
            head = bytes([FINAL | opcode, size])
        elif size < 1 << 16:
            head = bytes([FINAL | opcode, MAX_CONTROL + 1]) + size.to_bytes(2)
        else:
            head = bytes([FINAL | opcode, MAX_CONTROL + 2]) + size.to_bytes(8)
        if self._is_client:
            key = os.urandom(4)
            head, data = bytes([head[0], head[1] | IS_MASKED]) + head[2:] + key, _mask(data, key)
        async with self._sending:
            left = memoryview(head + data)
            while left:
                while not self._end.is_writable:
                    await self._end.changes.next()
                left = left[self._end.write(left) :]


def _mask(data: bytes, key: bytes) -> bytes:
    size = len(data)
    repeated = (key * (size // 4 + 1))[:size]
    return (int.from_bytes(data) ^ int.from_bytes(repeated)).to_bytes(size)


def _text(data: bytes) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise _Violation(NOT_UTF_8) from error


def _closed(data: bytes) -> Closed:
    if not data:
        return Closed(NO_STATUS)
    code = int.from_bytes(data[:2])
    if len(data) < 2 or not is_sendable(code):
        raise _Violation(PROTOCOL_ERROR)
    return Closed(code, _text(data[2:]))
