"""Tracebacks as the interpreter prints them, without the frames of the modules that run user code."""

from __future__ import annotations

import linecache
import os
import sys
import traceback
from collections.abc import Iterator, Mapping
from types import FrameType, TracebackType
from typing import Any, cast

from gemini.core import interrupts
from gemini.core.ffi import values

# Pyodide's `time.sleep`, which is no Python in CPython.
SLEEP = tuple(f"{folder}pyodide{os.sep}webloop.py" for folder in interrupts.STDLIB)
# A signal that arrives while a program waits is raised in `wait`, others in the handler of Ctrl-C.
_hidden: set[str] = {values.__file__, interrupts.__file__}


def hide_frames_of(file: str) -> None:
    """Hide a module from tracebacks; the module calls this with its own `__file__`."""
    _hidden.add(file)


def is_hidden(frame: FrameType) -> bool:
    """Return whether `frame` belongs to a module that is hidden from tracebacks."""
    return frame.f_code.co_filename in _hidden or frame.f_code.co_filename in SLEEP


def format_error(
    error: BaseException, sources: Mapping[str, str] | None = None, *, colorize: bool = False
) -> str:
    """Return the traceback of `error` as text, without hidden frames.

    Args:
        error: The error; its traceback loses the hidden frames too.
        sources: Source text that is in no file, by the file name that it was compiled with.
        colorize: Color it with SGR sequences, as Python does on a terminal since 3.13.
    """
    clean(error)
    color: dict[str, Any] = {"colorize": True} if colorize and sys.version_info >= (3, 13) else {}
    for name, source in (sources or {}).items():
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    try:
        return "".join(traceback.format_exception(error, **color))
    finally:
        for name in sources or {}:
            linecache.cache.pop(name, None)


def clean(error: BaseException) -> None:
    """Remove hidden frames from the tracebacks of `error`, its causes, its contexts and its sub-exceptions."""
    for each in _related_errors(error):
        each.__traceback__ = _without_hidden(each.__traceback__)


def _related_errors(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    waiting: list[BaseException | None] = [error]
    while waiting:
        each = waiting.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        waiting += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            waiting += cast("tuple[BaseException, ...]", each.exceptions)
        yield each


def _without_hidden(entry: TracebackType | None) -> TracebackType | None:
    shown: list[TracebackType] = []
    while entry is not None:
        if not is_hidden(entry.tb_frame):
            shown.append(entry)
        entry = entry.tb_next
    if not shown:
        return None
    for here, following in zip(shown, [*shown[1:], None], strict=True):
        here.tb_next = following
    return shown[0]
