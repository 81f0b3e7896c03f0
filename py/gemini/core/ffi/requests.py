"""Requests of the browser's fetch."""

import asyncio
import io
from collections.abc import AsyncIterator, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, cast

from gemini.core.ffi.values import can_wait, to_js_object, wait


class StreamingResponse:
    """A response of the browser's fetch whose body is still arriving.

    Attributes:
        status: The HTTP status.
        reason: The HTTP reason phrase.
        pairs: All headers, in the server's order.
        headers: The headers by lowercase name, without the coding that the browser has decoded.
        abort: Cancels the rest of the response.
    """

    def __init__(self, response: Any, abort: Callable[[], None]) -> None:
        self.status = int(response.status)
        self.reason = str(response.statusText)
        self.pairs = _pairs(response)
        self.headers = {name.lower(): text for name, text in self.pairs if name.lower() != "content-encoding"}
        self.abort = abort
        # There is no body after HEAD, or with a status such as 204.
        self._reader = response.body and response.body.getReader()

    async def pieces(self) -> AsyncIterator[bytes]:
        """Yield the body as it arrives.

        Raises:
            OSError: The connection breaks off.
        """
        from pyodide.ffi import JsException

        try:
            while self._reader and not (piece := await self._reader.read()).done:
                yield piece.value.to_bytes()
        except JsException as error:
            raise OSError(str(error)) from error


async def fetch(
    url: str, method: str, headers: dict[str, str], body: bytes, redirect: str = "follow"
) -> StreamingResponse:
    """Send a request with the browser's fetch. Cancelling the task aborts it.

    Takes the arguments of `send_request_async`.

    Raises:
        OSError: There is no response, or this page may not read it.
    """
    import js
    from pyodide.ffi import JsException

    controller = js.AbortController.new()
    options: dict[str, Any] = {"method": method, "headers": headers, "signal": controller.signal}
    options["redirect"] = redirect
    if body:
        options["body"] = body
    try:
        return StreamingResponse(await js.fetch(url, to_js_object(options)), controller.abort)
    except JsException as error:
        raise OSError(str(error.message)) from error
    except asyncio.CancelledError:
        controller.abort()
        raise


def _pairs(response: Any) -> list[tuple[str, str]]:
    entries = getattr(response, "headersInOrder", None) or response.headers.entries()
    return [(str(name), str(value)) for name, value in entries]


@dataclass(frozen=True)
class Response:
    """A complete response; header names are lowercase."""

    status: int
    reason: str
    url: str
    headers: list[tuple[str, str]]
    body: bytes


def send_request(url: str, method: str, headers: dict[str, str], body: bytes) -> Response:
    """Send a request and wait for the complete response.

    This uses fetch if Python can be suspended, so that other tasks continue; otherwise a synchronous XMLHttpRequest.

    Raises:
        OSError: There is no response, or this page may not read it.
    """
    from pyodide.ffi import JsException, can_run_sync, run_sync

    if can_run_sync():
        return run_sync(send_request_async(url, method, headers, body))
    try:
        return _send_xml_http_request(url, method, headers, body)
    except JsException as error:
        raise OSError(str(error.message)) from error


class RequestFailed(OSError):
    """There is no response, or this page may not read it.

    Args:
        message: A sentence for the user.
        problem: The class of the network door's error (py/gemini_companion/network/errors.py), if it says so.
    """

    def __init__(self, message: str, problem: str = "") -> None:
        super().__init__(message)
        self.problem = problem


async def send_request_async(
    url: str, method: str, headers: dict[str, str], body: bytes, redirect: str = "follow"
) -> Response:
    """Send a request with the browser's fetch and return the complete response. Cancelling the task aborts it.

    Args:
        url: Its URL.
        method: Its method.
        headers: Its headers.
        body: Its body.
        redirect: "manual" returns a redirect, where the network door can (docs/network.md).

    Raises:
        RequestFailed: There is no response, or this page may not read it.
    """
    got = await open_request_async(url, method, headers, body, redirect)
    try:
        content = await got.content()
    except asyncio.CancelledError:
        got.close()
        raise
    return Response(got.status, got.reason, got.url, got.headers, content)


