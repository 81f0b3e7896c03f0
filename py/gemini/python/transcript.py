"""What was run in the Python console, by whom, and what came of it: for those who watch."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal, cast

from gemini.core.events import EventLog
from gemini.errors import GeminiError, InvalidArguments
from gemini.python import process, tracebacks
from gemini.python.display import Display
from gemini.python.events import ConsoleChanged, ConsoleCleared, ConsolePrinted
from gemini_userland.invocation import Output

tracebacks.hide_frames_of(__file__)

Stream = Literal["stdout", "stderr"]
KEPT_ENTRIES = 200
KEPT_INPUTS = 500
# Characters of all entries together, pictures above all; the oldest go first.
MOST_KEPT = 20_000_000
# Characters that are shown of what one entry printed: as it comes, then with its end in place of the middle.
SHOWN_OUTPUT = 100_000
FLUSH_S = 0.1


class Entry:
    """A piece of code that was run. Its outputs are shown as they come."""

    def __init__(self, number: int, code: str, caller: str, transcript: "Transcript") -> None:
        self.id = number
        self.code = code
        self.caller = caller
        self.source: str | None = None
        """The file name that tracebacks have for it."""
        self.whole: str | None = None
        """All of the value's text, where the display has a part of it."""
        self._started = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.running = True
        self._display: Display | None = None
        self._error: dict[str, Any] | None = None
        self._transcript = transcript
        self._output: list[tuple[Stream, str]] = []
        self._waiting: list[tuple[Stream, str]] = []
        self._shown = 0
        self._flushed = 0.0
        self.stdout = self._stream("stdout")
        self.stderr = self._stream("stderr")

    def _stream(self, name: Stream) -> Output:
        return Output(lambda data: self._printed(name, data.decode("utf-8", "replace")))

    def _printed(self, stream: Stream, text: str) -> None:
        room = max(0, SHOWN_OUTPUT - self._shown)
        self._shown += len(text)
        # Code that never pauses tells of what it has printed by printing more, though that isn't shown any more.
        self._waiting.append((stream, text[:room]))
        if time.monotonic() - self._flushed >= FLUSH_S:
            self.flush()
        elif len(self._waiting) == 1:
            loop = asyncio.get_running_loop()
            loop.call_later(FLUSH_S, self.flush, context=process.detached())

    def flush(self) -> None:
        """Tell what was printed up to now."""
        waiting, self._waiting = _joined(self._waiting), []
        if waiting:
            self._flushed = time.monotonic()
            self._output = _joined([*self._output, *waiting])
            self._transcript.tell(ConsolePrinted(self.id, _rows(waiting)))

    def end(self, display: Display | None, whole: str | None, error: GeminiError | None) -> None:
        """Tell what came of it: how the value is shown, or the error."""
        self.flush()
        self.running = False
        if self._shown > SHOWN_OUTPUT:
            self._output = [("stdout", _ends(self.stdout.text())), ("stderr", _ends(self.stderr.text()))]
        self._display, self.whole = display, whole
        # What is shown of them is in the entry.
        self.stdout = self.stderr = Output()
        self._error = None if error is None else error.as_json()["error"]
        # All of the output is in the entry already.
        if self._error is not None:
            facts = cast("dict[str, Any]", self._error.get("data") or {})
            self._error["data"] = {"traceback": facts.get("traceback")}
        self._transcript.tell(ConsoleChanged(self.row()))

    @property
    def size(self) -> int:
        """About how many characters it takes."""
        shown = sum(_weight(value) for value in (self._display or {}).values())
        return len(self.code) + len(self.whole or "") + shown + sum(len(text) for _, text in self._output)

    def row(self) -> dict[str, Any]:
        """As the page draws it; `started` is ISO 8601 in UTC."""
        return {
            "id": self.id,
            "code": self.code,
            "caller": self.caller,
            "source": self.source,
            "started": self._started,
            "running": self.running,
            "output": _rows([part for part in self._output if part[1]]),
            "display": self._display,
            "error": self._error,
        }


