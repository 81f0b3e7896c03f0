"""Pack contents for storage: by hash, and compressed with zlib if that helps."""

import hashlib
import zlib
from collections.abc import Generator

from gemini.storage.changes import Content

# A higher level takes three times as long to save a tenth.
LEVEL = 1
# Other work can run after this many bytes.
SLICE_BYTES = 1 << 20
# Shorter contents aren't worth compressing.
MIN_BYTES = 128


def hash_of(data: bytes) -> str:
    """Return the name under which contents are stored: their SHA-256."""
    return hashlib.sha256(data).hexdigest()


def pack(data: bytes) -> Generator[None, None, Content]:
    """Pack bytes for storage, yielding after each slice."""
    digest = hashlib.sha256()
    packer = zlib.compressobj(LEVEL)
    pieces: list[bytes] = []
    for start in range(0, len(data), SLICE_BYTES):
        piece = data[start : start + SLICE_BYTES]
        digest.update(piece)
        if len(data) >= MIN_BYTES:
            pieces.append(packer.compress(piece))
        yield
    packed = b"".join([*pieces, packer.flush()])
    if len(data) >= MIN_BYTES and len(packed) < len(data) * 0.9:
        return Content(digest.hexdigest(), packed, True)
    return Content(digest.hexdigest(), data, False)


def unpack(data: bytes, packed: bool) -> bytes:
    """Return the original contents."""
    return zlib.decompress(data) if packed else data
