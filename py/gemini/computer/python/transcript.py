"""The record of the Python console: the code that ran, its caller, its output and its result."""

import asyncio
import time
from collections import deque
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any, Literal, cast

from gemini.computer.python import process, tracebacks
from gemini.computer.python.display import Display
from gemini.computer.python.events import (
    ConsoleChanged,
    ConsoleCleared,
    ConsoleEntry,
    ConsolePrinted,
    ConsoleRow,
    ErrorRow,
    Printed,
    Question,
)
from gemini.computer.python.saved_entries import SavedEntries, earlier_entries
from gemini.core.events import EventLog
from gemini.errors import GeminiError, InvalidArguments
from gemini_userland.invocation import LineRequest, Output

tracebacks.hide_frames_of(__file__)

Stream = Literal["stdout", "stderr"]
# A value that `display` shows among the output has the third name.
Part = tuple[Literal["stdout", "stderr", "value"], Any]
MAX_ENTRIES = 200
MAX_INPUTS = 500
# The limit for all entries together, mostly for pictures; the oldest entries are dropped first.
MAX_CHARACTERS = 20_000_000
# The characters of an entry's output that are shown: the first ones while it runs, then the start and the end.
MAX_OUTPUT = 100_000
FLUSH_S = 0.1


class Entry:
    """A piece of code that was run. Its output is published while it runs.

    Args:
        number: The entry's id.
        code: The source.
        caller: The caller that ran it.
        transcript: Publishes the entry's events.
        cell: The name of the notebook's cell that the code is from; None for other code.
    """

    def __init__(
        self, number: int, code: str, caller: str, transcript: "Transcript", cell: str | None = None
    ) -> None:
        self.id = number
        self.code = code
        self.caller = caller
        self.cell = cell
        self.source: str | None = None
        """The file name of the code in tracebacks."""
        self.full_text: str | None = None
        """The full text of the value if the display cuts it."""
        self.missing_package: str | None = None
        """The package to install if the code failed to import a module."""
        self._started = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.running = True
        self._display: Display | None = None
        self._error: ErrorRow | None = None
        self._asks: Question | None = None
        self._answer: asyncio.Future[str | None] | None = None
        self._asking = asyncio.Lock()
        self._transcript = transcript
        self._output: list[Part] = []
        self._unpublished: list[Part] = []
        self._printed_characters = 0
        self._flushed = 0.0
        self.stdout = self._stream("stdout")
        self.stderr = self._stream("stderr")

    def _stream(self, name: Stream) -> Output:
        return Output(lambda data: self._printed(name, data.decode("utf-8", "replace")))

    def _printed(self, stream: Stream, text: str) -> None:
        room = max(0, MAX_OUTPUT - self._printed_characters)
        self._printed_characters += len(text)
        self._add((stream, text[:room]))

    def show(self, display: Display) -> None:
        """Show a value among the output."""
        self._add(("value", display))

    def _add(self, part: Part) -> None:
        # Code that never pauses publishes its output only when it prints more, even if that is no longer shown.
        self._unpublished.append(part)
        if time.monotonic() - self._flushed >= FLUSH_S:
            self.flush()
        elif len(self._unpublished) == 1:
            loop = asyncio.get_running_loop()
            loop.call_later(FLUSH_S, self.flush, context=process.detached())

    def flush(self) -> None:
        """Publish the output so far."""
        unpublished, self._unpublished = _join(self._unpublished), []
        if unpublished:
            self._flushed = time.monotonic()
            self._output = _join([*self._output, *unpublished])
            self._transcript.publish(ConsolePrinted(self.id, _rows(unpublished)))

    async def read_line(self, request: LineRequest) -> str | None:
        """Ask the user for a line, and return it; None at the end of the input."""
        async with self._asking:
            self.flush()
            self._answer = asyncio.get_running_loop().create_future()
            self._ask({"prompt": request.prompt, "hidden": request.hidden})
            try:
                line = await self._answer
            finally:
                self._answer = None
                self._ask(None)
            # As a terminal shows it.
            shown = "" if line is None or request.hidden else line
            self.stdout.write(f"{request.prompt}{shown}\n".encode("utf-8", "surrogateescape"))
            return line

    def _ask(self, question: Question | None) -> None:
        self._asks = question
        self._transcript.publish(ConsoleChanged(self.row()))

    def answer(self, line: str | None) -> bool:
        """Answer the pending question; return whether there is one."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(line)
        return True

    def end(self, display: Display | None, full_text: str | None, error: GeminiError | None) -> None:
        """Record and publish the result.

        Args:
            display: The value's display; None for no value.
            full_text: The value's full text if the display cuts it.
            error: The error if the code failed.
        """
        self.flush()
        self.running = False
        if self._printed_characters > MAX_OUTPUT:
            self._output = [
                ("stdout", _truncate_middle(self.stdout.text())),
                ("stderr", _truncate_middle(self.stderr.text())),
                *(part for part in self._output if part[0] == "value"),
            ]
        self._display, self.full_text = display, full_text
        # The entry has the part that is shown, so the rest can be freed.
        self.stdout = self.stderr = Output()
        self._error = None if error is None else error.as_json()["error"]
        # The entry already has the output that the error's data repeats.
        if self._error is not None:
            facts = cast("dict[str, Any]", self._error.get("data") or {})
            self.missing_package = facts.get("package")
            self._error["data"] = {"traceback": facts.get("traceback"), "package": self.missing_package}
        self._transcript.publish(ConsoleChanged(self.row()))
        self._transcript.ended()

    @property
    def size(self) -> int:
        """The approximate size of the entry in characters."""
        contents = [self._display or {}, *(content for _, content in self._output)]
        return len(self.code) + len(self.full_text or "") + sum(_length(each) for each in contents)

    def row(self) -> ConsoleEntry:
        """Return the entry as the page draws it."""
        return {
            "id": self.id,
            "code": self.code,
            "caller": self.caller,
            "cell": self.cell,
            "source": self.source,
            "started": self._started,
            "running": self.running,
            "asks": self._asks,
            "output": _rows([part for part in self._output if part[1]]),
            "display": self._display,
            "error": self._error,
            "earlier": False,
        }


class Transcript:
    """The latest entries, and the inputs that the user typed; both persist across visits.

    Args:
        events: The log that each change is published to.
        save_inputs: Called with all inputs, oldest first, when there is a new one.
        save_entries: Called with the last entries, oldest first, a moment after one has ended.
    """

    def __init__(
        self,
        events: EventLog,
        save_inputs: Callable[[list[str]], None],
        save_entries: Callable[[list[ConsoleEntry]], None] = lambda entries: None,
    ) -> None:
        self._events = events
        self._save_inputs = save_inputs
        self._entries: deque[Entry] = deque(maxlen=MAX_ENTRIES)
        self._last_id = 0
        self._earlier: list[ConsoleEntry] = []
        self._saved = SavedEntries(self._rows, save_entries)
        self.inputs: list[str] = []

    def begin(self, code: str, caller: str, *, typed: bool = False, cell: str | None = None) -> Entry:
        """Add an entry for code that is about to run.

        Args:
            code: The source.
            caller: The caller that runs it.
            typed: A user typed the code, so it is added to the inputs.
            cell: The name of the notebook's cell that the code is from.
        """
        self._last_id += 1
        entry = Entry(self._last_id, code, caller, self, cell)
        self._entries.append(entry)
        self._drop_oldest()
        if typed and self.inputs[-1:] != [code]:
            self.inputs = [*self.inputs, code][-MAX_INPUTS:]
            self._save_inputs(self.inputs)
        self.publish(ConsoleChanged(entry.row()))
        return entry

    def _drop_oldest(self) -> None:
        """Drop the oldest entries if all together exceed MAX_CHARACTERS."""
        left, retained = MAX_CHARACTERS, list[Entry]()
        for entry in reversed(self._entries):
            left -= entry.size
            if left < 0 and retained:
                break
            retained.append(entry)
        if len(retained) < len(self._entries):
            self._retain(retained[::-1])

    def _retain(self, entries: list[Entry]) -> None:
        self._entries = deque(entries, maxlen=MAX_ENTRIES)
        self.publish(
            ConsoleCleared([*(row["id"] for row in self._earlier), *(entry.id for entry in entries)])
        )

    def ended(self) -> None:
        """Save the entries soon, because one has ended."""
        self._saved.changed()

    def restore(self, inputs: Any, entries: Any = None) -> None:
        """Restore saved inputs and entries; ignore anything of another form."""
        self._earlier = earlier_entries(entries)
        known = cast("list[Any]", inputs) if isinstance(inputs, list) else []
        self.inputs = [text for text in known if isinstance(text, str)][-MAX_INPUTS:]

    def clear(self) -> None:
        """Drop the entries that have ended, and those of earlier visits. The inputs stay."""
        self._earlier = []
        self._retain([entry for entry in self._entries if entry.running])
        self._saved.save()

    def full_text(self, entry_id: int) -> str:
        """Return the full text of an entry's value.

        Raises:
            InvalidArguments: The display wasn't cut, or the entry was dropped.
        """
        for entry in self._entries:
            if entry.id == entry_id and entry.full_text is not None:
                return entry.full_text
        raise InvalidArguments(
            f"there is no full text of console entry {entry_id}", hint="Run the code again."
        )

    def answer(self, entry_id: int, line: str | None) -> None:
        """Answer what an entry's code asks; None ends the input.

        Raises:
            InvalidArguments: It asks nothing, or the entry was dropped.
        """
        if not any(entry.id == entry_id and entry.answer(line) for entry in self._entries):
            raise InvalidArguments(f"console entry {entry_id} asks nothing", hint="Run the code again.")

    def missing_package(self, entry_id: int) -> tuple[str, str]:
        """Return an entry's code and the package that it lacks.

        Raises:
            InvalidArguments: The code didn't fail to import a module, or the entry was dropped.
        """
        for entry in self._entries:
            if entry.id == entry_id and entry.missing_package is not None:
                return entry.code, entry.missing_package
        raise InvalidArguments(
            f"console entry {entry_id} lacks no package", hint="Run the code again to see its error."
        )

    def state(self) -> ConsoleRow:
        """Return the transcript as the page draws it."""
        return {"entries": self._rows(), "inputs": self.inputs}

    def _rows(self) -> list[ConsoleEntry]:
        return [*self._earlier, *(entry.row() for entry in self._entries)]

    def publish(self, event: ConsoleChanged | ConsolePrinted | ConsoleCleared) -> None:
        """Publish an event outside the context of the program that is running."""
        process.detached().run(self._events.publish, event)


def _join(parts: list[Part]) -> list[Part]:
    """Join adjacent parts of the same stream."""
    joined: list[tuple[Any, list[Any]]] = []
    for stream, content in parts:
        if not joined or joined[-1][0] != stream or stream == "value":
            joined.append((stream, []))
        joined[-1][1].append(content)
    return [(stream, contents[0] if stream == "value" else "".join(contents)) for stream, contents in joined]


def _rows(parts: list[Part]) -> list[Printed]:
    return [
        {"stream": stream, "display": content} if stream == "value" else {"stream": stream, "text": content}
        for stream, content in parts
    ]


def _length(content: Any) -> int:
    if isinstance(content, dict):
        # A table's cells are few and short enough to ignore.
        return sum(len(each) for each in cast("dict[str, Any]", content).values() if isinstance(each, str))
    return len(content)


def _truncate_middle(text: str) -> str:
    """Return the start and the end of a text longer than MAX_OUTPUT."""
    text = text.encode("utf-8", "replace").decode()
    if len(text) <= MAX_OUTPUT:
        return text
    half = MAX_OUTPUT // 2
    return f"{text[:half]}\n[… {len(text) - 2 * half:,} characters cut …]\n{text[-half:]}"
