"""A line editor on a terminal, for tests that type keys."""

from collections.abc import Callable

import pyte

from gemini.computer.terminal.line_editor import Entry, Line, LineEditor

LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
HOME, END, DELETE = "\x1b[H", "\x1b[F", "\x1b[3~"
WORD_LEFT, WORD_RIGHT = "\x1b[1;5D", "\x1b[1;5C"
PROMPT = "$ "


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


class EditorHarness:
    """A line editor on pyte's terminal, which is independent of ours."""

    def __init__(
        self,
        *,
        columns: int = 40,
        rows: int = 24,
        prompt: Callable[[], str] | str = PROMPT,
        history: list[str] | None = None,
        complete: Callable[[str, int], list[str]] | None = None,
        is_complete: Callable[[str], bool] | None = None,
        start: bool = True,
    ) -> None:
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.written: list[str] = []
        self.history = [] if history is None else history
        self.editor = LineEditor(
            self.write,
            (lambda: prompt) if isinstance(prompt, str) else prompt,
            self.history,
            columns,
            rows,
            complete=complete,
            is_complete=is_complete,
        )
        if start:
            self.editor.start()

    def write(self, text: str) -> None:
        self.written.append(text)
        self.stream.feed(text)

    def press(self, *keys: str) -> list[Entry]:
        return [entry for key in keys for entry in self.editor.feed(key)]

    def line(self, *keys: str) -> str:
        """Return the line that Enter runs after these keys."""
        entries = self.press(*keys, "\r")
        lines = [entry.text for entry in entries if isinstance(entry, Line)]
        assert len(lines) == 1
        self.editor.resume()
        return lines[0]

    @property
    def lines(self) -> list[str]:
        rows = [row.rstrip() for row in self.screen.display]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    @property
    def cursor(self) -> tuple[int, int]:
        return self.screen.cursor.y, self.screen.cursor.x

    def resize(self, columns: int, rows: int = 24) -> None:
        self.screen.resize(rows, columns)
        self.editor.resize(columns, rows)
