"""The content security policies of the surface's documents and workers: https://www.w3.org/TR/CSP3/."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from gemini_companion.serving.static_files import HEADERS, ISOLATION

# The hashes of scripts in frames without an address, which the build adds to the page (builder/integrity.py).
FRAME_SCRIPTS = re.compile(r'<meta name="frame-scripts" content="([^"]*)">')
HASH = re.compile(r"sha256-[A-Za-z0-9+/]{43}=")
INLINE_SCRIPT = re.compile(r"<script(?![^>]*\ssrc\s*=)[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)


def document_policy(
    inline: Iterable[str] = (), *, framed: Iterable[str] = (), sockets: Iterable[str] = ()
) -> str:
    """Return the policy of a document.

    Args:
        inline: Its inline scripts, exactly as they are in it.
        framed: The hashes of scripts in its frames without an address, which inherit its policy.
        sockets: The origins of WebSockets that `'self'` doesn't cover, such as `ws://127.0.0.1:8765`.
    """
    hashes = [
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in inline
    ]
    hashes += [f"'{each}'" for each in framed]
    return _policy(
        {
            "default-src": ["'self'"],
            # `browser_execute_js` runs text, with the user's consent. Inline scripts and event handlers, as in a
            # file's preview, still don't run.
            "script-src": ["'self'", "'unsafe-eval'", *hashes],
            # Terminals, panels and the editor write their styles into the page.
            "style-src": ["'self'", "'unsafe-inline'"],
            "img-src": ["'self'", "data:", "blob:"],
            "font-src": ["'self'", "data:"],
            "media-src": ["'self'", "data:", "blob:"],
            # Uploads and downloads use `blob:` addresses.
            "connect-src": ["'self'", "data:", "blob:", *sockets],
            # Tabs: the sites' origin, and others with the user's consent.
            "frame-src": ["'self'", "blob:", "http:", "https:"],
            "worker-src": ["'self'"],
            "object-src": ["'none'"],
            "base-uri": ["'self'"],
            "form-action": ["'self'"],
            # An application that embeds the surface has the same origin.
            "frame-ancestors": ["'self'"],
        }
    )


# For the service worker. The kernel's worker has another policy (`kernel_headers`).
WORKER_POLICY = {"default-src": ["'self'"]}
# The worker in which the editor checks Python code (builder/bundles.py) is compiled from WebAssembly.
PYTHON_CHECKS = "python_checks.js"
CHECKS_POLICY = {"default-src": ["'self'"], "script-src": ["'self'", "'wasm-unsafe-eval'"]}


def surface_headers(sockets: Iterable[str] = ()) -> dict[str, str]:
    """Return the headers of every answer of the surface's origin; a file's own policy (`Policies`) comes first."""
    return {
        **HEADERS,
        **ISOLATION,
        # A followed link doesn't reveal this page.
        "Referrer-Policy": "no-referrer",
        "Content-Security-Policy": document_policy(sockets=sockets),
    }


class Policies:
    """The policy of each file, for `StaticFiles`: of a page with its inline scripts, or of a worker.

    A script that a document loads runs under the document's policy, so the policy of scripts affects workers only.

    Args:
        sockets: As in `document_policy`.
    """

    def __init__(self, sockets: Iterable[str] = ()) -> None:
        self.sockets = tuple(sockets)

    def __call__(self, file: Path) -> dict[str, str]:
        """Return the policy header of a file, if it has its own policy."""
        match file.suffix.lower():
            case ".html":
                inline, framed = _scripts(file, file.stat().st_mtime_ns)
                policy = document_policy(inline, framed=framed, sockets=self.sockets)
            case ".js" if file.name == PYTHON_CHECKS:
                policy = _policy(CHECKS_POLICY)
            case ".js" | ".mjs":
                policy = _policy(WORKER_POLICY)
            case _:
                return {}
        return {"Content-Security-Policy": policy}


@lru_cache(maxsize=64)
def _scripts(file: Path, changed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return a page's inline scripts, and the hashes of its frames' inline scripts."""
    # As the browser reads it, with each line end as one character.
    page = file.read_text(encoding="utf-8")
    framed = FRAME_SCRIPTS.search(page)
    return tuple(INLINE_SCRIPT.findall(page)), tuple(HASH.findall(framed[1]) if framed else ())


def _policy(directives: dict[str, list[str]]) -> str:
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())
