"""The line editor on a real terminal emulator: pyte's own, which knows nothing of the editor."""

import unicodedata
from collections.abc import Callable
from typing import NamedTuple

import pyte
import pytest
from gemini.terminals.line_editor import ClearScreen, EndOfFile, Entry, Interrupt, Line, LineEditor
from gemini.terminals.screen import Screen
from hypothesis import example, given, settings
from hypothesis import strategies as st
from wcwidth import wcwidth

LEFT, RIGHT, UP, DOWN = "\x1b[D", "\x1b[C", "\x1b[A", "\x1b[B"
HOME, END, DELETE = "\x1b[H", "\x1b[F", "\x1b[3~"
WORD_LEFT, WORD_RIGHT = "\x1b[1;5D", "\x1b[1;5C"
PROMPT = "$ "


def paste(text: str) -> str:
    return f"\x1b[200~{text}\x1b[201~"


class Desk:
    """A terminal with an editor on it, and somebody who types."""

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
        """What Enter runs after these keys."""
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


# --- Typing and moving ---


def test_a_typed_line_stands_behind_the_prompt_and_leaves_with_enter() -> None:
    desk = Desk()
    assert desk.press("ls -l") == []
    assert (desk.lines, desk.cursor) == (["$ ls -l"], (0, 7))
    assert desk.press("\r") == [Line("ls -l")]
    assert (desk.lines, desk.cursor) == (["$ ls -l"], (1, 0))


def test_a_key_costs_a_few_characters() -> None:
    desk = Desk()
    desk.press("echo " + "x" * 30)
    desk.written.clear()
    desk.press("y", LEFT, "\x7f", END, LEFT, RIGHT)
    assert sum(map(len, desk.written)) < 30


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        (["abc", LEFT, LEFT, "X"], "aXbc"),
        (["abc", "\x02\x02\x06", "X"], "abXc"),
        (["bc", "\x01", "a", "\x05", "d"], "abcd"),
        (["bc", "\x1b[1~", "a", "\x1b[4~", "d"], "abcd"),
        (["bc", "\x1bOH", "a", "\x1bOF", "d"], "abcd"),
        (["bc", "\x1b[7~", "a", "\x1b[8~", "d"], "abcd"),
        (["bc", HOME, "a", END, "d"], "abcd"),
        (["bc", "\x1bOD\x1bOD", "a", "\x1bOC\x1bOC", "d"], "abcd"),
        (["abc", "\x7f\x08"], "a"),
        (["abc", HOME, DELETE], "bc"),
        (["abc", HOME, "\x04"], "bc"),
        (["one two-three", "\x17"], "one "),
        (["one two-three", "\x1b\x7f"], "one two-"),
        (["one two-three", "\x1bb\x1bb", "\x1bd"], "one -three"),
        (["one two", WORD_LEFT, "X", WORD_RIGHT, "Y"], "one XtwoY"),
        (["one two", "\x1bb", "X", "\x1bf", "Y"], "one XtwoY"),
        (["one two", "\x1b[1;3D", "X", "\x1b[1;3C", "Y"], "one XtwoY"),
        (["one two", HOME, RIGHT, "\x0b"], "o"),
        (["one two", LEFT, "\x15"], "o"),
        (["one two", "\x15", "\x19", "\x19"], "one twoone two"),
        (["one two three", "\x17\x17", HOME, "\x19"], "two threeone "),
        (["one two", HOME, "\x1bd\x1bd", "\x19"], "one two"),
        (["abc", "\x14"], "acb"),
        (["abc", LEFT, LEFT, "\x14"], "bac"),
        (["abc", HOME, "\x14"], "abc"),
        (["one two", "\x1f"], "one "),
        (["one two", "\x1f\x1f\x1f"], ""),
        (["one", "\x15", "\x1f", "x"], "onex"),
        (["e\u0301x", LEFT, "\x7f"], "x"),
        (["👩\u200d💻x", HOME, RIGHT, "-"], "👩\u200d💻-x"),
        (["a", "\ud800", "b"], "a\ud800b"),
        (["a\tb"], "a\tb"),
        (["a", "\x1b[5~\x1b[6~\x1bOP\x1b[15~\x1b[I\x1b[?1;2c\x1b[5;1R\x0f\x00", "b"], "ab"),
        (["a", "\x1b]11;rgb:0/0/0\x1b\\", "b", "\x1b]11;rgb:0/0/0\x07", "c"], "abc"),
        (["a", "\x1b\x1b[D", "b"], "ba"),
        (["one", "\x1b[3", "\x08", "x"], "onx"),
    ],
)
def test_editing_keys(keys: list[str], text: str) -> None:
    assert Desk().line(*keys) == text


