"""One call of a tool: who made it, how it reports progress, and the log of all calls."""

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, cast, get_args

from gemini.core.encoding import fit
from gemini.core.events import EventLog
from gemini.errors import InvalidArguments
from gemini.tools.events import CallChanged

Progress = Callable[[float, float | None, str | None], None]
Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
Origins = Sequence[Mapping[str, str]]
"""Where parts of a call's arguments came from: `{argument, text, origin}` each."""
LOGGED_ARGUMENTS = 4_000
LOGGED_RESULT = 2_000
LOGGED_CALLS = 500
WITHHELD = "(not in the log)"


@dataclass(frozen=True)
class Client:
    """An MCP client's end of a call: `tell(level, message)` says something, `ask(method, params)` gives its answer."""

    tell: Callable[[str, Any], None]
    ask: Callable[[str, dict[str, Any]], Awaitable[Any]]


@dataclass
class Call:
    """A call that is running. `progress(done, total, message)` reaches whoever made it, `client` asks them."""

    id: int
    tool: str
    caller: str
    effect: str
    arguments: Any
    progress: Progress | None = None
    client: Client | None = None
    started: float = field(default_factory=time.time)
    withheld: str | None = None
    """The argument that stays out of the log."""
    run: str | None = None
    """The agent's run that makes it."""
    origins: Origins = ()
    """What in the arguments came from text that nobody vouches for, where the caller knows."""

    def reveal(self) -> None:
        """Let the argument that was withheld stand in the log when the call has ended."""
        self.withheld = None

    def arguments_to_log(self) -> Any:
        """The arguments, cut to what a person reads, without what is withheld."""
        given = self.arguments
        if self.withheld is not None and isinstance(given, dict):
            known = cast("dict[str, Any]", given)
            given = {name: WITHHELD if name == self.withheld else value for name, value in known.items()}
        # Cutting takes longer than a trivial call, whose arguments are short anyway.
        return given if _is_short(given) else fit(given, LOGGED_ARGUMENTS)


def origin_of_call(tool: str, arguments: dict[str, Any], most: int = 120) -> str:
    """A call as the origin of its result: the tool with the arguments that say what it read."""
    said = " ".join(f"{name}={value}" for name, value in arguments.items() if isinstance(value, (str, int)))
    said = " ".join(said.split())
    return f"{tool} {said}"[:most].strip()


_current: ContextVar[Call | None] = ContextVar("gemini_call", default=None)


def current_call() -> Call | None:
    """The tool call that the running code serves; None in a script that calls Python functions plainly."""
    return _current.get()


def report_progress(done: float, total: float | None = None, message: str | None = None) -> None:
    """Tell the caller of the running tool how far it is; does nothing where nobody listens."""
    call = _current.get()
    if call is not None and call.progress is not None:
        call.progress(done, total, message)


def report_message(message: Any, level: Level = "info") -> None:
    """Tell the client of the running tool something for its log; does nothing where nobody listens.

    Args:
        message: Text, or anything that JSON can hold.
        level: How much it matters, as in RFC 5424.

    Raises:
        InvalidArguments: there is no such level.
    """
    if level not in get_args(Level):
        raise InvalidArguments(f"level is one of {', '.join(get_args(Level))}, not {level!r}")
    call = _current.get()
    if call is not None and call.client is not None:
        call.client.tell(level, message)


class serving:  # noqa: N801 - used as a function is
    """Make `call` the current one for what runs within.

    A class, since `contextlib`'s generators would take a tenth of a trivial call.
    """

    __slots__ = ("_before", "_call")

    def __init__(self, call: Call) -> None:
        self._call = call

    def __enter__(self) -> None:
        self._before = _current.set(self._call)

    def __exit__(self, *_: object) -> None:
        _current.reset(self._before)


class LoggedCall:
    """A row of the activity log. `ok`, `result_preview` and `duration_ms` come when the call has ended."""

    def __init__(self, call: Call) -> None:
        self.id = call.id
        self.tool = call.tool
        self.caller = call.caller
        self.effect = call.effect
        self.started = call.started
        self.ok: bool | None = None
        self.result_preview: str | None = None
        self.duration_ms: float | None = None
        self.arguments: Any = call.arguments_to_log()

    @classmethod
    def from_row(cls, row: dict[str, Any]) -> "LoggedCall":
        """An ended call as `row` told it."""
        started = datetime.fromisoformat(row["started"]).timestamp()
        call = Call(row["id"], row["tool"], row["caller"], row["effect"], row["arguments"], started=started)
        logged = cls(call)
        logged.ok, logged.result_preview, logged.duration_ms = (
            row["ok"],
            row["result_preview"],
            row["duration_ms"],
        )
        return logged

    def row(self) -> dict[str, Any]:
        """The row as the page draws it; `started` is ISO 8601 in UTC."""
        return {
            "id": self.id,
            "tool": self.tool,
            "caller": self.caller,
            "effect": self.effect,
            "arguments": self.arguments,
            "started": datetime.fromtimestamp(self.started, UTC).isoformat(timespec="milliseconds"),
            "ok": self.ok,
            "result_preview": self.result_preview,
            "duration_ms": self.duration_ms,
        }


def _is_short(arguments: Any) -> bool:
    """Whether arguments are so few and plain that nothing of them is ever cut."""
    if not isinstance(arguments, dict) or len(cast("dict[Any, Any]", arguments)) > 10:
        return False
    for name, value in cast("dict[str, Any]", arguments).items():
        if isinstance(value, str):
            short = len(value) <= 200
        elif isinstance(value, int):
            short = -(2**63) < value < 2**63
        else:
            short = value is None or isinstance(value, float)
        if not short or len(name) > 100:
            return False
    return True


class CallLog:
    """The last calls with caller, arguments, result and time; long values are cut to what a person reads."""

    def __init__(self, events: EventLog) -> None:
        self._events = events
        self._calls: deque[LoggedCall] = deque(maxlen=LOGGED_CALLS)
        self._last_id = 0

    def next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def restore(self, rows: list[dict[str, Any]]) -> None:
        """Begin anew with the calls of an earlier kernel, oldest first; new numbers come after all there were."""
        self._calls.clear()
        self._calls.extend(LoggedCall.from_row(row) for row in rows)
        self._last_id = max([self._last_id, *(row["id"] for row in rows)])

    def started(self, call: Call, *, may_wait: bool) -> LoggedCall:
        """Note that a call began; nobody would hear of it before the end of one that doesn't wait."""
        logged = LoggedCall(call)
        self._calls.append(logged)
        if may_wait:
            self._events.publish(CallChanged(logged))
        return logged

    def finished(self, logged: LoggedCall, took_s: float, ok: bool, text: str) -> None:
        """Record how a call ended.

        Args:
            logged: What `started` gave.
            took_s: How long it took, in seconds.
            ok: Whether it gave a result.
            text: The result, or the failure, as JSON.
        """
        logged.ok = ok
        logged.result_preview = text[:LOGGED_RESULT]
        logged.duration_ms = round(took_s * 1000, 3)
        self._events.publish(CallChanged(logged))

    def __iter__(self) -> Iterator[LoggedCall]:
        return iter(self._calls)

    def rows(self) -> list[dict[str, Any]]:
        """The kept calls, oldest first."""
        return [logged.row() for logged in self._calls]
