"""Adds Subresource Integrity (https://www.w3.org/TR/SRI/), so the page runs only its own build's scripts.

On hosts with a single origin, other code of that origin may have changed the copy in the browser's cache.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

# A reference to a script or style sheet in the build's folder. Browsers ignore hashes of files preloaded for `fetch`.
LOADED = re.compile(r'<(?:script|link rel="stylesheet")(?=\s)[^>]*?\s(?:src|href)="([^"/:]+)"')
# What web/ui/lib/integrity.ts looks up.
LISTED = re.compile(r"[\w-]+\.js")
# It reads the hashes, and an import map must precede the first module.
FIRST_SCRIPT = '<script src="early.js"'


def with_hashes(page: str, files: Mapping[str, Path]) -> str:
    """Return the page with the hash of each script and style sheet that it references.

    Args:
        page: HTML whose base is the build's folder.
        files: The build's files, by name.
    """

    def add(found: re.Match[str]) -> str:
        return f'{found[0]} integrity="{_hash(files[found[1]])}"'

    return LOADED.sub(add, page)


def with_module_hashes(page: str, files: Mapping[str, Path]) -> str:
    """Return the page with an import map that has the hashes of all modules of the build."""
    modules = {f"./{name}": _hash(path) for name, path in files.items() if LISTED.fullmatch(name)}
    imports = f'<script type="importmap">{json.dumps({"integrity": modules})}</script>\n    '
    return page.replace(FIRST_SCRIPT, imports + FIRST_SCRIPT, 1)


def with_frame_scripts(page: str, scripts: Iterable[Path]) -> str:
    """Return the page with the hashes of the scripts that its frames may contain, for the companion's policy.

    A frame without an address inherits the policy of the page (`gemini_companion.serving.policy`).
    """
    hashes = " ".join(
        f"sha256-{base64.b64encode(hashlib.sha256(script.read_bytes()).digest()).decode()}"
        for script in scripts
    )
    named = f'<meta name="frame-scripts" content="{hashes}">\n    '
    return page.replace(FIRST_SCRIPT, named + FIRST_SCRIPT, 1)


def _hash(path: Path) -> str:
    return f"sha384-{base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode()}"
