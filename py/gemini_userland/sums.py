"""The checksums of `cksum`, `sum`, `md5sum` and their like.

Source: POSIX.1-2017, "cksum"; the GNU coreutils manual, "Summarizing files".
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Mapping

TAGS: Mapping[str, str] = {
    **{name: name.upper() for name in ("md5", "sha1", "sha224", "sha256", "sha384", "sha512")},
    "blake2b": "BLAKE2b",
}
"""The algorithms of hashes, with the names in tagged lines."""
FULL_BITS = 512
_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_ALL = 0xFFFFFFFF


def hashed(algorithm: str, data: bytes, bits: int = FULL_BITS) -> str:
    """Return a hash in hexadecimal digits; `bits` is the length of blake2b's."""
    if algorithm == "blake2b":
        return hashlib.blake2b(data, digest_size=bits // 8).hexdigest()
    return hashlib.new(algorithm, data, usedforsecurity=False).hexdigest()


def crc(data: bytes) -> str:
    """Return the checksum and the size of POSIX's `cksum`.

    It is zlib's with the bits of each byte in the other order, no initial value, and the size behind the data.
    """
    size, length = len(data), b""
    while size:
        length += bytes([size & 255])
        size >>= 8
    register = zlib.crc32((data + length).translate(_MIRRORED), _ALL) ^ _ALL
    return f"{int(f'{register:032b}'[::-1], 2) ^ _ALL} {len(data)}"


def bsd(data: bytes) -> str:
    """Return BSD's checksum and the size in blocks of 1,024 bytes."""
    total = 0
    for byte in data:
        total = ((total >> 1) + ((total & 1) << 15) + byte) & 0xFFFF
    return f"{total:05d} {-(-len(data) // 1024):5d}"


def sysv(data: bytes) -> str:
    """Return System V's checksum and the size in blocks of 512 bytes."""
    total = sum(data)
    folded = (total & 0xFFFF) + ((total & _ALL) >> 16)
    return f"{(folded & 0xFFFF) + (folded >> 16)} {-(-len(data) // 512)}"


CHECKSUMS: Mapping[str, Callable[[bytes], str]] = {"bsd": bsd, "sysv": sysv, "crc": crc}
"""The algorithms that are no hashes."""
