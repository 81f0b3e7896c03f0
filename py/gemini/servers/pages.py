"""Answers of servers in the page to the pages of tabs (web/ui/browser/sites.js)."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable
from typing import Any

from gemini.core.protocol import Params
from gemini.servers import requests
from gemini.servers.requests import Answer, Request

HTML = "text/html; charset=utf-8"
BAD_GATEWAY = 502

Control = Callable[..., tuple[str, bytes]]
"""Adds the page script to a document: takes its type and content, and `outside`; see gemini.dom.sites."""


async def answer(params: Params, control: Control) -> dict[str, Any]:
    """Return a server's answer to the request of a page, or a page that says why there is none.

    Args:
        params: `port`, `method`, `path` (with its query), `headers`, `body` in base64, `isDocument`: whether the
            answer is shown as a page, and `outside`: whether that may reach other origins.
        control: Adds the page script.

    Returns:
        `status`, `reason`, `headers`, and `content` in base64.
    """
    request = Request(
        int(params["port"]),
        str(params["method"]),
        str(params["path"]),
        [(str(name), str(value)) for name, value in params["headers"]],
        base64.b64decode(params["body"]),
    )
    try:
        got = await requests.send(request)
    except ConnectionRefusedError:
        got = _problem(f"No server listens at port {request.port}", "Start it again, then reload this page.")
    except requests.NoAnswer as error:
        got = _problem(f"The server at port {request.port} didn't answer", f"{error}.")
    kind, content = got.header("content-type"), got.body
    if params["isDocument"] is True:
        kind, content = control(kind, content, outside=params["outside"] is True)
    headers = [pair for pair in got.headers if pair[0].lower() not in ("content-type", "content-length")]
    if kind:
        headers.append(("content-type", kind))
    return {
        "status": got.status,
        "reason": got.reason,
        "headers": headers,
        "content": base64.b64encode(content).decode(),
    }


def _problem(title: str, text: str) -> Answer:
    page = (
        "<!doctype html><meta name=viewport content='width=device-width'>"
        f"<title>{html.escape(title)}</title>"
        "<style>:root{color-scheme:light dark;font-family:system-ui}body{margin:2rem}</style>"
        f"<h1>{html.escape(title)}</h1><p>{html.escape(text)}</p>"
    )
    return Answer(BAD_GATEWAY, "Bad Gateway", [("content-type", HTML)], page.encode())
