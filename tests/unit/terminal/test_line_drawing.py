"""What the terminal shows of a line: rows, wrapping and the cursor's place."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcwidth

from gemini.terminal.line_editor import Line
from gemini.terminal.screen import Screen
from tests.unit.terminal.desk import (
    DELETE,
    DOWN,
    END,
    HOME,
    LEFT,
    PROMPT,
    RIGHT,
    UP,
    Desk,
    paste,
)

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
    keys = new if new.isprintable() else paste(new)
    return Step(keys, lambda text, at: (text[:at] + new + text[at:], at + len(new)))


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
    shown = prompt + text[:cursor].replace("\n", "\n> ") + "\0" + text[cursor:].replace("\n", "\n> ")
    rows, column, place, cursor_here = [""], 0, (0, 0), False
    for character in shown + " ":
        if character == "\0":
            cursor_here = True
            continue
        width = max(wcwidth(character), 0)
        if column + max(width, cursor_here) > columns:
            rows, column = [*rows, ""], 0
        if cursor_here:
            place, cursor_here = (len(rows) - 1, column), False
        if character == "\n":
            rows, column = [*rows, ""], 0
        else:
            rows[-1] += character
            column += width
    while rows and not rows[-1].strip():
        rows.pop()
    return [row.rstrip() for row in rows], place


STEPS = st.lists(
    st.one_of(
        st.text("ab cdé漢字ｱ", min_size=1, max_size=15).map(_insert),
        st.sampled_from(["x\ny", "\n", "漢\n\n字", "123456789\nabcdef"]).map(_insert),
        st.sampled_from(MOVES),
        st.sampled_from(MOVES),
    ),
    max_size=25,
)


@settings(max_examples=150)
@given(steps=STEPS, columns=st.integers(4, 24), split=st.booleans(), above=st.integers(0, 3))
def test_prompt_line_and_cursor_are_where_they_belong(
    steps: list[Step], columns: int, split: bool, above: int
) -> None:
    desk = Desk(columns=columns, rows=120, start=False)
    desk.write("-\r\n" * above)
    desk.editor.start()
    text, at = "", 0
    for step in steps:
        text, at = step.act(text, at)
        above = 0 if step.keys == "\x0c" else above
        desk.press(*step.keys) if split else desk.press(step.keys)
        rows, (row, column) = picture(PROMPT, text, at, columns)
        assert desk.editor.text == text
        assert desk.lines == ["-"] * above + rows
        assert desk.cursor == (above + row, column)


# --- Size ---


@pytest.mark.parametrize(("before", "after"), [(20, 10), (10, 20), (10, 11), (13, 6)])
@pytest.mark.parametrize("lefts", [0, 5, 17])
def test_a_resized_terminal_shows_the_line_wrapped_anew(before: int, after: int, lefts: int) -> None:
    desk = Desk(columns=before, start=False)
    desk.write("output\r\n")
    desk.editor.start()
    text = "abcdefgh漢字ijklmnopq"
    desk.press(text, *[LEFT] * lefts)
    desk.resize(after)
    rows, (row, column) = picture(PROMPT, text, len(text) - lefts, after)
    assert (desk.lines, desk.cursor) == (["output", *rows], (row + 1, column))
    desk.press("Z")
    assert desk.line() == text[: len(text) - lefts] + "Z" + text[len(text) - lefts :]


class XtermDesk(Desk):
    """With our own screen for a terminal: like xterm.js, it wraps anew what was wrapped."""

    def __init__(self, columns: int) -> None:
        self.shown = Screen(columns, 24)
        super().__init__(columns=columns)

    def write(self, text: str) -> None:
        self.shown.feed(text)

    def resize(self, columns: int, rows: int = 24) -> None:
        self.shown.resize(columns, rows)
        self.editor.resize(columns, rows)


@pytest.mark.parametrize(("before", "after"), [(20, 10), (10, 20), (8, 5)])
def test_a_resized_terminal_shows_several_lines_wrapped_anew(before: int, after: int) -> None:
    desk = XtermDesk(before)
    desk.editor.message("output")
    text = "abcdefgh漢字ijklmnopq\nab\n0123456789"
    desk.press(paste(text))
    desk.resize(after)
    rows, _ = picture(PROMPT, text, len(text), after)
    assert desk.shown.lines() == [row[i : i + after] for row in ["output"] for i in range(0, 6, after)] + rows


def test_the_terminal_knows_which_rows_are_one_line() -> None:
    desk = XtermDesk(10)
    desk.press("12345678", LEFT, END, "abc\r")
    desk.editor.resume()
    desk.press("12345678abc", "\x15" + paste("1\n2"), "\r")
    desk.resize(40)
    assert desk.shown.lines() == ["$ 12345678abc", "$ 1", "> 2"]


def test_a_resize_during_a_command_draws_nothing() -> None:
    desk = Desk()
    desk.press("sleep 9\r")
    desk.written.clear()
    desk.resize(10)
    assert desk.written == []
    desk.editor.resume()
    desk.press("123456789")
    assert desk.lines == ["$ sleep 9", "$ 12345678", "9"]


def test_a_terminal_of_one_column_and_no_rows_does_no_harm() -> None:
    desk = Desk()
    desk.editor.resize(0, 0)
    assert desk.line("漢字 ab") == "漢字 ab"
