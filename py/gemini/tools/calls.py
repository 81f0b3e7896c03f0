"""One call of a tool: who made it, how it reports progress, and the log of all calls."""

import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any

from gemini.encoding import fit
from gemini.events import CallFinished, CallStarted, EventLog

Progress = Callable[[float, float | None, str | None], None]
LOGGED_ARGUMENTS = 4_000
LOGGED_RESULT = 2_000
LOGGED_CALLS = 500


@dataclass
class Call:
    """A call that is running. `progress(done, total, message)` reaches whoever made it."""

    id: int
    tool: str
    caller: str
    effect: str
    arguments: Any
    progress: Progress | None = None
    started: float = field(default_factory=time.time)


_current: ContextVar[Call | None] = ContextVar("gemini_call", default=None)


def current_call() -> Call | None:
    """The tool call that the running code serves; None in a script that calls Python functions plainly."""
    return _current.get()


def report_progress(done: float, total: float | None = None, message: str | None = None) -> None:
    """Tell the caller of the running tool how far it is; does nothing where nobody listens."""
    call = _current.get()
    if call is not None and call.progress is not None:
        call.progress(done, total, message)


@contextmanager
def serving(call: Call) -> Iterator[None]:
    """Make `call` the current one for what runs within."""
    before = _current.set(call)
    try:
        yield
    finally:
        _current.reset(before)


@dataclass
class LoggedCall:
    """A row of the activity log. `duration_ms`, `ok` and `result_preview` come when the call has ended."""

    id: int
    tool: str
    caller: str
    effect: str
    arguments: Any
    started: str
    ok: bool | None = None
    result_preview: str | None = None
    duration_ms: float | None = None


class CallLog:
    """The last calls with caller, arguments, result and time; long values are cut to what a person reads."""

    def __init__(self, events: EventLog) -> None:
        self._events = events
        self._rows: deque[LoggedCall] = deque(maxlen=LOGGED_CALLS)
        self._last_id = 0

    def next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def started(self, call: Call) -> LoggedCall:
        row = LoggedCall(
            call.id,
            call.tool,
            call.caller,
            call.effect,
            fit(call.arguments, LOGGED_ARGUMENTS),
            datetime.fromtimestamp(call.started, UTC).isoformat(timespec="milliseconds"),
        )
        self._rows.append(row)
        self._events.publish(CallStarted(dict(vars(row))))
        return row

    def finished(self, row: LoggedCall, started: float, ok: bool, text: str) -> None:
        """Record how a call ended.

        Args:
            row: What `started` gave.
            started: The clock of `time.perf_counter` when it began.
            ok: Whether it gave a result.
            text: The result, or the failure, as JSON.
        """
        row.ok = ok
        row.result_preview = text[:LOGGED_RESULT]
        row.duration_ms = round((time.perf_counter() - started) * 1000, 3)
        self._events.publish(CallFinished(row.id, ok, row.result_preview, row.duration_ms))

    def rows(self) -> list[dict[str, Any]]:
        """The kept calls, oldest first."""
        return [asdict(row) for row in self._rows]
