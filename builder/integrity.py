"""Subresource Integrity (https://www.w3.org/TR/SRI/): the page runs the scripts of its own build and no others.

A copy that the browser kept may have been changed since, by code that shares the page's origin on hosts with one.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path

# A script or style sheet of the build's folder, as the page names it.
LOADED = re.compile(r'<(?:script|link rel="stylesheet")(?=\s)[^>]*?\s(?:src|href)="([^"/:]+)"')
# Before the first module, or it counts for none.
FIRST_MODULE = '<script type="module"'


def with_hashes(page: str, files: Mapping[str, Path]) -> str:
    """The page with the hash of each script and style sheet that it names.

    Args:
        page: HTML, with the build's folder as its base.
        files: The build's files, by their names in the folder.
    """

    def add(found: re.Match[str]) -> str:
        return f'{found[0]} integrity="{_hash(files[found[1]])}"'

    return LOADED.sub(add, page)


def with_module_hashes(page: str, files: Mapping[str, Path]) -> str:
    """The page with the hashes of all modules of the build, which its scripts import by their names."""
    modules = {f"./{name}": _hash(path) for name, path in files.items() if re.fullmatch(r"[\w-]+\.js", name)}
    imports = f'<script type="importmap">{json.dumps({"integrity": modules})}</script>\n    '
    return page.replace(FIRST_MODULE, imports + FIRST_MODULE, 1)


def _hash(path: Path) -> str:
    return f"sha384-{base64.b64encode(hashlib.sha384(path.read_bytes()).digest()).decode()}"
