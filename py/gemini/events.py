"""What happened in the surface, for whoever draws or records it.

Each event is a small dataclass; its class attribute `type` is its name on the wire. `EventLog` numbers them,
so that a listener that missed one notices the gap in `seq` and asks for a snapshot again.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol

Row = dict[str, Any]


@dataclass(frozen=True)
class TerminalCreated:
    type: ClassVar[str] = "terminal_created"
    terminal: Row


@dataclass(frozen=True)
class TerminalChanged:
    type: ClassVar[str] = "terminal_changed"
    terminal: Row


@dataclass(frozen=True)
class TerminalClosed:
    type: ClassVar[str] = "terminal_closed"
    terminal_id: str


@dataclass(frozen=True)
class FilesShown:
    type: ClassVar[str] = "files_shown"
    path: str
    entries: list[Row]
    truncated: bool = False


@dataclass(frozen=True)
class EditorsChanged:
    """Other files are open in the editor, or one of them was written."""

    type: ClassVar[str] = "editors_changed"
    editors: Mapping[str, Any]


@dataclass(frozen=True)
class TabChanged:
    """A tab came, or is otherwise than before."""

    type: ClassVar[str] = "tab_changed"
    tab: Row


@dataclass(frozen=True)
class TabClosed:
    type: ClassVar[str] = "tab_closed"
    tab_id: str


class HasRow(Protocol):
    """A call of a tool, which is told as a row when somebody reads it."""

    id: int
    ok: bool | None

    def row(self) -> Row: ...


@dataclass(frozen=True)
class CallChanged:
    """A call began or ended; `ok` is None in between."""

    type: ClassVar[str] = "call_changed"
    call: HasRow


@dataclass(frozen=True)
class SurfaceChanged:
    """What the page can and can't do is another than before."""

    type: ClassVar[str] = "surface_changed"
    surface: Row


@dataclass(frozen=True)
class ConsoleChanged:
    """Code began to run in the Python console, or ended."""

    type: ClassVar[str] = "console_changed"
    entry: Row


@dataclass(frozen=True)
class ConsolePrinted:
    """It printed: `output` are pieces `{stream, text}` that come after those before."""

    type: ClassVar[str] = "console_printed"
    entry_id: int
    output: list[Row]


@dataclass(frozen=True)
class ConsoleCleared:
    """All entries but these are forgotten."""

    type: ClassVar[str] = "console_cleared"
    kept: list[int]


@dataclass(frozen=True)
class SettingsChanged:
    """The person gave or took back a standing grant, or switched a group of tools."""

    type: ClassVar[str] = "settings_changed"
    settings: Row


@dataclass(frozen=True)
class RunChanged:
    """An agent's run began, or is otherwise than before; `run` is all that is listed of it."""

    type: ClassVar[str] = "run_changed"
    run: Row


@dataclass(frozen=True)
class RunStreamed:
    """The model of a run says something: `text` comes after what it said of this `part` of its answer before."""

    type: ClassVar[str] = "run_streamed"
    run_id: str
    part: Literal["thought", "text", "calls"]
    text: str


@dataclass(frozen=True)
class RunForgotten:
    type: ClassVar[str] = "run_forgotten"
    run_id: str


@dataclass(frozen=True)
class ModelsChanged:
    """What is known of language models, and which one is asked where a run or a chat names none.

    `chosen` is that one's id, or the name of one that a script has set; where it is None, `why` says what to do.
    `default` is what the person chose, ready or not; `agents` has other choices by agents' names. A choice is `{id,
    label, provider, model, base_url, ready, why}`. `providers` are those of the companion, `{name, api, path, local,
    ready, why}`, `builtin` says whether the browser's own model can be asked, `prompt` what the person tells every
    model, and `loading` `{done, total}` while packages load.
    """

    type: ClassVar[str] = "models_changed"
    models: Row


@dataclass(frozen=True)
class ChatChanged:
    """A chat came, or its name, its branch or what it does is another."""

    type: ClassVar[str] = "chat_changed"
    chat: Row


@dataclass(frozen=True)
class ChatDeleted:
    type: ClassVar[str] = "chat_deleted"
    chat_id: str


@dataclass(frozen=True)
class ChatMessageChanged:
    """A message of a chat came, or is otherwise than what was streamed of it."""

    type: ClassVar[str] = "chat_message_changed"
    chat_id: str
    message: Row


@dataclass(frozen=True)
class ChatStreamed:
    """`text` comes after what a message had."""

    type: ClassVar[str] = "chat_streamed"
    chat_id: str
    message_id: str
    text: str


