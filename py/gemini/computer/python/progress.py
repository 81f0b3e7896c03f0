"""Progress bars of tqdm and rich, which redraw themselves in threads. Without threads they redraw when they change."""

from __future__ import annotations

import functools
import time
from typing import Any

from gemini.computer.network.importing import when_imported


def install() -> None:
    """Change the libraries when they are imported."""
    when_imported("tqdm.std", _without_monitor)
    when_imported("rich.live", _without_thread)
    when_imported("rich.progress", _redrawn_on_change)


def _without_monitor(module: Any) -> None:
    # The monitor only adjusts how often a bar that slows down is redrawn.
    module.tqdm.monitor_interval = 0


def _without_thread(module: Any) -> None:
    live = module.Live
    start, refresh, update = live.start, live.refresh, live.update

    @functools.wraps(start)
    def start_without_thread(self: Any, refresh: bool = False) -> None:
        if self.auto_refresh:
            self.auto_refresh = False
            self._redraws_itself = True
        start(self, refresh)

    @functools.wraps(refresh)
    def refresh_if_due(self: Any) -> None:
        # A stop draws the last state.
        if getattr(self, "_redraws_itself", False) and self.is_started:
            now = time.monotonic()
            if now - getattr(self, "_redrawn", 0.0) < 1 / self.refresh_per_second:
                return
            self._redrawn = now
        refresh(self)

    @functools.wraps(update)
    def update_and_refresh(self: Any, renderable: Any, *, refresh: bool = False) -> None:
        update(self, renderable, refresh=refresh or getattr(self, "_redraws_itself", False))

    live.start, live.refresh, live.update = start_without_thread, refresh_if_due, update_and_refresh


def _redrawn_on_change(module: Any) -> None:
    for name in ("advance", "update"):
        setattr(module.Progress, name, _then_refresh(getattr(module.Progress, name)))


def _then_refresh(change: Any) -> Any:
    @functools.wraps(change)
    def change_and_refresh(self: Any, *args: Any, **options: Any) -> None:
        change(self, *args, **options)
        self.refresh()

    return change_and_refresh
