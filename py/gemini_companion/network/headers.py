"""Decides which headers pass the door, each way."""

from __future__ import annotations

import re
from collections.abc import Iterable

from gemini_companion.network.errors import RequestMalformed

Headers = list[tuple[str, str]]

NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
# Without line breaks, and in Latin-1, as browsers send it.
VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]*")
MAX_HEADERS = 100

# Headers of the connection, of proxies, and those by which a browser speaks for its user.
NEVER_SENT = frozenset(
    [
        "accept-charset", "access-control-request-headers", "access-control-request-method", "connection",
        "content-length", "cookie", "cookie2", "date", "dnt", "expect", "forwarded", "host", "http2-settings",
        "keep-alive", "origin", "permissions-policy", "referer", "set-cookie", "te", "trailer",
        "transfer-encoding", "upgrade", "via", "x-forwarded-for", "x-forwarded-host", "x-forwarded-proto",
        "x-http-method", "x-http-method-override", "x-method-override",
    ]
)  # fmt: skip
NEVER_SENT_PREFIXES = ("proxy-", "sec-")
# These only say which form of the content is wanted.
PLAIN = frozenset(
    [
        "accept", "accept-encoding", "accept-language", "cache-control", "if-modified-since", "if-none-match",
        "if-range", "if-unmodified-since", "pragma", "range", "user-agent",
    ]
)  # fmt: skip
LONGEST_PLAIN = 256
# Codings that browsers decode.
CODINGS = frozenset({"gzip", "deflate", "br", "zstd"})
ACCEPTED_CODINGS = "gzip, deflate"
# Instructions of the remote server to a browser, about itself, its origin or the connection.
NEVER_ANSWERED = frozenset(
    [
        "accept-ch", "alt-svc", "clear-site-data", "connection",
        "content-security-policy", "content-security-policy-report-only", "critical-ch",
        "cross-origin-embedder-policy", "cross-origin-embedder-policy-report-only",
        "cross-origin-opener-policy", "cross-origin-opener-policy-report-only", "cross-origin-resource-policy",
        "keep-alive", "nel", "origin-agent-cluster", "origin-trial", "permissions-policy", "proxy-authenticate",
        "proxy-connection", "refresh", "report-to", "reporting-endpoints", "service-worker-allowed",
        "set-cookie", "set-cookie2", "set-login", "sourcemap", "speculation-rules", "strict-transport-security",
        "supports-loading-mode", "te", "trailer", "transfer-encoding", "upgrade", "x-frame-options",
        "x-sourcemap",
    ]
)  # fmt: skip
OF_TRANSFER = frozenset({"content-encoding", "content-length"})
MAX_ANSWERED = 48 * 1024


def sent(headers: Iterable[tuple[str, str]]) -> Headers:
    """Return the kernel's headers that are sent, with names in lowercase.

    Raises:
        RequestMalformed: A name or value is invalid, or there are too many.
    """
    passing: Headers = []
    for name, value in headers:
        if not NAME.fullmatch(name) or not VALUE.fullmatch(value):
            raise RequestMalformed(f"the header {name[:80]!r} or its value is invalid")
        lower = name.lower()
        if lower not in NEVER_SENT and not lower.startswith(NEVER_SENT_PREFIXES):
            passing.append((lower, value.strip()))
    if len(passing) > MAX_HEADERS:
        raise RequestMalformed(f"there are {len(passing)} headers, more than {MAX_HEADERS}")
    return passing


def are_plain(headers: Headers) -> bool:
    """Return whether a program can put next to no data into these headers."""
    return (
        all(name in PLAIN for name, _ in headers) and sum(len(value) for _, value in headers) <= LONGEST_PLAIN
    )


def plain(headers: Headers) -> Headers:
    """Return the headers that another origin may get as well, after a redirect to it."""
    return [each for each in headers if each[0] in PLAIN | {"content-type"}]


def answered(headers: Iterable[tuple[bytes, bytes]], coding: str | None) -> Headers:
    """Return an answer's headers that the kernel may see.

    Args:
        headers: The headers of the remote server.
        coding: The coding that the browser decodes; length and coding are wrong afterwards.
    """
    decoded = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in headers]
    hidden = NEVER_ANSWERED | OF_TRANSFER if coding else NEVER_ANSWERED
    return [each for each in decoded if each[0] not in hidden]


def coding(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """Return the content's coding if browsers decode it, or None."""
    named = [value for name, value in headers if name.lower() == b"content-encoding"]
    found = named[0].decode("latin-1").strip().lower() if len(named) == 1 else ""
    return found if found in CODINGS else None


def charset(headers: Headers) -> str | None:
    """Return the charset that an answer names, if it is valid."""
    types = [value for name, value in headers if name == "content-type"]
    found = (
        re.search(r";\s*charset\s*=\s*\"?([A-Za-z0-9_:.-]{1,40})\"?", types[-1], re.IGNORECASE)
        if types
        else None
    )
    return found[1] if found else None
