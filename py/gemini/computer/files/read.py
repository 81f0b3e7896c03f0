"""Read files: as text for Python, and in parts that fit into JSON for tools."""

import base64
import codecs
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from gemini.computer.files.paths import problems, require_file
from gemini.errors import InvalidArguments

# Bytes in UTF-8 (RFC 3629).
MAX_CHARACTER_BYTES = 4


class FileContent(TypedDict):
    """A part of a file.

    `content` is text or base64; `encoding` says which. `size` is the size of the full file in bytes. If `truncated` is
    true, the rest starts at byte `next_offset`. For a PDF file, `pdf` is true, and all of this is about its text.
    """

    size: int
    truncated: bool
    next_offset: NotRequired[int]
    pdf: NotRequired[bool]
    encoding: Literal["utf-8", "base64"]
    content: str


def read_text(path: str, max_bytes: int | None = None) -> str:
    """Return the text of a file, or of its first `max_bytes` bytes without a character that is cut off.

    Bytes that aren't UTF-8 become U+FFFD, so any file can be searched as text. Newlines are unchanged.

    Raises:
        InvalidArguments: `max_bytes` is negative.
        FileProblem: The file is missing or can't be read.
    """
    if max_bytes is not None and max_bytes < 0:
        raise InvalidArguments(f"max_bytes: {max_bytes} is negative")
    status = require_file(path)
    with problems(path), open(path, "rb") as file:
        data = file.read(-1 if max_bytes is None else max_bytes)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    return decoder.decode(data, final=len(data) >= status.st_size)


def read_part(path: str, offset: int, max_bytes: int) -> FileContent:
    """Return at most `max_bytes` bytes of a file, starting at `offset`.

    A part that is UTF-8 without NUL is returned as text and never splits a character. It starts with the character at
    `offset`, and ends before a character that doesn't fit unless that is the only one. Any other part is returned as
    base64 of exactly the requested bytes.

    Raises:
        InvalidArguments: A number is out of range.
        FileProblem: The file is missing or can't be read.
    """
    _require_part(offset, max_bytes)
    size = require_file(path).st_size
    start = max(0, offset - (MAX_CHARACTER_BYTES - 1))
    end = offset + max_bytes
    with problems(path), open(path, "rb") as file:
        file.seek(start)
        data = file.read(end - start + MAX_CHARACTER_BYTES - 1)
    text = _whole_characters(data, offset - start, end - start)
    if text is None:
        content = data[offset - start : end - start]
        return _part(base64.b64encode(content).decode(), "base64", size, offset + len(content))
    first, last = text
    return _part(data[first:last].decode(), "utf-8", size, start + last)


def text_part(text: str, offset: int, max_bytes: int) -> FileContent:
    """Return a part of a text as `read_part` does of a file.

    Raises:
        InvalidArguments: A number is out of range.
    """
    _require_part(offset, max_bytes)
    data = text.encode()
    # No NUL, so that it is text.
    first, last = _whole_characters(data.replace(b"\0", b" "), offset, offset + max_bytes) or (0, 0)
    return _part(data[first:last].decode(), "utf-8", len(data), last)


def _require_part(offset: int, max_bytes: int) -> None:
    if offset < 0 or max_bytes < 1:
        wrong = f"offset: {offset} is negative" if offset < 0 else f"max_bytes: {max_bytes} is less than 1"
        raise InvalidArguments(wrong, hint="offset counts bytes from 0, and max_bytes is at least 1.")


def _part(content: str, encoding: Literal["utf-8", "base64"], size: int, end: int) -> FileContent:
    following: FileContent = {"size": size, "truncated": end < size, "encoding": encoding, "content": content}
    return {"size": size, "truncated": True, "next_offset": end, **following} if end < size else following


def _whole_characters(data: bytes, first: int, last: int) -> tuple[int, int] | None:
    """Return the bounds of `data[first:last]` moved to the boundaries of UTF-8 characters; None if it isn't text."""
    if first >= len(data):
        return len(data), len(data)
    first = _character_start(data, first)
    end = _character_start(data, last) if last < len(data) else len(data)
    if end <= first:
        end = first + 1
        while end < len(data) and data[end] & 0xC0 == 0x80:
            end += 1
    piece = data[first:end]
    try:
        piece.decode()
    except UnicodeDecodeError:
        return None
    return None if b"\0" in piece else (first, end)


def _character_start(data: bytes, index: int) -> int:
    """Return the index of the first byte of the character at `index`."""
    for start in range(index, max(-1, index - MAX_CHARACTER_BYTES), -1):
        if start < len(data) and data[start] & 0xC0 != 0x80:
            return start
    return index
