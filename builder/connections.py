"""Downloads files by connections that stay open, for what is fetched without npm and pip."""

from __future__ import annotations

import http.client
import ssl
import threading
from types import TracebackType
from urllib.parse import urlsplit
from urllib.request import getproxies

# Few enough for a server, many enough that none of them waits for another's answer.
CONNECTIONS = 8
TIMEOUT_S = 30


class Unusual(Exception):
    """Something is left to npm or pip, which know more ways, and explain what fails."""


class Connections:
    """Connections to servers, one for each thread and server.

    Args:
        certificates: The file of the certificates to trust instead of the system's.
    """

    def __init__(self, certificates: str | None = None) -> None:
        self._certificates = certificates
        self._local = threading.local()
        self._open: list[http.client.HTTPConnection] = []

    def __enter__(self) -> Connections:
        """Return this."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close all connections."""
        for connection in self._open:
            connection.close()

    def get(self, url: str, accept: str = "*/*") -> bytes:
        """Return the content of an address.

        Args:
            url: The address.
            accept: The type of content to ask for.

        Raises:
            Unusual: The server can't be reached directly, or answers with something else.
        """
        try:
            return self._get(url, accept)
        except (OSError, http.client.HTTPException):
            # A server may close a connection at any time.
            pass
        try:
            return self._get(url, accept)
        except (OSError, http.client.HTTPException) as problem:
            raise Unusual(f"{url}: {problem}") from None

    def _get(self, url: str, accept: str) -> bytes:
        parts = urlsplit(url)
        connection = self._connection(parts.scheme, parts.netloc)
        try:
            connection.request("GET", parts.path, headers={"Accept": accept})
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException):
            connection.close()
            raise
        if answer.status != http.client.OK:
            raise Unusual(f"{url}: {answer.status}")
        return content

    def _connection(self, scheme: str, server: str) -> http.client.HTTPConnection:
        known: dict[str, http.client.HTTPConnection] = self._local.__dict__
        if f"{scheme}://{server}" not in known:
            if "@" in server or scheme in getproxies():
                raise Unusual(f"{server.rpartition('@')[2]} isn't reached directly")
            if scheme == "https":
                context = ssl.create_default_context(cafile=self._certificates)
                made = http.client.HTTPSConnection(server, timeout=TIMEOUT_S, context=context)
            elif scheme == "http":
                made = http.client.HTTPConnection(server, timeout=TIMEOUT_S)
            else:
                raise Unusual(f"{scheme} isn't HTTP")
            known[f"{scheme}://{server}"] = made
            self._open.append(made)
        return known[f"{scheme}://{server}"]
