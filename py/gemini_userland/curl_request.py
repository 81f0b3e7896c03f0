"""The request that `curl` sends for a URL."""

from __future__ import annotations

import base64
import os
from urllib.parse import urljoin, urlsplit

from gemini_userland import curl_body as bodies
from gemini_userland.curl_options import FORMS, Options, WrongUsage, allowed_schemes
from gemini_userland.http import Request, with_scheme
from gemini_userland.invocation import Invocation

# The version whose output ours is compared with.
AGENT = "curl/7.88.1"
UNSUPPORTED, MALFORMED = 1, 3
# The network door doesn't send these headers.
NOT_SENT = {
    "cookie",
    "host",
    "origin",
    "referer",
    "connection",
    "content-length",
    "transfer-encoding",
    "expect",
}


class Failed(Exception):
    """A transfer that failed.

    Args:
        status: The exit code.
        message: The text after `curl: (status) `.
    """

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


def request(invocation: Invocation, options: Options, url: str, start: int = 0) -> Request:
    """Return the request for a URL, for what begins at the byte `start`.

    Raises:
        Failed: The URL, its scheme or the method is none that can be asked for.
        WrongUsage: A file can't be read, or the browser would change the path.
    """
    url = _check(options, url)
    method, url, body, headers = _content(invocation, options, url)
    if options.last("user-agent") != "":
        headers.insert(0, ("User-Agent", options.last("user-agent") or AGENT))
    if options.all("json"):
        headers.append(("Accept", bodies.JSON))
    for _, query in options.all("url-query"):
        raw = query[1:].encode() if query.startswith("+") else bodies.urlencoded(invocation, query)
        url += ("&" if urlsplit(url).query else "?") + raw.decode()
    headers += _credentials(options, url)
    span = f"{start}-" if start else options.last("range")
    if span is not None:
        headers.append(("Range", f"bytes={span}"))
    method = options.last("request") if options.last("request") is not None else method
    if not method:
        raise Failed(UNSUPPORTED, "The method has no name")
    return Request(_without_user(url), method, _merge(invocation, options, headers), body)


def _content(
    invocation: Invocation, options: Options, url: str
) -> tuple[str, str, bytes, list[tuple[str, str]]]:
    """Return the method, the URL with data of `-G`, the body and the headers about it."""
    flags = options.flags
    data = bodies.data(invocation, options)
    headers = [("Accept", "*/*")]
    method, body = "HEAD" if "head" in flags else "GET", b""
    if options.all(*FORMS):
        body, kind = bodies.form(invocation, options)
        return "POST", url, body, [*headers, ("Content-Type", kind)]
    if (path := options.last("upload-file")) is not None:
        if url.endswith("/") and path != "-":
            url += os.path.basename(path)
        return "PUT", url, bodies.read(invocation, path), headers
    if data is not None and "get" not in flags:
        kind = bodies.JSON if options.all("json") else bodies.URLENCODED
        return "POST", url, data, [*headers, ("Content-Type", kind)]
    if data:
        url += ("&" if urlsplit(url).query else "?") + data.decode("latin-1")
    return method, url, body, headers


def check_scheme(allowed: str | None, scheme: str) -> None:
    """Refuse a scheme that `--proto` or `--proto-redir` leaves out.

    Raises:
        Failed: It does.
    """
    if scheme not in allowed_schemes(allowed):
        raise Failed(UNSUPPORTED, f'Protocol "{scheme}" not supported')


def _check(options: Options, url: str) -> str:
    """Return a URL with its scheme and path, as the browser sends it: without `.` and `..`."""
    whole = with_scheme(url).partition("#")[0]
    parts = urlsplit(whole)
    check_scheme(options.last("proto"), parts.scheme)
    try:
        known = bool(parts.hostname) and parts.port != -1
    except ValueError:
        known = False
    if not known or any(character.isspace() for character in whole):
        raise Failed(MALFORMED, "URL rejected: Malformed input to a URL function")
    path = parts.path or "/"
    if {".", ".."} & set(path.split("/")):
        if "path-as-is" in options.flags:
            raise WrongUsage(f"--path-as-is isn't supported: a browser sends no . and .. in {path}")
        path = urljoin("/", path)
    return parts._replace(path=path).geturl()


def _credentials(options: Options, url: str) -> list[tuple[str, str]]:
    user = options.last("user")
    parts = urlsplit(url)
    if user is None and parts.username is not None:
        user = f"{parts.username}:{parts.password or ''}"
    if user is not None:
        encoded = base64.b64encode(os.fsencode(user)).decode()
        return [("Authorization", f"Basic {encoded}")]
    token = options.last("oauth2-bearer")
    return [] if token is None else [("Authorization", f"Bearer {token}")]


def _merge(
    invocation: Invocation, options: Options, headers: list[tuple[str, str]]
) -> tuple[tuple[str, str], ...]:
    """Return the headers with those of `-H`, which replace or remove others."""
    given: list[tuple[str, str]] = []
    removed: set[str] = set()
    for _, line in options.all("header"):
        lines = [line]
        if line.startswith("@"):
            lines = bodies.read(invocation, line[1:]).decode().splitlines()
        for one in filter(None, lines):
            name, mark, value = one.partition(":")
            if not mark and one.endswith(";"):
                name, value = one[:-1], " "
            removed.add(name.strip().lower())
            if value:
                given.append((name.strip(), value.strip()))
    for name in sorted({name for name, _ in given if name.lower() in NOT_SENT}):
        invocation.stderr.write(f"Warning: the network door doesn't send the header {name}\n".encode())
    merged: dict[str, tuple[str, str]] = {}
    for name, value in headers:
        if name.lower() not in removed:
            merged[name.lower()] = (name, value)
    return (*merged.values(), *given)


def _without_user(url: str) -> str:
    parts = urlsplit(url)
    return parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
