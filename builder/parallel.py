"""Runs parts of a build side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from threading import Event


def side_by_side(actions: Iterable[Callable[[], object]], at_once: int | None = None) -> None:
    """Run all actions in threads, and wait for them. After a failure no further one begins.

    Args:
        actions: The actions; what they return is ignored.
        at_once: How many may run at a time; by default one for each core.

    Raises:
        BaseException: The failure of the first action, in the given order, that failed.
    """
    failed = Event()

    def run(action: Callable[[], object]) -> None:
        if failed.is_set():
            return
        try:
            action()
        except BaseException:
            failed.set()
            raise

    with ThreadPoolExecutor(at_once or os.cpu_count()) as threads:
        running = [threads.submit(run, action) for action in actions]
    for each in running:
        each.result()
