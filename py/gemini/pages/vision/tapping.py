"""Find an element of a page by a description and press it.

The snapshot comes first, then the text in a picture, then numbered boxes, then a point.
"""

import base64
import re
from collections.abc import Awaitable, Callable
from typing import Any, cast

from gemini.errors import InvalidArguments, NoPage, NotFound, TimedOut, Unsupported
from gemini.pages.tabs.tab import Tab
from gemini.pages.vision.phrases import place_of
from gemini.pages.vision.reading import ReadPicture

Question = Callable[[str, str], Awaitable[str]]
"""Asks the model about a picture: `ask(question, data)`."""
REF = re.compile(r"\be\d+\b")
NUMBER = r"(\d+(?:\.\d+)?)"
# As models write a point: {"x": 150, "y": 180}, x=150 y=180; or 150,180, [150, 180], <point>150 180</point>.
NAMED_POINT = re.compile(rf"\bx\b\W*{NUMBER}\D{{0,20}}\by\b\W*{NUMBER}", re.IGNORECASE)
PLAIN_POINT = re.compile(rf"{NUMBER}\s*[,;\s]\s*{NUMBER}")
BOXES = (
    "Each box in this picture of a page has a label such as e12. Which element is this: {description!r}? Answer with "
    "the label alone, or with none if no box is it."
)
WHERE = (
    "Where is this in the picture: {description!r}? The picture is {width} pixels wide and {height} high. Answer with "
    "x,y of its center in pixels, or with none if it isn't there."
)


async def find_and_tap(tab: Tab, description: str, ask: Question, read: ReadPicture) -> dict[str, Any]:
    """Press what a description means, and return the action's result with `how` it was found, and the `ref` or point.

    Args:
        tab: The tab.
        description: The name or text of the element, or words about it.
        ask: Asks the model, if neither the snapshot nor the text of a picture has the element.
        read: Reads the text in a picture.

    Raises:
        NotFound: It isn't on the page.
        ModelMissing: A model is needed, and none is set up.
    """
    elements: list[dict[str, Any]] = (await tab.snapshot(peek=True))["elements"]
    ref = _named(elements, description)
    if ref is not None:
        return {**await _click(tab, ref=ref), "how": "snapshot", "ref": ref}
    if (place := await _by_text(tab, description, read)) is not None:
        x, y = place
        return {**await _click(tab, x=x, y=y), "how": "text", "x": x, "y": y}
    picture = await tab.screenshot(format="jpeg", boxes=True)
    answer = await ask(BOXES.format(description=description), picture["data"])
    known = {element["ref"] for element in elements}
    found = [ref for ref in REF.findall(answer) if ref in known]
    if len(found) == 1:
        return {**await _click(tab, ref=found[0]), "how": "boxes", "ref": found[0]}
    return await _by_point(tab, description, ask)


async def _by_text(tab: Tab, description: str, read: ReadPicture) -> tuple[float, float] | None:
    picture = await tab.screenshot()
    try:
        return place_of(description, await read(base64.b64decode(picture["data"])))
    # The model still can look: this browser doesn't read pictures, or not this one.
    except (NoPage, Unsupported, TimedOut, InvalidArguments, OSError):
        return None


async def _by_point(tab: Tab, description: str, ask: Question) -> dict[str, Any]:
    picture = await tab.screenshot(format="jpeg")
    width, height = picture["width"], picture["height"]
    question = WHERE.format(description=description, width=width, height=height)
    x, y = _point(await ask(question, picture["data"])) or (-1.0, -1.0)
    if not (0 <= x < width and 0 <= y < height):
        raise NotFound(
            f"the page shows no {description!r}", hint="Scroll, or describe it as browser_snapshot lists it."
        )
    return {**await _click(tab, x=x, y=y), "how": "point", "x": x, "y": y}


def _point(answer: str) -> tuple[float, float] | None:
    match = NAMED_POINT.search(answer) or PLAIN_POINT.search(answer)
    return None if match is None else (float(match[1]), float(match[2]))


async def _click(tab: Tab, **target: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", await tab.click(**target))


def _named(elements: list[dict[str, Any]], description: str) -> str | None:
    """Return the ref of the only element with this name, or else the only one whose name contains it or is in it."""
    wanted = _plain(description)
    names = [(_plain(each["name"] or each.get("description") or ""), each["ref"]) for each in elements]
    for matches in (
        [ref for name, ref in names if name == wanted],
        [ref for name, ref in names if wanted and wanted in name],
        [ref for name, ref in names if len(name) > 2 and re.search(rf"\b{re.escape(name)}\b", wanted)],
    ):
        if matches:
            return str(matches[0]) if len(matches) == 1 else None
    return None


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
