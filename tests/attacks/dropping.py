"""Drops of things from outside of the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gemini_testing import Surface

PLACE = """
const { x, y, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
return { x: x + width / 2, y: y + height / 2 };
"""


def drop(surface: Surface, selector: str, *items: tuple[str, str], files: list[Path] | None = None) -> None:
    """Drop things on an element, as a user does who drags them out of a page or a file manager.

    Args:
        surface: The page.
        selector: The element.
        items: The type and the text of each form of the dragged item.
        files: The files that are dragged.
    """
    place: dict[str, Any] = surface.javascript(PLACE, selector)
    data = {
        "items": [{"mimeType": kind, "data": text} for kind, text in items],
        "files": [str(file) for file in files or []],
        "dragOperationsMask": 1,
    }
    for kind in ("dragEnter", "dragOver", "drop"):
        surface.driver.execute_cdp_cmd("Input.dispatchDragEvent", {"type": kind, "data": data, **place})
