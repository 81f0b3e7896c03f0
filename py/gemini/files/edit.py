"""Writing files so that a failure leaves what was there, and exact edits of what is unique."""

import difflib
import os
import stat
import uuid
from contextlib import suppress

from gemini.errors import AmbiguousEdit, EditMissing, FileMissing, InvalidArguments
from gemini.files import noting
from gemini.files.paths import first_obstacle, problems, require_file

# Looking for the line that was meant is a service; it must not take longer than a moment.
MOST_LINES_COMPARED = 3_000
LONGEST_LINE_SHOWN = 200
MOST_LINES_NAMED = 20


def write(path: str, content: str, append: bool = False) -> int:
    """Replace a file's content as a whole, or add to its end; missing directories are made.

    New content goes to a file of its own beside the target, which then takes its name: a reader sees the old
    or the new, never a part, and a full disk leaves the old. The mode stays; through a link, what it leads to
    is written. Newlines are written as given, text as UTF-8.

    Args:
        path: An absolute path.
        content: The text.
        append: True adds to what is there.

    Returns:
        The file's size in bytes.

    Raises:
        StorageFull: there is no room; what was there is unchanged.
        FileProblem: the path is no place for a file.
        InvalidArguments: the content is not text.
    """
    return write_bytes(path, encoded("content", content), append)


def write_bytes(path: str, data: bytes, append: bool = False) -> int:
    """As `write`, for bytes."""
    target = _writable(path)
    with problems(path):
        noting.note(target)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if append:
            _append(target, data)
        else:
            replace_file(target, data)
        return os.stat(target).st_size


def edit(path: str, old: str, new: str) -> int:
    """Replace the one place where `old` stands in a file by `new`; every other byte stays as it is.

    In a file whose lines all end in CRLF, newlines in `old` and `new` stand for CRLF, unless one of them has
    a CR itself.

    Returns:
        The number of replacements: 1.

    Raises:
        AmbiguousEdit: `old` is there several times; `data` has the `count` and the `lines`, counted from 1.
        EditMissing: it is not there; the hint shows the line that comes closest.
        InvalidArguments: `old` is empty or the same as `new`.
        FileProblem: there is no such file, or it can't be written.
    """
    before, after = encoded("old", old), encoded("new", new)
    if not before:
        raise InvalidArguments("old: is empty", hint="Give the text to replace, or write the whole file.")
    if before == after:
        raise InvalidArguments("new: is the same as old, so there is nothing to change")
    require_file(path)
    with problems(path), open(path, "rb") as file:
        data = file.read()
    if is_crlf(data) and b"\r" not in before + after:
        before, after = (text.replace(b"\n", b"\r\n") for text in (before, after))
    places = _places(data, before)
    if not places:
        raise EditMissing(
            f"the text to replace is not in {path!r}", hint=_missing_hint(data, before), data={"count": 0}
        )
    if len(places) > 1:
        raise _ambiguous(path, data, places, max(data.count(before), 2))
    target = _writable(path)
    noting.note(target)
    with problems(path):
        replace_file(target, data[: places[0]] + after + data[places[0] + len(before) :])
    return 1


def encoded(argument: str, text: str) -> bytes:
    """`text` in UTF-8.

    Raises:
        InvalidArguments: it holds a lone surrogate.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidArguments(
            f"{argument}: holds a lone surrogate at character {error.start}, which is not text",
            hint="Send an emoji's two surrogates together, or the character itself.",
        ) from error


def _writable(path: str) -> str:
    """The real path to write to, which a file may have or get.

    Raises:
        FileProblem: something else is in the way.
    """
    obstacle = first_obstacle(path)
    if obstacle is None:
        require_file(path)
        # Taking the name of a file needs no permission to write to it, so that is asked for here.
        with problems(path):
            os.close(os.open(path, os.O_WRONLY))
    elif not isinstance(obstacle, FileMissing):
        raise obstacle
    return os.path.realpath(path)


def replace_file(target: str, data: bytes) -> None:
    """Put new content in a file's place in one step; its mode stays.

    Args:
        target: An absolute path without links.

    Raises:
        OSError: it can't be; the file is as it was.
    """
    fresh = os.path.join(os.path.dirname(target), f".{uuid.uuid4().hex}.tmp")
    try:
        _write_all(fresh, os.O_CREAT | os.O_EXCL, data)
        with suppress(FileNotFoundError):
            os.chmod(fresh, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(fresh, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(fresh)


def _append(target: str, data: bytes) -> None:
    size = os.stat(target).st_size if os.path.exists(target) else None
    try:
        _write_all(target, os.O_CREAT | os.O_APPEND, data)
    except OSError:
        if size is None:
            with suppress(FileNotFoundError):
                os.unlink(target)
        else:
            os.truncate(target, size)
        raise


def _write_all(path: str, flags: int, data: bytes) -> None:
    file = os.open(path, os.O_WRONLY | flags, 0o666)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(file, rest) :]
    finally:
        os.close(file)


def is_crlf(data: bytes) -> bool:
    """Whether lines end, and all of them in CRLF."""
    newlines = data.count(b"\n")
    return newlines > 0 and newlines == data.count(b"\r\n")


def _places(data: bytes, text: bytes) -> list[int]:
    """Where `text` begins in `data`, the first few; overlapping ones count, as `aa` is in `aaa` twice."""
    places: list[int] = []
    place = data.find(text)
    while place >= 0 and len(places) < MOST_LINES_NAMED:
        places.append(place)
        place = data.find(text, place + 1)
    return places


def _ambiguous(path: str, data: bytes, places: list[int], count: int) -> AmbiguousEdit:
    lines: list[int] = []
    line, seen = 1, 0
    for place in places:
        line += data.count(b"\n", seen, place)
        seen = place
        lines.append(line)
    named = ", ".join(map(str, lines)) + (", …" if count > len(lines) else "")
    return AmbiguousEdit(
        f"the text to replace is in {path!r} {count} times, on lines {named}",
        hint="Give more of the text around the place, so that it is unique.",
        data={"count": count, "lines": lines},
    )


def _missing_hint(data: bytes, text: bytes) -> str:
    """Say what in the file comes closest to a text that isn't in it."""
    if b"".join(text.split()) and b" ".join(text.split()) in b" ".join(data.split()):
        return "It is there with other spaces, indentation or line ends; read the file and copy them exactly."
    lines = [line.strip() for line in data.decode(errors="replace").split("\n")]
    wanted = next((line.strip() for line in text.decode().split("\n") if line.strip()), "")
    number = _closest(lines, wanted[:LONGEST_LINE_SHOWN]) if wanted else None
    if number is None:
        return "Nothing in it comes close; read the file first."
    return f"The closest line is {number}: {lines[number - 1][:LONGEST_LINE_SHOWN]}"


def _closest(lines: list[str], wanted: str) -> int | None:
    """The number, counted from 1, of the line most like `wanted`; None if there is none."""
    if wanted in lines:
        return lines.index(wanted) + 1
    shortened = [line[:LONGEST_LINE_SHOWN] for line in lines[:MOST_LINES_COMPARED]]
    close = difflib.get_close_matches(wanted, shortened, n=1, cutoff=0.5)
    return shortened.index(close[0]) + 1 if close else None
