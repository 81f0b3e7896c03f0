"""Patches that let HTTP libraries use the browser's fetch, because Python in a page has no sockets.

Requests pass the network door, like all others, once the user has agreed (docs/network.md). `requests` and urllib3
support browsers without a patch.
"""

from gemini.computer.network import aiohttp_connections, httpx_transports, urllib_requests
from gemini.computer.network.importing import when_imported
from gemini.core import ffi

PATCHES = {
    "aiohttp.connector": aiohttp_connections.patch,
    "urllib.request": urllib_requests.patch,
    "httpx": httpx_transports.patch,
    "httpx2": httpx_transports.patch,
}


def install() -> None:
    """Patch the libraries, now or when they are first imported. Does nothing outside of browsers."""
    if ffi.IN_BROWSER:
        for name, patch in PATCHES.items():
            when_imported(name, patch)
