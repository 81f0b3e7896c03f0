"""Read text files for the editor, and save them only if they haven't changed since.

A version is the SHA-256 of the file's bytes, so touching a file, or changing it and changing it back, causes no
conflict. The editor's lines end in LF. `read` returns the file's line ending and byte order mark, and `save` takes
them back.
"""

import hashlib
import os
import stat
from typing import Literal

from typing_extensions import TypedDict

from gemini.computer.files.edit import encoded, is_crlf, write_bytes
from gemini.computer.files.kinds import ARCHIVE, DOCUMENT, IMAGE, MEDIA, kind_of
from gemini.computer.files.paths import problems, require_file
from gemini.errors import EditConflict, FileMissing, NotEditable

# A text travels as one message, and the page stores it while it is unsaved.
MAX_BYTES = 5_000_000
SNIFFED_BYTES = 8_192
BOM = b"\xef\xbb\xbf"
LINE_ENDS = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r"}

LineEnding = Literal["lf", "crlf", "cr"]


class EditorText(TypedDict):
    """A text file. With mixed line endings, `line_ending` is `lf` and `content` contains each CR."""

    path: str
    content: str
    version: str
    line_ending: LineEnding
    bom: bool


class SavedText(TypedDict):
    """The new version of a saved file, and its size in bytes."""

    version: str
    size: int


def is_text(path: str) -> bool:
    """Return whether the editor can open a file, given its absolute path.

    Raises:
        FileProblem: The file is missing or can't be read.
    """
    status = require_file(path)
    kind = kind_of(os.path.basename(os.path.realpath(path)), status.st_mode)
    if kind in (IMAGE, MEDIA, DOCUMENT, ARCHIVE) or status.st_size > MAX_BYTES:
        return False
    with problems(path), open(path, "rb") as file:
        beginning = file.read(SNIFFED_BYTES)
    # The read may end inside a character.
    return b"\0" not in beginning and _is_utf8(beginning, len(beginning) == SNIFFED_BYTES)


def read(path: str) -> EditorText:
    """Return a text file, given its absolute path.

    Raises:
        NotEditable: The file isn't UTF-8, contains a NUL, or is larger than 5 MB.
        FileProblem: The file is missing or can't be read.
    """
    if require_file(path).st_size > MAX_BYTES:
        raise NotEditable(
            f"{path!r} is larger than {MAX_BYTES // 1_000_000} MB",
            hint="View parts of it in a terminal with less, head or sed -n.",
            data={"path": path},
        )
    return _text(path, _bytes(path))


def save(path: str, content: str, version: str | None, line_ending: LineEnding, bom: bool) -> SavedText:
    """Write `content` if the file still has the given version, or already has this content.

    The file's mode doesn't change. A link's target is written.

    Args:
        path: An absolute path.
        content: The text, with lines that end in LF.
        version: The version that `read` returned; None if the file must not exist.
        line_ending: The line ending to write.
        bom: Whether to write a byte order mark.

    Raises:
        EditConflict: The file has changed. `data` is what `read` returns for it now. Its `content` is None if the
            file isn't text, and its `version` is None, too, if the file is missing.
        StorageFull: There is no space; the file is unchanged.
        FileProblem: The path can't be a file.
    """
    data = encoded("content", content)
    if line_ending != "lf":
        data = data.replace(b"\n", LINE_ENDS[line_ending])
    if bom:
        data = BOM + data
    current = _bytes_if_any(path)
    if current != data and version != (None if current is None else _version(current)):
        raise _conflict(path, current)
    size = len(data) if current == data else write_bytes(path, data)
    return {"version": _version(data), "size": size}


def stamp(path: str) -> str | None:
    """Return a value that changes whenever the file is written; None if the file is missing."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return f"{status.st_mtime_ns}-{status.st_size}-{status.st_ino}" if stat.S_ISREG(status.st_mode) else None


def _bytes(path: str) -> bytes:
    with problems(path), open(path, "rb") as file:
        return file.read()


def _bytes_if_any(path: str) -> bytes | None:
    try:
        require_file(path)
    except FileMissing:
        return None
    return _bytes(path)


def _version(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _text(path: str, data: bytes) -> EditorText:
    body = data.removeprefix(BOM)
    if b"\0" in body or not _is_utf8(body):
        raise NotEditable(f"{path!r} is not UTF-8 text", hint="Open it in the preview.", data={"path": path})
    line_ending = _line_ending(body)
    return {
        "path": path,
        "content": body.replace(LINE_ENDS[line_ending], b"\n").decode(),
        "version": _version(data),
        "line_ending": line_ending,
        "bom": len(body) < len(data),
    }


def _line_ending(data: bytes) -> LineEnding:
    if is_crlf(data) and data.count(b"\r") == data.count(b"\n"):
        return "crlf"
    return "cr" if b"\r" in data and b"\n" not in data else "lf"


def _is_utf8(data: bytes, cut: bool = False) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return cut and error.reason == "unexpected end of data"
    return True


def _conflict(path: str, current: bytes | None) -> EditConflict:
    if current is None:
        return EditConflict(
            f"{path!r} no longer exists",
            hint="Save it again, or close it.",
            data={"path": path, "version": None, "content": None},
        )
    try:
        now: object = _text(path, current)
    except NotEditable:
        now = {"path": path, "version": _version(current), "content": None}
    return EditConflict(
        f"{path!r} was changed since it was read",
        hint="Compare the two versions, and merge them.",
        data=now,
    )
