"""The line discipline of terminals that have no operating system below them.

The editor takes keys as a terminal sends them and returns complete lines. The editing keys match GNU Readline's
Emacs mode. An incomplete line continues on the next one, and all of it stays editable until it runs.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

from gemini.computer.terminal.keys import Key, KeyDecoder
from gemini.computer.terminal.line_buffer import LineBuffer
from gemini.computer.terminal.line_completion import insertion, listing
from gemini.computer.terminal.line_display import LineDisplay
from gemini.computer.terminal.line_history import HistorySearch, LineHistory
from gemini.computer.terminal.line_layout import Layout, lay_out

_PASTE_ON = "\x1b[?2004h"
_PASTE_OFF = "\x1b[?2004l"
_BELL = "\a"
_ESCAPE = "\x1b"
_LINE_BREAK = re.compile(r"\r?\n")


@dataclass(frozen=True, slots=True)
class Line:
    """A line to run, including its line breaks. The editor is suspended until `resume`."""

    text: str


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Ctrl-C, shown as `^C`. At the prompt, the line was discarded and a new prompt is shown."""


@dataclass(frozen=True, slots=True)
class EndOfFile:
    """Ctrl-D at an empty prompt. The editor continues; the caller decides whether the terminal ends."""


@dataclass(frozen=True, slots=True)
class ClearScreen:
    """Ctrl-L. The screen shows only the prompt and the line."""


Entry = Line | Interrupt | EndOfFile | ClearScreen

_OPERATIONS: dict[str, Callable[[LineBuffer], bool | None]] = {
    "left": LineBuffer.left,
    "ctrl-b": LineBuffer.left,
    "right": LineBuffer.right,
    "ctrl-f": LineBuffer.right,
    "home": LineBuffer.home,
    "ctrl-a": LineBuffer.home,
    "end": LineBuffer.end,
    "ctrl-e": LineBuffer.end,
    "ctrl-left": LineBuffer.word_left,
    "alt-left": LineBuffer.word_left,
    "alt-b": LineBuffer.word_left,
    "ctrl-right": LineBuffer.word_right,
    "alt-right": LineBuffer.word_right,
    "alt-f": LineBuffer.word_right,
    "backspace": LineBuffer.backspace,
    "delete": LineBuffer.delete,
    "ctrl-k": LineBuffer.kill_to_line_end,
    "ctrl-u": LineBuffer.kill_to_line_start,
    "ctrl-w": LineBuffer.kill_argument_left,
    "alt-backspace": LineBuffer.kill_word_left,
    "alt-d": LineBuffer.kill_word_right,
    "ctrl-delete": LineBuffer.kill_word_right,
    "ctrl-y": LineBuffer.yank,
    "ctrl-t": LineBuffer.transpose,
    "ctrl-_": LineBuffer.undo,
}


