"""Draws the icon of the browser extension: a prompt on a rounded square, as PNG."""

from __future__ import annotations

import math
import struct
import zlib

# Samples in each direction of a pixel at an edge.
SAMPLES = 4
GROUND = (11, 95, 192)
INK = (255, 255, 255)
CORNER = 0.22
STROKE = 0.055
# The lines of `>_`, in a square of size 1.
LINES = (
    ((0.26, 0.30), (0.46, 0.50)),
    ((0.46, 0.50), (0.26, 0.70)),
    ((0.52, 0.70), (0.74, 0.70)),
)

Point = tuple[float, float]


def draw(size: int) -> bytes:
    """Return the icon as a PNG file (https://www.w3.org/TR/png-3/) of `size` pixels in each direction."""
    rows = b"".join(b"\0" + _row(y, size) for y in range(size))
    header = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in chunks)


def _row(y: int, size: int) -> bytes:
    """Return a row of pixels. All that are nearer than an edge have the same colour, and are drawn at once."""
    row = b""
    while (x := len(row) // 4) < size:
        centre = ((x + 0.5) / size, (y + 0.5) / size)
        edges = (_outside(centre), min(_distance(centre, line) for line in LINES) - STROKE)
        # A pixel reaches half of its diagonal farther than its centre.
        clear = min(abs(edge) for edge in edges) * size - math.sqrt(0.5)
        row += pixel(x, y, size, SAMPLES if clear < 0 else 1) * min(max(int(clear) + 1, 1), size - x)
    return row


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def pixel(x: int, y: int, size: int, samples: int) -> bytes:
    """Return red, green, blue and opacity, the mean of the samples inside of the square."""
    steps = [(each + 0.5) / samples for each in range(samples)]
    points = [((x + right) / size, (y + down) / size) for right in steps for down in steps]
    inside = [point for point in points if _outside(point) <= 0]
    if not inside:
        return bytes(4)
    ink = sum(any(_distance(point, line) < STROKE for line in LINES) for point in inside) / len(inside)
    color = (round(back + (front - back) * ink) for back, front in zip(GROUND, INK, strict=True))
    return bytes((*color, round(255 * len(inside) / len(points))))


def _outside(point: Point) -> float:
    """Return the distance of a point from the rounded square; inside, at most that to its edge, below 0."""
    right, down = (abs(each - 0.5) - (0.5 - CORNER) for each in point)
    return math.hypot(max(right, 0.0), max(down, 0.0)) + min(max(right, down), 0.0) - CORNER


def _distance(point: Point, line: tuple[Point, Point]) -> float:
    """Return the distance of a point from a line between two points."""
    (left, top), (right, bottom) = line
    width, height = right - left, bottom - top
    along = ((point[0] - left) * width + (point[1] - top) * height) / (width**2 + height**2)
    nearest = min(max(along, 0.0), 1.0)
    return math.hypot(point[0] - left - nearest * width, point[1] - top - nearest * height)