Event = (
    TerminalCreated
    | TerminalChanged
    | TerminalClosed
    | FilesShown
    | EditorsChanged
    | TabChanged
    | TabClosed
    | CallChanged
    | SurfaceChanged
    | SettingsChanged
    | ConsoleChanged
    | ConsolePrinted
    | ConsoleCleared
    | RunChanged
    | RunStreamed
    | RunForgotten
    | ModelsChanged
    | ChatChanged
    | ChatDeleted
    | ChatMessageChanged
    | ChatStreamed
)
Listener = Callable[[int, Event], None]


def row_of(seq: int, event: Event) -> Row:
    """An event as it goes over the wire: `{seq, type, …fields}`."""
    fields = {"call": event.call.row()} if isinstance(event, CallChanged) else vars(event)
    return {"seq": seq, "type": event.type, **fields}


class EventLog:
    """Numbers events and hands each to every subscriber, in order.

    Events themselves are not kept: state is what the rooms hold, and a newcomer asks them for a snapshot.
    """

    def __init__(self) -> None:
        self.seq = 0
        self._listeners: list[Listener] = []
        self._undelivered: deque[tuple[int, Event]] = deque()
        self._delivering = False

    def publish(self, event: Event) -> None:
        """Give `event` the next number and pass both on.

        What a listener publishes itself is passed on after the event that it listens to, to everybody.
        """
        self.seq += 1
        if not self._listeners:
            return
        self._undelivered.append((self.seq, event))
        if self._delivering:
            return
        self._delivering = True
        try:
            while self._undelivered:
                seq, first = self._undelivered.popleft()
                for listener in self._listeners:
                    listener(seq, first)
        finally:
            self._delivering = False

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Call `listener` with each event's number and the event from now on.

        The returned function ends that.
        """
        # A new list, so that a listener may come or go while one is called.
        self._listeners = [*self._listeners, listener]

        def end() -> None:
            self._listeners = [other for other in self._listeners if other is not listener]

        return end


@dataclass(frozen=True)
class Batch:
    """Events that happened one after the other; those that a later one of them makes worthless are left out.

    Attributes:
        first: The number of the first event, whether or not it is in `events`.
        last: The number of the last one.
        events: As `row_of` gives them, in order.
    """

    first: int
    last: int
    events: list[Row]


class EventFeed:
    """Passes events on in batches, so that a burst of calls costs its watcher a few messages and not thousands.

    Args:
        log: Where the events come from.
        send: Takes each batch.
        delay_s: How long an event may wait for others.
        rest_s: How long it may while one batch follows another.
    """

    def __init__(
        self, log: EventLog, send: Callable[[Batch], None], delay_s: float = 0.02, rest_s: float = 0.1
    ) -> None:
        self._send = send
        self._delay_s = delay_s
        self._rest_s = rest_s
        self._last_sent = -rest_s
        self._due = 0.0
        self._waiting: list[tuple[int, Event]] = []
        self._unsubscribe = log.subscribe(self._take)

    def _take(self, seq: int, event: Event) -> None:
        now = time.monotonic()
        # Somebody reads along; who publishes it does so in batches.
        hurries = isinstance(event, ChatStreamed)
        rested = hurries or now - self._last_sent >= self._rest_s
        due = now + (0 if hurries else self._delay_s if rested else self._rest_s)
        if not self._waiting or due < self._due:
            self._due = due
            asyncio.get_running_loop().call_later(due - now, self.flush)
        self._waiting.append((seq, event))
        # Code that never pauses holds up the loop; who watches shall see what it does.
        if now > self._due + self._delay_s:
            self.flush()

    def close(self) -> None:
        """Watch no longer; what waits is still sent."""
        self._unsubscribe()

    def flush(self) -> None:
        """Send what waits, now."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            self._last_sent = time.monotonic()
            rows = [row_of(seq, event) for seq, event in _joined(_worth_telling(waiting))]
            self._send(Batch(waiting[0][0], waiting[-1][0], rows))


def _worth_telling(waiting: list[tuple[int, Event]]) -> list[tuple[int, Event]]:
    """Without the beginnings of calls that have ended by now: a call's row tells all when it is read."""
    calls = {event.call: seq for seq, event in waiting if isinstance(event, CallChanged)}
    return [
        (seq, event)
        for seq, event in waiting
        if not isinstance(event, CallChanged) or calls[event.call] == seq
    ]


def _joined(waiting: list[tuple[int, Event]]) -> list[tuple[int, Event]]:
    """With what a model said in many small parts, one after the other, as one."""
    joined: list[tuple[int, Event]] = []
    for seq, event in waiting:
        before = joined[-1][1] if joined else None
        if (
            isinstance(event, RunStreamed)
            and isinstance(before, RunStreamed)
            and (event.run_id, event.part) == (before.run_id, before.part)
        ):
            joined[-1] = (seq, replace(event, text=before.text + event.text))
        else:
            joined.append((seq, event))
    return joined
