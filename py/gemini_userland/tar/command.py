"""The command `tar`: it selects the operation and opens the archive."""

from __future__ import annotations

import io
import lzma
import os
import tarfile
import zlib
from collections.abc import Callable
from functools import partial
from typing import BinaryIO, cast

from gemini_userland.expansion import TarMember
from gemini_userland.invocation import Invocation
from gemini_userland.options import Arguments
from gemini_userland.tar.job import FAILURE, Fatal, Job, UsageError
from gemini_userland.tar.names import WrongTransform
from gemini_userland.tar.reading import Reader
from gemini_userland.tar.syntax import OPERATIONS, SYNTAX, unbundled
from gemini_userland.tar.writing import Writer, format_of

COMPRESSIONS = {"z": "gz", "j": "bz2", "J": "xz", "zstd": "zst", "lzma": "xz"}
PROGRAMS = {
    "gzip": "gz",
    "pigz": "gz",
    "bzip2": "bz2",
    "pbzip2": "bz2",
    "xz": "xz",
    "pxz": "xz",
    "zstd": "zst",
}
NAMES = {"gz": "gzip", "bz2": "bzip2", "xz": "xz", "zst": "zstd"}
SUFFIXES = {
    "gz": (".gz", ".tgz", ".taz"),
    "bz2": (".bz2", ".tbz2", ".tbz", ".tb2", ".tz2"),
    "xz": (".xz", ".txz"),
    "zst": (".zst", ".tzst"),
}
BROKEN = (tarfile.TarError, EOFError, zlib.error, lzma.LZMAError, OSError, ValueError, RecursionError)
"""The errors of a damaged archive; the decompressors also raise OSError."""


# The stubs accept only literal modes.
_open = cast(
    "Callable[[str | None, str, BinaryIO | None], tarfile.TarFile]", partial(tarfile.open, tarinfo=TarMember)
)


async def tar(invocation: Invocation) -> int:
    """Create, extend, list or extract an archive.

    The exit codes are GNU tar's: 0, 2 if a member failed (the others are still processed), 64 for unknown options.
    """
    arguments = unbundled(invocation.argv[1:])
    if isinstance(arguments, str):
        SYNTAX.usage_error(invocation, arguments)
        return FAILURE
    given = SYNTAX.parse(invocation, arguments)
    if isinstance(given, int):
        return given
    try:
        operation = _operation(given)
        compression = _compression(given)
        job = Job.of(invocation, given)
        if operation in "tx":
            return await _read(job, compression)
        return await _write(job, operation, compression)
    except (UsageError, WrongTransform) as error:
        SYNTAX.usage_error(invocation, str(error))
    except Fatal as problem:
        invocation.error(str(problem))
        invocation.error("Error is not recoverable: exiting now")
    return FAILURE


def _operation(given: Arguments) -> str:
    selected = {option for option, _ in given.items if option and option in OPERATIONS}
    if not selected:
        raise UsageError("You must specify one of the '-crtux' options")
    if len(selected) > 1:
        raise UsageError("You may not specify more than one '-crtux' option")
    return selected.pop()


def _compression(given: Arguments) -> str:
    selected = {COMPRESSIONS[option] for option, _ in given.items if option in COMPRESSIONS}
    for program in given.all("I"):
        # An option such as -9 of the program makes no other archive.
        name = program.split()[0] if program.split() else ""
        if name not in PROGRAMS:
            raise UsageError(f"-I {program} isn't supported: use gzip, bzip2, xz or zstd, or a pipe")
        selected.add(PROGRAMS[name])
    if len(selected) > 1:
        raise UsageError("Conflicting compression options")
    if selected:
        return selected.pop()
    archive = given.last("f", "-")
    if given.last_of("a", "no-auto-compress") == "a":
        return next((kind for kind, endings in SUFFIXES.items() if archive.endswith(endings)), "")
    return ""


async def _read(job: Job, compression: str) -> int:
    name = job.given.last("f", "-")
    try:
        source = io.BytesIO(job.invocation.stdin) if name == "-" else open(job.invocation.path(name), "rb")  # noqa: SIM115
    except OSError as problem:
        raise Fatal(f"{name}: Cannot open: {problem.strerror}") from problem
    with source:
        packed = source.seek(0, os.SEEK_END)
        source.seek(0)
        try:
            archive = _open(None, f"r:{compression or '*'}", source)
            archive.ignore_zeros = "i" in job.given  # pyright: ignore[reportAttributeAccessIssue]
        except (tarfile.CompressionError, ImportError) as problem:
            raise Fatal(f"this Python can't read {NAMES.get(compression, 'it')}: {problem}") from problem
        except BROKEN as problem:
            return _unreadable(job, compression, source, problem)
        with archive:
            try:
                return await Reader(job, packed).read(archive)
            except BROKEN as problem:
                raise Fatal(f"Unexpected EOF in archive: {problem}") from problem


def _unreadable(job: Job, compression: str, source: BinaryIO, problem: Exception) -> int:
    if isinstance(problem, OSError) and problem.errno is not None:
        raise Fatal(f"{job.given.last('f', '-')}: Cannot read: {problem.strerror}")
    if compression:
        raise Fatal(f"{job.given.last('f', '-')}: not in {NAMES[compression]} format")
    source.seek(0)
    if source.read(2) in (b"\x1f\x8b", b"BZ", b"\xfd7", b"(\xb5"):
        raise Fatal(f"Unexpected EOF in archive: {problem}")
    job.fail("This does not look like a tar archive")
    return job.finish()


async def _write(job: Job, operation: str, compression: str) -> int:
    if not job.names and "T" not in job.given:
        raise UsageError("Cowardly refusing to create an empty archive")
    if operation != "c" and compression:
        raise Fatal("Cannot update compressed archives")
    format_of(job.given)
    name = job.given.last("f", "-")
    if name == "-":
        if operation != "c":
            raise Fatal("Cannot update an archive on standard output")
        target = io.BytesIO()
        archive = _opened(f"w:{compression}", "", target)
    else:
        path = job.invocation.path(name)
        fresh = operation == "c" or not os.path.exists(path) or os.path.getsize(path) == 0
        archive = _opened(f"w:{compression}" if fresh else "a:", path, None, name)
        target = None
    with archive:
        writer = Writer(job, archive)
        await writer.write(only_newer=operation == "u")
    if "remove-files" in job.given and not job.status:
        writer.remove_files()
    if target is not None:
        job.invocation.stdout.write(target.getvalue())
    return job.finish()


def _opened(mode: str, path: str, target: io.BytesIO | None, name: str = "-") -> tarfile.TarFile:
    try:
        return _open(path or None, mode, target)
    except (tarfile.CompressionError, ImportError) as problem:
        raise Fatal(f"this Python can't write {NAMES[mode[2:]]}: {problem}") from problem
    except tarfile.ReadError as problem:
        raise Fatal("Cannot update compressed archives") from problem
    except OSError as problem:
        raise Fatal(f"{name}: Cannot open: {problem.strerror}") from problem