class LineEditor:
    """Edits a line on a terminal.

    Args:
        write: Receives the terminal output, at most once for each method call.
        prompt: Called for each new prompt; may return SGR sequences and line breaks.
        history: Earlier lines, oldest first. New lines are added, up to 1,000, without repeating the last.
        columns: The terminal's width.
        rows: The terminal's height.
        complete: Takes the text and the cursor (an index) and returns the completions of the word before the cursor.
            Each begins with the typed part of the word, including quotes: the editor takes the longest end of the text
            that all completions begin with as typed, and inserts the rest. A completion includes the blank that should
            follow it. None means that they come later: the editor saves the keys after Tab until `completed`. Without
            `complete`, Tab inserts a tab.
        is_complete: Returns whether Enter runs the text; otherwise Enter adds a line. By default it always runs.
        continuation: The prompt of further lines.
        hidden: Don't show the typed text, as for a password.
        once: Suspend the editor also after an `Interrupt` and an `EndOfFile`: later keys are for what comes next.

    The methods that return entries return them in order. After a `Line`, the editor saves keys until `resume`, which
    handles them and may therefore return the next `Line`.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        prompt: Callable[[], str],
        history: list[str],
        columns: int = 80,
        rows: int = 24,
        *,
        complete: Callable[[str, int], list[str] | None] | None = None,
        is_complete: Callable[[str], bool] | None = None,
        continuation: str = "> ",
        hidden: bool = False,
        once: bool = False,
    ) -> None:
        self._write = write
        self._prompt = prompt
        self._complete = complete
        self._is_complete = is_complete
        self._continuation = continuation
        self._hidden = hidden
        self._once = once
        self._history = LineHistory(history)
        self._decoder = KeyDecoder()
        self._typed_ahead: list[Key] = []
        self._output: list[str] = []
        self._display = LineDisplay(self._output.append, *_size(columns, rows))
        self._buffer = LineBuffer()
        self._search: HistorySearch | None = None
        self._shown_prompt = ""
        self._editing = False
        self._completing = False
        self._tab_before: tuple[str, int] | None = None
        self._actions = self._bindings()

    @property
    def editing(self) -> bool:
        """True while the prompt is shown: after `start` and `resume`, until a `Line` or `suspend`."""
        return self._editing

    @property
    def size(self) -> tuple[int, int]:
        """The columns and rows of the terminal."""
        return self._display.columns, self._display.height

    @property
    def text(self) -> str:
        """The text typed so far."""
        return self._buffer.text

    def start(self) -> list[Entry]:
        """Draw the first prompt and handle the keys that were typed before."""
        return self.resume()

    def feed(self, keys: str) -> list[Entry]:
        """Handle keys as a terminal sends them, in pieces of any size."""
        if self._search and keys == _ESCAPE:
            # The decoder would wait for the rest of a sequence, but a keyboard sends each in one piece.
            return self._handle_keys([Key("escape")])
        return self._handle_keys(list(self._decoder.feed(keys)))

    def suspend(self) -> None:
        """Erase the prompt and the line while other output is written; keys are saved until `resume`."""
        if self._editing:
            self._display.hide()
            self._stop_editing()
            self._show()

    def resume(self, *, at_line_start: bool = True) -> list[Entry]:
        """Draw the prompt and handle the keys typed in the meantime.

        Args:
            at_line_start: False if the terminal's cursor is not in the first column; the prompt then starts a new row.
        """
        if self._editing:
            return []
        self._shown_prompt = self._prompt()
        self._output.append(_PASTE_ON if at_line_start else "\r\n" + _PASTE_ON)
        self._editing = True
        keys, self._typed_ahead = self._typed_ahead, []
        return self._handle_keys(keys)

    def completed(self) -> list[Entry]:
        """Complete again after `complete` has returned None, and handle the keys typed since."""
        if not self._completing:
            return []
        self._completing = False
        keys, self._typed_ahead = [Key("tab"), *self._typed_ahead], []
        return self._handle_keys(keys)

    def transfer_keys(self, other: "LineEditor") -> None:
        """Move the saved keys to another editor of the same terminal."""
        other._typed_ahead += self._typed_ahead
        self._typed_ahead = []

    def take_keys(self) -> list[Key]:
        """Return the saved keys, and forget them."""
        taken, self._typed_ahead = self._typed_ahead, []
        return taken

    def message(self, text: str) -> None:
        """Print lines above the prompt without changing the typed text. Without a prompt, just print."""
        if self._editing:
            self._display.hide()
            text = text if text.endswith("\n") else text + "\n"
        self._output.append(_LINE_BREAK.sub("\r\n", text))
        self._show()

    def resize(self, columns: int, rows: int) -> None:
        """Redraw for the terminal's new size."""
        size = _size(columns, rows)
        if size == (self._display.columns, self._display.height):
            return
        if self._editing:
            self._display.resize(*size)
            self._show()
        else:
            self._display.columns, self._display.height = size

    # --- Keys ---

    def _bindings(self) -> dict[str, Callable[[], Entry | None]]:
        return {
            "enter": self._enter,
            "alt-enter": self._break_line,
            "ctrl-c": self._interrupt,
            "ctrl-d": self._end,
            "ctrl-l": self._clear,
            "up": self._up,
            "ctrl-p": self._up,
            "down": self._down,
            "ctrl-n": self._down,
            "ctrl-r": self._begin_search,
            "tab": self._tab,
        }

    def _handle_keys(self, keys: list[Key]) -> list[Entry]:
        entries: list[Entry] = []
        for key in keys:
            if self._completing and key.name == "ctrl-c":
                self._completing = False
                self._typed_ahead.clear()
            if self._editing and not self._completing:
                entries += self._handle_key(key)
            elif key.name == "ctrl-c":
                # An interrupt discards typeahead, as on a tty.
                self._typed_ahead.clear()
                self._output.append("^C\r\n")
                entries.append(Interrupt())
            else:
                self._typed_ahead.append(key)
        self._show()
        return entries

    def _handle_key(self, key: Key) -> list[Entry]:
        if self._search and self._handle_search_key(self._search, key):
            return []
        if key.name == "text":
            self._buffer.type(key.text)
        elif key.name == "paste":
            self._buffer.insert(key.text)
        elif operation := _OPERATIONS.get(key.name):
            self._ring_unless(operation(self._buffer) is not False)
        elif action := self._actions.get(key.name):
            entry = action()
            if self._once and isinstance(entry, (Interrupt, EndOfFile)):
                self._display.hide()
                self._stop_editing()
            return [entry] if entry else []
        return []

    def _handle_search_key(self, search: HistorySearch, key: Key) -> bool:
        """Return whether the key belongs to the search; otherwise end the search with its match."""
        match key.name:
            case "text" | "paste":
                self._ring_unless(all([search.type(character) for character in key.text]))
            case "ctrl-r":
                self._ring_unless(search.search_further())
            case "backspace":
                self._ring_unless(search.erase())
            case "ctrl-g" | "ctrl-c":
                self._search = None
                return key.name == "ctrl-g"
            case _:
                self._search = None
                if search.match is not None:
                    self._buffer.set(search.match, search.offset)
                return False
        return True

    def _enter(self) -> Entry | None:
        text = self._buffer.text
        if self._is_complete and not self._is_complete(text):
            self._buffer.cursor = len(text)
            self._buffer.insert("\n")
            return None
        self._display.finish(self._lay_out(text, None).rows)
        self._history.add(text)
        self._buffer.reset()
        self._stop_editing()
        return Line(text)

    def _break_line(self) -> None:
        self._buffer.insert("\n")

    def _interrupt(self) -> Entry:
        self._display.finish(self._lay_out(self._buffer.text + "^C", None).rows)
        self._history.reset_position()
        self._buffer.reset()
        self._shown_prompt = self._prompt()
        return Interrupt()

    def _end(self) -> Entry | None:
        if not self._buffer.text:
            return EndOfFile()
        self._ring_unless(self._buffer.delete())
        return None

    def _clear(self) -> Entry:
        self._display.clear()
        return ClearScreen()

    def _up(self) -> None:
        if not self._buffer.up():
            self._recall(-1)

    def _down(self) -> None:
        if not self._buffer.down():
            self._recall(1)

    def _recall(self, step: int) -> None:
        line = self._history.move(step, self._buffer.text)
        self._ring_unless(line is not None)
        if line is not None:
            self._buffer.set(line)

    def _begin_search(self) -> None:
        self._search = HistorySearch(self._history.lines)

    def _tab(self) -> None:
        buffer = self._buffer
        if not self._complete:
            buffer.type("\t")
            return
        candidates = self._complete(buffer.text, buffer.cursor)
        if candidates is None:
            self._completing = True
            return
        if new := insertion(buffer.text[: buffer.cursor], candidates):
            buffer.insert(new)
        elif len(candidates) > 1 and self._tab_before == (buffer.text, buffer.cursor):
            self._display.finish(self._lay_out(buffer.text, None).rows)
            self._output.append(listing(candidates, self._display.columns))
        else:
            self._ring_unless(False)
        self._tab_before = (buffer.text, buffer.cursor)

    # --- Output ---

    def _ring_unless(self, done: bool) -> None:
        if not done and _BELL not in self._output:
            self._output.append(_BELL)

    def _stop_editing(self) -> None:
        self._editing = False
        self._output.append(_PASTE_OFF)

    def _lay_out(self, text: str, cursor: int | None) -> Layout:
        prompt = self._shown_prompt
        if self._search:
            failed = "" if self._search.found else "failed "
            prompt = f"({failed}reverse-i-search)`{self._search.query}': "
            if self._search.match is not None:
                text, cursor = self._search.match, self._search.offset
        if self._hidden:
            text, cursor = "", None
        return lay_out(prompt, text, cursor, self._display.columns, self._continuation)

    def _show(self) -> None:
        if self._editing:
            self._display.draw(self._lay_out(self._buffer.text, self._buffer.cursor))
        if self._output:
            # Clear first, because `write` may call this again.
            output = "".join(self._output)
            self._output.clear()
            self._write(output)


def _size(columns: int, rows: int) -> tuple[int, int]:
    """Return the size, at least as wide as a wide character."""
    return max(columns, 2), max(rows, 1)
