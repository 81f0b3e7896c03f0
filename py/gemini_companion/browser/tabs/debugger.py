"""A client of Chromium's debugger (https://chromedevtools.github.io/devtools-protocol/) over its pipes."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from typing import Any

from gemini.errors import GeminiError

Row = dict[str, Any]
Listener = Callable[[str, Row], None]
# Of one read; a message, such as a picture, may be longer.
PART = 1 << 20


class DebuggerProblem(GeminiError):
    """The browser has refused a command, or has ended."""


class Debugger:
    """Sends commands to a browser and its tabs, and passes on their events.

    Args:
        commands, answers: The descriptors of the browser's pipes; both stay the caller's.
    """

    def __init__(self, commands: int, answers: int) -> None:
        self._commands = commands
        self._answers = answers
        self._last_id = 0
        self._waiting: dict[int, asyncio.Future[Row]] = {}
        self._listeners: dict[str | None, Listener] = {}
        self._unsent = bytearray()
        self._received = bytearray()
        self._is_closed = False
        self._on_close: Callable[[], None] = lambda: None
        os.set_blocking(commands, False)
        os.set_blocking(answers, False)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(answers, self._read)

    def on_close(self, action: Callable[[], None]) -> None:
        """Call `action` when the browser has closed its end."""
        self._on_close = action

    def listen(self, session: str | None, listener: Listener) -> None:
        """Pass a session's events, `(method, params)`, to a listener; without a session, the browser's own."""
        self._listeners[session] = listener

    def forget(self, session: str) -> None:
        """Stop passing on a session's events."""
        self._listeners.pop(session, None)

    async def send(self, method: str, params: Row | None = None, session: str | None = None) -> Row:
        """Send a command and return its result.

        Raises:
            DebuggerProblem: The browser has refused it, or has ended.
        """
        if self._is_closed:
            raise DebuggerProblem("the browser has ended")
        self._last_id += 1
        identifier = self._last_id
        message: Row = {"id": identifier, "method": method, "params": params or {}}
        if session is not None:
            message["sessionId"] = session
        answer: asyncio.Future[Row] = self._loop.create_future()
        self._waiting[identifier] = answer
        try:
            self._write(json.dumps(message).encode() + b"\0")
            return await answer
        finally:
            self._waiting.pop(identifier, None)

    def _write(self, data: bytes) -> None:
        waits = bool(self._unsent)
        self._unsent += data
        if not waits:
            self._flush()

    def _flush(self) -> None:
        try:
            del self._unsent[: os.write(self._commands, self._unsent)]
        except BlockingIOError:
            pass
        except OSError:
            self.close()
            return
        if self._unsent:
            self._loop.add_writer(self._commands, self._flush)
        else:
            self._loop.remove_writer(self._commands)

    def _read(self) -> None:
        try:
            part = os.read(self._answers, PART)
        except BlockingIOError:
            return
        except OSError:
            part = b""
        if not part:
            self.close()
            return
        *messages, rest = part.split(b"\0")
        for message in messages:
            self._received += message
            text, self._received = bytes(self._received), bytearray()
            self._receive(json.loads(text))
        self._received += rest

    def _receive(self, message: Row) -> None:
        if "id" not in message:
            listener = self._listeners.get(message.get("sessionId"))
            if listener is not None:
                listener(message["method"], message.get("params", {}))
            return
        answer = self._waiting.get(message["id"])
        if answer is None or answer.done():
            return
        if "error" in message:
            answer.set_exception(DebuggerProblem(str(message["error"].get("message"))))
        else:
            answer.set_result(message.get("result", {}))

    def close(self) -> None:
        """Fail all pending commands; the descriptors can be closed."""
        if self._is_closed:
            return
        self._is_closed = True
        self._loop.remove_reader(self._answers)
        self._loop.remove_writer(self._commands)
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(DebuggerProblem("the browser has ended"))
        self._on_close()
