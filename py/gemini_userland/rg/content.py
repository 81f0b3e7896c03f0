"""The content of a file as text, and what of it is searched."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from gemini_userland.text import decode

# What ripgrep reads before it decides whether a file is binary.
BUFFER = 1 << 16
MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
_SWAPPED = bytes.maketrans(b"\0\n", b"\n\0")


@dataclass(frozen=True)
class Content:
    """A text to search.

    Attributes:
        text: The text; bytes that are not UTF-8 are lone surrogates.
        size: The number of bytes that were read.
        zero: The offset of the first null byte, or None.
        cut: Whether the search stops at that byte.
    """

    text: str
    size: int
    zero: int | None = None
    cut: bool = False

    @property
    def is_ascii(self) -> bool:
        """Return whether a character is a byte."""
        return self.size == len(self.text)


def swap_ends(data: bytes) -> bytes:
    """Exchange null bytes and line breaks, so that lines end as `--null-data` says."""
    return data.translate(_SWAPPED)


def read_content(
    data: bytes, *, explicit: bool, text: bool, null_data: bool, encoding: str
) -> Content | None:
    """Return the text to search, or None for a binary file that is left out.

    Args:
        data: The bytes of the file.
        explicit: Whether the command line names the file, so it is searched even if it is binary.
        text: Whether binary files are searched like others.
        null_data: Whether lines end with null bytes.
        encoding: The name of an encoding of Python's, `auto` or `none`.

    Raises:
        LookupError: The encoding is unknown.
    """
    size = len(data)
    if null_data:
        return Content(decode(swap_ends(data)), size)
    if encoding == "auto":
        data = data.removeprefix(codecs.BOM_UTF8)
        if (mark := MARKS.get(data[:2])) is not None:
            return Content(data.decode(mark, "replace"), size)
    elif encoding != "none":
        return Content(data.decode(encoding, "replace"), size)
    zero = -1 if text else data.find(b"\0")
    if zero < 0:
        return Content(decode(data), size)
    if explicit:
        # A null byte ends a line, too.
        return Content(decode(data.replace(b"\0", b"\n")), size, zero)
    if zero < BUFFER:
        return None
    return Content(decode(data[:zero]), size, zero, cut=True)
