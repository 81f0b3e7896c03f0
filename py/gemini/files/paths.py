"""Paths as callers write them, and what can be wrong with them as typed errors."""

import difflib
import errno
import os
import stat
from collections.abc import Generator
from contextlib import contextmanager

from gemini.errors import (
    AlreadyExists,
    BrokenLink,
    FileMissing,
    FileProblem,
    LinkLoop,
    NotADirectory,
    NotAFile,
    PathOutsideTree,
    StorageFull,
)

StrPath = str | os.PathLike[str]

# Comparing more names than this for a "did you mean" takes longer than the hint is worth.
MOST_NAMES_COMPARED = 2_000
# PATH_MAX of Linux and of Emscripten, in bytes.
LONGEST_PATH = 4_096
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
TYPED: dict[int | None, tuple[type[FileProblem], str]] = {
    errno.ELOOP: (LinkLoop, "goes round in a loop of symbolic links"),
    errno.ENOTDIR: (NotADirectory, "leads through something that is not a directory"),
    errno.EISDIR: (NotAFile, "is a directory, not a file"),
    errno.EEXIST: (AlreadyExists, "exists already"),
    errno.EACCES: (FileProblem, "may not be accessed: permission denied"),
    errno.EPERM: (FileProblem, "may not be changed: operation not permitted"),
    errno.EROFS: (FileProblem, "is on a filesystem that can only be read"),
    errno.ENAMETOOLONG: (FileProblem, "has a name that is too long"),
}


def resolve(path: StrPath, working_dir: str) -> str:
    """The absolute path, without `.`, `..` and doubled slashes, of `path` as seen from `working_dir`.

    Symbolic links stay as they are, except before `..`, which leads to the parent of where the link leads, as
    it does for programs. The path need not exist.

    Raises:
        PathOutsideTree: it climbs above `/`.
        FileProblem: it is empty, or holds what no path can hold.
    """
    text = check(os.fspath(path))
    current: str = "/"
    for part in os.path.join("/", working_dir, text).split("/"):
        if part == "..":
            if current == "/":
                raise PathOutsideTree(
                    f"{text!r} climbs above / from {working_dir}",
                    hint="Give an absolute path, or fewer '..'.",
                    data={"path": text, "working_dir": working_dir},
                )
            current = os.path.dirname(os.path.realpath(current) if os.path.islink(current) else current)
        elif part not in ("", "."):
            current = os.path.join(current, part)
    return current


def check(text: str) -> str:
    """Return a path or pattern that a filesystem can hold.

    Raises:
        FileProblem: it is empty or longer than 4,096 bytes, or holds a NUL or a lone surrogate.
    """
    if not text:
        raise FileProblem("the path is empty", hint="Use '.' for the working directory.")
    if len(text) > LONGEST_PATH:
        raise _too_long(text)
    if "\0" in text:
        raise FileProblem(f"{text!r} holds a NUL character, which no path can")
    try:
        encoded = text.encode()
    except UnicodeEncodeError as error:
        raise FileProblem(
            f"{text!r} holds a lone surrogate at character {error.start}, which is not text",
            hint="Send an emoji's two surrogates together, or the character itself.",
        ) from error
    if len(encoded) > LONGEST_PATH:
        raise _too_long(text)
    return text


def _too_long(text: str) -> FileProblem:
    return FileProblem(f"a path has at most {LONGEST_PATH:,} bytes; this one, {text[:60]!r}…, is longer")


def require_directory(path: str) -> str:
    """Return `path` if it is a directory, or a link to one.

    Raises:
        FileProblem: the one that says what is wrong.
    """
    with problems(path):
        if not stat.S_ISDIR(os.stat(path).st_mode):
            raise NotADirectory(
                f"{path!r} is a file, not a directory",
                hint=f"Its directory is {os.path.dirname(path)!r}.",
                data={"path": path},
            )
    return path


def require_file(path: str) -> os.stat_result:
    """The status of a regular file, or of the one that a link leads to.

    Raises:
        FileProblem: the one that says what is wrong.
    """
    with problems(path):
        status = os.stat(path)
    if stat.S_ISREG(status.st_mode):
        return status
    if stat.S_ISDIR(status.st_mode):
        raise NotAFile(
            f"{path!r} is a directory, not a file",
            hint="List it to see the files in it.",
            data={"path": path},
        )
    raise NotAFile(f"{path!r} is a device, pipe or socket, not a file", data={"path": path})


def require_way(path: str) -> None:
    """Check that the directories on the way to the absolute `path` are there, or can be made.

    Raises:
        FileProblem: something else is in the way.
    """
    way = os.path.dirname(path)
    obstacle = first_obstacle(way)
    if obstacle is None:
        require_directory(way)
    elif not isinstance(obstacle, FileMissing):
        raise obstacle


@contextmanager
def problems(path: str) -> Generator[None, None, None]:
    """Raise what the filesystem says of `path` within the block as a `FileProblem`."""
    try:
        yield
    except OSError as error:
        raise problem(path, error) from error


def problem(path: str, error: OSError) -> FileProblem:
    """The typed error for what the filesystem said of `path`."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
        cause = first_obstacle(path)
        if cause is not None:
            return cause
    if error.errno in FULL:
        return StorageFull(
            f"there is no room to write {path!r}: {error.strerror}",
            hint="What it held before is unchanged. Delete what isn't needed, then try again.",
            data={"path": path},
        )
    kind, words = TYPED.get(error.errno, (FileProblem, f"can't be used: {error.strerror or error}"))
    return kind(f"{path!r} {words}", data={"path": path})


def first_obstacle(path: str) -> FileProblem | None:
    """What stops the way to the absolute `path`, looking from `/`; None where nothing does."""
    current, obstacle = "/", None
    for part in path.strip("/").split("/"):
        parent, current = current, os.path.join(current, part)
        obstacle = _obstacle(parent, part, current, path)
        if obstacle is not None:
            break
    return obstacle


def _obstacle(parent: str, name: str, current: str, path: str) -> FileProblem | None:
    try:
        os.stat(current)
    except FileNotFoundError:
        if os.path.islink(current):
            target = os.readlink(current)
            return BrokenLink(
                f"{current!r} is a link to {target!r}, which does not exist",
                hint="Make the link's target, or use another path.",
                data={"path": current, "link_target": target},
            )
        return FileMissing(
            f"{path!r} does not exist" + ("" if current == path else f": there is no {current!r}"),
            hint=_nearest(parent, name),
            data={"path": path, "missing": current},
        )
    except NotADirectoryError:
        return NotADirectory(
            f"{parent!r} is a file, not a directory, so {path!r} can't be in it", data={"path": parent}
        )
    except OSError as error:
        if error.errno == errno.ELOOP:
            return LinkLoop(
                f"{current!r} goes round in a loop of symbolic links",
                hint="Remove one of its links, or use another path.",
                data={"path": current},
            )
        return None
    return None


def _nearest(directory: str, name: str) -> str:
    """A hint that names what is in `directory` and close to `name`."""
    try:
        names = os.listdir(directory)[:MOST_NAMES_COMPARED]
    except OSError:
        names = []
    by_lower = {other.lower(): other for other in names}
    close = difflib.get_close_matches(name.lower(), by_lower, n=3)
    if not close:
        return f"List {directory!r} to see what is there."
    there = ", ".join(repr(os.path.join(directory, by_lower[match])) for match in close)
    return f"Did you mean {there}?"
