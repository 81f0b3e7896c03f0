"""Reading and writing of the system's descriptors, only when a caller wants it."""

import asyncio
import errno
import os
from collections.abc import Callable, Sequence
from typing import Any

PIECE = 65_536


class Source:
    """The reading end of a pipe or PTY. Nothing is read ahead, so a writer waits for the reader."""

    def __init__(self, descriptor: int) -> None:
        os.set_blocking(descriptor, False)
        self.descriptor = descriptor
        self.ended = False

    def take(self, most: int) -> bytes:
        """Return what can be read now, up to `most` bytes."""
        taken: list[bytes] = []
        while most > 0 and not self.ended:
            try:
                data = os.read(self.descriptor, min(most, PIECE))
            except BlockingIOError:
                break
            except OSError as error:
                # Linux reports this way that a PTY's last program has closed it.
                if error.errno != errno.EIO:
                    raise
                data = b""
            self.ended = not data
            taken.append(data)
            most -= len(data)
        return b"".join(taken)

    def close(self) -> None:
        """Close the descriptor, if it is open."""
        if self.descriptor >= 0:
            os.close(self.descriptor)
            self.descriptor, self.ended = -1, True


async def wait_readable(sources: Sequence[Source], ended: asyncio.Future[Any]) -> None:
    """Wait until one of the sources can be read, or `ended` is done."""
    waiting = [source.descriptor for source in sources if not source.ended]
    loop = asyncio.get_running_loop()
    await _woken([(loop.add_reader, loop.remove_reader, descriptor) for descriptor in waiting], ended)


async def write(descriptor: int, data: bytes, ended: asyncio.Future[Any]) -> bool:
    """Write all of `data`, waiting for room; return False if `ended` was done first."""
    loop = asyncio.get_running_loop()
    while data and not ended.done():
        try:
            data = data[os.write(descriptor, data) :]
        except BlockingIOError:
            await _woken([(loop.add_writer, loop.remove_writer, descriptor)], ended)
    return not data


async def _woken(
    hooks: Sequence[tuple[Callable[..., Any], Callable[[int], Any], int]], ended: asyncio.Future[Any]
) -> None:
    ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def wake(_: object = None) -> None:
        if not ready.done():
            ready.set_result(None)

    ended.add_done_callback(wake)
    for add, _, descriptor in hooks:
        add(descriptor, wake)
    try:
        await ready
    finally:
        ended.remove_done_callback(wake)
        for _, remove, descriptor in hooks:
            remove(descriptor)
