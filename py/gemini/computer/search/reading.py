"""Reads passages in the background for a model on the device, those nearest to the top first."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import cast

from typing_extensions import TypedDict

from gemini.computer.search.similarity import Meaning
from gemini.errors import GeminiError

# Passages between two reports.
AT_ONCE = 4
# Searches that the user waits for go first.
PAUSE_S = 0.02


class Progress(TypedDict):
    """The state of the reading: `read` of the `passages`. `seconds` are left, as fast as it was; None if unknown.

    `problem` says why it has ended early.
    """

    read: int
    passages: int
    seconds: float | None
    paused: bool
    problem: str | None


class Reading:
    """The reading of all passages, one at a time.

    Args:
        passages: Returns the passages, of at most so many characters, nearest to the top first.
        meaning: Returns what compares passages.
        show: Called with the progress; with None when there is nothing to show.
        clock: Returns the time in seconds.
    """

    def __init__(
        self,
        passages: Callable[[int], Awaitable[list[str]]],
        meaning: Callable[[], Meaning],
        show: Callable[[Progress | None], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._passages = passages
        self._meaning = meaning
        self._show = show
        self._clock = clock
        self._going = asyncio.Event()
        self._going.set()
        self._task: asyncio.Task[None] | None = None
        self._progress: Progress | None = None

    def begin(self) -> asyncio.Task[None] | None:
        """Read what was never read, and return the task; None if the model isn't on the device."""
        if not self._meaning().is_local:
            self.end()
            return None
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._run())
        return self._task

    def pause(self, *, paused: bool) -> None:
        """Pause the reading, or continue it."""
        (self._going.clear if paused else self._going.set)()
        if self._progress is not None:
            self._report(cast(Progress, {**self._progress, "paused": paused, "seconds": None}))

    def end(self) -> None:
        """End the reading; what was read stays saved."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
        # The next press reads.
        self._going.set()
        self._report(None)

    async def _run(self) -> None:
        try:
            await self._read_all()
        except GeminiError as problem:
            read, passages = (
                (self._progress["read"], self._progress["passages"]) if self._progress else (0, 0)
            )
            self._report(_progress(read, passages, problem=_words(problem)))

    async def _read_all(self) -> None:
        meaning = self._meaning()
        texts = list(dict.fromkeys(await self._passages(meaning.longest)))
        missing = meaning.unread(texts)
        known = len(texts) - len(missing)
        self._show_state(known, len(texts), None)
        spent = 0.0
        for start in range(0, len(missing), AT_ONCE):
            await self._going.wait()
            began = self._clock()
            await meaning.read(missing[start : start + AT_ONCE])
            done = min(start + AT_ONCE, len(missing))
            # The first ones also wait for the download and the start of the model, which says nothing about the rest.
            spent += self._clock() - began + PAUSE_S if start else 0
            left = (len(missing) - done) * spent / (done - AT_ONCE) if start else None
            self._show_state(known + done, len(texts), left)
            await asyncio.sleep(PAUSE_S)
        self._report(_progress(len(texts), len(texts), 0.0))

    def _show_state(self, read: int, passages: int, seconds: float | None) -> None:
        paused = not self._going.is_set()
        self._report(_progress(read, passages, None if paused else seconds, paused=paused))

    def _report(self, progress: Progress | None) -> None:
        self._progress = progress
        self._show(progress)


def _words(problem: GeminiError) -> str:
    return f"{problem.message.rstrip('.')}. {problem.hint or ''}".rstrip()


def _progress(
    read: int,
    passages: int,
    seconds: float | None = None,
    *,
    paused: bool = False,
    problem: str | None = None,
) -> Progress:
    return {"read": read, "passages": passages, "seconds": seconds, "paused": paused, "problem": problem}
