"""The history of a surface, wired: who changes files, what captures it, and where it is kept."""

import asyncio
import json
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gemini import files
from gemini.core import ffi
from gemini.errors import GeminiError
from gemini.files import change_listener
from gemini.files.versions import Restored, Version
from gemini.history.panel_tools import PanelHistoryTools
from gemini.history.tools import HistoryTools
from gemini.tools import Registry
from gemini.tools.writers import Checkpoint

if TYPE_CHECKING:
    from gemini.history.history import History
    from gemini.history.intake import Intake
    from gemini.history.plain import PlainCapture
    from gemini.storage.store import Store

SETTING = "history"
LIMITS = {"most_mb": 200, "most_days": 30, "most_file_mb": 64}
MB = 1_000_000
DAY_S = 86_400
# What was captured is taken when calls leave time for it.
SOON_S = 1.0
LEISURE_S = 0.002
# One waits for the first call: what a kernel before this has left is taken then, too.
TIDY_EVERY_S = 60.0


class FileHistory:
    """Follows who changes files, and keeps what they were.

    Args:
        registry: Of the tools.
        store: Gives what is kept beside files, opened when it is first asked for.
        roots: The directories whose files are followed.
        resolve: Makes a path absolute.
        changed: Called after files were put back.
        on_problem: Told what can't be kept.
    """

    def __init__(
        self,
        registry: Registry,
        store: "Callable[[], Store]",
        roots: Sequence[Path],
        resolve: Callable[[str], str],
        changed: Callable[[], None],
        on_problem: Callable[[GeminiError], None],
    ) -> None:
        self._store = store
        self._roots = roots
        self._resolve = resolve
        self._on_problem = on_problem
        self._writers = registry.writers
        self._taking: asyncio.Task[None] | None = None
        self._tidied = 0.0
        host = ffi.kernel_host()
        # The worker's, where it keeps files.
        self._worker: Any = None if host is None else host.capture
        self._plain = self._follow_own_tools() if self._worker is None else None
        self._writers.on_change = self._turn
        registry.before_answer(self._soon)
        registry.add_room(HistoryTools(lambda: self.history, resolve, changed))
        registry.add_room(PanelHistoryTools(lambda: self.history, changed, self._change_limits))
        files.provide(_Scripts(self))

    def _follow_own_tools(self) -> "PlainCapture":
        from gemini.history.plain import PlainCapture

        plain = PlainCapture(self._roots)
        change_listener.set_listener(plain.note)
        return plain

    @cached_property
    def history(self) -> "History":
        """What is kept."""
        from gemini.history.history import History

        note = _nothing if self._plain is None else self._plain.note
        return History(self._store().changes, self._writers, self._settle, self._roots, note)

    @cached_property
    def _intake(self) -> "Intake":
        from gemini.history.intake import Intake

        return Intake(Path(self._worker.folder), self._store().changes)

    def restore(self, *, imported: bool = False) -> None:
        """Go by the limits that the person has set.

        Args:
            imported: Whether other files have taken the place of those whose changes still wait to be kept.
        """
        if imported and self._worker is not None:
            self._intake.drop()
        self._capture.mostBytes = self._limits()["most_file_mb"] * MB

    @contextmanager
    def unfollowed(self) -> Generator[None]:
        """What changes within is no one's change, and ends all history: other files take the place of these."""
        self._settle()
        with self._writers.untracked():
            yield
        self._store().changes.clear()

    def resolve(self, path: str) -> str:
        return self._resolve(path)

    @property
    def _capture(self) -> Any:
        return self._worker if self._plain is None else self._plain

    def _turn(self, now: Sequence[Checkpoint]) -> None:
        self._capture.turn(json.dumps([vars(one) for one in now]) if now else "")

    def _settle(self) -> None:
        """Have the store take all that changed up to now."""
        store = self._store().changes
        if self._plain is not None:
            self._plain.take_into(store)
            return
        self._worker.flush()
        for _ in self._intake.take():
            pass

    def _soon(self) -> None:
        if self._taking is None or self._taking.done():
            self._taking = asyncio.get_running_loop().create_task(self._take())

    async def _take(self) -> None:
        await asyncio.sleep(SOON_S)
        try:
            if self._plain is not None:
                self._plain.take_into(self._store().changes)
            else:
                for _ in self._intake.take():
                    await asyncio.sleep(LEISURE_S)
            if time.monotonic() - self._tidied > TIDY_EVERY_S:
                self._tidied = time.monotonic()
                self._tidy()
        except GeminiError as problem:
            self._on_problem(problem)

    def _tidy(self) -> None:
        limits = self._limits()
        self._store().changes.tidy(limits["most_mb"] * MB, time.time() - limits["most_days"] * DAY_S)

    def _limits(self) -> dict[str, int]:
        return {**LIMITS, **self._store().settings.get(SETTING, {})}

    def _change_limits(self, given: dict[str, int] | None) -> dict[str, int]:
        if given:
            self._store().settings.set(SETTING, {**self._limits(), **given})
            self.restore()
            self._settle()
            self._tidy()
        return self._limits()


class _Scripts:
    """What `gemini.files` offers."""

    def __init__(self, of: FileHistory) -> None:
        self._of = of

    def history(self, path: str | None, limit: int) -> list[Version]:
        return self._of.history.versions(None if path is None else self._of.resolve(path), limit)

    def restore(self, id: str, path: str | None) -> Restored:
        return self._of.history.restore(id, None if path is None else [self._of.resolve(path)])


def _nothing(path: str) -> None:
    del path
