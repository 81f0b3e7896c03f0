"""Tool calls: the running call, its progress, and the log of all calls."""

import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal, Protocol, cast, get_args

from gemini.core.encoding import fit
from gemini.core.events import EventLog
from gemini.errors import InvalidArguments
from gemini.tools.events import CallChanged, CallRow, EffectName
from gemini.tools.writers import SCRIPT

Progress = Callable[[float, float | None, str | None], None]
Level = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]
Origins = Sequence[Mapping[str, str]]
"""The untrusted sources of a call's arguments: `{argument, text, origin}` each."""


class Provenance(Protocol):
    """The rules of an agent's run for the calls that its code makes: its tools, and the untrusted text that it read."""

    def allows(self, tool: str) -> bool:
        """Return whether the run may call a tool."""
        ...

    def find(self, arguments: dict[str, Any]) -> Origins:
        """Return the untrusted sources of a call's arguments."""
        ...

    def remember_json(self, origin: str, text: str) -> None:
        """Record the untrusted text of a result."""
        ...


LOGGED_ARGUMENTS = 4_000
LOGGED_RESULT = 2_000
LOGGED_CALLS = 500
WITHHELD = "(not in the log)"
GIT_PROGRAM = "hook"
"""The caller of what a program asks for that git runs for a repository: an agent may have written its command."""


@dataclass(frozen=True)
class Client:
    """The MCP client that made a call.

    Attributes:
        notify: Sends a log message: `notify(level, message)`.
        ask: Sends a request and returns the client's answer: `await ask(method, params)`.
    """

    notify: Callable[[str, Any], None]
    ask: Callable[[str, dict[str, Any]], Awaitable[Any]]


@dataclass(eq=False, slots=True)
class Call:
    """A call, and its row in the log.

    Attributes:
        arguments: The arguments; from the end on, as the log shows them.
        progress: Reports progress to the caller: `progress(done, total, message)`.
        client: The MCP client to ask, if one made the call.
        started: Seconds since 1970.
        withheld: The argument that stays out of the log.
        run: The id of the agent's run that made the call.
        origins: The untrusted sources of the arguments, if the caller knows them.
        outer: The call whose code made this one.
        provenance: The rules for the calls that the tool's code makes, if an agent's run made this one.
        ok: Whether the call succeeded; None, as the next two, until it ends.
        result_preview: The beginning of the result or the error, as JSON.
        duration_ms: The milliseconds that the tool took.
        clock: The value of `time.perf_counter` at the start.
    """

    id: int
    tool: str
    caller: str
    effect: EffectName
    arguments: Any
    progress: Progress | None = None
    client: Client | None = None
    started: float = field(default_factory=time.time)
    withheld: str | None = None
    run: str | None = None
    origins: Origins = ()
    outer: "Call | None" = None
    provenance: Provenance | None = None
    ok: bool | None = None
    result_preview: str | None = None
    duration_ms: float | None = None
    clock: float = 0.0

    @classmethod
    def from_row(cls, row: CallRow) -> "Call":
        """Return the ended call that `row` describes."""
        started = datetime.fromisoformat(row["started"]).timestamp()
        call = cls(row["id"], row["tool"], row["caller"], row["effect"], row["arguments"], started=started)
        call.ok, call.result_preview, call.duration_ms = row["ok"], row["result_preview"], row["duration_ms"]
        return call

    @property
    def takes_pictures(self) -> bool:
        """True if the caller gets the pictures of a result as such: MCP clients and models."""
        return self.client is not None or self.run is not None

    def reveal(self) -> None:
        """Log the withheld argument when the call ends."""
        self.withheld = None

    def arguments_to_log(self) -> Any:
        """Return the arguments shortened for people, without the withheld one."""
        shown = self.arguments
        if self.withheld is not None and isinstance(shown, dict):
            named = cast("dict[str, Any]", shown)
            shown = {name: WITHHELD if name == self.withheld else value for name, value in named.items()}
        # `fit` takes longer than a trivial call, whose arguments are short anyway.
        return shown if _is_short(shown) else fit(shown, LOGGED_ARGUMENTS)

    def row(self) -> CallRow:
        """Return the row that the page shows."""
        return {
            "id": self.id,
            "tool": self.tool,
            "caller": self.caller,
            "effect": self.effect,
            "arguments": self.arguments_to_log() if self.ok is None else self.arguments,
            "started": datetime.fromtimestamp(self.started, UTC).isoformat(timespec="milliseconds"),
            "ok": self.ok,
            "result_preview": self.result_preview,
            "duration_ms": self.duration_ms,
        }


