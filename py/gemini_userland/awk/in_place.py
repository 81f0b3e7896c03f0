"""`-i inplace`: the output while a file is read replaces the file (gawk's manual, "In-Place File Editing")."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable

from gemini_userland.awk.streams import Streams


class InPlace:
    """The file that is being replaced.

    Args:
        streams: Its standard output goes to the new file.
        suffix: Returns the suffix for the name of the old file, which is then retained; "" for none.
    """

    def __init__(self, streams: Streams, suffix: Callable[[], str]) -> None:
        self._streams = streams
        self._suffix = suffix
        self._path: bytes | None = None
        self._new = b""

    def begin(self, path: str) -> None:
        """Begin with a file, by its absolute path; anything but a regular file is only read.

        Raises:
            OSError: The new file can't be made.
        """
        whole = os.fsencode(path)
        if not os.path.isfile(whole):
            return
        self._path = whole
        handle, self._new = tempfile.mkstemp(prefix=b"awk-", dir=os.path.dirname(whole))
        shutil.copymode(whole, self._new)
        self._streams.redirect(os.fdopen(handle, "wb"))

    def end(self) -> None:
        """Put the new file in the place of the old one.

        Raises:
            OSError: It can't be put there.
        """
        if self._path is None:
            return
        path, self._path = self._path, None
        self._streams.redirect(None)
        if suffix := self._suffix():
            os.replace(path, path + os.fsencode(suffix))
        os.replace(self._new, path)

    def abandon(self) -> None:
        """Leave the old file as it is, after an error."""
        if self._path is not None:
            self._path = None
            self._streams.redirect(None)
            os.unlink(self._new)
