"""Resolve the paths that callers write, and turn filesystem errors into typed ones."""

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

# Comparing more names for a "Did you mean" takes longer than the hint is worth.
MAX_NAMES_COMPARED = 2_000
# PATH_MAX of Linux and Emscripten.
MAX_PATH_BYTES = 4_096
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
TYPED: dict[int | None, tuple[type[FileProblem], str]] = {
    errno.ELOOP: (LinkLoop, "is in a loop of symbolic links"),
    errno.ENOTDIR: (NotADirectory, "leads through something that is not a directory"),
    errno.EISDIR: (NotAFile, "is a directory, not a file"),
    errno.EEXIST: (AlreadyExists, "already exists"),
    errno.EACCES: (FileProblem, "can't be accessed: permission denied"),
    errno.EPERM: (FileProblem, "can't be changed: operation not permitted"),
    errno.EROFS: (FileProblem, "is on a read-only filesystem"),
    errno.ENAMETOOLONG: (FileProblem, "has a name that is too long"),
}


def resolve(path: StrPath, working_dir: str) -> str:
    """Return the absolute form of `path`, without `.`, `..` and doubled slashes.

    The path need not exist. Symbolic links stay, except before `..`: it leads to the parent of the link's target, as
    the kernel resolves it.

    Args:
        path: An absolute path, or one relative to `working_dir`.
        working_dir: The directory that a relative path starts from.

    Raises:
        PathOutsideTree: The path leads above `/`.
        FileProblem: The path is empty, too long or has invalid characters.
    """
    text = check_path(os.fspath(path))
    current: str = "/"
    for part in os.path.join("/", working_dir, text).split("/"):
        if part == "..":
            if current == "/":
                raise PathOutsideTree(
                    f"{text!r} leads above / from {working_dir}",
                    hint="Use an absolute path, or fewer '..'.",
                    data={"path": text, "working_dir": working_dir},
                )
            current = os.path.dirname(os.path.realpath(current) if os.path.islink(current) else current)
        elif part not in ("", "."):
            current = os.path.join(current, part)
    return current


def check_path(text: str) -> str:
    """Return a path or pattern if a filesystem can store it.

    Raises:
        FileProblem: The text is empty or longer than 4,096 bytes, or contains a NUL or a lone surrogate.
    """
    if not text:
        raise FileProblem("the path is empty", hint="Use '.' for the working directory.")
    if len(text) > MAX_PATH_BYTES:
        raise _too_long(text)
    if "\0" in text:
        raise FileProblem(f"{text!r} contains a NUL character, which no path can have")
    try:
        encoded = text.encode()
    except UnicodeEncodeError as error:
        raise FileProblem(
            f"{text!r} has a lone surrogate at character {error.start}, which is not valid text",
            hint="Send both surrogates of the emoji, or the character itself.",
        ) from error
    if len(encoded) > MAX_PATH_BYTES:
        raise _too_long(text)
    return text


def _too_long(text: str) -> FileProblem:
    return FileProblem(f"a path can have at most {MAX_PATH_BYTES:,} bytes; {text[:60]!r}… is longer")


def require_directory(path: str) -> str:
    """Return `path` if it is a directory, or a link to one.

    Raises:
        FileProblem: The path is missing or isn't a directory; the subclass says which.
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
    """Return the status of a regular file, following links.

    Raises:
        FileProblem: The path is missing or isn't a regular file; the subclass says which.
    """
    with problems(path):
        status = os.stat(path)
    if stat.S_ISREG(status.st_mode):
        return status
    if stat.S_ISDIR(status.st_mode):
        raise NotAFile(
            f"{path!r} is a directory, not a file",
            hint="List it to see its files.",
            data={"path": path},
        )
    raise NotAFile(f"{path!r} is a device, pipe or socket, not a file", data={"path": path})


def require_parent(path: str) -> None:
    """Check that the directories above the absolute `path` exist or can be created.

    Raises:
        FileProblem: Something that isn't a directory is in the way.
    """
    parent = os.path.dirname(path)
    obstacle = first_obstacle(parent)
    if obstacle is None:
        require_directory(parent)
    elif not isinstance(obstacle, FileMissing):
        raise obstacle


@contextmanager
def problems(path: str) -> Generator[None, None, None]:
    """Raise an `OSError` within the block as a `FileProblem` about `path`."""
    try:
        yield
    except OSError as error:
        raise problem(path, error) from error


def problem(path: str, error: OSError) -> FileProblem:
    """Return the typed error for an `OSError` about `path`."""
    if error.errno in (errno.ENOENT, errno.ENOTDIR, errno.ELOOP):
        cause = first_obstacle(path)
        if cause is not None:
            return cause
    if error.errno in FULL:
        return StorageFull(
            f"there is no space to write {path!r}: {error.strerror}",
            hint="Its previous content is unchanged. Delete files that you don't need, then try again.",
            data={"path": path},
        )
    kind, words = TYPED.get(error.errno, (FileProblem, f"can't be used: {error.strerror or error}"))
    return kind(f"{path!r} {words}", data={"path": path})


def first_obstacle(path: str) -> FileProblem | None:
    """Return an error for the first part of the absolute `path` that can't be entered, from `/` down, or None."""
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
                hint="Create the link's target, or use another path.",
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
                f"{current!r} is in a loop of symbolic links",
                hint="Remove one of the links, or use another path.",
                data={"path": current},
            )
        return None
    return None


def _nearest(directory: str, name: str) -> str:
    """Return a hint with the names in `directory` that are similar to `name`."""
    # Imported on first use: a start doesn't need it.
    import difflib

    try:
        names = os.listdir(directory)[:MAX_NAMES_COMPARED]
    except OSError:
        names = []
    by_lower = {other.lower(): other for other in names}
    close = difflib.get_close_matches(name.lower(), by_lower, n=3)
    if not close:
        return f"List {directory!r} to see what is there."
    there = ", ".join(repr(os.path.join(directory, by_lower[match])) for match in close)
    return f"Did you mean {there}?"
