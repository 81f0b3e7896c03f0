"""Reads records from a file, a pipe or a command's output, as they come."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from itertools import chain
from typing import BinaryIO, Protocol

from gemini_userland.awk.csv import CsvRecords
from gemini_userland.awk.patterns import Pattern
from gemini_userland.awk.record import ODD_SPACES
from gemini_userland.awk.state import State
from gemini_userland.characters import encoding
from gemini_userland.invocation import InputPipe

CHUNK = 1 << 18
_ODD_BYTES = [bytes([byte]) for byte in b"\v\f\r\x1c\x1d\x1e\x1f"]
_PARAGRAPHS = re.compile(r"\n\n+")


class Source(Protocol):
    """A source of bytes."""

    async def read(self) -> bytes:
        """Return the next bytes; none at the end."""
        ...

    def close(self) -> None:
        """Release it."""
        ...


class FileSource:
    """An open file."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    async def read(self) -> bytes:
        """Return the next bytes; none at the end."""
        return self._file.read(CHUNK)

    def close(self) -> None:
        """Close the file."""
        self._file.close()


class PipeSource:
    """The standard input: bytes that were there at the start, or else a pipe."""

    def __init__(self, ready: bytes, pipe: InputPipe | None) -> None:
        self._ready = ready
        self._pipe = pipe

    async def read(self) -> bytes:
        """Wait for bytes and return them; none at the end."""
        if self._ready:
            ready, self._ready = self._ready, b""
            return ready
        if self._pipe is None:
            return b""
        if (change := self._pipe.readable()) is not None:
            await change
        return self._pipe.take(CHUNK)

    def close(self) -> None:
        """Do nothing: the shell closes it."""


