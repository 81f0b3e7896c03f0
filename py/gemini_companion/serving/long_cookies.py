"""Answers requests that cookies have made too long, by clearing the cookies.

The companion sets no cookies, and needs none. But cookies know no ports (https://www.rfc-editor.org/rfc/rfc6265#section-8.5),
so any page of any server on this machine can set so many that the head of each request is too long. Only then are they
cleared (https://w3c.github.io/webappsec-clear-site-data/), since they may belong to another server.
"""

from __future__ import annotations

import re

# Less than that isn't the reason why a head is too long.
LONG = 16 * 1024
# All cookies that Chromium stores for a host: 180 of 4 kB.
LONGEST_HEAD = 1024 * 1024
END = b"\r\n\r\n"
COOKIES = re.compile(rb"\r\ncookie:[^\r\n]*", re.IGNORECASE)
# Slashes in front, of both kinds, would name another host in a redirect.
READS = re.compile(rb"(?:GET|HEAD) /[/\\]*([\x21-\x7e]*) HTTP/1\.1\r\n")


class LongHead:
    """The head of a request that is too long because of its cookies. All of it is read, but not stored.

    A client that is answered earlier may see a reset connection instead of the answer.
    """

    def __init__(self, start: bytes) -> None:
        reads = READS.match(start)
        self._target = b"/" + reads[1] if reads else None
        self._size = 0
        self._end = b""
        self.is_complete = False
        self.add(start)

    @staticmethod
    def of(start: bytes) -> LongHead | None:
        """Return the head that starts like this, or None if its cookies aren't long."""
        return LongHead(start) if sum(map(len, COOKIES.findall(start))) > LONG else None

    @property
    def is_hopeless(self) -> bool:
        """True if it is longer than cookies can make it."""
        return self._size > LONGEST_HEAD

    def add(self, data: bytes) -> None:
        """Take the next part."""
        self._size += len(data)
        joined = self._end + data
        self.is_complete = self.is_complete or END in joined
        self._end = joined[-len(END) :]

    def answer(self) -> bytes:
        """Return the answer: it clears the cookies, and a client that reads repeats its request."""
        status = b"431 Request Header Fields Too Large" if self._target is None else b"307 Temporary Redirect"
        lines = [
            b"HTTP/1.1 " + status,
            b'Clear-Site-Data: "cookies"',
            b"Cache-Control: no-store",
            b"Content-Length: 0",
            b"Connection: close",
        ]
        if self._target is not None:
            lines.append(b"Location: " + self._target)
        return b"\r\n".join(lines) + END
