"""Lists the pinned files of packages, which spares pip three quarters of its CPU time.

pip would compare all files of all versions of each package, thousands for some. From a page that lists only the files
with pinned hashes it still chooses, downloads and verifies as usual.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

from builder.connections import CONNECTIONS, Connections, Unusual

PYPI = "https://pypi.org/simple"
# The simple API, https://packaging.python.org/en/latest/specifications/simple-repository-api.
JSON = "application/vnd.pypi.simple.v1+json"
# Options of pip under which the index isn't asked directly.
INDIRECT = {"no-index", "proxy", "client-cert", "trusted-host"}
_REQUIREMENT = re.compile(r"^([\w.-]+)(?:\[.*\])?==", re.MULTILINE)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


def list_files(requirements: Path, settings: Mapping[str, str], target: Path) -> None:
    """Write a page with links to the files that are pinned, for pip's option `--find-links`.

    Args:
        requirements: The file that pins them, with a hash for each.
        settings: pip's settings, by the names of its options.
        target: The page, whose name ends with .html.

    Raises:
        Unusual: pip has to ask its index for them.
    """
    if indirect := sorted(INDIRECT & settings.keys()):
        raise Unusual(f"pip has settings for {', '.join(indirect)}")
    index = settings.get("index-url", PYPI).rstrip("/")
    text = requirements.read_text(encoding="utf-8")
    names, hashes = _REQUIREMENT.findall(text), set(_HASH.findall(text))
    with Connections(settings.get("cert")) as connections, ThreadPoolExecutor(CONNECTIONS) as threads:

        def links(name: str) -> list[str]:
            url = f"{index}/{re.sub(r'[-_.]+', '-', name).lower()}/"
            return _links(url, connections.get(url, JSON), hashes)

        listed = [link for each in threads.map(links, names) for link in each]
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("<!doctype html>\n" + "".join(listed), encoding="utf-8")


def _links(url: str, content: bytes, hashes: set[str]) -> list[str]:
    """Return the links to the files of a package that are pinned."""
    try:
        files: list[dict[str, Any]] = json.loads(content)["files"]
        found = [file for file in files if file["hashes"].get("sha256") in hashes]
        return [
            f'<a href="{escape(urljoin(url, file["url"]))}#sha256={file["hashes"]["sha256"]}"'
            f' data-requires-python="{escape(file.get("requires-python") or "")}">{escape(file["filename"])}</a>\n'
            for file in found
        ]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Unusual(f"{url} isn't of the simple API") from None
