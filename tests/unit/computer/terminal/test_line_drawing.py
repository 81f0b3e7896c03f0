"""The rows of a line on the terminal: wrapping and the cursor's position."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcwidth

from gemini.computer.terminal.line_editor import Line
from gemini.computer.terminal.screen import Screen
from tests.unit.computer.terminal.editor_harness import (
    DELETE,
    DOWN,
    END,
    HOME,
    LEFT,
    PROMPT,
    RIGHT,
    UP,
    EditorHarness,
    paste,
)

# --- Rows and cursor ---


def test_a_long_line_wraps_and_unwraps() -> None:
    harness = EditorHarness(columns=10)
    harness.press("12345678")
    assert (harness.lines, harness.cursor) == (["$ 12345678"], (1, 0))
    harness.press("9abcdefghijk")
    assert (harness.lines, harness.cursor) == (["$ 12345678", "9abcdefghi", "jk"], (2, 2))
    harness.press(HOME, DELETE)
    assert (harness.lines, harness.cursor) == (["$ 23456789", "abcdefghij", "k"], (0, 2))
    harness.press("\x0b")
    assert (harness.lines, harness.cursor) == (["$"], (0, 2))


def test_enter_on_a_line_that_fills_its_row_leaves_no_empty_row() -> None:
    harness = EditorHarness(columns=10)
    harness.press("12345678\r")
    assert (harness.lines, harness.cursor) == (["$ 12345678"], (1, 0))


def test_a_wide_character_wraps_as_a_whole() -> None:
    harness = EditorHarness(columns=10)
    harness.press("1234567漢字")
    assert (harness.lines, harness.cursor) == (["$ 1234567", "漢字"], (1, 4))
    harness.press(LEFT, LEFT)
    assert harness.cursor == (1, 0)
    harness.press("\x7f")
    assert (harness.lines, harness.cursor) == (["$ 123456漢", "字"], (0, 8))


def test_control_characters_and_surrogates_are_escaped() -> None:
    harness = EditorHarness()
    harness.press(paste("a\x1b[2J\x07\x7f\x9b\ud800b"))
    assert harness.lines == ["$ a^[[2J^G^?\ufffd\ufffdb"]
    assert harness.line() == "a\x1b[2J\x07\x7f\x9b\ud800b"


def test_a_pasted_tab_extends_to_the_next_tab_stop() -> None:
    harness = EditorHarness()
    harness.press(paste("a\tb"))
    assert (harness.lines, harness.cursor) == (["$ a     b"], (0, 9))


def test_a_lone_accent_does_not_combine_with_the_prompt() -> None:
    harness = EditorHarness()
    harness.press("\u0301")
    assert harness.lines == ["$ \u25cc\u0301"]


def test_a_prompt_may_have_colors_a_title_and_two_lines() -> None:
    harness = EditorHarness(prompt="\x1b]0;title\x07\x1b[1;32m~/漢\x1b[0m\n\x1b[31m$\x1b[m ", columns=10)
    harness.press("abcdefghij")
    assert (harness.lines, harness.cursor) == (["~/漢", "$ abcdefgh", "ij"], (2, 2))
    assert (harness.screen.buffer[0][0].fg, harness.screen.buffer[0][0].bold) == ("green", True)
    assert (harness.screen.buffer[1][0].fg, harness.screen.buffer[1][2].fg) == ("red", "default")


def test_a_growing_line_scrolls_at_the_bottom() -> None:
    harness = EditorHarness(columns=10, rows=4, start=False)
    harness.write("1\r\n2\r\n3\r\n")
    harness.editor.start()
    harness.press("abcdefghijkl")
    assert (harness.lines, harness.cursor) == (["2", "3", "$ abcdefgh", "ijkl"], (3, 4))
    harness.press("\x15")
    assert (harness.lines, harness.cursor) == (["2", "3", "$"], (2, 2))


def test_a_line_taller_than_the_terminal_is_shown_around_the_cursor() -> None:
    harness = EditorHarness(columns=10, rows=3)
    screen = Screen(10, 3)
    text = "\n".join(f"line {n}" for n in range(1, 8))
    harness.press(paste(text))
    assert harness.lines == ["> line 5", "> line 6", "> line 7"]
    harness.press(*[UP] * 6, "X")
    assert (harness.lines, harness.cursor) == (["$ line 1X", "> line 2", "> line 3"], (0, 9))
    harness.press("\x7f", DOWN, DOWN, DOWN)
    assert harness.lines == ["> line 2", "> line 3", "> line 4"]
    assert harness.press("\r") == [Line(text)]
    screen.feed("".join(harness.written))
    assert screen.lines()[-7:] == ["$ line 1", *(f"> line {n}" for n in range(2, 8))]


class Step(NamedTuple):
    """Keys, and their effect on a text and a cursor without a terminal."""

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
    """Return the expected rows and cursor, computed by a simple, slow algorithm."""
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


@pytest.mark.fortnightly
@settings(max_examples=150)
@given(steps=STEPS, columns=st.integers(4, 24), split=st.booleans(), above=st.integers(0, 3))
def test_prompt_line_and_cursor_match_a_simple_model(
    steps: list[Step], columns: int, split: bool, above: int
) -> None:
    harness = EditorHarness(columns=columns, rows=120, start=False)
    harness.write("-\r\n" * above)
    harness.editor.start()
    text, at = "", 0
    for step in steps:
        text, at = step.act(text, at)
        above = 0 if step.keys == "\x0c" else above
        harness.press(*step.keys) if split else harness.press(step.keys)
        rows, (row, column) = picture(PROMPT, text, at, columns)
        assert harness.editor.text == text
        assert harness.lines == ["-"] * above + rows
        assert harness.cursor == (above + row, column)


# --- Size ---


@pytest.mark.parametrize(("before", "after"), [(20, 10), (10, 20), (10, 11), (13, 6)])
@pytest.mark.parametrize("lefts", [0, 5, 17])
def test_a_resize_rewraps_the_line(before: int, after: int, lefts: int) -> None:
    harness = EditorHarness(columns=before, start=False)
    harness.write("output\r\n")
    harness.editor.start()
    text = "abcdefgh漢字ijklmnopq"
    harness.press(text, *[LEFT] * lefts)
    harness.resize(after)
    rows, (row, column) = picture(PROMPT, text, len(text) - lefts, after)
    assert (harness.lines, harness.cursor) == (["output", *rows], (row + 1, column))
    harness.press("Z")
    assert harness.line() == text[: len(text) - lefts] + "Z" + text[len(text) - lefts :]


class XtermHarness(EditorHarness):
    """A harness with our own screen as the terminal, which rewraps like xterm.js."""

    def __init__(self, columns: int) -> None:
        self.shown = Screen(columns, 24)
        super().__init__(columns=columns)

    def write(self, text: str) -> None:
        self.shown.feed(text)

    def resize(self, columns: int, rows: int = 24) -> None:
        self.shown.resize(columns, rows)
        self.editor.resize(columns, rows)


@pytest.mark.parametrize(("before", "after"), [(20, 10), (10, 20), (8, 5)])
def test_a_resize_rewraps_several_lines(before: int, after: int) -> None:
    harness = XtermHarness(before)
    harness.editor.message("output")
    text = "abcdefgh漢字ijklmnopq\nab\n0123456789"
    harness.press(paste(text))
    harness.resize(after)
    rows, _ = picture(PROMPT, text, len(text), after)
    assert (
        harness.shown.lines() == [row[i : i + after] for row in ["output"] for i in range(0, 6, after)] + rows
    )


def test_the_terminal_joins_the_rows_of_a_line() -> None:
    harness = XtermHarness(10)
    harness.press("12345678", LEFT, END, "abc\r")
    harness.editor.resume()
    harness.press("12345678abc", "\x15" + paste("1\n2"), "\r")
    harness.resize(40)
    assert harness.shown.lines() == ["$ 12345678abc", "$ 1", "> 2"]


def test_a_resize_during_a_command_draws_nothing() -> None:
    harness = EditorHarness()
    harness.press("sleep 9\r")
    harness.written.clear()
    harness.resize(10)
    assert harness.written == []
    harness.editor.resume()
    harness.press("123456789")
    assert harness.lines == ["$ sleep 9", "$ 12345678", "9"]


def test_a_terminal_of_one_column_and_no_rows_works() -> None:
    harness = EditorHarness()
    harness.editor.resize(0, 0)
    assert harness.line("漢字 ab") == "漢字 ab"
