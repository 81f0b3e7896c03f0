"""What keys do to a line, and which entries leave the editor."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemini.terminal.line_editor import ClearScreen, EndOfFile, Entry, Interrupt, Line
from tests.unit.terminal.desk import (
    DELETE,
    DOWN,
    END,
    HOME,
    LEFT,
    RIGHT,
    UP,
    WORD_LEFT,
    WORD_RIGHT,
    Desk,
    paste,
)

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


@pytest.mark.parametrize(
    "keys", [LEFT, RIGHT, UP, DOWN, "\x7f", DELETE, "\x19", "\x14", "\x1f", "\x0b", "\x15"]
)
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


KEYS = st.one_of(
    st.sampled_from("abc d'é漢\ud800"),
    st.sampled_from(
        [LEFT, RIGHT, UP, DOWN, HOME, END, DELETE, WORD_LEFT, "\x1bOF", "\x1b[5~", "\x1b", "\x1b["]
    ),
    st.sampled_from(["\r", "\r\n", "\n", "\t", "\x7f", "\x1bb", "\x1bd", paste("one\r\ntwo")]),
    st.sampled_from("\x03\x04\x07\x0b\x12\x14\x15\x17\x19\x1f"),
)


@settings(max_examples=100)
@given(keys=st.lists(KEYS, max_size=30).map("".join), cuts=st.lists(st.integers(0, 100), max_size=10))
def test_it_does_not_matter_how_keys_are_cut(keys: str, cuts: list[int]) -> None:
    def type_in(chunks: list[str]) -> tuple[list[Entry], list[str], tuple[int, int]]:
        desk = Desk(
            history=["cd a", "bad idea"],
            complete=lambda text, cursor: ["abc", "abd"],
            is_complete=lambda text: text.count("'") % 2 == 0,
        )
        entries = [entry for chunk in chunks for entry in desk.press(chunk)]
        while not desk.editor.editing:
            entries += desk.editor.resume()
        return entries, desk.lines, desk.cursor

    places = sorted({min(cut, len(keys)) for cut in cuts})
    chunks = [keys[start:end] for start, end in zip([0, *places], [*places, len(keys)], strict=True)]
    assert type_in(chunks) == type_in([keys])


# --- Lines of several lines ---


def _quotes_closed(text: str) -> bool:
    return text.count("'") % 2 == 0


def test_an_unfinished_line_goes_on_in_the_next() -> None:
    desk = Desk(is_complete=_quotes_closed)
    assert desk.press("echo 'one\r") == []
    assert (desk.lines, desk.cursor) == (["$ echo 'one", ">"], (1, 2))
    assert desk.press("two'\r") == [Line("echo 'one\ntwo'")]
    assert desk.lines == ["$ echo 'one", "> two'"]
    assert desk.history == ["echo 'one\ntwo'"]


def test_all_of_an_unfinished_line_can_be_edited() -> None:
    desk = Desk(is_complete=_quotes_closed)
    desk.press("echo 'one\r", "two", UP, HOME, DELETE, "E", DOWN, END, "!")
    assert desk.lines == ["$ Echo 'one", "> two!"]
    desk.press("\x15\x15")
    assert (desk.lines, desk.cursor) == (["$ Echo 'one"], (0, 11))
    desk.press(LEFT, "\x1b\r")
    assert desk.lines == ["$ Echo 'on", "> e"]


def test_a_bracketed_paste_runs_on_enter_only() -> None:
    desk = Desk()
    assert desk.press("\x1b[20", "0~echo 1\r\nec", "ho 2\recho 3\x1b[2", "01~") == []
    assert desk.lines == ["$ echo 1", "> echo 2", "> echo 3"]
    assert desk.press("\r") == [Line("echo 1\necho 2\necho 3")]


def test_the_terminal_is_asked_for_bracketed_pastes_at_the_prompt_only() -> None:
    desk = Desk()
    assert "\x1b[?2004h" in "".join(desk.written)
    desk.written.clear()
    desk.press("ls\r")
    assert "\x1b[?2004l" in "".join(desk.written)


# --- Interrupt, end of file, clear ---


def test_ctrl_c_gives_up_the_line() -> None:
    desk = Desk()
    assert desk.press("rm -r", LEFT, "\x03") == [Interrupt()]
    assert (desk.lines, desk.cursor) == (["$ rm -r^C", "$"], (1, 2))
    assert desk.line("ls") == "ls"
    assert desk.history == ["ls"]


def test_ctrl_d_is_the_end_of_file_on_an_empty_line_only() -> None:
    desk = Desk()
    assert desk.press("ab", HOME, "\x04", "\x04") == []
    assert desk.press("\x04") == [EndOfFile()]


def test_ctrl_l_leaves_prompt_and_line_at_the_top() -> None:
    desk = Desk(start=False)
    desk.write("output\r\n")
    desk.editor.start()
    assert desk.press("ab", LEFT, "\x0c") == [ClearScreen()]
    assert (desk.lines, desk.cursor) == (["$ ab"], (0, 3))


# --- Commands that run, and others that print ---


def test_keys_typed_while_a_command_runs_are_taken_at_the_next_prompt() -> None:
    desk = Desk()
    assert desk.press("first\rsecond\rthi") == [Line("first")]
    assert desk.press("rd") == []
    desk.write("output\r\n")
    assert desk.editor.resume() == [Line("second")]
    assert not desk.editor.editing
    assert desk.editor.resume() == []
    assert desk.lines == ["$ first", "output", "$ second", "$ third"]


def test_an_interrupt_is_reported_while_a_command_runs_and_drops_what_was_typed_ahead() -> None:
    desk = Desk()
    assert desk.press("sleep 9\r", "ls\r") == [Line("sleep 9")]
    assert desk.press("\x03", "p") == [Interrupt()]
    assert desk.editor.resume() == []
    assert desk.lines == ["$ sleep 9", "^C", "$ p"]


def test_a_half_typed_line_survives_a_suspension() -> None:
    desk = Desk(columns=20)
    desk.press("half typed and wrapped", *[LEFT] * 8)
    desk.editor.suspend()
    assert (desk.lines, desk.cursor) == ([], (0, 0))
    desk.write("$ agent's command\r\nno newline")
    desk.press("X")
    desk.editor.resume(at_line_start=False)
    assert desk.lines == ["$ agent's command", "no newline", "$ half typed andX wr", "apped"]
    assert desk.cursor == (2, 17)


def test_a_message_stands_above_the_half_typed_line() -> None:
    desk = Desk()
    desk.press("half", LEFT)
    desk.editor.message("one\ntwo")
    assert (desk.lines, desk.cursor) == (["one", "two", "$ half"], (2, 5))
    desk.press("\r")
    desk.editor.message("thr")
    desk.editor.message("ee\n")
    assert desk.lines == ["one", "two", "$ half", "three"]


def test_the_prompt_is_asked_for_anew_each_time() -> None:
    prompts = iter(["/a$ ", "/b$ ", "/c$ "])
    desk = Desk(prompt=lambda: next(prompts))
    desk.line("cd /b")
    desk.press("x\x03")
    assert desk.lines == ["/a$ cd /b", "/b$ x^C", "/c$"]


def test_what_was_typed_before_the_start_is_taken_then() -> None:
    desk = Desk(start=False)
    assert desk.press("ls\r") == []
    assert desk.editor.start() == [Line("ls")]


# --- History ---


def test_history_goes_back_and_forth_and_keeps_the_draft() -> None:
    desk = Desk(history=["first", "second"])
    desk.press("draft", UP)
    assert desk.lines == ["$ second"]
    desk.press("\x10", "!")
    assert desk.lines == ["$ first!"]
    desk.press("\x0e", DOWN)
    assert (desk.lines, desk.cursor) == (["$ draft"], (0, 7))
    assert desk.line(UP, UP) == "first!"
    assert desk.history == ["first", "second", "first!"]


def test_history_keeps_no_repetition_and_no_blank_lines() -> None:
    desk = Desk()
    for line in ["ls", "ls", "", "  ", "pwd", "ls"]:
        assert desk.line(line) == line
    assert desk.history == ["ls", "pwd", "ls"]


def test_history_is_capped() -> None:
    desk = Desk(history=[str(n) for n in range(1000)])
    desk.line("new")
    assert (len(desk.history), desk.history[0], desk.history[-1]) == (1000, "1", "new")


def test_a_recalled_line_of_several_lines_is_shown_whole() -> None:
    desk = Desk(history=["for x in 1\ndo echo\ndone"])
    desk.press(UP)
    assert (desk.lines, desk.cursor) == (["$ for x in 1", "> do echo", "> done"], (2, 6))
    desk.press("\x03")
    desk.press(UP, UP, UP, "-")
    assert desk.lines[-3:] == ["$ for -x in 1", "> do echo", "> done"]


def test_lines_that_others_add_do_not_move_somebody_who_browses() -> None:
    desk = Desk(history=["first", "second"])
    desk.press("draft", UP)
    desk.history.append("an agent's")
    desk.press(UP, DOWN, DOWN)
    assert desk.lines == ["$ draft"]


# --- Search ---


def test_a_search_finds_with_every_character_and_goes_further_back() -> None:
    desk = Desk(history=["make test", "git push", "make", "ls"], columns=60)
    desk.press("x\x12")
    assert desk.lines == ["(reverse-i-search)`': x"]
    desk.press("ma")
    assert (desk.lines, desk.cursor) == (["(reverse-i-search)`ma': make"], (0, 24))
    desk.press("\x12")
    assert desk.lines == ["(reverse-i-search)`ma': make test"]
    desk.press("\x12")
    assert desk.lines == ["(failed reverse-i-search)`ma': make test"]
    desk.press("\x7f\x7f")
    assert desk.lines == ["(reverse-i-search)`ma': make"]
    assert desk.line() == "make"


def test_a_search_ends_with_an_editing_key_or_without_effect() -> None:
    desk = Desk(history=["git push origin", "ls"])
    desk.press("x", "\x12", "push", "\x07")
    assert desk.lines == ["$ x"]
    desk.press("\x12", "push", LEFT, "-")
    assert desk.lines == ["$ git- push origin"]
    assert desk.press("\x12", "o", "\x03") == [Interrupt()]
    assert desk.lines == ["$ git- push origin^C", "$"]


def test_a_search_shows_repeated_lines_once() -> None:
    desk = Desk(history=["make all", "make", "ls", "make"])
    desk.press("\x12", "make", "\x12")
    assert desk.lines == ["(reverse-i-search)`make': make all"]


def test_a_search_survives_a_message() -> None:
    desk = Desk(history=["git push"])
    desk.press("\x12", "pu")
    desk.editor.message("note")
    assert desk.lines == ["note", "(reverse-i-search)`pu': git push"]


# --- Completion ---


def test_tab_inserts_what_all_candidates_share_and_lists_them_the_second_time() -> None:
    seen: list[tuple[str, int]] = []

    def complete(text: str, cursor: int) -> list[str]:
        seen.append((text, cursor))
        return ["src/first.py ", "src/fish ", "src/fi\x07 "]

    desk = Desk(complete=complete)
    desk.press("cat s rest", *[LEFT] * 5, "\t")
    assert seen == [("cat s rest", 5)]
    assert (desk.lines, desk.cursor) == (["$ cat src/fi rest"], (0, 12))
    desk.written.clear()
    desk.press("\t")
    assert desk.lines == ["$ cat src/fi rest", "first.py  fish      fi^G", "$ cat src/fi rest"]
    assert desk.cursor == (2, 12)


def test_tab_finishes_the_only_candidate_and_rings_without_any() -> None:
    desk = Desk(complete=lambda text, cursor: ["foo/foo/"] if text.endswith("foo/") else [])
    desk.press("cd foo/\t")
    assert desk.editor.text == "cd foo/foo/"
    desk.press("x")
    desk.written.clear()
    desk.press("\t\t")
    assert desk.written == ["\a"]


def test_a_long_list_of_candidates_is_cut() -> None:
    desk = Desk(complete=lambda text, cursor: [f"{n:04}" for n in range(1234)], columns=80, rows=60)
    desk.press("\t\t")
    assert desk.lines[1].split()[:2] == ["0000", "0016"]
    assert desk.lines[-2:] == ["… and 1,034 more", "$"]


def test_without_completion_tab_is_a_character() -> None:
    assert Desk().line("\tx") == "\tx"