class Reader:
    """The records of a source.

    Attributes:
        pending: The records that have been read and not yet been used.
        is_plain: They have no spaces at which Python would part them, but not awk.
    """

    def __init__(self, source: Source, state: State) -> None:
        self.pending: Iterator[str] = iter(())
        self.is_plain = False
        self._source = source
        self._state = state
        self._separator = state.separator
        # Of one character, what precedes the next record is bytes; otherwise it is text.
        self._bytes = b""
        self._text = ""
        self._at = 0
        self._decoder = codecs.getincrementaldecoder(encoding())("surrogateescape")
        self._ended = False
        self._unfinished = False

    def close(self) -> None:
        """Release the source."""
        self._source.close()

    def ready(self) -> str | None:
        """Return the next record if it has been read already."""
        return next(self.pending, None) if self._separator is self._state.separator else None

    async def next(self) -> str | None:
        """Return the next record, or None at the end."""
        while True:
            if self._separator is not self._state.separator:
                self.rewind()
            for record in self.pending:
                return record
            if not await self.fill():
                return None

    async def fill(self) -> bool:
        """Read further records into `pending`; return False at the end."""
        self._separator = self._state.separator
        self.is_plain = False
        if isinstance(self._separator, str) and self._separator:
            return await self._fill_lines(self._separator.encode("utf-8", "surrogateescape"))
        if isinstance(self._separator, Pattern):
            self._decode(b"")
            if not self._text[self._at :]:
                self._decode(await self._read())
            self.pending = self._match(self._separator)
            record = next(self.pending, None)
            if record is not None:
                self.pending = chain((record,), self.pending)
                return True
        record = await self._one(
            self._separator if isinstance(self._separator, Pattern | CsvRecords) else None
        )
        self.pending = iter(()) if record is None else iter((record,))
        return record is not None

    def _match(self, separator: Pattern) -> Iterator[str]:
        """Yield the records before matches in the text that has been read; a match at its end might continue."""
        text = self._text
        spans = _spans(separator, text, self._at)
        # Another separator or another text ends it.
        while self._separator is separator and self._text is text:
            found = next(spans, None)
            if found is None or found[1] == len(text):
                return
            yield self._cut(*found)

    def rewind(self) -> None:
        """Put the pending records back, because RS has changed."""
        rest: list[str] = []
        if isinstance(self._separator, str) and self._separator:
            rest = list(self.pending)
        if rest and isinstance(self._separator, str):
            text = self._separator.join(rest) + ("" if self._unfinished else self._separator)
            self._bytes = text.encode("utf-8", "surrogateescape") + self._bytes
        if self._text:
            rest_of_text = self._text[self._at :].encode("utf-8", "surrogateescape")
            self._bytes = rest_of_text + self._decoder.getstate()[0]
            self._text, self._at = "", 0
            self._decoder.reset()
        self._unfinished = False
        self._separator = self._state.separator

    async def _read(self) -> bytes:
        if self._ended:
            return b""
        data = await self._source.read()
        self._ended = not data
        return data

    async def _fill_lines(self, separator: bytes) -> bool:
        pieces = [self._bytes]
        # What was put back may contain complete records.
        end = self._bytes.rfind(separator)
        while end < 0:
            data = await self._read()
            if not data:
                break
            pieces.append(data)
            # A separator of several bytes may lie in two pieces.
            end = data.find(separator) if len(separator) == 1 else b"".join(pieces).find(separator)
        whole = b"".join(pieces)
        end = whole.rfind(separator)
        if end < 0:
            self._bytes = b""
            self._unfinished = True
            self._state.RT = ""
            self.pending = iter([_decoded(whole)] if whole else [])
            return bool(whole)
        self._bytes = whole[end + len(separator) :]
        self._unfinished = False
        self._state.RT = _decoded(separator)
        lines = _decoded(whole[:end])
        self.is_plain = not any(odd in whole for odd in _ODD_BYTES) and (
            whole.isascii() or not ODD_SPACES.search(lines)
        )
        self.pending = iter(lines.split(_decoded(separator)))
        return True

    async def _one(self, separator: Pattern | CsvRecords | None) -> str | None:
        """Return the next record of a paragraph, or up to a match of the separator."""
        self._decode(b"")
        while True:
            if separator is None:
                self._at = _skip(self._text, self._at)
                match = _PARAGRAPHS.search(self._text, self._at)
                found = None if match is None else match.span()
            else:
                found = _nonempty(separator, self._text, self._at)
            # A match at the end might continue.
            if found is not None and (found[1] < len(self._text) or self._ended):
                return self._cut(*found)
            data = await self._read()
            if data:
                self._decode(data)
            elif found is None:
                return self._last(separator)

    def _decode(self, data: bytes) -> None:
        data, self._bytes = self._bytes + data, b""
        if data:
            # The character before the rest stays, so that ^ matches only where the file begins.
            retained = max(self._at - 1, 0)
            self._text = self._text[retained:] + self._decoder.decode(data)
            self._at -= retained

    def _cut(self, start: int, end: int) -> str:
        record, self._state.RT, self._at = self._text[self._at : start], self._text[start:end], end
        return record

    def _last(self, separator: Pattern | CsvRecords | None) -> str | None:
        rest = self._text[self._at :] + self._decoder.decode(b"", final=True)
        self._text, self._at = "", 0
        if not rest:
            return None
        record = rest.rstrip("\n") if separator is None else rest
        # As in gawk, a last newline belongs to the record only where an expression separates records.
        self._state.RT = rest[len(record) :]
        return record


def _skip(text: str, at: int) -> int:
    while text.startswith("\n", at):
        at += 1
    return at


def _spans(separator: Pattern, text: str, at: int) -> Iterator[tuple[int, int]]:
    if separator.is_plain and not separator.can_be_empty:
        yield from (match.span() for match in separator.compiled.finditer(text, at))
        return
    while found := _nonempty(separator, text, at):
        yield found
        at = found[1]


def _nonempty(separator: Pattern | CsvRecords, text: str, at: int) -> tuple[int, int] | None:
    while (found := separator.search(text, at)) and found[0] == found[1]:
        at = found[1] + 1
        if at > len(text):
            return None
    return found


def _decoded(data: bytes) -> str:
    return data.decode(encoding(), "surrogateescape")
