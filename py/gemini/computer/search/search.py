"""Search everything that the surface stores."""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from gemini.computer.search.files import Files
from gemini.computer.search.found import Found
from gemini.computer.search.grades import grade
from gemini.computer.search.index import Index
from gemini.computer.search.meaning import MOST, FoundByMeaning, find_by_meaning, readable
from gemini.computer.search.mirror import Mirror, Source
from gemini.computer.search.similarity import Meaning

# Indexing runs in slices of this length, so that other work can run.
SLICE_S = 0.003
# A shorter pause is no pause in a browser, where messages would wait until indexing ends.
PAUSE_S = 0.005
# After a scan of all files, the next one waits this many times as long as the scan took.
REST_FACTOR = 2
# A search waits at most this long for a scan, then returns unfinished results.
MAX_WAIT_S = 0.15
# Calls rank lower, because they are many and repeat the content of files.
WEIGHTS = {"call": 0.25, "folder": 0.8}
FILE_KINDS = ("file", "folder")


class Search:
    """One index of files and of histories.

    Args:
        roots: The directories whose files are searched.
        histories: The other sources, by kind.
        clock: Returns the time in seconds; it measures the scans.
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
        self._scanning: asyncio.Task[None] | None = None
        self._next_scan = 0.0
        self._pause_s = PAUSE_S
        self.kinds = (*FILE_KINDS, *histories)

    @property
    def files(self) -> int:
        """The number of files and folders in the index."""
        return self._files.count

    def refresh(self, pause_s: float = PAUSE_S) -> "asyncio.Task[None]":
        """Update the index from the files, and return the task that does it.

        Args:
            pause_s: The pause between slices, in seconds; longer if the scan isn't urgent.
        """
        self._pause_s = pause_s
        if self._scanning is None or self._scanning.done():
            self._scanning = asyncio.create_task(self._scan())
        return self._scanning

    async def find(self, text: str, kinds: Sequence[str], limit: int) -> tuple[list[Found], bool]:
        """Return the best results, and whether files are still being indexed, so that some may be missing."""
        if self._clock() >= self._next_scan:
            await asyncio.wait({self.refresh()}, timeout=MAX_WAIT_S)
        with self._index.changing():
            for mirror in self._mirrors:
                mirror.update()
        part = text.strip()
        found = self._index.find(part, kinds, limit)
        paths = [kind for kind in kinds if kind in FILE_KINDS]
        if part and paths:
            found = _join(found, self._index.with_name_part(part, paths, limit))
        ranked = sorted(found, key=lambda each: -each.score * _weight(each, part.casefold()))
        unfinished = self._scanning is not None and not self._scanning.done()
        return [_grade(each, part) for each in ranked[:limit]], unfinished

    async def find_by_meaning(
        self, meaning: Meaning, text: str, kinds: Sequence[str], limit: int
    ) -> FoundByMeaning:
        """Return the entries that share words with a text, or mean the same, once all files are indexed.

        Raises:
            ModelProblem: The model for embeddings can't be used.
        """
        await self.refresh()
        with self._index.changing():
            for mirror in self._mirrors:
                mirror.update()
        return await find_by_meaning(self._index, meaning, text, kinds, limit)

    async def passages(self, kinds: Sequence[str], length: int) -> list[str]:
        """Return what is compared by meaning, in pieces of at most `length` characters, once all files are indexed."""
        await self.refresh()
        return [each.text for each in islice(readable(self._index, kinds, length), MOST)]

    async def _scan(self) -> None:
        started = self._clock()
        steps = self._files.scan()
        while self._slice(steps):
            await asyncio.sleep(self._pause_s)
        while self._index.tidy():
            await asyncio.sleep(self._pause_s)
        ended = self._clock()
        self._next_scan = ended + REST_FACTOR * (ended - started)

    def _slice(self, steps: Iterator[None]) -> bool:
        """Run steps for one slice, and return whether there are more."""
        ends = time.perf_counter() + SLICE_S
        with self._index.changing():
            for _ in steps:
                if time.perf_counter() >= ends:
                    return True
        return False


def _join(found: list[Found], named: list[Found]) -> list[Found]:
    """Add the entries whose paths contain the text; they score lower than matches of whole words."""
    known = {(each.kind, each.key) for each in found}
    best = max((each.score for each in found), default=1.0)
    more = [each for each in named if (each.kind, each.key) not in known]
    return [*found, *(replace(each, score=best / 2) for each in more)]


def _grade(found: Found, part: str) -> Found:
    return replace(found, grade=grade(part, found.key)) if found.kind in FILE_KINDS else found


def _weight(found: Found, part: str) -> float:
    weight = WEIGHTS.get(found.kind, 1.0)
    name = found.key.rpartition("/")[2].casefold() if found.kind in FILE_KINDS else ""
    # A typed file name most likely means that file.
    return weight * (4 if name == part else 2 if name.startswith(part) else 1)
