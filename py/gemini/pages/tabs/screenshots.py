"""Save screenshots as files."""

import base64
import re
from pathlib import Path
from typing import NotRequired

from typing_extensions import TypedDict

from gemini.pages.tabs.tab import Row

FOLDER = Path("/tmp/screenshots")
NAME = re.compile(r"[^\w.-]+")


class Screenshot(TypedDict):
    """A saved screenshot. `bytes` is the file's size, `width` and `height` are in pixels, `data` is optional base64."""

    path: str
    format: str
    width: int
    height: int
    bytes: int
    data: NotRequired[str]


def save(picture: Row, title: str, folder: Path = FOLDER) -> Screenshot:
    """Write the picture of a page script's `screenshot` to a new file named after the page's title."""
    data = base64.b64decode(picture["data"])
    folder.mkdir(parents=True, exist_ok=True)
    path = _free_path(folder, NAME.sub("-", title).strip("-.")[:40] or "page", picture["format"])
    path.write_bytes(data)
    return {
        "path": str(path),
        "format": picture["format"],
        "width": picture["width"],
        "height": picture["height"],
        "bytes": len(data),
    }


def _free_path(folder: Path, name: str, suffix: str) -> Path:
    number = 1
    while (path := folder / f"{name}-{number}.{suffix}").exists():
        number += 1
    return path
