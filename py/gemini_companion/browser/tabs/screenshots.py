"""Pictures of a tab, which its browser takes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from gemini.core.protocol import Params
from gemini.errors import Hidden

Row = dict[str, Any]
JPEG_QUALITY = 90


async def take(
    command: Callable[[str, Row], Awaitable[Row]],
    request: Callable[[str, Params], Awaitable[Any]],
    *,
    format: str = "png",
    ref: str | None = None,
    selector: str | None = None,
    whole: bool = False,
    widest: float | None = None,
    boxes: bool = False,
) -> Row:
    """Take a picture of the viewport, of the full page, or of an element.

    Args:
        command: Sends the tab a command of the debugger.
        request: Calls a method of the document's script.
        format: `png` or `jpeg`.
        ref: The element; or a CSS `selector`.
        selector: See `ref`.
        whole: Whether to take all of the page.
        widest: The maximum width in pixels.
        boxes: Whether to draw a box with its ref around each element.

    Returns:
        `{data, width, height, format}`, with `data` in base64.

    Raises:
        Hidden: The element isn't visible.
        PageProblem: The script has reported an error.
    """
    if boxes:
        await request("mark", {"on": True})
    try:
        clip = await _clip(command, request, ref, selector, whole=whole)
        scale = min(1.0, (widest or clip["width"]) / clip["width"])
        settings: Row = {"format": format, "clip": {**clip, "scale": scale}, "captureBeyondViewport": whole}
        if format == "jpeg":
            settings["quality"] = JPEG_QUALITY
        taken = await command("Page.captureScreenshot", settings)
    finally:
        if boxes:
            await request("mark", {"on": False})
    width, height = round(clip["width"] * scale), round(clip["height"] * scale)
    return {"data": taken["data"], "width": width, "height": height, "format": format}


async def _clip(
    command: Callable[[str, Row], Awaitable[Row]],
    request: Callable[[str, Params], Awaitable[Any]],
    ref: str | None,
    selector: str | None,
    *,
    whole: bool,
) -> Row:
    """Return the part of the page to take, in CSS pixels."""
    if ref is not None or selector is not None:
        box = await request("box", {"ref": ref, "selector": selector})
        if min(box["width"], box["height"]) <= 0:
            raise Hidden("The element isn't visible.")
        view = (await command("Page.getLayoutMetrics", {}))["cssVisualViewport"]
        return {**box, "x": box["x"] + view["pageX"], "y": box["y"] + view["pageY"]}
    size = await command("Page.getLayoutMetrics", {})
    if whole:
        page = size["cssContentSize"]
        return {"x": 0, "y": 0, "width": page["width"], "height": page["height"]}
    view = size["cssVisualViewport"]
    return {
        "x": view["pageX"], "y": view["pageY"],
        "width": view["clientWidth"], "height": view["clientHeight"],
    }  # fmt: skip
