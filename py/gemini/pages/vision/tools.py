"""The tools for pictures. They are off until the user switches their group on; runs have them in any case."""

import asyncio
import base64
import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from gemini import tools
from gemini.computer.files import pdf
from gemini.errors import Unsupported
from gemini.pages.tabs import screenshots
from gemini.pages.tabs.browser import Browser
from gemini.pages.tabs.screenshots import Screenshot
from gemini.pages.tabs.tab import PAGE
from gemini.pages.vision.reading import Line, Reading, notes_of, read_picture, text_of
from gemini.tools import Effect, current_call, report_progress

if TYPE_CHECKING:
    from gemini.pages.vision.pictures import Pictures
    from gemini.pages.vision.screen import Screen

declare = partial(tools.declare, group="eyes")

Source = Literal["tab", "screen"]
PAUSE_S = 2.0
# A picture for a model; more pixels cost more.
WIDEST = 1_280
# The text of a screen needs all of its pixels.
WIDEST_READ = 3_840
CONDITION = "Is this true in the picture: {condition!r}? Answer yes or no first, then why, in a few words."


class Shot(Screenshot):
    """A saved picture of what the user shares: `surface` is `monitor`, `window` or `browser` (a tab)."""

    label: str
    surface: str


class Described(TypedDict):
    """The model's answer to a question about a picture, or the text in it."""

    answer: str


class ScreenText(TypedDict):
    """The text in a picture of `width` and `height` pixels, and its lines with boxes.

    In a tab, the boxes are those that browser_click takes. `languages` are Tesseract's codes.
    """

    text: str
    lines: list[Line]
    width: int
    height: int
    languages: list[str]
    note: NotRequired[str]
    pages: NotRequired[int]


class Tapped(TypedDict):
    """A press, found by the `snapshot`, a picture's `text`, numbered `boxes` or at a `point`, with what changed."""

    success: bool
    how: Literal["snapshot", "text", "boxes", "point"]
    ref: NotRequired[str]
    x: NotRequired[float]
    y: NotRequired[float]
    url: NotRequired[str]
    note: NotRequired[str]
    changed: NotRequired[int]


class Watched(TypedDict):
    """The end of a wait: whether the condition was met, after how long, and the model's last words about it."""

    met: bool
    waited_s: float
    answer: str


