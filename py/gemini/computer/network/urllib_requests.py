"""A patch that lets `urllib.request` use the browser's fetch."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from gemini.core import ffi

if TYPE_CHECKING:
    from urllib.request import Request
    from urllib.response import addinfourl


def open_request(_: Any, request: Request) -> addinfourl:
    """Send a request and return the answer, in place of `HTTPHandler.http_open`.

    Raises:
        URLError: There is no answer; `reason` is a sentence.
    """
    from email.message import Message
    from urllib.error import URLError
    from urllib.response import addinfourl

    body = request.data
    if body is not None and not isinstance(body, bytes):
        body = b"".join(body)  # type: ignore[arg-type]  # pyright: ignore
    headers = dict(request.header_items())
    try:
        got = ffi.open_request(request.full_url, request.get_method(), headers, body or b"")
    except OSError as error:
        raise URLError(str(error)) from error
    message = Message()
    for name, value in got.headers:
        message[name] = value
    content = io.BufferedReader(got) if isinstance(got, ffi.Arriving) else io.BytesIO(got.body)
    answer = addinfourl(content, message, got.url, got.status)
    # urllib's own answers have this attribute, which `HTTPErrorProcessor` uses.
    answer.msg = got.reason  # type: ignore[attr-defined]
    return answer


def patch(module: Any) -> None:
    """Replace the methods of `module.HTTPHandler`."""
    # Without the ssl module there is no HTTPSHandler.
    module.HTTPHandler.http_open = open_request
    module.HTTPHandler.https_open = open_request
