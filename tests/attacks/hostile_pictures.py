"""Files that pretend to be pictures, or are pictures with more than a picture needs."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable

PNG = b"\x89PNG\r\n\x1a\n"


def chunk(kind: bytes, data: bytes) -> bytes:
    """Return a chunk of PNG. https://www.w3.org/TR/png-3/#5Chunk-layout"""
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int, height: int, *more: bytes, rows: int | None = None) -> bytes:
    """Return a picture of black and white, black all over; with fewer `rows`, its data ends before."""
    head = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    pack = zlib.compressobj(9)
    row = bytes(1 + (width + 7) // 8)
    data = b"".join(pack.compress(row) for _ in range(height if rows is None else rows)) + pack.flush()
    return PNG + chunk(b"IHDR", head) + b"".join(more) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def packed_bytes(megabytes: int) -> bytes:
    pack = zlib.compressobj(9)
    return b"".join(pack.compress(bytes(1 << 20)) for _ in range(megabytes)) + pack.flush()


def gif(frames: int) -> bytes:
    """Return an animation of 100 x 100 pixels. https://www.w3.org/Graphics/GIF/spec-gif89a.txt"""
    head = b"GIF89a" + struct.pack("<HHBBB", 100, 100, 0x80, 0, 0) + b"\0\0\0\xff\xff\xff"
    frame = b"\x21\xf9\x04\0\0\0\0\0\x2c" + struct.pack("<HHHHB", 0, 0, 1, 1, 0) + b"\x02\x02\x44\x01\0"
    return head + frame * frames + b"\x3b"


def jpeg_of_size(width: int, height: int) -> bytes:
    """Return the head of a baseline JPEG file, without its data. ITU-T T.81, B.2"""
    quantization = b"\xff\xdb" + struct.pack(">HB", 67, 0) + bytes([1] * 64)
    frame = b"\xff\xc0" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\0"
    codes = b"\xff\xc4" + struct.pack(">HB", 20, 0) + bytes([1, *[0] * 15]) + b"\0"
    scan = b"\xff\xda" + struct.pack(">HB", 8, 1) + b"\x01\0\0\x3f\0"
    return b"\xff\xd8" + quantization + frame + codes + scan + bytes(64) + b"\xff\xd9"


def tiff_loop() -> bytes:
    """Return a TIFF file whose directory is the next of itself, and its own for EXIF data. TIFF 6.0, section 2"""
    return b"II*\0\x08\0\0\0" + struct.pack("<HHHIII", 1, 0x8769, 4, 1, 8, 8)


def exif_loop() -> bytes:
    """Return a JPEG file whose EXIF data is such a directory."""
    data = b"Exif\0\0" + tiff_loop()
    return b"\xff\xd8\xff\xe1" + struct.pack(">H", len(data) + 2) + data + jpeg_of_size(8, 8)[2:]


def svg(url: str) -> bytes:
    """Return a drawing that loads from an address in each way, and runs scripts."""
    return f"""<?xml version="1.0"?><?xml-stylesheet href="{url}/style.css"?>
<!DOCTYPE svg [<!ENTITY laugh "ha"><!ENTITY more "&laugh;&laugh;&laugh;"><!ENTITY file SYSTEM "{url}/entity">]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="99" height="99"
  onload="fetch('{url}/onload')"><script>fetch("{url}/script")</script><style>@import "{url}/import.css";</style>
<image href="{url}/image.png" width="9" height="9"/><use xlink:href="{url}/use.svg#a"/><text>&more;&file;</text>
<foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="{url}/frame"/></foreignObject>
</svg>""".encode()


def webp_of_size(side: int) -> bytes:
    """Return the head of a WebP file. https://developers.google.com/speed/webp/docs/riff_container#extended_file_format"""
    size = struct.pack("<I", side - 1)[:3]
    body = b"WEBPVP8X" + struct.pack("<I", 10) + b"\0\0\0\0" + size + size
    return b"RIFF" + struct.pack("<I", len(body)) + body


def bmp_of_size(width: int, height: int) -> bytes:
    return (
        b"BM"
        + struct.pack("<IHHI", 70, 0, 0, 54)
        + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, 0, 0, 0, 0, 0)
    )


def icon_of_itself() -> bytes:
    return struct.pack("<HHH", 0, 1, 500) + struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, 40, 0) * 500


PICTURES: dict[str, Callable[[str], bytes]] = {
    "40,000 x 40,000 pixels": lambda _: png(40_000, 40_000),
    "40,000 x 40,000 pixels of which few are there": lambda _: png(40_000, 40_000, rows=10),
    "a JPEG file of 65,500 x 65,500 pixels": lambda _: jpeg_of_size(65_500, 65_500),
    "a WebP file of 16,384 x 16,384 pixels": lambda _: webp_of_size(16_384),
    "a bitmap of negative size": lambda _: bmp_of_size(2**31 - 1, -(2**31)),
    "an icon of itself": lambda _: icon_of_itself(),
    "an animation of 10,000 frames": lambda _: gif(10_000),
    "a text of 300 MB": lambda _: png(64, 64, chunk(b"zTXt", b"a\0\0" + packed_bytes(300))),
    "a color profile of 300 MB": lambda _: png(64, 64, chunk(b"iCCP", b"a\0\0" + packed_bytes(300))),
    "a million chunks": lambda _: png(64, 64, chunk(b"tEXt", b"a\0b") * 1_000_000),
    "one that is cut off": lambda _: png(640, 480)[:-30],
    "a drawing that loads and runs": svg,
    "a page": lambda url: f"<!doctype html><script src={url}/page.js></script><img src={url}/page.png>".encode(),
    "a TIFF file of itself": lambda _: tiff_loop(),
    "EXIF data of itself": lambda _: exif_loop(),
    "a size of no bytes": lambda _: PNG + chunk(b"IHDR", struct.pack(">IIBBBBB", 0, 0, 1, 0, 0, 0, 0)),
}  # fmt: skip
