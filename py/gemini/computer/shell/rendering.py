"""A command's output as a terminal shows it, in rows of any length.

It has the functions of ECMA-48 and xterm that move the cursor, erase, and switch to the alternate screen. Colors and
all other control sequences leave no trace; other control characters stay.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable

from gemini.computer.shell.rows import Row

# Programs move the cursor within a screen. Rows above that are final.
SCREEN_ROWS = 50
# A longer row is final, too.
LONGEST_ROW = 65_536
# A control sequence that is longer isn't one.
LONGEST_SEQUENCE = 4_096
_CONTROLS = re.compile(rb"[\x07\x08\r\x1b]")
_TOKEN = re.compile(
    r"\x1b\[(?P<parameters>[0-?]*)[ -/]*(?P<final>[@-~])"
    r"|\x1b[\]PX^_](?:[^\x07\x1b]|\x1b(?!\\))*(?:\x07|\x1b\\)"
    r"|\x1b[ -/]*(?P<escape>[0-OQ-WYZ\\`-~])"
    r"|(?P<control>[\x07\x08\r\n])"
    r"|(?P<text>[^\x07\x08\r\n\x1b]+)"
)
_ALTERNATE = ("?47", "?1047", "?1049")


class Rendering:
    """The rows of an output, the last of which can still change.

    Args:
        emit: Receives the bytes of rows that can't change any more.
    """

    def __init__(self, emit: Callable[[bytes], None]) -> None:
        self._emit = emit
        self._decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        self._plain = bytearray()
        # Nothing has been interpreted so far.
        self._is_all_plain = True
        self._rest = ""
        self._rows = [Row()]
        self._row = 0
        # None: at the end of the row, whose cells needn't be counted.
        self._column: int | None = None
        self._saved = (0, 0)
        self._main: tuple[list[Row], int, int] | None = None

    def add(self, data: bytes) -> None:
        """Append output."""
        # Most output is plain lines, whose rows are made of many at once.
        if self._column is None and self._main is None and not _CONTROLS.search(data):
            self._plain += data
            if len(self._plain) > LONGEST_ROW:
                self._settle()
            return
        self._is_all_plain = False
        self._settle()
        self._interpret(self._rest + self._decoder.decode(data))
        self._scroll()

    def finish(self) -> None:
        """Emit the remaining rows."""
        if self._is_all_plain:
            # As it is: the rows of most outputs needn't be made.
            self._emit(bytes(self._plain))
            self._plain.clear()
            return
        self._settle()
        self._interpret(self._decoder.decode(b"", final=True))
        if self._main is not None:
            self._show_alternate(False)
        self._emit(self.pending())
        self._rows, self._row, self._column = [Row()], 0, None

    def pending(self) -> bytes:
        """Return what wasn't emitted yet. Empty rows below the cursor aren't shown."""
        self._settle()
        texts = [row.text for row in self._rows]
        while len(texts) > self._row + 1 and not texts[-1]:
            texts.pop()
        return _encode("\n".join(texts))

    # --- Plain text ---

    def _settle(self) -> None:
        """Turn the plain output so far into rows."""
        if not self._plain:
            return
        self._is_all_plain = False
        self._append(self._decoder.decode(self._plain))
        self._plain.clear()
        self._scroll()
        if len(self._rows[-1].text) > LONGEST_ROW:
            self._emit(_encode("\n".join(row.text for row in self._rows)))
            self._rows, self._row = [Row()], 0

    def _append(self, text: str) -> None:
        at = len(text)
        for _ in range(SCREEN_ROWS):
            at = text.rfind("\n", 0, at)
            if at < 0:
                break
        else:
            # Most of a long output is final at once.
            self._rows[-1].append(text[:at])
            self._emit_rows(len(self._rows))
            text = text[at + 1 :]
        first, *others = text.split("\n")
        self._rows[-1].append(first)
        self._rows += map(Row, others)
        self._row = len(self._rows) - 1

    def _scroll(self) -> None:
        """Emit the rows that the cursor can't reach."""
        above = len(self._rows) - SCREEN_ROWS
        if self._main is None:
            self._emit_rows(above)
        elif above > 0:
            # What leaves the alternate screen is gone.
            del self._rows[:above]
            self._row = max(self._row - above, 0)

    def _emit_rows(self, count: int) -> None:
        if count <= 0:
            return
        self._emit(_encode("".join(f"{row.text}\n" for row in self._rows[:count])))
        del self._rows[:count]
        self._rows = self._rows or [Row()]
        self._row = max(self._row - count, 0)

    # --- Control sequences ---

    def _interpret(self, text: str) -> None:
        if self._column is None:
            self._column = len(self._rows[self._row])
        self._rest, position = "", 0
        while position < len(text):
            token = _TOKEN.match(text, position)
            if token is None:
                if len(text) - position < LONGEST_SEQUENCE and "\n" not in text[position:]:
                    self._rest = text[position:]
                    break
                position += 1
                continue
            position = token.end()
            self._perform(token)
        at_end = self._row == len(self._rows) - 1 and self._column == len(self._rows[-1])
        if at_end and not self._rest:
            self._column = None

    def _perform(self, token: re.Match[str]) -> None:
        assert self._column is not None
        if (text := token["text"]) is not None:
            self._column = self._rows[self._row].write(self._column, text)
        elif token["control"] is not None:
            self._control(token["control"])
        elif token["escape"] is not None:
            self._escape(token["escape"])
        elif token["final"] is not None:
            self._sequence(token["parameters"], token["final"])

    def _control(self, control: str) -> None:
        assert self._column is not None
        if control == "\b":
            self._column = max(self._column - 1, 0)
        elif control == "\r":
            self._column = 0
        elif control == "\n":
            self._row += 1
            self._column = 0
            if self._row == len(self._rows):
                self._rows.append(Row())
                self._scroll()

    def _escape(self, letter: str) -> None:
        assert self._column is not None
        if letter == "7":
            self._saved = (self._row, self._column)
        elif letter == "8":
            self._go(*self._saved)
        elif letter == "M":
            self._go(self._row - 1, self._column)
        elif letter in "DE":
            self._go(self._row + 1, 0 if letter == "E" else self._column)
        elif letter == "c":
            self._erase_screen(2)
            self._go(0, 0)

    def _sequence(self, parameters: str, final: str) -> None:
        assert self._column is not None
        if parameters.startswith("?"):
            if final in "hl" and any(mode in _ALTERNATE for mode in _modes(parameters)):
                self._show_alternate(final == "h")
            return
        numbers = [int(number) if number.isdecimal() else 0 for number in parameters.split(";")]
        count = max(numbers[0], 1)
        row, column = self._row, self._column
        moved = {
            "A": (row - count, column),
            "B": (row + count, column),
            "C": (row, column + count),
            "D": (row, column - count),
            "E": (row + count, 0),
            "F": (row - count, 0),
            "G": (row, count - 1),
            "`": (row, count - 1),
            "d": (count - 1, column),
            "H": (count - 1, (numbers[1] if len(numbers) > 1 else 1) - 1),
            "f": (count - 1, (numbers[1] if len(numbers) > 1 else 1) - 1),
            "u": self._saved,
        }
        if final in moved:
            self._go(*moved[final])
        elif final == "s":
            self._saved = (row, column)
        elif final == "J":
            self._erase_screen(numbers[0])
        elif final == "b":
            self._column = self._rows[row].repeat(column, min(count, LONGEST_ROW))
        elif final in "LMST":
            self._move_rows(row if final in "LM" else 0, count, inserted=final in "LT")
            self._column = 0 if final in "LM" else column
        else:
            self._edit(self._rows[row], column, numbers[0], final)

    def _edit(self, row: Row, column: int, number: int, final: str) -> None:
        count = max(number, 1)
        if final == "K":
            first = 0 if number else column
            row.erase(first, column + 1 if number == 1 else None)
        elif final == "P":
            row.delete(column, count)
        elif final == "X":
            row.erase(column, column + count)
        elif final == "@":
            row.insert(column, count)

    def _go(self, row: int, column: int) -> None:
        self._row = max(0, min(row, max(SCREEN_ROWS, len(self._rows)) - 1))
        self._column = max(0, min(column, LONGEST_ROW))
        while len(self._rows) <= self._row:
            self._rows.append(Row())

    def _move_rows(self, first: int, count: int, *, inserted: bool) -> None:
        """Insert empty rows at `first`, by which the last ones of the screen can leave it, or delete rows."""
        if inserted:
            self._rows[first:first] = [Row() for _ in range(min(count, SCREEN_ROWS))]
            del self._rows[SCREEN_ROWS:]
        else:
            del self._rows[first : first + count]
        self._go(self._row, self._column or 0)

    def _erase_screen(self, part: int) -> None:
        assert self._column is not None
        if part == 0:
            self._rows[self._row].erase(self._column)
            del self._rows[self._row + 1 :]
            return
        end = self._row if part == 1 else len(self._rows)
        self._rows[:end] = [Row() for _ in range(end)]
        if part == 1:
            self._rows[self._row].erase(0, self._column + 1)

    def _show_alternate(self, shown: bool) -> None:
        if shown and self._main is None:
            self._main = self._rows, self._row, self._column or 0
            self._rows, self._row, self._column = [Row()], 0, 0
        elif not shown and self._main is not None:
            self._rows, self._row, self._column = self._main
            self._main = None


def _modes(parameters: str) -> list[str]:
    return [f"?{mode}" for mode in parameters[1:].split(";")]


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
