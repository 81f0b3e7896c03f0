"""Pictures of the page before and after an agent acts on it, taken without delaying the agent.

A picture is taken while the model thinks: it shows the result of the last action, and the state before the next one.
"""

import asyncio
from collections.abc import Awaitable, Callable

from gemini.agents.record.journal import Journal

Camera = Callable[[], Awaitable[bytes | None]]
"""Takes a screenshot of the active page, a JPEG; None if there is none to take."""


class PictureStore:
    """The pictures of all runs, including those that are still being taken.

    Args:
        journal: Stores the pictures.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._coming: dict[int, asyncio.Event] = {}

    def expect(self, run_id: str) -> int:
        """Reserve a picture that `fill` will complete, and return its number."""
        number = self._journal.expect_picture(run_id)
        self._coming[number] = asyncio.Event()
        return number

    def fill(self, number: int, data: bytes | None) -> None:
        """Save an expected picture; None if it couldn't be taken."""
        if data is not None:
            self._journal.fill_picture(number, data)
        self._coming.pop(number).set()

    async def get(self, number: int) -> bytes | None:
        """Return a picture, after waiting for it if necessary; None if it doesn't exist."""
        if number in self._coming:
            await self._coming[number].wait()
        return self._journal.picture(number)


class RunPictures:
    """Takes the pictures of one run.

    Args:
        store: Stores the pictures.
        run_id: The run.
        camera: Takes a picture.
    """

    def __init__(self, store: PictureStore, run_id: str, camera: Camera) -> None:
        self._store = store
        self._run_id = run_id
        self._camera = camera
        self._due: int | None = None
        self._taking: asyncio.Task[bytes | None] | None = None
        self._shown: int | None = None

    def take(self) -> None:
        """Start taking a picture of the current page."""
        if self._taking is None or self._taking.done():
            self._shown = None
            self._taking = asyncio.get_running_loop().create_task(self._take())

    async def before(self) -> int | None:
        """Return the picture of the page before an action; None if the page can't be captured."""
        if self._taking is None:
            self.take()
        data = await self._taken()
        if self._shown is None and data is not None:
            self._shown = self._store.expect(self._run_id)
            self._store.fill(self._shown, data)
        return self._shown

    def after(self) -> int:
        """Reserve the picture of the page after an action; the next `take` fills it."""
        self._taking, self._shown = None, None
        self._due = self._store.expect(self._run_id)
        return self._due

    async def settle(self) -> None:
        """Take the picture that is due, if any."""
        if self._due is not None:
            self.take()
            await self._taken()

    def close(self) -> None:
        """Stop: a picture that is still due will never be taken."""
        if self._taking is not None:
            self._taking.cancel()
        self._fill(None)

    async def _taken(self) -> bytes | None:
        return None if self._taking is None else await asyncio.shield(self._taking)

    async def _take(self) -> bytes | None:
        data = await self._camera()
        self._fill(data)
        return data

    def _fill(self, data: bytes | None) -> None:
        if self._due is not None:
            number, self._due = self._due, None
            self._shown = None if data is None else number
            self._store.fill(number, data)
