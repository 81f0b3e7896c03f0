"""The body of an answer, as bytes: received up to a limit, and without its content coding."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

from gemini_companion.network import headers as rules
from gemini_companion.network.errors import AnswerTooLarge, HostBroken
from gemini_companion.network.fetching import Answer, Call

# zlib finds out whether it is gzip or deflate.
ANY_CODING = zlib.MAX_WBITS | 32


async def body_of(call: Call, answer: Answer, most: int) -> bytes:
    """Return an answer's body.

    Raises:
        AnswerTooLarge: It has more than `most` bytes, compressed or not.
        HostBroken: It isn't in the coding that the server names.
    """
    origin = call.target.origin
    coding = rules.coding(answer.headers)
    if coding not in (None, "gzip", "deflate"):
        raise HostBroken(f"{origin} answers in the coding {coding}, which wasn't asked for")
    parts: list[bytes] = []
    left = most
    try:
        async for part in _decode(answer.chunks, left) if coding else answer.chunks:
            left -= len(part)
            if left < 0:
                raise AnswerTooLarge(
                    f"the answer of {origin} has more than {most:,} bytes",
                    hint="Download it with curl instead.",
                )
            parts.append(part)
    except zlib.error:
        raise HostBroken(f"{origin} answers with broken {coding} data") from None
    return b"".join(parts)


async def _decode(chunks: AsyncIterator[bytes], most: int) -> AsyncIterator[bytes]:
    # A small body can decode to any size.
    decoder = zlib.decompressobj(ANY_CODING)
    async for chunk in chunks:
        yield decoder.decompress(chunk, most + 1)
    yield decoder.flush()


def content_type(answer: Answer) -> tuple[str, str | None]:
    """Return the media type of an answer, in lowercase and without parameters, and its charset."""
    values = [value for key, value in rules.answered(answer.headers, None) if key == "content-type"]
    media_type = values[-1].partition(";")[0].strip().lower() if values else ""
    return media_type, rules.charset([("content-type", value) for value in values])
