"""The text being edited, with its cursor, undo and kill buffer."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from gemini.computer.terminal.clusters import cluster_after, cluster_before

_TYPED_WORD = re.compile(r"\S+\s*|\s+")

_UNDO_STEPS = 1_000


@dataclass(slots=True)
class _Change:
    """A change that replaced `removed` at `start` with `inserted` characters."""

    start: int
    removed: str
    inserted: int
    cursor: int
    typed: bool


class LineBuffer:
    """A text of one or more lines and a cursor: the index of the character after it.

    The cursor moves by grapheme clusters as the terminal shows them: a letter with its accents is one step. Operations
    return False if they have no effect, so that the caller can ring the bell.
    """

    def __init__(self) -> None:
        self.text = ""
        self.cursor = 0
        self._changes: deque[_Change] = deque(maxlen=_UNDO_STEPS)
        self._killed = ""
        self._after_kill: tuple[str, int] | None = None

    def reset(self) -> None:
        """Clear the text and the undo history for the next line. The killed text remains."""
        self.text, self.cursor = "", 0
        self._changes.clear()

    def set(self, text: str, cursor: int | None = None) -> None:
        """Replace all text, which can be undone; move the cursor to `cursor` or to the end."""
        if text != self.text:
            self.replace(0, len(self.text), text)
        self.cursor = len(text) if cursor is None else cursor

    # --- Changes ---

    def replace(self, start: int, end: int, new: str) -> None:
        """Replace text[start:end] with `new` and move the cursor after it."""
        self._changes.append(_Change(start, self.text[start:end], len(new), self.cursor, typed=False))
        self._splice(start, end, new)

    def type(self, text: str) -> None:
        """Insert typed text at the cursor. Undo removes it word by word, regardless of how the keys arrived."""
        start = self.cursor
        for word in _TYPED_WORD.finditer(text):
            position = start + word.start()
            last = self._changes[-1] if self._changes else None
            joins = last is not None and last.typed and last.start + last.inserted == position
            if (
                last
                and joins
                and (word[0].isspace() or not self._character_before(start, text, position).isspace())
            ):
                last.inserted += len(word[0])
            else:
                self._changes.append(_Change(position, "", len(word[0]), position, typed=True))
        self._splice(start, start, text)

    def insert(self, text: str) -> None:
        """Insert text at the cursor as one undo step."""
        self.replace(self.cursor, self.cursor, text)

    def undo(self) -> bool:
        """Undo the last change."""
        if not self._changes:
            return False
        change = self._changes.pop()
        self._splice(change.start, change.start + change.inserted, change.removed)
        self.cursor = change.cursor
        return True

    def backspace(self) -> bool:
        """Delete the cluster before the cursor."""
        return self._remove(self._previous(), self.cursor)

    def delete(self) -> bool:
        """Delete the cluster after the cursor."""
        return self._remove(self.cursor, self._next())

    def transpose(self) -> bool:
        """Swap the characters around the cursor; at the end of a line, the two before it."""
        middle = self.cursor
        if middle == self._line_end():
            middle = self._previous()
        before, after = cluster_before(self.text, middle), self._next(middle)
        if not before < middle < after or "\n" in self.text[before:after]:
            return False
        self.replace(before, after, self.text[middle:after] + self.text[before:middle])
        return True

    # --- Kills ---

    def kill_to_line_end(self) -> bool:
        """Kill the rest of the line; at its end, the line break."""
        end = self._line_end()
        return self._kill(self.cursor, end if end > self.cursor else min(end + 1, len(self.text)))

    def kill_to_line_start(self) -> bool:
        """Kill the line before the cursor; at its start, the line break before it."""
        start = self._line_start()
        return self._kill(start if start < self.cursor else max(start - 1, 0), self.cursor)

    def kill_argument_left(self) -> bool:
        """Kill back to whitespace; the other word operations stop at punctuation too."""
        return self._kill(self._word_start(lambda character: not character.isspace()), self.cursor)

    def kill_word_left(self) -> bool:
        """Kill back to the start of a word."""
        return self._kill(self._word_start(), self.cursor)

    def kill_word_right(self) -> bool:
        """Kill to the end of a word."""
        return self._kill(self.cursor, self._word_end())

    def yank(self) -> bool:
        """Insert the last killed text."""
        if self._killed:
            self.insert(self._killed)
        return bool(self._killed)

    # --- Moves ---

    def left(self) -> bool:
        """Move one cluster to the left."""
        return self._move_to(self._previous())

    def right(self) -> bool:
        """Move one cluster to the right."""
        return self._move_to(self._next())

    def word_left(self) -> bool:
        """Move to the start of a word."""
        return self._move_to(self._word_start())

    def word_right(self) -> bool:
        """Move to the end of a word."""
        return self._move_to(self._word_end())

    def home(self) -> None:
        """Move to the start of the line."""
        self.cursor = self._line_start()

    def end(self) -> None:
        """Move to the end of the line."""
        self.cursor = self._line_end()

    def up(self) -> bool:
        """Move to the line above; return False on the first line."""
        start = self._line_start()
        if start == 0:
            return False
        above = self.text.rfind("\n", 0, start - 1) + 1
        self.cursor = self._cluster_start(min(above + self.cursor - start, start - 1))
        return True

    def down(self) -> bool:
        """Move to the line below; return False on the last line."""
        end = self._line_end()
        if end == len(self.text):
            return False
        below_end = self.text.find("\n", end + 1)
        column = self.cursor - self._line_start()
        self.cursor = self._cluster_start(
            min(end + 1 + column, len(self.text) if below_end < 0 else below_end)
        )
        return True

    # --- Internals ---

    def _splice(self, start: int, end: int, new: str) -> None:
        self.text = self.text[:start] + new + self.text[end:]
        self.cursor = start + len(new)

    def _character_before(self, start: int, typed: str, position: int) -> str:
        return typed[position - start - 1] if position > start else self.text[position - 1]

    def _remove(self, start: int, end: int) -> bool:
        if start == end:
            return False
        self.replace(start, end, "")
        return True

    def _kill(self, start: int, end: int) -> bool:
        piece = self.text[start:end]
        if self._after_kill != (self.text, self.cursor):
            self._killed = piece
        elif start < self.cursor:
            self._killed = piece + self._killed
        else:
            self._killed += piece
        killed = self._remove(start, end)
        self._after_kill = (self.text, self.cursor)
        return killed

    def _move_to(self, position: int) -> bool:
        moved = position != self.cursor
        self.cursor = position
        return moved

    def _cluster_start(self, position: int) -> int:
        """Return the start of the cluster that contains `position`."""
        if position in (0, len(self.text)):
            return position
        return cluster_before(self.text, position + 1)

    def _previous(self) -> int:
        return cluster_before(self.text, self.cursor) if self.cursor else 0

    def _next(self, position: int | None = None) -> int:
        start = self.cursor if position is None else position
        return cluster_after(self.text, start)

    def _line_start(self) -> int:
        return self.text.rfind("\n", 0, self.cursor) + 1

    def _line_end(self) -> int:
        end = self.text.find("\n", self.cursor)
        return len(self.text) if end < 0 else end

    def _word_start(self, belongs: Callable[[str], bool] = str.isalnum) -> int:
        position = self.cursor
        while position and not belongs(self.text[position - 1]):
            position -= 1
        while position and belongs(self.text[position - 1]):
            position -= 1
        return position

    def _word_end(self) -> int:
        position = self.cursor
        while position < len(self.text) and not self.text[position].isalnum():
            position += 1
        while position < len(self.text) and self.text[position].isalnum():
            position += 1
        return position
