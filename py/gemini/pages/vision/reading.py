"""Read the text in pictures on the device, by Tesseract in a worker (web/ocr/). No model sees them."""

from collections.abc import Awaitable, Callable
from typing import Any, NotRequired

from typing_extensions import TypedDict

from gemini.core import ffi
from gemini.errors import InvalidArguments, TimedOut, Unsupported

WORKER = "ocr_worker.mjs"
MOST_BYTES = 200 * 1024 * 1024
MOST_SECONDS = 120
LANGUAGES = {"en": "eng", "de": "deu", "fr": "fra", "es": "spa"}
"""The languages that can be read: Tesseract's codes by those of ISO 639-1."""


class Word(TypedDict):
    """A word or line: its box in pixels of the picture, and how sure it is, in percent."""

    text: str
    x: int
    y: int
    width: int
    height: int
    confidence: int


class Line(Word):
    """A line. Lines of one `block`, such as a paragraph or column, belong together."""

    block: int
    words: NotRequired[list[Word]]


class Reading(TypedDict):
    """The text in a picture.

    `width` and `height` are the picture's, in pixels, upright as its EXIF data says. It was read after scaling
    by `scale` and turning clockwise by `turned` degrees (0, 90, 180 or 270). `languages` are Tesseract's codes.
    """

    width: int
    height: int
    lines: list[Line]
    languages: list[str]
    scale: float
    turned: int


ReadPicture = Callable[[bytes], Awaitable[Reading]]
"""Reads the text in a picture: `read(data)`."""


async def read_picture(data: bytes, languages: str = "") -> Reading:
    """Return the text in a picture.

    Args:
        data: A file that the browser decodes, such as PNG, JPEG, WebP, GIF or BMP.
        languages: Codes of ISO 639-1 with plus signs between, such as `de+en`; by default English and those languages
            of the user's browser that can be read.

    Raises:
        InvalidArguments: The browser doesn't decode it, or a language can't be read.
        Unsupported: It is too large, or what reads it couldn't be downloaded.
        TimedOut: It took too long.
        NoPage: No page can read it.
        OSError: The worker can't be loaded.
    """
    if not data:
        raise InvalidArguments("the picture is empty: it has no bytes", hint="Get the file again.")
    if len(data) > MOST_BYTES:
        raise Unsupported(
            f"the picture is larger than {MOST_BYTES // 1024 // 1024} MB", hint="Scale it down."
        )
    codes = "+".join(_code(name) for name in languages.split("+")) if languages else ""
    try:
        answer: Any = await ffi.ask_worker(WORKER, data, seconds=MOST_SECONDS, languages=codes)
    except TimedOut as error:
        raise TimedOut(f"the picture can't be read: {error.message}", hint="Read a part of it.") from error
    if "problem" in answer:
        raise _problem(answer["problem"], answer["message"])
    return answer


def _code(name: str) -> str:
    code = LANGUAGES.get(name.strip().lower(), name.strip().lower())
    if code not in LANGUAGES.values():
        known = ", ".join(LANGUAGES)
        raise InvalidArguments(
            f"the language {name!r} can't be read: there are {known}", hint="Join several by +."
        )
    return code


def _problem(problem: str, message: str) -> Exception:
    if problem == "download":
        return Unsupported(message, hint="Check the connection to the page's server, then try again.")
    if problem == "languages":
        return InvalidArguments(message)
    return InvalidArguments(
        f"the file is broken or no picture: {message}", hint="Pass a PNG, JPEG, GIF, WebP or BMP file."
    )


def text_of(lines: list[Line]) -> str:
    """Return the lines as text, with an empty line between blocks."""
    text, block = "", None
    for line in lines:
        text += ("" if block is None else "\n" if block == line["block"] else "\n\n") + line["text"]
        block = line["block"]
    return text


def notes_of(reading: Reading) -> str:
    """Return what a caller should know about how the picture was read; empty if there is nothing."""
    notes: list[str] = []
    if reading["scale"] < 1:
        size = f"{reading['width']} x {reading['height']}"
        scale = f"{reading['scale']:.0%}"
        notes.append(
            f"The picture has {size} pixels and was scaled down to {scale}; small text may be missing."
        )
    if reading["turned"]:
        turned = f"the picture was turned clockwise by {reading['turned']} degrees"
        notes.append(f"The text isn't upright: {turned} to read it. Boxes are those of the picture as it is.")
    if not reading["lines"]:
        notes.append("No text was recognized.")
    return " ".join(notes)
