"""The pager's screen: it scrolls, searches and draws. Keys and messages are as in `less`."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from gemini_userland.invocation import Display
from gemini_userland.pager.rows import COLOR, Look, Row, plain, rows_of

ENTER, LEAVE = "\x1b[?1049h\x1b[H", "\x1b[?1049l"
INVERSE = "\x1b[7m{}\x1b[27m"
HALF = 2
HELP = """\
  q  :q  Q               quit
  space  f  ctrl-f       forward one window          b  ctrl-b              backward one window
  d  ctrl-d              forward half a window       u  ctrl-u              backward half a window
  j  enter  down         forward one line            k  y  up               backward one line
  g  <  home             first line, or line N       G  >  end              last line, or line N
  /pattern  ?pattern     search forward, backward    n  N                   repeat the search, or reverse it
  right  left            scroll sideways             :n  :p                 next file, previous file
  -S -N -R -i            change an option            =  ctrl-g              show the position

Press q to return."""


@dataclass(frozen=True)
class Text:
    """A text to show, and its name for the prompt; "" is none."""

    name: str
    lines: Sequence[str]


def text_of(name: str, content: bytes) -> Text:
    """Return the text of a file."""
    lines = content.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
    return Text(name, lines[:-1] if lines[-1] == "" else lines)


class Pager:
    """A pager on a terminal.

    Args:
        display: The terminal.
        write: Writes to it.
        texts: What to show, at least one.
        look: How to show it.
    """

    def __init__(self, display: Display, write: Callable[[str], None], texts: list[Text], look: Look) -> None:
        self._display = display
        self._write = write
        self._texts = texts
        self._index = 0
        self.look = look
        self._shift = 0
        self._top = 0
        self._message = ""
        self._pattern: re.Pattern[str] | None = None
        self._backward = False
        self.lay_out()

    # --- The layout ---

    def lay_out(self) -> None:
        """Divide the text into rows again: for a new size, text or option. The line at the top stays."""
        line = self._rows[self._top].line if self._top else 0
        self._columns, rows = self._display.size()
        self.height = max(rows - 1, 1)
        lines = self._texts[self._index].lines
        self._rows: list[Row] = rows_of(lines, self.look, self._columns, self._shift) or [Row("", 0)]
        self._go(self._row_of(line))

    @property
    def fits(self) -> bool:
        """Return whether all of it is on the first screen."""
        return len(self._texts) == 1 and len(self._rows) <= self.height

    def _row_of(self, line: int) -> int:
        return next((at for at, row in enumerate(self._rows) if row.line >= line), len(self._rows) - 1)

    def _go(self, top: int) -> None:
        self._top = max(0, min(top, len(self._rows) - self.height))

    # --- Actions ---

    def scroll(self, rows: int) -> None:
        """Scroll by rows, forward or backward."""
        self._go(self._top + rows)

    def go_to(self, line: int | None, *, end: bool = False) -> None:
        """Show a line, counted from 1, at the top; None is the first one, or the last."""
        if line is None:
            self._go(len(self._rows) if end else 0)
        else:
            self._go(self._row_of(line - 1))

    def shift(self, sign: int, columns: int | None) -> None:
        """Scroll sideways, by half a screen by default."""
        self._shift = max(0, self._shift + sign * (columns or self._columns // HALF))
        self.lay_out()

    def change_text(self, step: int) -> None:
        """Show the next or the previous text."""
        if not 0 <= self._index + step < len(self._texts):
            self.say("No next file" if step > 0 else "No previous file")
            return
        self._index += step
        self._top = self._shift = 0
        self.lay_out()
        self.say(self._name())

    def say(self, message: str) -> None:
        """Show a message in place of the prompt, until the next key."""
        self._message = message

    def search(self, pattern: str, *, backward: bool, times: int = 1) -> None:
        """Search for a regular expression; "" repeats the last one."""
        if pattern:
            smart = self.look.ignore_case == "smart" and pattern == pattern.lower()
            flags = re.IGNORECASE if smart or self.look.ignore_case == "all" else 0
            try:
                self._pattern = re.compile(pattern, flags)
            except re.error as error:
                self.say(f"Invalid pattern: {error}")
                return
            self._backward = backward
        for number in range(times):
            self._search_once(backward, with_top=bool(pattern) and number == 0)

    def repeat(self, *, reverse: bool, times: int) -> None:
        """Repeat the last search, in the other direction if `reverse`."""
        self.search("", backward=self._backward != reverse, times=times)

    def _search_once(self, backward: bool, *, with_top: bool) -> None:
        if self._pattern is None:
            self.say("No previous regular expression")
            return
        lines = self._texts[self._index].lines
        here = self._rows[self._top].line
        order = range(here - 1, -1, -1) if backward else range(here + (not with_top), len(lines))
        for at in order:
            if self._pattern.search(plain(lines[at])):
                # Unlike other movements, a search may leave the screen half empty.
                self._top = self._row_of(at)
                return
        self.say("Pattern not found")

    def position(self) -> str:
        """Return the name and the lines that are shown."""
        last = self._rows[min(self._top + self.height, len(self._rows)) - 1].line + 1
        total = len(self._texts[self._index].lines)
        shown = f"lines {self._rows[self._top].line + 1}-{last}/{total} {100 * last // max(total, 1)}%"
        return " ".join(filter(None, (self._name(), shown)))

    def _name(self) -> str:
        several = f" (file {self._index + 1} of {len(self._texts)})" if len(self._texts) > 1 else ""
        return self._texts[self._index].name + several

    # --- Drawing ---

    def draw(self, prompt: str | None = None) -> None:
        """Draw the screen, with the line being typed or the prompt as its last row."""
        shown = self._rows[self._top : self._top + self.height]
        rows = [self._mark(row.text) for row in shown] + ["~"] * (self.height - len(shown))
        self._write("\x1b[H" + "".join(f"{row}\x1b[m\x1b[K\n" for row in rows) + self._last_row(prompt))

    def _last_row(self, prompt: str | None) -> str:
        if prompt is None:
            at_end = self._top + self.height >= len(self._rows)
            following = self._texts[self._index + 1 :]
            end = f"(END) - Next: {following[0].name}" if following else "(END)"
            message, self._message = self._message, ""
            message = message or (end if at_end else "")
            prompt = INVERSE.format(message[: self._columns - 1]) if message else ":"
        return f"{prompt}\x1b[K"

    def _mark(self, text: str) -> str:
        # A color within a match would end the mark.
        if self._pattern is None or COLOR.search(text):
            return text
        return self._pattern.sub(lambda found: INVERSE.format(found[0]) if found[0] else "", text)

    async def help(self, wait: Callable[[Pager], Awaitable[None]]) -> None:
        """Show the keys until `wait` returns."""
        await wait(Pager(self._display, self._write, [Text("", HELP.split("\n"))], Look()))
