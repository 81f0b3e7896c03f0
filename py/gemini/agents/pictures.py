"""Pictures of the page that an agent acts on, before and after, which cost a step no time.

One is taken while the model thinks: it shows what the last action has left, and what the next one will find.
"""

import asyncio

from gemini.agents.journal import Journal
from gemini.agents.observation import Camera


class PictureStore:
    """The pictures of all runs, those that are still being taken, too."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._coming: dict[int, asyncio.Event] = {}

    def expect(self, run_id: str) -> int:
        """The number of a picture that `fill` brings."""
        number = self._journal.expect_picture(run_id)
        self._coming[number] = asyncio.Event()
        return number

    def fill(self, number: int, data: bytes | None) -> None:
        """Keep a picture that was expected; None where there is none after all."""
        if data is not None:
            self._journal.fill_picture(number, data)
        self._coming.pop(number).set()

    async def get(self, number: int) -> bytes | None:
        """A picture, once it is there; None where it is gone."""
        if number in self._coming:
            await self._coming[number].wait()
        return self._journal.picture(number)


class RunPictures:
    """Those of one run.

    Args:
        album: Where they are kept.
        run_id: Whose they are.
        camera: Takes one.
    """

    def __init__(self, pictures: PictureStore, run_id: str, camera: Camera) -> None:
        self._album = pictures
        self._run_id = run_id
        self._camera = camera
        self._due: int | None = None
        self._taking: asyncio.Task[bytes | None] | None = None
        self._shown: int | None = None

    def take(self) -> None:
        """Begin to take a picture of what there is to see."""
        if self._taking is None or self._taking.done():
            self._shown = None
            self._taking = asyncio.get_running_loop().create_task(self._take())

    async def before(self) -> int | None:
        """The picture of the page as an action finds it; None where it can't be seen."""
        if self._taking is None:
            self.take()
        data = await self._taken()
        if self._shown is None and data is not None:
            self._shown = self._album.expect(self._run_id)
            self._album.fill(self._shown, data)
        return self._shown

    def after(self) -> int:
        """The picture of what the action has left, which is taken with the next look."""
        self._taking, self._shown = None, None
        self._due = self._album.expect(self._run_id)
        return self._due

    async def settle(self) -> None:
        """Take what is due, if anything."""
        if self._due is not None:
            self.take()
            await self._taken()

    def close(self) -> None:
        """Nobody comes to take what is due."""
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
            self._album.fill(number, data)
