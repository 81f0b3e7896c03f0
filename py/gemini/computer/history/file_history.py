"""The history of a surface: its callers, the capture of changes, and their storage."""

import asyncio
import json
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gemini.computer import files
from gemini.computer.files import change_listener
from gemini.computer.files.versions import Restored, Version
from gemini.computer.history.panel_tools import PanelHistoryTools
from gemini.computer.history.tools import HistoryTools
from gemini.core import ffi
from gemini.errors import GeminiError
from gemini.tools import Registry
from gemini.tools.writers import Checkpoint

if TYPE_CHECKING:
    from gemini.computer.history.history import History
    from gemini.computer.history.intake import Intake
    from gemini.computer.history.tool_capture import ToolCapture
    from gemini.storage.store import Store

SETTING = "history"
LIMITS = {"most_mb": 200, "most_days": 30, "most_file_mb": 64}
MB = 1_000_000
DAY_S = 86_400
# Captured changes are saved after this delay, with pauses for other work.
DELAY_S = 1.0
PAUSE_S = 0.002
TIDY_EVERY_S = 60.0


class FileHistory:
    """Tracks who changes files, and saves their earlier versions.

    Args:
        registry: The registry of the tools.
        store: Returns the surface's storage, which opens on first use.
        roots: The directories whose files are tracked.
        resolve: Returns the absolute form of a path.
        on_restore: Called after files were restored.
        on_problem: Called with the error when changes can't be saved.
    """

    def __init__(
        self,
        registry: Registry,
        store: "Callable[[], Store]",
        roots: Sequence[Path],
        resolve: Callable[[str], str],
        on_restore: Callable[[], None],
        on_problem: Callable[[GeminiError], None],
    ) -> None:
        self._store = store
        self._roots = roots
        self._resolve = resolve
        self._on_problem = on_problem
        self._writers = registry.writers
        self._saving: asyncio.Task[None] | None = None
        self._tidied = 0.0
        host = ffi.kernel_host()
        # Only a worker with persistent files captures every change.
        self._worker: Any = None if host is None else host.capture
        self._tool_capture = self._capture_own_tools() if self._worker is None else None
        self._writers.on_change = self._turn
        registry.before_answer(self._schedule)
        registry.add_room(HistoryTools(lambda: self.history, resolve, on_restore))
        registry.add_room(PanelHistoryTools(lambda: self.history, on_restore, self._change_limits))
        files.provide(_Scripts(self))

    def _capture_own_tools(self) -> "ToolCapture":
        from gemini.computer.history.tool_capture import ToolCapture

        capture = ToolCapture(self._roots)
        change_listener.set_listener(capture.note)
        return capture

    @cached_property
    def history(self) -> "History":
        """The saved changes."""
        from gemini.computer.history.history import History

        note = _ignore if self._tool_capture is None else self._tool_capture.note
        return History(self._store().changes, self._writers, self._settle, self._roots, note)

    @cached_property
    def _intake(self) -> "Intake":
        from gemini.computer.history.intake import Intake

        return Intake(Path(self._worker.folder), self._store().changes)

    def restore(self, *, imported: bool = False) -> None:
        """Apply the limits in the user's settings.

        Args:
            imported: Whether an import has replaced the files, so that waiting changes are dropped.
        """
        if imported and self._worker is not None:
            self._intake.drop()
        self._capture.mostBytes = self._limits()["most_file_mb"] * MB

    @contextmanager
    def unfollowed(self) -> Generator[None]:
        """Change files within the block without tracking, then clear the history: other files replace these."""
        self._settle()
        with self._writers.untracked():
            yield
        self._store().changes.clear()

    def resolve(self, path: str) -> str:
        """Return the absolute form of a path."""
        return self._resolve(path)

    @property
    def _capture(self) -> Any:
        return self._worker if self._tool_capture is None else self._tool_capture

    def _turn(self, now: Sequence[Checkpoint]) -> None:
        self._capture.turn(json.dumps([vars(one) for one in now]) if now else "")

    def _settle(self) -> None:
        """Save all changes up to now."""
        store = self._store().changes
        if self._tool_capture is not None:
            self._tool_capture.save_to(store)
            return
        self._worker.flush()
        for _ in self._intake.take():
            pass

    def _schedule(self) -> None:
        if self._saving is None or self._saving.done():
            self._saving = asyncio.get_running_loop().create_task(self._save())

    async def _save(self) -> None:
        await asyncio.sleep(DELAY_S)
        try:
            if self._tool_capture is not None:
                self._tool_capture.save_to(self._store().changes)
            else:
                for _ in self._intake.take():
                    await asyncio.sleep(PAUSE_S)
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

    def _change_limits(self, changes: dict[str, int] | None) -> dict[str, int]:
        if changes:
            self._store().settings.set(SETTING, {**self._limits(), **changes})
            self.restore()
            self._settle()
            self._tidy()
        return self._limits()


class _Scripts:
    """The versions that `gemini.files` offers to scripts."""

    def __init__(self, history: FileHistory) -> None:
        self._file_history = history

    def history(self, path: str | None, limit: int) -> list[Version]:
        return self._file_history.history.versions(
            None if path is None else self._file_history.resolve(path), limit
        )

    def restore(self, id: str, path: str | None) -> Restored:
        return self._file_history.history.restore(
            id, None if path is None else [self._file_history.resolve(path)]
        )


def _ignore(path: str) -> None:
    del path
