"""Libraries that open sockets, which Python hasn't in a page, ask the browser instead (https://pyodide.org).

Requests go through the network door, as all others, once the person has agreed (docs/network.md). `requests`,
urllib3 and httpx2 know browsers by themselves.
"""

from gemini.core import ffi
from gemini.network import httpx_transports, urllib_requests
from gemini.network.importing import when_imported

PATCHES = {
    "urllib.request": urllib_requests.patch,
    "httpx": httpx_transports.patch,
    "httpx2": httpx_transports.patch,
}


def install() -> None:
    """Patch the libraries, now or when they are first imported; where there is a browser."""
    if ffi.IN_BROWSER:
        for name, patch in PATCHES.items():
            when_imported(name, patch)