def origin_of_call(tool: str, arguments: dict[str, Any], max_chars: int = 120) -> str:
    """Return the origin to record for a call's result: the tool's name and its simple arguments."""
    text = " ".join(f"{name}={value}" for name, value in arguments.items() if isinstance(value, (str, int)))
    text = " ".join(text.split())
    return f"{tool} {text}"[:max_chars].strip()


current: ContextVar[Call | None] = ContextVar("gemini_call", default=None)
"""The tool call that the running code belongs to."""


def current_call() -> Call | None:
    """Return the tool call that the running code belongs to, or None in a plain script."""
    return current.get()


def acting_call() -> Call | None:
    """Return the call that the running code works for: a script's own calls work for the call that runs the script."""
    call = current.get()
    while call is not None and call.caller == SCRIPT and call.outer is not None:
        call = call.outer
    return call


def report_progress(done: float, total: float | None = None, message: str | None = None) -> None:
    """Report progress to the caller of the running tool, if the caller accepts progress."""
    call = current.get()
    if call is not None and call.progress is not None:
        call.progress(done, total, message)


def report_message(message: Any, level: Level = "info") -> None:
    """Send a log message to the MCP client that called the running tool, if there is one.

    Args:
        message: Text, or any JSON value.
        level: The severity, as in RFC 5424.

    Raises:
        InvalidArguments: The level is unknown.
    """
    if level not in get_args(Level):
        raise InvalidArguments(f"level must be one of {', '.join(get_args(Level))}, not {level!r}")
    call = current.get()
    if call is not None and call.client is not None:
        call.client.notify(level, message)


class serving:  # noqa: N801 - used like a function
    """A context manager that sets the current call.

    It is a class because `contextlib`'s generators would take a tenth of a trivial call's time.
    """

    __slots__ = ("_before", "_call")

    def __init__(self, call: Call) -> None:
        self._call = call

    def __enter__(self) -> None:
        self._before = current.set(self._call)

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> None:
        current.reset(self._before)


def serve_under_git(directory: str) -> None:
    """Let the current context belong to a program that git runs for the repository of a directory, such as a hook.

    It stays part of the agent's run that called git, but is neither the agent nor the user.
    """
    outer = current.get()
    run, origins = (None, ()) if outer is None else (outer.run, outer.origins)
    number = 0 if outer is None else outer.id
    given = {"directory": directory}
    current.set(Call(number, "git", GIT_PROGRAM, "outside", given, run=run, origins=origins, outer=outer))


def _is_short(arguments: Any) -> bool:
    """Return whether the arguments are so few and simple that `fit` would change nothing."""
    members: dict[str, Any] = arguments
    if type(members) is not dict or len(members) > 10:
        return False
    for name, value in members.items():
        # Subclasses are rare, and `isinstance` would be a call for each.
        kind = value.__class__
        if kind is str:
            short = len(value) <= 200
        elif kind is int:
            short = -(2**63) < value < 2**63
        else:
            short = value is None or kind is float or kind is bool
        if not short or len(name) > 100:
            return False
    return True


class CallLog:
    """The latest calls with caller, arguments, result and time; long values are shortened."""

    def __init__(self, events: EventLog) -> None:
        self._events = events
        self._calls: deque[Call] = deque(maxlen=LOGGED_CALLS)
        self._last_id = 0

    def next_id(self) -> int:
        """Return an id that no earlier call has."""
        self._last_id += 1
        return self._last_id

    def restore(self, rows: list[CallRow]) -> None:
        """Replace the log with the calls of an earlier kernel, oldest first. New ids continue after the highest."""
        self._calls.clear()
        self._calls.extend(Call.from_row(row) for row in rows)
        self._last_id = max([self._last_id, *(row["id"] for row in rows)])

    def begin(self, call: Call, *, may_wait: bool) -> None:
        """Add a call that begins. Listeners are notified now only if the call may wait."""
        self._calls.append(call)
        if may_wait:
            self._events.publish(CallChanged(call))

    def end(self, call: Call, ok: bool, text: str) -> None:
        """Record how a call ended.

        Args:
            call: The call; `duration_ms` is set.
            ok: Whether it succeeded.
            text: The result or the error as JSON.
        """
        # Before `ok`: the row shows them as they are from now on, and they may have been large.
        call.arguments = call.arguments_to_log()
        call.ok = ok
        call.result_preview = text[:LOGGED_RESULT]
        self._events.publish(CallChanged(call))

    def __iter__(self) -> Iterator[Call]:
        return iter(self._calls)

    def rows(self) -> list[CallRow]:
        """Return the logged calls, oldest first."""
        return [logged.row() for logged in self._calls]
