"""What a person looks for, among all that the surface has."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gemini.search.files import Files
from gemini.search.found import Found
from gemini.search.index import Index
from gemini.search.mirror import Mirror, Source

# Seconds that other work waits for a slice of indexing at most, as a rule; writing it out comes on top.
SLICE_S = 0.003
# Seconds between slices. Less is no pause in a browser, where messages would wait for the end of it all.
PAUSE_S = 0.005
# After a look at all files comes no other for so many times as long as it took.
REST = 2
# Whoever asks waits so long for the files to be looked at, and is told where that wasn't enough.
PATIENCE_S = 0.15
# How much each kind counts beside the others: there are many calls, and they repeat what files say.
WEIGHTS = {"call": 0.25, "folder": 0.8}
FILE_KINDS = ("file", "folder")


class Search:
    """One index of files and of histories.

    Args:
        roots: The directories whose files are searched.
        histories: What else, by kind.
        clock: Tells how long a look at all files takes, in seconds.
    """

    def __init__(
        self,
        roots: Sequence[Path],
        histories: Mapping[str, Source],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._clock = clock
        self._index = Index()
        self._files = Files(self._index, roots)
        self._mirrors = [Mirror(self._index, kind, source) for kind, source in histories.items()]
        self._looking: asyncio.Task[None] | None = None
        self._next_look = 0.0
        self._pause_s = PAUSE_S
        self.kinds = (*FILE_KINDS, *histories)

    @property
    def files(self) -> int:
        """How many files and folders are in the index by now."""
        return self._files.count

    def look(self, pause_s: float = PAUSE_S) -> "asyncio.Task[None]":
        """Bring the index up to date with the files; the task that does so.

        Args:
            pause_s: Seconds between its slices, for who isn't in a hurry.
        """
        self._pause_s = pause_s
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look())
        return self._looking

    async def find(self, text: str, kinds: Sequence[str], limit: int) -> tuple[list[Found], bool]:
        """What fits best, and whether that may not be all since files are still being looked at."""
        if self._clock() >= self._next_look:
            await asyncio.wait({self.look()}, timeout=PATIENCE_S)
        with self._index.changing():
            for mirror in self._mirrors:
                mirror.look()
        part = text.strip()
        found = self._index.find(part, kinds, limit)
        paths = [kind for kind in kinds if kind in FILE_KINDS]
        if part and paths:
            found = _joined(found, self._index.with_name_part(part, paths, limit))
        ranked = sorted(found, key=lambda each: -each.score * _weight(each, part.casefold()))
        unfinished = self._looking is not None and not self._looking.done()
        return ranked[:limit], unfinished

    async def _look(self) -> None:
        began = self._clock()
        steps = self._files.look()
        while self._slice(steps):
            await asyncio.sleep(self._pause_s)
        while self._index.tidy():
            await asyncio.sleep(self._pause_s)
        ended = self._clock()
        self._next_look = ended + REST * (ended - began)

    def _slice(self, steps: Iterator[None]) -> bool:
        """Take steps for a moment; whether there are more."""
        ends = time.perf_counter() + SLICE_S
        with self._index.changing():
            for _ in steps:
                if time.perf_counter() >= ends:
                    return True
        return False


def _joined(found: list[Found], named: list[Found]) -> list[Found]:
    """With those that have what was typed anywhere in their paths, which fit less well than whole words."""
    known = {(each.kind, each.key) for each in found}
    best = max((each.score for each in found), default=1.0)
    more = [each for each in named if (each.kind, each.key) not in known]
    return [*found, *(replace(each, score=best / 2) for each in more)]


def _weight(found: Found, part: str) -> float:
    weight = WEIGHTS.get(found.kind, 1.0)
    name = found.key.rpartition("/")[2].casefold() if found.kind in FILE_KINDS else ""
    # Who types a file's name wants that file.
    return weight * (4 if name == part else 2 if name.startswith(part) else 1)
