"""How the commands that work on text read their input: files in order, `-` for what was piped in."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from gemini_userland.invocation import Invocation


def read(invocation: Invocation, name: str) -> bytes:
    """Return the content of a file, or of standard input for `-`.

    Raises:
        OSError: the file can't be read.
    """
    if name == "-":
        return invocation.stdin
    with open(os.fsencode(invocation.path(name)), "rb") as file:
        return file.read()


def inputs(invocation: Invocation, names: Sequence[str]) -> Iterator[tuple[str, bytes | None]]:
    """Yield each input with its content; None, and a message on standard error, for what can't be read."""
    for name in names or ["-"]:
        try:
            yield name, read(invocation, name)
        except OSError as error:
            invocation.error(f"{name}: {error.strerror}")
            yield name, None


def lines(data: bytes, end: bytes = b"\n") -> list[bytes]:
    """Split into lines without their ends; nothing stands after the last end."""
    found = data.split(end)
    if found[-1] == b"":
        found.pop()
    return found


def all_lines(invocation: Invocation, names: Sequence[str], end: bytes = b"\n") -> tuple[list[bytes], int]:
    """Return the lines of all inputs, and 1 when one couldn't be read, else 0."""
    contents = [data for _, data in inputs(invocation, names)]
    return [line for data in contents if data is not None for line in lines(data, end)], int(None in contents)


def write(invocation: Invocation, name: str | None, data: bytes) -> None:
    """Write what a command prints to the file that its -o names, or else to standard output.

    Raises:
        OSError: the file can't be written.
    """
    if name is None:
        invocation.stdout.write(data)
        return
    with open(invocation.path(name), "wb") as file:
        file.write(data)


def encode(text: str) -> bytes:
    """Return the bytes of an argument."""
    return text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """Return bytes as an argument has them; those that are no UTF-8 become lone surrogates."""
    return data.decode("utf-8", "surrogateescape")
