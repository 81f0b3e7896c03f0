"""Input and output of the text commands: they read files in order, and standard input for `-` and `/dev/stdin`."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence

from gemini_userland.characters import encoding
from gemini_userland.invocation import Invocation

STANDARD_INPUT = frozenset(("-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"))
"""The operands that name standard input."""
# The size of a read from a device without an end, as in the shell.
_PLENTY = 1 << 16


def read(invocation: Invocation, name: str, *, is_file: bool = False) -> bytes:
    """Return the content of a file, or of standard input for one of its names; of a device, the first 64 KiB.

    Args:
        invocation: The call.
        name: The operand.
        is_file: It is known to be a regular file, which saves a system call.

    Raises:
        OSError: The file can't be read.
    """
    if name in STANDARD_INPUT and name not in invocation.places:
        if "-" not in invocation.places:
            return invocation.stdin
        # It is a folder, which can't be read.
        name = "-"
    with open(os.fsencode(invocation.path(name)), "rb", buffering=0) as file:
        is_device = not is_file and stat.S_ISCHR(os.fstat(file.fileno()).st_mode)
        return file.read(_PLENTY) if is_device else file.readall()


def inputs(invocation: Invocation, names: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
    """Yield the name and content of each input.

    The content of an unreadable file is None, and an error message is printed.
    """
    for name in names or ["-"]:
        try:
            yield name, read(invocation, name)
        except OSError as error:
            invocation.error(f"{name}: {error.strerror}")
            yield name, None


def listed_names(invocation: Invocation, source: str) -> list[str]:
    """Return the names in the file of `--files0-from`, each of which a null byte follows.

    Raises:
        OSError: The file can't be read.
    """
    return [os.fsdecode(name) for name in lines(read(invocation, source), b"\0")]


def lines(data: bytes, end: bytes = b"\n") -> list[bytes]:
    """Split into lines without their ends."""
    found = data.split(end)
    if found[-1] == b"":
        found.pop()
    return found


def pieces(data: bytes, end: bytes = b"\n") -> list[bytes]:
    """Split into lines with their ends; the last one may have none."""
    found = [line + end for line in data.split(end)]
    last = found.pop()[: -len(end)]
    return [*found, last] if last else found


def line_count(data: bytes) -> int:
    """Return the number of lines; the last one may have no end."""
    return data.count(b"\n") + (data[-1:] not in (b"\n", b""))


def all_lines(invocation: Invocation, names: Sequence[str], end: bytes = b"\n") -> tuple[list[bytes], int]:
    """Return the lines of all inputs, and the exit code: 1 if an input can't be read, else 0."""
    contents = [data for _, data in inputs(invocation, names)]
    return [line for data in contents if data is not None for line in lines(data, end)], int(None in contents)


def write(invocation: Invocation, name: str | None, data: bytes) -> None:
    """Write data to the file `name`, or to standard output if it is None.

    Raises:
        OSError: The file can't be written.
    """
    if name is None:
        invocation.stdout.write(data)
        return
    with open(invocation.path(name), "wb") as file:
        file.write(data)


def encode(text: str) -> bytes:
    """Encode an argument as bytes."""
    return text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """Decode bytes as in an argument: bytes that the encoding lacks become lone surrogates."""
    return data.decode(encoding(), "surrogateescape")
