"""Files of the surface, as a page's file input takes them."""

import base64
from mimetypes import guess_type
from pathlib import Path

from gemini.dom.tab import Row
from gemini.errors import InvalidArguments

MOST_BYTES = 64 * 1024 * 1024


def read(paths: list[Path]) -> list[Row]:
    """The files as `[{name, type, data}]`, `data` in base64.

    Raises:
        InvalidArguments: together they are too large.
        OSError: one of them can't be read.
    """
    size = sum(path.stat().st_size for path in paths)
    if size > MOST_BYTES:
        raise InvalidArguments(f"the files have {size:,} bytes; a page takes {MOST_BYTES:,} at most at once")
    return [
        {
            "name": path.name,
            "type": guess_type(path.name)[0] or "application/octet-stream",
            "data": base64.b64encode(path.read_bytes()).decode(),
        }
        for path in paths
    ]