class Transcript:
    """The last entries, and what the person typed, from one visit to the next.

    Args:
        events: Told of each change.
        keep: Takes the inputs, oldest first, when there is another one.
    """

    def __init__(self, events: EventLog, keep: Callable[[list[str]], None]) -> None:
        self._events = events
        self._keep = keep
        self._entries: deque[Entry] = deque(maxlen=KEPT_ENTRIES)
        self._last_id = 0
        self.inputs: list[str] = []

    def begin(self, code: str, caller: str, *, typed: bool) -> Entry:
        """Note that code is about to run.

        Args:
            code: As it was given.
            caller: Who runs it.
            typed: Whether a person wrote it, who may want it back.
        """
        self._last_id += 1
        entry = Entry(self._last_id, code, caller, self)
        self._entries.append(entry)
        self._make_room()
        if typed and self.inputs[-1:] != [code]:
            self.inputs = [*self.inputs, code][-KEPT_INPUTS:]
            self._keep(self.inputs)
        self.tell(ConsoleChanged(entry.row()))
        return entry

    def _make_room(self) -> None:
        """Forget the oldest where all of them take too much."""
        left, kept = MOST_KEPT, list[Entry]()
        for entry in reversed(self._entries):
            left -= entry.size
            if left < 0 and kept:
                break
            kept.append(entry)
        if len(kept) < len(self._entries):
            self._keep_only(kept[::-1])

    def _keep_only(self, entries: list[Entry]) -> None:
        self._entries = deque(entries, maxlen=KEPT_ENTRIES)
        self.tell(ConsoleCleared([entry.id for entry in entries]))

    def restore(self, inputs: Any) -> None:
        """Bring back what was typed at another time; what is of another shape is let go."""
        known = cast("list[Any]", inputs) if isinstance(inputs, list) else []
        self.inputs = [text for text in known if isinstance(text, str)][-KEPT_INPUTS:]

    def clear(self) -> None:
        """Forget what has ended. What is typed stays at hand."""
        self._keep_only([entry for entry in self._entries if entry.running])

    def whole(self, entry_id: int) -> str:
        """All of the text of an entry's value.

        Raises:
            InvalidArguments: it is shown whole, or forgotten.
        """
        for entry in self._entries:
            if entry.id == entry_id and entry.whole is not None:
                return entry.whole
        raise InvalidArguments(f"the console has no more of entry {entry_id}", hint="Run the code again.")

    def state(self) -> dict[str, Any]:
        """As the page draws it: `{entries: [row], inputs: [text]}`, oldest first."""
        return {"entries": [entry.row() for entry in self._entries], "inputs": self.inputs}

    def tell(self, event: ConsoleChanged | ConsolePrinted | ConsoleCleared) -> None:
        """Publish an event, which is none of the program's doing that happens to run."""
        process.detached().run(self._events.publish, event)


def _joined(parts: list[tuple[Stream, str]]) -> list[tuple[Stream, str]]:
    """Neighbours of the same stream as one."""
    joined: list[tuple[Stream, list[str]]] = []
    for stream, text in parts:
        if not joined or joined[-1][0] != stream:
            joined.append((stream, []))
        joined[-1][1].append(text)
    return [(stream, "".join(texts)) for stream, texts in joined]


def _rows(parts: list[tuple[Stream, str]]) -> list[dict[str, str]]:
    return [{"stream": stream, "text": text} for stream, text in parts]


def _weight(value: Any) -> int:
    # A table's cells are short, and few.
    return len(value) if isinstance(value, str) else 0


def _ends(text: str) -> str:
    """A long text with its end in place of the middle."""
    text = text.encode("utf-8", "replace").decode()
    if len(text) <= SHOWN_OUTPUT:
        return text
    half = SHOWN_OUTPUT // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters cut …]\n{text[-half:]}"
