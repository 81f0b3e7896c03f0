"""The body of a request of `curl`: data, JSON and forms (RFC 7578)."""

from __future__ import annotations

import os
import secrets
from urllib.parse import quote_plus

from gemini_userland.curl_options import DATA, FORMS, Options, WrongUsage
from gemini_userland.invocation import Invocation

READ_ERROR = 26
URLENCODED = "application/x-www-form-urlencoded"
JSON = "application/json"
# The types that curl itself knows.
TYPES = {
    ".gif": "image/gif", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".png": "image/png", ".svg": "image/svg+xml",
    ".txt": "text/plain", ".htm": "text/html", ".html": "text/html", ".pdf": "application/pdf",
    ".xml": "application/xml",
}  # fmt: skip


def data(invocation: Invocation, options: Options) -> bytes | None:
    """Return the data of `-d`, `--json` and their like, or None without any of them.

    Raises:
        WrongUsage: A file can't be read.
    """
    joined: bytes | None = None
    for name, value in options.all(*DATA):
        piece = _piece(invocation, name, value)
        # Pieces of JSON form one document.
        joined = piece if joined is None else joined + (b"" if name == "json" else b"&") + piece
    return joined


def _piece(invocation: Invocation, name: str, value: str) -> bytes:
    if name == "data-urlencode":
        return urlencoded(invocation, value)
    if name == "data-raw" or not value.startswith("@"):
        return os.fsencode(value)
    content = read(invocation, value[1:])
    return content.translate(None, b"\r\n\0") if name in ("data", "data-ascii") else content


def urlencoded(invocation: Invocation, value: str) -> bytes:
    """Return the encoded form of `content`, `=content`, `name=content`, `@file` or `name@file`."""
    place = min((index for index in (value.find("="), value.find("@")) if index >= 0), default=-1)
    if place < 0:
        return _quote(os.fsencode(value))
    name, mark, rest = value[:place], value[place], value[place + 1 :]
    content = os.fsencode(rest) if mark == "=" else read(invocation, rest)
    return (os.fsencode(name) + b"=" if name else b"") + _quote(content)


def _quote(content: bytes) -> bytes:
    return quote_plus(content, safe="").encode()


def read(invocation: Invocation, path: str) -> bytes:
    """Return a file's content, or the standard input for `-`.

    Raises:
        WrongUsage: The file can't be read.
    """
    if path == "-":
        return invocation.stdin
    try:
        with open(invocation.path(path), "rb") as file:
            return file.read()
    except OSError as error:
        raise WrongUsage(f"Failed to open {path}: {error.strerror}", READ_ERROR) from error


def form(invocation: Invocation, options: Options) -> tuple[bytes, str]:
    """Return the body of a multipart form, and its content type."""
    boundary = "-" * 24 + secrets.token_hex(8)
    parts = [
        f"--{boundary}\r\n".encode() + _part(invocation, value, plain=name == "form-string") + b"\r\n"
        for name, value in options.all(*FORMS)
    ]
    return b"".join(parts) + f"--{boundary}--\r\n".encode(), f"multipart/form-data; boundary={boundary}"


def _part(invocation: Invocation, argument: str, *, plain: bool) -> bytes:
    name, found, value = argument.partition("=")
    if not found:
        raise WrongUsage(f"illegally formatted input field: {argument}")
    if plain or value[:1] not in ("@", "<"):
        content, kind, file = os.fsencode(value), "", None
        if not plain and ";type=" in value:
            value, _, kind = value.partition(";type=")
            content = os.fsencode(value)
    else:
        path, *settings = value[1:].split(";")
        chosen: dict[str, str] = {}
        for one in settings:
            setting, _, text = one.strip().partition("=")
            chosen[setting] = text
        if "," in path and not os.path.exists(invocation.path(path)):
            raise WrongUsage(f"several files of one field can't be sent: use -F '{name}=@FILE' for each")
        content = read(invocation, path)
        file = None if value[0] == "<" else chosen.get("filename", os.path.basename(path)).strip('"')
        known = TYPES.get(os.path.splitext(path)[1].lower(), "application/octet-stream")
        kind = chosen.get("type", known if file is not None else "")
    head = f'Content-Disposition: form-data; name="{_escape(name)}"'
    head += f'; filename="{_escape(file)}"' if file is not None else ""
    head += f"\r\nContent-Type: {kind}" if kind else ""
    return head.encode() + b"\r\n\r\n" + content


def _escape(text: str) -> str:
    return text.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