class Arriving(io.RawIOBase):
    """A response whose body is read while it arrives.

    Attributes:
        status: The HTTP status.
        reason: Its text.
        url: The URL that has answered.
        headers: The headers, in the server's order if it is known.
    """

    def __init__(self, response: Any, abort: Callable[[], None]) -> None:
        self.status, self.reason, self.url = int(response.status), str(response.statusText), str(response.url)
        self.headers = _pairs(response)
        self._response = response
        self._abort = abort
        self._reader: Any = None
        self._rest = b""

    async def content(self) -> bytes:
        """Return the complete body.

        Raises:
            RequestFailed: The connection breaks off.
        """
        with _failing():
            return bytes((await self._response.arrayBuffer()).to_bytes())

    async def piece(self) -> bytes:
        """Wait for the next bytes, and return them; none at the end.

        Raises:
            RequestFailed: The connection breaks off.
        """
        # A missing body, as after 204, is JavaScript's null, which isn't None.
        self._reader = self._reader or (self._response.body and self._response.body.getReader())
        if not self._reader:
            return b""
        with _failing():
            # A stream may have empty pieces before its end.
            while not (found := await self._reader.read()).done:
                if piece := bytes(found.value.to_bytes()):
                    return piece
        return b""

    def readable(self) -> bool:
        """Return True; see `io.IOBase.readable`."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """Suspend the stack until there are bytes; see `io.RawIOBase.readinto`."""
        self._rest = self._rest or wait(self.piece())
        count = min(len(buffer), len(self._rest))
        buffer[:count] = self._rest[:count]
        self._rest = self._rest[count:]
        return count

    def close(self) -> None:
        """Cancel the rest of the response."""
        if not self.closed:
            self._abort()
        super().close()


@contextmanager
def _failing() -> Generator[None]:
    from pyodide.ffi import JsException

    try:
        yield
    except JsException as error:
        problem = getattr(cast("Any", error).js_error, "problem", None) or ""
        raise RequestFailed(str(error.message), str(problem)) from error


async def open_request_async(
    url: str, method: str, headers: dict[str, str], body: bytes, redirect: str = "follow"
) -> Arriving:
    """Send a request with the browser's fetch and return the response once its head has arrived.

    Takes the arguments of `send_request_async`, and raises its errors.
    """
    import js

    controller = js.AbortController.new()
    options: dict[str, Any] = {"method": method, "headers": headers, "signal": controller.signal}
    options["redirect"] = redirect
    if body:
        options["body"] = body
    try:
        with _failing():
            return Arriving(await js.fetch(url, to_js_object(options)), controller.abort)
    except asyncio.CancelledError:
        controller.abort()
        raise


def open_request(url: str, method: str, headers: dict[str, str], body: bytes) -> Arriving | Response:
    """Send a request and wait for the head of the response, or for all of it if Python can't be suspended.

    Raises:
        OSError: There is no response, or this page may not read it.
    """
    if not can_wait():
        return send_request(url, method, headers, body)
    got: Arriving = wait(open_request_async(url, method, headers, body))
    return got


def _send_xml_http_request(url: str, method: str, headers: dict[str, str], body: bytes) -> Response:
    import js
    from pyodide.ffi import to_js

    request = js.XMLHttpRequest.new()
    request.open(method, url, False)
    request.responseType = "arraybuffer"
    for name, value in headers.items():
        request.setRequestHeader(name, value)
    request.send(to_js(body) if body else None)
    lines = str(request.getAllResponseHeaders()).split("\r\n")
    headers_list = [(name, value) for name, _, value in (line.partition(": ") for line in lines) if name]
    content = request.response.to_bytes()
    return Response(
        int(request.status), str(request.statusText), str(request.responseURL), headers_list, content
    )
