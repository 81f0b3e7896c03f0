"""Decodes the content coding of an answer, so that secrets in it are found."""

from __future__ import annotations

import zlib
from collections.abc import AsyncGenerator, AsyncIterator, Sequence

from gemini_companion.network.errors import AnswerTooLarge, AnswerUnreadable, HostBroken

GZIP, DEFLATE = ("gzip", "x-gzip"), ("deflate",)
# A server that applies more hides something.
MAX_CODINGS = 2
PIECE = 256 * 1024
# Of zlib: gzip and zlib's own head, or none.
ANY_HEAD, NO_HEAD = 47, -15
HEADER = b"content-encoding"


def codings(headers: Sequence[tuple[bytes, bytes]]) -> list[str]:
    """Return the content codings of an answer, in the order in which they were applied.

    Raises:
        AnswerUnreadable: One of them can't be decoded here.
    """
    lines = [value.decode("latin-1").lower() for name, value in headers if name.lower() == HEADER]
    named = [each.strip() for line in lines for each in line.split(",")]
    found = [each for each in named if each not in ("", "identity")]
    unknown = [each for each in found if each not in GZIP + DEFLATE]
    if unknown or len(found) > MAX_CODINGS:
        raise AnswerUnreadable(
            f"the answer is compressed by {', '.join(found)[:80]}, in which secrets can't be found",
            hint="It was read by nobody. Ask the server for gzip.",
        )
    return found


async def decoded(chunks: AsyncIterator[bytes], coding: str, largest: int) -> AsyncGenerator[bytes]:
    """Yield an answer's content without a coding of `codings`.

    Args:
        chunks: The content.
        coding: The coding.
        largest: The most bytes that it may have afterwards.

    Raises:
        AnswerTooLarge: It has more.
        HostBroken: The content isn't of that coding, or isn't complete.
    """
    inflating = _Inflating(coding in DEFLATE)
    size = 0
    async for chunk in chunks:
        for piece in inflating.feed(chunk):
            size += len(piece)
            if size > largest:
                raise AnswerTooLarge(
                    f"the answer has more than {largest:,} bytes", hint="Ask for a part of it."
                )
            yield piece
    inflating.finish()


class _Inflating:
    """Inflates pieces, each of at most `PIECE` bytes afterwards; gzip may have several members."""

    def __init__(self, may_have_no_head: bool) -> None:
        self._may_have_no_head = may_have_no_head
        self._inflater = zlib.decompressobj(ANY_HEAD)
        self._began = False

    def feed(self, data: bytes) -> list[bytes]:
        pieces: list[bytes] = []
        while data:
            pieces.append(self._inflate(data))
            data = self._inflater.unconsumed_tail
            if self._inflater.eof:
                data, self._inflater, self._began = (
                    self._inflater.unused_data,
                    zlib.decompressobj(ANY_HEAD),
                    False,
                )
        return pieces

    def _inflate(self, data: bytes) -> bytes:
        try:
            found = self._inflater.decompress(data, PIECE)
        except zlib.error:
            if self._began or not self._may_have_no_head:
                raise _broken() from None
            # Some servers leave out the head that the coding has by RFC 9110.
            self._inflater = zlib.decompressobj(NO_HEAD)
            found = self._retry(data)
        self._began = True
        return found

    def _retry(self, data: bytes) -> bytes:
        try:
            return self._inflater.decompress(data, PIECE)
        except zlib.error:
            raise _broken() from None

    def finish(self) -> None:
        if self._began:
            raise _broken()


def _broken() -> HostBroken:
    return HostBroken("the answer's compression is damaged", hint="Try again.")
