"""Output of a command of the embedded shell that leaves as it is written: to the terminal, a pipe or a file."""

from __future__ import annotations

import errno
import os
from collections.abc import Awaitable, Callable
from typing import Any

from gemini.core import ffi
from gemini_userland.invocation import Output


class Printed(Output):
    """Output that has left when it was written.

    Args:
        on_write: Receives it.
    """

    def __init__(self, on_write: Callable[[bytes], None]) -> None:
        super().__init__()
        self._pass_on = on_write

    def write(self, data: bytes) -> None:
        """Pass `data` on."""
        if data:
            self._pass_on(bytes(data))


class PrintedToFile(Printed):
    """Output to an open file of the shell.

    Args:
        calls: The command's Calls of web/kernel/shell/execution/host.ts.
        number: The file's descriptor.
    """

    def __init__(self, calls: Any, number: int) -> None:
        super().__init__(self._print)
        self._calls = calls
        self._number = number

    def writable(self) -> Awaitable[object] | None:
        """Return an awaitable while the reader of a pipe is behind."""
        return self._calls.writable(self._number)

    def _print(self, data: bytes) -> None:
        if not self._calls.print(self._number, ffi.to_js_bytes(data)):
            raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))
