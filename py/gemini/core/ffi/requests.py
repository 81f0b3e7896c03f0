"""Requests of the browser's fetch."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, cast

from gemini.core.ffi.values import to_js_object


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

    The arguments are those of `send_request_async`.

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
    import js
    from pyodide.ffi import JsException

    controller = js.AbortController.new()
    options: dict[str, Any] = {"method": method, "headers": headers, "signal": controller.signal}
    options["redirect"] = redirect
    if body:
        options["body"] = body
    try:
        response = await js.fetch(url, to_js_object(options))
        content = (await response.arrayBuffer()).to_bytes()
    except JsException as error:
        problem = getattr(cast("Any", error).js_error, "problem", None) or ""
        raise RequestFailed(str(error.message), str(problem)) from error
    except asyncio.CancelledError:
        controller.abort()
        raise
    reason, final = str(response.statusText), str(response.url)
    return Response(int(response.status), reason, final, _pairs(response), content)


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
