"""An interpreter in a separate worker (web/kernel/own_python/)."""

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from gemini.core.ffi.page import kernel_host
from gemini.core.ffi.values import js_callback, to_js_bytes, to_js_object

Write = Callable[[int, bytes], Awaitable[bool]]
"""Writes output, 1 for standard output, 2 for standard error: `await write(stream, data)`; False if nobody reads it."""
Read = Callable[[dict[str, Any]], Awaitable[str | bytes | None]]
"""Reads input: of `{prompt, hidden}` a line, or None at the end; of `{count}` at most so many bytes."""


class OwnInterpreter:
    """A running interpreter.

    Args:
        interpreter: The `Interpreter` of web/kernel/own_python/interpreter.ts.
    """

    def __init__(self, interpreter: Any) -> None:
        self._interpreter = interpreter

    @property
    def ended(self) -> str:
        """Why it has ended; empty while it lives."""
        return str(self._interpreter.ended)

    @property
    def is_idle(self) -> bool:
        """True if it runs no call."""
        return bool(self._interpreter.isIdle)

    @property
    def memory(self) -> int:
        """The size of its memory after the last call, in bytes."""
        return int(self._interpreter.memory)

    @property
    def start_ms(self) -> float:
        """The time from its start until it was ready, in milliseconds."""
        return float(self._interpreter.startMs)

    async def call(
        self, number: int, request: Mapping[str, Any], data: bytes | None, write: Write, read: Read
    ) -> dict[str, Any]:
        """Perform a request and return the answer.

        Raises:
            OSError: The interpreter has ended.
        """
        from pyodide.ffi import JsException

        async def reads(text: str) -> Any:
            answer = await read(json.loads(text))
            return to_js_object(
                {"bytes": to_js_bytes(answer)} if isinstance(answer, bytes) else {"value": answer}
            )

        async def writes(stream: int, piece: Any) -> bool:
            return await write(int(stream), piece.to_bytes())

        proxies = [js_callback(writes), js_callback(reads)]
        given = None if data is None else to_js_bytes(data)
        try:
            return json.loads(await self._interpreter.call(number, json.dumps(request), given, *proxies))
        except JsException as error:
            raise OSError(str(error.message)) from None
        finally:
            for proxy in proxies:
                proxy.destroy()

    def stop(self, number: int) -> None:
        """Raise KeyboardInterrupt in the code of a call."""
        self._interpreter.stop(number)

    def end(self, reason: str) -> None:
        """End it at once."""
        self._interpreter.end(reason)


def open_python(home: str, environment: Mapping[str, str], most: int) -> OwnInterpreter | None:
    """Start an interpreter; return None where there is no page, or the page isn't cross-origin isolated.

    Args:
        home: Its working directory.
        environment: Its environment.
        most: The most bytes of memory.
    """
    host = kernel_host()
    if host is None or getattr(host, "openPython", None) is None:
        return None
    return OwnInterpreter(host.openPython(home, json.dumps(dict(environment)), most))