@pytest.mark.parametrize("keys", [LEFT, RIGHT, UP, DOWN, "\x7f", DELETE, "\x19", "\x14", "\x1f", "\x0b", "\x15"])
def test_a_key_with_nothing_to_do_rings_the_bell(keys: str) -> None:
    desk = Desk()
    desk.written.clear()
    desk.press(keys)
    assert desk.written == ["\a"]


def test_undo_does_not_depend_on_how_keys_were_cut() -> None:
    text = "one  two three\x1f\x1f"
    assert Desk().line(text) == Desk().line(*text) == "one  "


def test_return_and_newline_together_are_one_enter() -> None:
    desk = Desk()
    assert desk.press("a\r", "\nb") == [Line("a")]
    assert desk.editor.resume() == []
    assert desk.editor.text == "b"


# --- What the screen shows ---


def test_a_long_line_wraps_and_comes_back() -> None:
    desk = Desk(columns=10)
    desk.press("12345678")
    assert (desk.lines, desk.cursor) == (["$ 12345678"], (1, 0))
    desk.press("9abcdefghijk")
    assert (desk.lines, desk.cursor) == (["$ 12345678", "9abcdefghi", "jk"], (2, 2))
    desk.press(HOME, DELETE)
    assert (desk.lines, desk.cursor) == (["$ 23456789", "abcdefghij", "k"], (0, 2))
    desk.press("\x0b")
    assert (desk.lines, desk.cursor) == (["$"], (0, 2))


def test_enter_on_a_line_that_fills_its_row_leaves_no_empty_row() -> None:
    desk = Desk(columns=10)
    desk.press("12345678\r")
    assert (desk.lines, desk.cursor) == (["$ 12345678"], (1, 0))


def test_a_wide_character_does_not_stand_across_the_edge() -> None:
    desk = Desk(columns=10)
    desk.press("1234567漢字")
    assert (desk.lines, desk.cursor) == (["$ 1234567", "漢字"], (1, 4))
    desk.press(LEFT, LEFT)
    assert desk.cursor == (1, 0)
    desk.press("\x7f")
    assert (desk.lines, desk.cursor) == (["$ 123456漢", "字"], (0, 8))


def test_control_characters_and_surrogates_are_shown_harmlessly() -> None:
    desk = Desk()
    desk.press(paste("a\x1b[2J\x07\x7f\x9b\ud800b"))
    assert desk.lines == ["$ a^[[2J^G^?\ufffd\ufffdb"]
    assert desk.line() == "a\x1b[2J\x07\x7f\x9b\ud800b"


def test_a_pasted_tab_reaches_to_the_next_stop() -> None:
    desk = Desk()
    desk.press(paste("a\tb"))
    assert (desk.lines, desk.cursor) == (["$ a     b"], (0, 9))


def test_an_accent_without_a_letter_leaves_the_prompt_alone() -> None:
    desk = Desk()
    desk.press("\u0301")
    assert desk.lines == ["$ \u25cc\u0301"]


def test_a_prompt_may_have_colours_a_title_and_two_lines() -> None:
    desk = Desk(prompt="\x1b]0;title\x07\x1b[1;32m~/漢\x1b[0m\n\x1b[31m$\x1b[m ", columns=10)
    desk.press("abcdefghij")
    assert (desk.lines, desk.cursor) == (["~/漢", "$ abcdefgh", "ij"], (2, 2))
    assert (desk.screen.buffer[0][0].fg, desk.screen.buffer[0][0].bold) == ("green", True)
    assert (desk.screen.buffer[1][0].fg, desk.screen.buffer[1][2].fg) == ("red", "default")


def test_at_the_bottom_of_the_terminal_a_growing_line_scrolls() -> None:
    desk = Desk(columns=10, rows=4, start=False)
    desk.write("1\r\n2\r\n3\r\n")
    desk.editor.start()
    desk.press("abcdefghijkl")
    assert (desk.lines, desk.cursor) == (["2", "3", "$ abcdefgh", "ijkl"], (3, 4))
    desk.press("\x15")
    assert (desk.lines, desk.cursor) == (["2", "3", "$"], (2, 2))


