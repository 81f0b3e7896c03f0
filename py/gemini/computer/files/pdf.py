"""Read the text of PDF files, and draw their pages, by pdf.js in a worker (web/pdf/)."""

import os
from typing import Any

from typing_extensions import TypedDict

from gemini.computer.files.paths import problems, require_file
from gemini.core import ffi
from gemini.errors import FileProblem, InvalidArguments, TimedOut, Unsupported

# https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/pdfreference1.7old.pdf, 3.4.1 and H.3
HEADER = b"%PDF-"
HEADER_WITHIN = 1024
WORKER = "pdf_worker.mjs"
MAX_BYTES = 200 * 1024 * 1024
MAX_SECONDS = 60
# Callers read long files in parts.
REMEMBERED = 4


class Drawn(TypedDict):
    """A page as a PNG file in base64, its size in pixels, and the number of all pages."""

    data: str
    width: int
    height: int
    pages: int


_read: dict[tuple[str, int, int], list[str]] = {}


def is_pdf(path: str) -> bool:
    """Return whether a path names a file that is marked as PDF.

    Raises:
        FileProblem: It can't be read.
    """
    if not path.lower().endswith(".pdf") or not os.path.isfile(path):
        return False
    with problems(path), open(path, "rb") as file:
        return HEADER in file.read(HEADER_WITHIN)


async def read_text(path: str, password: str | None = None) -> str:
    """Return the text of all pages of a PDF file, each below a line with its number.

    Raises:
        FileProblem: The file is missing, can't be read, or isn't PDF.
        Unsupported: It has a password, or no text.
        TimedOut: It is too complicated.
        NoPage: There is no page that could read it.
    """
    pages = await read_pages(path, password)
    total = len(pages)
    return "\n\n".join(f"--- Page {number} of {total} ---\n{text}" for number, text in enumerate(pages, 1))


async def read_pages(path: str, password: str | None = None) -> list[str]:
    """Return the text of each page; see `read_text`."""
    status = require_file(path)
    key = (path, status.st_mtime_ns, status.st_size)
    if key in _read:
        return _read[key]
    pages: list[str] = (await _ask(path, status.st_size, password))["pages"]
    if not any(pages):
        raise Unsupported(
            f"{path!r} has no text: its {len(pages)} pages are pictures",
            hint="read_screen_text reads it, by its path and a page. Its group, eyes, may be off: ask the user.",
            data={"pages": len(pages)},
        )
    while len(_read) >= REMEMBERED:
        _read.pop(next(iter(_read)))
    _read[key] = pages
    return pages


async def draw_page(path: str, number: int, password: str | None = None) -> Drawn:
    """Draw a page, counted from 1, at 200 dots an inch, or fewer if it is large.

    Raises:
        InvalidArguments: The file has fewer pages.
        FileProblem, Unsupported, TimedOut, NoPage: See `read_text`.
    """
    return await _ask(path, require_file(path).st_size, password, picture=str(number))


async def _ask(path: str, size: int, password: str | None, **request: str) -> Any:
    if size > MAX_BYTES:
        raise Unsupported(
            f"{path!r} is larger than {MAX_BYTES // 1024 // 1024} MB",
            hint="Split it: pip install pypdf.",
        )
    with problems(path), open(path, "rb") as file:
        data = file.read()
    given = request if password is None else {**request, "password": password}
    try:
        answer = await ffi.ask_worker(WORKER, data, seconds=MAX_SECONDS, **given)
    except TimedOut as error:
        raise TimedOut(f"the text of {path!r} can't be read: {error.message}") from error
    except OSError as error:
        raise Unsupported(f"{path!r} can't be read: {error}") from error
    if "problem" in answer:
        raise _problem(path, answer["problem"], answer["message"], given=password is not None)
    return answer


def _problem(path: str, problem: str, message: str, *, given: bool) -> Exception:
    if problem == "page":
        return InvalidArguments(f"{path!r} has no such page: {message}")
    if problem == "unloaded":
        return Unsupported(f"{path!r} can't be read: {message}")
    if problem != "password":
        return FileProblem(
            f"{path!r} isn't a valid PDF file: {message}",
            hint="It may be damaged or incomplete. Get it again, and compare its size.",
        )
    wrong = "has another password" if given else "is encrypted and has a password"
    return Unsupported(
        f"{path!r} {wrong}",
        hint="Ask the user for it. Then run in Python: await gemini.file_browser.read_pdf(path, password=...)",
    )
