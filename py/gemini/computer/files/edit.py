"""Write files atomically, and replace a text that occurs exactly once."""

import os
import stat
import uuid
from contextlib import suppress

from gemini.computer.files import change_listener
from gemini.computer.files.paths import first_obstacle, problems, require_file
from gemini.errors import AmbiguousEdit, EditMissing, FileMissing, FileProblem, InvalidArguments

# The search for a similar line must not delay the error.
MAX_LINES_COMPARED = 3_000
MAX_LINE_SHOWN = 200
MAX_LINES_LISTED = 20
# Linux refuses to write there, as it is on no disk.
KERNEL_FOLDERS = ("/proc/", "/sys/", "/dev/")


def write(path: str, content: str, append: bool = False) -> int:
    """Replace a file's content, or append to it; create missing directories.

    New content is written to a temporary file next to the target, which then replaces it. A reader sees the old or
    the new content, never a part, and a full disk leaves the old. The mode doesn't change, and a link's target is
    written. Text is written as UTF-8, with its newlines unchanged.

    Args:
        path: An absolute path.
        content: The text.
        append: Whether to append instead of replacing.

    Returns:
        The file's size in bytes.

    Raises:
        StorageFull: There is no space; the file is unchanged.
        FileProblem: The path can't be a file.
        InvalidArguments: The content isn't valid text.
    """
    return write_bytes(path, encoded("content", content), append)


def write_bytes(path: str, data: bytes, append: bool = False) -> int:
    """Write bytes; see `write`."""
    target = _writable(path)
    with problems(path):
        change_listener.notify(target)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if append:
            _append(target, data)
        else:
            replace_file(target, data)
        return os.stat(target).st_size


def edit(path: str, old: str, new: str) -> int:
    """Replace the only occurrence of `old` in a file with `new`; every other byte stays the same.

    In a file whose lines all end in CRLF, newlines in `old` and `new` match CRLF, unless one of them contains a CR.

    Returns:
        The number of replacements: 1.

    Raises:
        AmbiguousEdit: `old` occurs several times; `data` has the `count` and the `lines`, counted from 1.
        EditMissing: `old` doesn't occur; the hint shows the most similar line.
        InvalidArguments: `old` is empty, or the same as `new`.
        FileProblem: The file is missing or can't be written.
    """
    before, after = encoded("old", old), encoded("new", new)
    if not before:
        raise InvalidArguments("old: is empty", hint="Pass the text to replace, or write the whole file.")
    if before == after:
        raise InvalidArguments("new: is the same as old, so there is nothing to change")
    require_file(path)
    with problems(path), open(path, "rb") as file:
        data = file.read()
    if is_crlf(data) and b"\r" not in before + after:
        before, after = (text.replace(b"\n", b"\r\n") for text in (before, after))
    offsets = _offsets(data, before)
    if not offsets:
        raise EditMissing(
            f"the text to replace is not in {path!r}", hint=_missing_hint(data, before), data={"count": 0}
        )
    if len(offsets) > 1:
        raise _ambiguous(path, data, offsets, max(data.count(before), 2))
    target = _writable(path)
    change_listener.notify(target)
    with problems(path):
        replace_file(target, data[: offsets[0]] + after + data[offsets[0] + len(before) :])
    return 1


def encoded(argument: str, text: str) -> bytes:
    """Encode text as UTF-8.

    Args:
        argument: The name of the argument, for the error.
        text: The text to encode.

    Raises:
        InvalidArguments: The text has a lone surrogate.
    """
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidArguments(
            f"{argument}: has a lone surrogate at character {error.start}, which is not valid text",
            hint="Send both surrogates of the emoji, or the character itself.",
        ) from error


def _writable(path: str) -> str:
    """Return the real path to write to.

    Raises:
        FileProblem: The path can't be a file, or the file can't be written.
    """
    obstacle = first_obstacle(path)
    if obstacle is None:
        require_file(path)
        # Replacing a file doesn't check its write permission, so check it here.
        with problems(path):
            os.close(os.open(path, os.O_WRONLY))
    elif not isinstance(obstacle, FileMissing):
        raise obstacle
    target = os.path.realpath(path)
    if target.startswith(KERNEL_FOLDERS):
        raise FileProblem(
            f"{path!r} is in a folder of the system, which has no files of users",
            hint="Write below /project, /home/user or /tmp.",
            data={"path": path},
        )
    return target


def replace_file(target: str, data: bytes) -> None:
    """Replace a file's content atomically; its mode doesn't change.

    Args:
        target: An absolute path without links.
        data: The new content.

    Raises:
        OSError: The file can't be written; it is unchanged.
    """
    temporary = os.path.join(os.path.dirname(target), f".{uuid.uuid4().hex}.tmp")
    try:
        _write_all(temporary, os.O_CREAT | os.O_EXCL, data)
        with suppress(FileNotFoundError):
            os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
        os.replace(temporary, target)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(temporary)


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
    """Return whether there are line ends, and all of them are CRLF."""
    newlines = data.count(b"\n")
    return newlines > 0 and newlines == data.count(b"\r\n")


def _offsets(data: bytes, text: bytes) -> list[int]:
    """Return the first offsets of `text` in `data`, overlaps included: `aa` occurs twice in `aaa`."""
    offsets: list[int] = []
    offset = data.find(text)
    while offset >= 0 and len(offsets) < MAX_LINES_LISTED:
        offsets.append(offset)
        offset = data.find(text, offset + 1)
    return offsets


def _ambiguous(path: str, data: bytes, offsets: list[int], count: int) -> AmbiguousEdit:
    lines: list[int] = []
    line, seen = 1, 0
    for offset in offsets:
        line += data.count(b"\n", seen, offset)
        seen = offset
        lines.append(line)
    listed = ", ".join(map(str, lines)) + (", …" if count > len(lines) else "")
    return AmbiguousEdit(
        f"the text to replace occurs {count} times in {path!r}, on lines {listed}",
        hint="Include more of the surrounding text, so that it is unique.",
        data={"count": count, "lines": lines},
    )


def _missing_hint(data: bytes, text: bytes) -> str:
    """Return a hint about what in the file is most similar to a text that isn't in it."""
    if b"".join(text.split()) and b" ".join(text.split()) in b" ".join(data.split()):
        return "It occurs with different whitespace or line endings; read the file and copy the text exactly."
    lines = [line.strip() for line in data.decode(errors="replace").split("\n")]
    wanted = next((line.strip() for line in text.decode().split("\n") if line.strip()), "")
    number = _closest(lines, wanted[:MAX_LINE_SHOWN]) if wanted else None
    if number is None:
        return "No line is similar; read the file first."
    return f"The closest line is {number}: {lines[number - 1][:MAX_LINE_SHOWN]}"


def _closest(lines: list[str], wanted: str) -> int | None:
    """Return the number, counted from 1, of the line most similar to `wanted`; None if no line is similar."""
    if wanted in lines:
        return lines.index(wanted) + 1
    # Imported on first use: a start doesn't need it.
    import difflib

    shortened = [line[:MAX_LINE_SHOWN] for line in lines[:MAX_LINES_COMPARED]]
    close = difflib.get_close_matches(wanted, shortened, n=1, cutoff=0.5)
    return shortened.index(close[0]) + 1 if close else None
