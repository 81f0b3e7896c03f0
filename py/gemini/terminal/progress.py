"""Reports how many lines a long command has printed, to the client that waits for it."""

import asyncio
import contextlib
from collections.abc import Generator

from gemini.shell.output import Capture
from gemini.tools import current_call, report_progress

EVERY_S = 5.0


@contextlib.contextmanager
def reporting_lines(capture: Capture) -> Generator[None]:
    """Report new lines of a command's output every few seconds while the block runs, if the caller accepts progress."""
    call = current_call()
    if call is None or call.progress is None:
        yield
        return
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