class EyeTools:
    """The tools for pictures.

    Args:
        browser: The tabs.
        screen: Returns the shared screen.
        pictures: Returns what asks the model about pictures.
        read: Reads the text in a picture, given its bytes and languages.
    """

    def __init__(
        self,
        browser: Browser,
        screen: "Callable[[], Screen]",
        pictures: "Callable[[], Pictures]",
        read: Callable[..., Awaitable[Reading]] = read_picture,
    ) -> None:
        self._read = read
        self._browser = browser
        self._screen = screen
        self._pictures = pictures

    @declare(effect=Effect.OUTSIDE, untrusted=True)
    async def screen_capture(self, data: bool = False) -> Shot:
        """Save a picture of the screen or window that the user shares; they are asked first. Only tabs can be acted on.

        Args:
            data: Also return it in base64.
        """
        picture = await self._screen().capture()
        saved = screenshots.save(picture, "screen")
        shot: Shot = {**saved, "label": picture["label"], "surface": picture["surface"]}
        call = current_call()
        if data or (call and call.takes_pictures):
            shot["data"] = picture["data"]
        return shot

    @declare(effect=Effect.READ, untrusted=True)
    async def analyze_picture(
        self, question: str | None = None, path: str | None = None, source: Source = "tab"
    ) -> Described:
        """Ask the language model about a picture: of a file, of your tab, or of the shared screen.

        Args:
            question: Without one, the answer is the text in it, without a model.
            path: A PNG, JPEG, GIF or WebP file.
            source: Without a path.
        """
        if question is None:
            return {"answer": (await self.read_screen_text(path, source))["text"]}
        data = await self._picture(source) if path is None else self._pictures().read(path)
        return {"answer": await self._pictures().ask(question, data)}

    @declare(effect=Effect.READ, untrusted=True)
    async def read_screen_text(
        self,
        path: str | None = None,
        source: Source = "screen",
        page: Annotated[int, Field(ge=1)] = 1,
        languages: str = "",
        words: bool = False,
    ) -> ScreenText:
        """Read the text in a picture or PDF file, your tab, or the shared screen, with boxes, without a model.

        Args:
            source: Without a path.
            page: Of a PDF file.
            languages: Such as de+en (en, de, fr, es).
            words: With boxes of words.
        """
        data, pages = await self._picture_bytes(path, source, page)
        reading = await self._read(data, languages)
        lines = reading["lines"] if words else [_without_words(line) for line in reading["lines"]]
        text: ScreenText = {
            "text": text_of(lines),
            "lines": lines,
            "width": reading["width"],
            "height": reading["height"],
            "languages": reading["languages"],
        }
        if note := notes_of(reading):
            text["note"] = note
        if pages is not None:
            text["pages"] = pages
        return text

    async def _picture_bytes(self, path: str | None, source: Source, page: int) -> tuple[bytes, int | None]:
        """Return a picture as the bytes of a file, and the number of pages if it is a page of a PDF file."""
        if path is not None:
            file = str(self._pictures().file(path))
            if not pdf.is_pdf(file):
                return Path(file).read_bytes(), None
            drawn = await pdf.draw_page(file, page)
            return base64.b64decode(drawn["data"]), drawn["pages"]
        if source == "screen":
            picture = await self._screen().capture(WIDEST_READ)
        else:
            picture = await self._browser.tab().screenshot()
        return base64.b64decode(picture["data"]), None

    @declare(effect=Effect.WRITE, untrusted=True)
    async def find_and_tap(self, description: str) -> Tapped:
        """Press what a description means in your tab: by the snapshot, its text, or what the language model sees.

        Args:
            description: Its text, or words about it, such as the red cart at the top.
        """
        from gemini.pages.vision.tapping import find_and_tap

        tab = self._browser.tab_to_use()
        if tab.id == PAGE:
            raise Unsupported(
                "there is nothing to tap: you have no tab, and a shared screen can only be looked at",
                hint="Open the page in a tab by browser_navigate, or ask the user to press it.",
            )
        answer: dict[str, Any] = await find_and_tap(tab, description, self._pictures().ask, self._read)
        known = Tapped.__required_keys__ | Tapped.__optional_keys__
        return {name: value for name, value in answer.items() if name in known}  # type: ignore[return-value]

    @declare(effect=Effect.READ, untrusted=True)
    async def watch_screen(
        self,
        condition: str,
        timeout: Annotated[float, Field(gt=0, le=600)] = 60,
        source: Source = "screen",
    ) -> Watched:
        """Wait until something is true on the shared screen, or in your tab. The language model looks at each change.

        Args:
            condition: Such as the download has finished.
            timeout: Seconds.
        """
        began, before, answer = time.monotonic(), "", ""
        while True:
            picture = await self._picture(source)
            if picture != before:
                before = picture
                answer = await self._pictures().ask(CONDITION.format(condition=condition), picture)
            met = answer.casefold().lstrip(' "*').startswith("yes")
            waited = time.monotonic() - began
            if met or waited >= timeout:
                return {"met": met, "waited_s": round(waited, 1), "answer": answer}
            report_progress(waited, timeout, answer)
            await asyncio.sleep(min(PAUSE_S, timeout - waited))

    async def _picture(self, source: Source) -> str:
        if source == "screen":
            return (await self._screen().capture(WIDEST))["data"]
        return (await self._browser.tab().screenshot(format="jpeg", widest=WIDEST))["data"]


def _without_words(line: Line) -> Line:
    return {name: member for name, member in line.items() if name != "words"}  # type: ignore[return-value]
