"""Contents as they are kept: by hash, packed by zlib where that helps."""

import hashlib
import zlib
from collections.abc import Generator

from gemini.storage.changes import Content

# A higher level takes three times as long for a tenth less.
LEVEL = 1
# Nothing waits longer than for so much of it.
SLICE = 1 << 20
# What is shorter isn't worth it.
SHORT = 128


def hash_of(data: bytes) -> str:
    """The name under which contents are kept."""
    return hashlib.sha256(data).hexdigest()


def pack(data: bytes) -> Generator[None, None, Content]:
    """Make of bytes what is kept, with a pause after each slice."""
    digest = hashlib.sha256()
    packer = zlib.compressobj(LEVEL)
    pieces: list[bytes] = []
    for start in range(0, len(data), SLICE):
        piece = data[start : start + SLICE]
        digest.update(piece)
        if len(data) >= SHORT:
            pieces.append(packer.compress(piece))
        yield
    packed = b"".join([*pieces, packer.flush()])
    if len(data) >= SHORT and len(packed) < len(data) * 0.9:
        return Content(digest.hexdigest(), packed, True)
    return Content(digest.hexdigest(), data, False)


def unpack(data: bytes, packed: bool) -> bytes:
    """The contents again."""
    return zlib.decompress(data) if packed else data
