"""Reports how many lines a long command has printed, to the client that waits for it."""

import asyncio
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

from gemini.computer.shell.output import Capture
from gemini.tools import current_call, report_progress

EVERY_S = 5.0


_SILENTLY = nullcontext()


def reporting_lines(capture: Capture) -> AbstractContextManager[None]:
    """Report new lines of a command's output every few seconds while the block runs, if the caller accepts progress."""
    call = current_call()
    return _SILENTLY if call is None or call.progress is None else _reporting(capture)


@contextmanager
def _reporting(capture: Capture) -> Generator[None]:
    loop = asyncio.get_running_loop()
    reported = 0

    def report() -> None:
        nonlocal timer, reported
        if capture.lines > reported:
            reported = capture.lines
            report_progress(reported, None, f"{reported:,} lines so far")
        timer = loop.call_later(EVERY_S, report)

    timer = loop.call_later(EVERY_S, report)
    try:
        yield
    finally:
        timer.cancel()
