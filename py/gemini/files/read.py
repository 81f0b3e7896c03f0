"""Reading files: as text for Python, in parts that JSON can carry for tools."""

import base64
import codecs
from typing import Literal, NotRequired

from typing_extensions import TypedDict

from gemini.errors import InvalidArguments
from gemini.files.paths import problems, require_file

# UTF-8 (RFC 3629) uses at most four bytes a character.
LONGEST_CHARACTER = 4


class FileContent(TypedDict):
    """A part of a file.

    `content` is text, or base64 of the bytes where `encoding` says so. `size` is the whole file's, in bytes.
    `truncated` is true when something follows, which starts at byte `next_offset`.
    """

    content: str
    encoding: Literal["utf-8", "base64"]
    size: int
    truncated: bool
    next_offset: NotRequired[int]


def read_text(path: str, max_bytes: int | None = None) -> str:
    """The text of a file, or of its first `max_bytes` bytes less a character that they cut through.

    What is not UTF-8 becomes U+FFFD, so that any file can be searched as text; newlines stay as they are.

    Raises:
        InvalidArguments: `max_bytes` is negative.
        FileProblem: there is no such file, or it can't be read.
    """
    if max_bytes is not None and max_bytes < 0:
        raise InvalidArguments(f"max_bytes: {max_bytes} is negative")
    status = require_file(path)
    with problems(path), open(path, "rb") as file:
        data = file.read(-1 if max_bytes is None else max_bytes)
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    return decoder.decode(data, final=len(data) >= status.st_size)


def read_part(path: str, offset: int, max_bytes: int) -> FileContent:
    """At most `max_bytes` bytes of a file from `offset` on.

    A part that is UTF-8 without NUL comes as text and is never cut inside a character: it begins with the
    character that `offset` is in, and ends before one that does not fit, unless that is its only one. Any
    other part comes as base64 of exactly the bytes asked for.

    Raises:
        InvalidArguments: a number is out of its range.
        FileProblem: there is no such file, or it can't be read.
    """
    if offset < 0 or max_bytes < 1:
        wrong = f"offset: {offset} is negative" if offset < 0 else f"max_bytes: {max_bytes} is less than 1"
        raise InvalidArguments(wrong, hint="offset counts bytes from 0; max_bytes is at least 1.")
    size = require_file(path).st_size
    start = max(0, offset - (LONGEST_CHARACTER - 1))
    end = offset + max_bytes
    with problems(path), open(path, "rb") as file:
        file.seek(start)
        data = file.read(end - start + LONGEST_CHARACTER - 1)
    text = _whole_characters(data, offset - start, end - start)
    if text is None:
        content = data[offset - start : end - start]
        return _part(base64.b64encode(content).decode(), "base64", size, offset + len(content))
    first, last = text
    return _part(data[first:last].decode(), "utf-8", size, start + last)


def _part(content: str, encoding: Literal["utf-8", "base64"], size: int, end: int) -> FileContent:
    part: FileContent = {"content": content, "encoding": encoding, "size": size, "truncated": end < size}
    if end < size:
        part["next_offset"] = end
    return part


def _whole_characters(data: bytes, first: int, last: int) -> tuple[int, int] | None:
    """Where to cut `data[first:last]` so that it is whole UTF-8 characters; None where it isn't text."""
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
    """The start of the character that the byte at `index` belongs to."""
    for start in range(index, max(-1, index - LONGEST_CHARACTER), -1):
        if start < len(data) and data[start] & 0xC0 != 0x80:
            return start
    return index