def test_a_line_taller_than_the_terminal_is_shown_around_the_cursor_and_left_whole() -> None:
    desk = Desk(columns=10, rows=3)
    screen = Screen(10, 3)
    text = "\n".join(f"line {n}" for n in range(1, 8))
    desk.press(paste(text))
    assert desk.lines == ["> line 5", "> line 6", "> line 7"]
    desk.press(*[UP] * 6, "X")
    assert (desk.lines, desk.cursor) == (["$ line 1X", "> line 2", "> line 3"], (0, 9))
    desk.press("\x7f", DOWN, DOWN, DOWN)
    assert desk.lines == ["> line 2", "> line 3", "> line 4"]
    assert desk.press("\r") == [Line(text)]
    screen.feed("".join(desk.written))
    assert screen.lines()[-7:] == ["$ line 1", *(f"> line {n}" for n in range(2, 8))]


class Step(NamedTuple):
    """Keys, and what they do to a text and a cursor that know nothing of terminals."""

    keys: str
    act: Callable[[str, int], tuple[str, int]]


def _insert(new: str) -> Step:
    return Step(
        new if new.isprintable() else paste(new), lambda text, at: (text[:at] + new + text[at:], at + len(new))
    )


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    return at + len(text[at:].partition("\n")[0])


MOVES = [
    Step(LEFT, lambda text, at: (text, max(at - 1, 0))),
    Step(RIGHT, lambda text, at: (text, min(at + 1, len(text)))),
    Step(HOME, lambda text, at: (text, _line_start(text, at))),
    Step(END, lambda text, at: (text, _line_end(text, at))),
    Step("\x7f", lambda text, at: (text[: max(at - 1, 0)] + text[at:], max(at - 1, 0))),
    Step(DELETE, lambda text, at: (text[:at] + text[at + 1 :], at)),
    Step("\x0c", lambda text, at: (text, at)),
]


def picture(prompt: str, text: str, cursor: int, columns: int) -> tuple[list[str], tuple[int, int]]:
    """The rows and the cursor's place that a person expects, worked out the slow way."""
    rows, column, place = [""], 0, (0, 0)
    for index, character in enumerate(prompt + text.replace("\n", "\n> ") + "\0"):
        shown = index - len(prompt)
        before = text[:cursor].count("\n") * 2 + cursor
        width = 1 if character == "\0" else max(wcwidth(character), 0)
        if character == "\n" and not (shown == before and column == columns):
            place = (len(rows) - 1, column) if shown == before else place
            rows, column = [*rows, ""], 0
            continue
        if column + width > columns and not (character == "\0" and shown != before):
            rows, column = [*rows, ""], 0
        if shown == before:
            place = (len(rows) - 1, column)
        if character == "\n":
            rows, column = [*rows, ""], 0
        elif character != "\0":
            rows[-1] += character
            column += width
    while rows and not rows[-1]:
        rows.pop()
    return [unicodedata.normalize("NFC", row.rstrip()) for row in rows], place


STEPS = st.lists(
    st.one_of(
        st.text("ab cdé漢字ｱ", min_size=1, max_size=15).map(_insert),
        st.sampled_from(["x\ny", "\n", "漢\n\n字", "123456789\nabcdef"]).map(_insert),
        st.sampled_from(MOVES),
        st.sampled_from(MOVES),
    ),
    max_size=25,
)


@settings(deadline=None, max_examples=400)
@given(steps=STEPS, columns=st.integers(4, 24), split=st.booleans(), above=st.integers(0, 3))
def test_prompt_line_and_cursor_are_where_they_belong(
    steps: list[Step], columns: int, split: bool, above: int
) -> None:
    desk = Desk(columns=columns, rows=200, start=False)
    for _ in range(above):
        desk.write("above\r\n")
    desk.editor.start()
    text, at = "", 0
    for step in steps:
        text, at = step.act(text, at)
        if step.keys == "\x0c":
            above = 0
        desk.press(*step.keys) if split else desk.press(step.keys)
        rows, (row, column) = picture(PROMPT, text, at, columns)
        assert desk.editor.text == text
        assert desk.lines == ["above"[:columns]] * above + rows if columns > 4 else True
        assert desk.cursor == (above + row, column) if columns > 4 else True
