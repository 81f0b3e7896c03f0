"""Text files as an editor has them: read with a version, and saved over that version only.

A version is the SHA-256 of the file's bytes, so that a file that was touched, or changed and changed back, is still the
one that was read. The editor works on lines that end in a newline; how they end in the file, and whether it begins
with a byte order mark, is told by the read and given back with the save.
"""

import hashlib
import os
import stat
from typing import Literal

from typing_extensions import TypedDict

from gemini.errors import EditConflict, FileMissing, NotEditable
from gemini.files.edit import encoded, is_crlf, write_bytes
from gemini.files.kinds import ARCHIVE, DOCUMENT, IMAGE, MEDIA, kind_of
from gemini.files.paths import problems, require_file

# Bytes. A text travels as one message, and what is not saved is kept by the page.
LARGEST = 5_000_000
LOOKED_AT = 8_192
BOM = b"\xef\xbb\xbf"
LINE_ENDS = {"lf": b"\n", "crlf": b"\r\n", "cr": b"\r"}

LineEnding = Literal["lf", "crlf", "cr"]


class EditorText(TypedDict):
    """A text file. Where lines end in several ways, `line_ending` is `lf` and each CR is a character of `content`."""

    path: str
    content: str
    version: str
    line_ending: LineEnding
    bom: bool


class SavedText(TypedDict):
    version: str
    size: int


def is_text(path: str) -> bool:
    """Whether a file, given by its absolute path, looks like one for an editor.

    Raises:
        FileProblem: there is no such file, or it can't be read.
    """
    status = require_file(path)
    kind = kind_of(os.path.basename(os.path.realpath(path)), status.st_mode)
    if kind in (IMAGE, MEDIA, DOCUMENT, ARCHIVE) or status.st_size > LARGEST:
        return False
    with problems(path), open(path, "rb") as file:
        beginning = file.read(LOOKED_AT)
    # The last character may be cut.
    return b"\0" not in beginning and _is_utf8(beginning, len(beginning) == LOOKED_AT)


def read(path: str) -> EditorText:
    """A text file by its absolute path.

    Raises:
        NotEditable: it isn't UTF-8 without NUL, or larger than 5 MB.
        FileProblem: there is no such file, or it can't be read.
    """
    if require_file(path).st_size > LARGEST:
        raise NotEditable(
            f"{path!r} is larger than {LARGEST // 1_000_000} MB",
            hint="Look at parts of it in a terminal, with less, head or sed -n.",
            data={"path": path},
        )
    return _text(path, _bytes(path))


def save(path: str, content: str, version: str | None, line_ending: LineEnding, bom: bool) -> SavedText:
    """Write `content` if the file is still the one of `version`, or holds `content` already; None: if there is none.

    The mode stays; through a link, what it leads to is written.

    Raises:
        EditConflict: it isn't; `data` is what `read` gives of it now, with `content` None where it isn't text, and
            `version` None, too, where there is none.
        StorageFull: there is no room; what was there is unchanged.
        FileProblem: the path is no place for a file.
    """
    data = encoded("content", content)
    if line_ending != "lf":
        data = data.replace(b"\n", LINE_ENDS[line_ending])
    if bom:
        data = BOM + data
    there = _bytes_if_any(path)
    if there != data and version != (None if there is None else _version(there)):
        raise _conflict(path, there)
    size = len(data) if there == data else write_bytes(path, data)
    return {"version": _version(data), "size": size}


def stamp(path: str) -> str | None:
    """What is another one whenever somebody has written the file; None where there is none."""
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
        raise NotEditable(
            f"{path!r} is not text in UTF-8", hint="Look at it in the preview.", data={"path": path}
        )
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


def _conflict(path: str, there: bytes | None) -> EditConflict:
    if there is None:
        return EditConflict(
            f"{path!r} is no longer there",
            hint="Save it anew, or close it.",
            data={"path": path, "version": None, "content": None},
        )
    try:
        now: object = _text(path, there)
    except NotEditable:
        now = {"path": path, "version": _version(there), "content": None}
    return EditConflict(
        f"{path!r} was changed since it was read",
        hint="Compare the two, and keep what is needed of each.",
        data=now,
    )
