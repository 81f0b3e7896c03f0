"""Pictures of pages, as files."""

import base64
import re
from pathlib import Path
from typing import NotRequired

from typing_extensions import TypedDict

from gemini.dom.tab import Row

FOLDER = Path("/tmp/screenshots")
NAME = re.compile(r"[^\w.-]+")


class Screenshot(TypedDict):
    """`bytes` is the file's size, `width` and `height` are in pixels; `data`, where asked for, is in base64."""

    path: str
    format: str
    width: int
    height: int
    bytes: int
    data: NotRequired[str]


def save(picture: Row, title: str, folder: Path = FOLDER) -> Screenshot:
    """Write what a page script's `screenshot` gave to a new file that is named after the page's title."""
    data = base64.b64decode(picture["data"])
    folder.mkdir(parents=True, exist_ok=True)
    path = _unused(folder, NAME.sub("-", title).strip("-.")[:40] or "page", picture["format"])
    path.write_bytes(data)
    return {
        "path": str(path),
        "format": picture["format"],
        "width": picture["width"],
        "height": picture["height"],
        "bytes": len(data),
    }


def _unused(folder: Path, name: str, ending: str) -> Path:
    number = 1
    while (path := folder / f"{name}-{number}.{ending}").exists():
        number += 1
    return path
