"""A model for embeddings on the device, in a worker of the page (web/meaning). No text leaves the browser."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from gemini.core import ffi
from gemini.errors import ModelUnavailable
from gemini.models.interface.usage import Usage
from gemini.models.providers.choice import DEVICE, DEVICE_MODEL, NONE_ON_DEVICE

HINT = "`python3 build.py meaning` adds it."
DOWNLOAD_HINT = "Check the connection to the page's server, then try again."
# The worker takes some hundred megabytes, so it ends once nothing was asked for so long.
IDLE_S = 60.0


class DeviceEmbedder:
    """The model, as `gemini.models.providers.embeddings.Model`. Its worker starts with the first text.

    Args:
        idle_s: The seconds after which an idle worker ends.
    """

    # Saved vectors are of this version of the model's file.
    id = f"{DEVICE}/{DEVICE_MODEL}/1"
    name = DEVICE_MODEL
    is_local = True
    longest = 900
    # A few passages take a second, after which a search can answer and be cancelled.
    batch = 4
    most = 2_000
    within_s = 1.5

    def __init__(self, idle_s: float = IDLE_S) -> None:
        self._idle_s = idle_s
        self._worker: ffi.DeviceModel | None = None
        self._ending: asyncio.TimerHandle | None = None
        self._asking = 0

    async def embed(self, texts: Sequence[str]) -> tuple[list[list[float]], Usage]:
        """Return the embedding of each text, and no usage.

        Raises:
            ModelUnavailable: The build has no model, or it can't be downloaded or run.
        """
        folder = ffi.meaning_folder()
        if folder is None:
            raise ModelUnavailable(NONE_ON_DEVICE, hint=HINT)
        if self._ending is not None:
            self._ending.cancel()
        self._asking += 1
        try:
            if self._worker is None:
                self._worker = ffi.DeviceModel(folder)
            return await self._worker.ask(texts), Usage()
        except OSError as problem:
            # A worker that couldn't load doesn't try again.
            self.end()
            raise ModelUnavailable(
                f"{DEVICE_MODEL} can't be used: {problem}", hint=DOWNLOAD_HINT
            ) from problem
        finally:
            self._asking -= 1
            if not self._asking:
                self._ending = asyncio.get_running_loop().call_later(self._idle_s, self.end)

    def end(self) -> None:
        """End the worker, unless it is needed; the next text starts it again."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None
