"""A server that answers with what it is sent, in an encoding and by a way out that the request chooses."""

from __future__ import annotations

import base64
import gzip
import html
import json
import zlib
from collections.abc import AsyncIterator, Callable, MutableSequence
from urllib.parse import parse_qs, quote, quote_plus, unquote_plus

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

Encode = Callable[[str], str]


def _each(form: str) -> Encode:
    return lambda value: "".join(form.format(ord(each)) for each in value)


def _base64(before: str, after: str = "") -> Encode:
    return lambda value: base64.b64encode(f"{before}{value}{after}".encode()).decode()


# Those that a header can have, too.
ENCODINGS: dict[str, Encode] = {
    "plain": str,
    "upper": str.upper,
    "quoted": lambda value: quote(value, safe=""),
    "quoted twice": lambda value: quote(quote(value, safe=""), safe=""),
    "form": quote_plus,
    "all quoted": _each("%{:02x}"),
    "json": lambda value: json.dumps(value)[1:-1],
    "json escapes": _each("\\u{:04x}"),
    "json in json": lambda value: json.dumps(json.dumps(value))[3:-3],
    "html": html.escape,
    "html decimal": _each("&#{};"),
    "html hex": _each("&#x{:x};"),
    "c": _each("\\x{:02x}"),
    "base64": _base64(""),
    "base64 login": _base64("u:", "xyz"),
    "base64 shifted": _base64("a"),
    "base64 of urls": lambda value: base64.urlsafe_b64encode(value.encode()).decode(),
    "hex": lambda value: value.encode().hex(),
    "hex with colons": lambda value: value.encode().hex(":").upper(),
    "reversed": lambda value: value[::-1],
}
WAYS = ("header", "body", "pieces", "gzip", "redirect")


def echo_of(lines: MutableSequence[str]) -> Route:
    """Return the route `/echo?as=ENCODING&by=WAY&to=URL`.

    It answers with what is sent as a bearer's token, a basic login's password, `token` of the query or of a form, or
    `token` of JSON.
    """

    async def echo(request: Request) -> Response:
        value = await _sent(request)
        lines.append(f"echo {value}")
        query = request.query_params
        text = ENCODINGS[query.get("as", "plain")](value)
        by = query.get("by", "body")
        if by == "header":
            return Response("here", headers={"X-Echo": text})
        if by == "redirect":
            # Unlike Starlette's own, as it is.
            moved = Response(status_code=302)
            moved.raw_headers.append((b"location", f"{query['to']}?token={text}".encode("latin-1")))
            return moved
        if by == "pieces":
            return StreamingResponse(_pieces(text), media_type="text/plain")
        if by == "moved":
            return RedirectResponse(query["to"], int(query.get("status", 307)))
        return _packed(by, f"<{text}>".encode())

    return Route("/echo", echo, methods=["GET", "POST"])


def _packed(by: str, content: bytes) -> Response:
    if by == "gzip":
        return Response(gzip.compress(content), headers={"Content-Encoding": "gzip"})
    if by == "deflate":
        return Response(zlib.compress(content), headers={"Content-Encoding": "deflate"})
    if by == "raw deflate":
        packing = zlib.compressobj(wbits=-15)
        packed = packing.compress(content) + packing.flush()
        return Response(packed, headers={"Content-Encoding": "deflate"})
    if by == "twice":
        return Response(gzip.compress(zlib.compress(content)), headers={"Content-Encoding": "deflate, gzip"})
    if by == "br":
        return Response(content, headers={"Content-Encoding": "br"})
    return Response(content)


async def _pieces(text: str) -> AsyncIterator[bytes]:
    data = f"<{text}>".encode()
    for start in range(0, len(data), 7):
        yield data[start : start + 7]


async def _sent(request: Request) -> str:
    kind, _, value = request.headers.get("authorization", "").partition(" ")
    if kind == "Basic":
        return base64.b64decode(value).decode().partition(":")[2]
    if kind:
        return value
    body = (await request.body()).decode()
    if request.headers.get("content-type", "").startswith("application/json"):
        return json.loads(body)["token"]
    if body:
        return parse_qs(body, keep_blank_values=True)["token"][0]
    found = [each for each in request.url.query.split("&") if each.startswith("token=")]
    return unquote_plus(found[0].removeprefix("token=")) if found else ""
