"""Read files of the surface for a page's file input."""

import base64
from mimetypes import guess_type
from pathlib import Path

from gemini.errors import InvalidArguments
from gemini.pages.tabs.tab import Row

MAX_BYTES = 64 * 1024 * 1024


def read(paths: list[Path]) -> list[Row]:
    """Return the files as `[{name, type, data}]`, with `data` in base64.

    Raises:
        InvalidArguments: Together the files are larger than 64 MiB.
        OSError: One of them can't be read.
    """
    size = sum(path.stat().st_size for path in paths)
    if size > MAX_BYTES:
        raise InvalidArguments(
            f"the files have {size:,} bytes together; a page accepts at most {MAX_BYTES:,}"
        )
    return [
        {
            "name": path.name,
            "type": guess_type(path.name)[0] or "application/octet-stream",
            "data": base64.b64encode(path.read_bytes()).decode(),
        }
        for path in paths
    ]
