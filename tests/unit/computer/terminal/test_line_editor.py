"""The effect of keys on a line, and the entries that the editor returns."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemini.computer.terminal.line_editor import ClearScreen, EndOfFile, Entry, Interrupt, Line
from tests.unit.computer.terminal.editor_harness import (
    DELETE,
    DOWN,
    END,
    HOME,
    LEFT,
    RIGHT,
    UP,
    WORD_LEFT,
    WORD_RIGHT,
    EditorHarness,
    paste,
)

# --- Typing and moving ---


def test_enter_returns_the_typed_line() -> None:
    harness = EditorHarness()
    assert harness.press("ls -l") == []
    assert (harness.lines, harness.cursor) == (["$ ls -l"], (0, 7))
    assert harness.press("\r") == [Line("ls -l")]
    assert (harness.lines, harness.cursor) == (["$ ls -l"], (1, 0))


def test_a_key_writes_few_characters() -> None:
    harness = EditorHarness()
    harness.press("echo " + "x" * 30)
    harness.written.clear()
    harness.press("y", LEFT, "\x7f", END, LEFT, RIGHT)
    assert sum(map(len, harness.written)) < 30


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
    assert EditorHarness().line(*keys) == text


@pytest.mark.parametrize(
    "keys", [LEFT, RIGHT, UP, DOWN, "\x7f", DELETE, "\x19", "\x14", "\x1f", "\x0b", "\x15"]
)
def test_a_key_without_effect_rings_the_bell(keys: str) -> None:
    harness = EditorHarness()
    harness.written.clear()
    harness.press(keys)
    assert harness.written == ["\a"]


def test_undo_does_not_depend_on_chunking() -> None:
    text = "one  two three\x1f\x1f"
    assert EditorHarness().line(text) == EditorHarness().line(*text) == "one  "


def test_return_and_newline_together_are_one_enter() -> None:
    harness = EditorHarness()
    assert harness.press("a\r", "\nb") == [Line("a")]
    assert harness.editor.resume() == []
    assert harness.editor.text == "b"


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
def test_keys_may_arrive_in_any_chunks(keys: str, cuts: list[int]) -> None:
    def type_in(chunks: list[str]) -> tuple[list[Entry], list[str], tuple[int, int]]:
        harness = EditorHarness(
            history=["cd a", "bad idea"],
            complete=lambda text, cursor: ["abc", "abd"],
            is_complete=lambda text: text.count("'") % 2 == 0,
        )
        entries = [entry for chunk in chunks for entry in harness.press(chunk)]
        while not harness.editor.editing:
            entries += harness.editor.resume()
        return entries, harness.lines, harness.cursor

    places = sorted({min(cut, len(keys)) for cut in cuts})
    if "\x12" in keys:
        # In a search, Escape alone is a key, not the start of a sequence.
        places = [place for place in places if not keys[:place].endswith("\x1b")]
    chunks = [keys[start:end] for start, end in zip([0, *places], [*places, len(keys)], strict=True)]
    assert type_in(chunks) == type_in([keys])


# --- Multiline commands ---


def _quotes_closed(text: str) -> bool:
    return text.count("'") % 2 == 0


def test_an_incomplete_line_continues_on_the_next() -> None:
    harness = EditorHarness(is_complete=_quotes_closed)
    assert harness.press("echo 'one\r") == []
    assert (harness.lines, harness.cursor) == (["$ echo 'one", ">"], (1, 2))
    assert harness.press("two'\r") == [Line("echo 'one\ntwo'")]
    assert harness.lines == ["$ echo 'one", "> two'"]
    assert harness.history == ["echo 'one\ntwo'"]


def test_all_of_an_incomplete_line_can_be_edited() -> None:
    harness = EditorHarness(is_complete=_quotes_closed)
    harness.press("echo 'one\r", "two", UP, HOME, DELETE, "E", DOWN, END, "!")
    assert harness.lines == ["$ Echo 'one", "> two!"]
    harness.press("\x15\x15")
    assert (harness.lines, harness.cursor) == (["$ Echo 'one"], (0, 11))
    harness.press(LEFT, "\x1b\r")
    assert harness.lines == ["$ Echo 'on", "> e"]


def test_a_bracketed_paste_runs_on_enter_only() -> None:
    harness = EditorHarness()
    assert harness.press("\x1b[20", "0~echo 1\r\nec", "ho 2\recho 3\x1b[2", "01~") == []
    assert harness.lines == ["$ echo 1", "> echo 2", "> echo 3"]
    assert harness.press("\r") == [Line("echo 1\necho 2\necho 3")]


def test_bracketed_paste_is_on_at_the_prompt_only() -> None:
    harness = EditorHarness()
    assert "\x1b[?2004h" in "".join(harness.written)
    harness.written.clear()
    harness.press("ls\r")
    assert "\x1b[?2004l" in "".join(harness.written)


# --- Interrupt, end of file, clear ---


def test_ctrl_c_discards_the_line() -> None:
    harness = EditorHarness()
    assert harness.press("rm -r", LEFT, "\x03") == [Interrupt()]
    assert (harness.lines, harness.cursor) == (["$ rm -r^C", "$"], (1, 2))
    assert harness.line("ls") == "ls"
    assert harness.history == ["ls"]


def test_ctrl_d_ends_the_file_on_an_empty_line_only() -> None:
    harness = EditorHarness()
    assert harness.press("ab", HOME, "\x04", "\x04") == []
    assert harness.press("\x04") == [EndOfFile()]


def test_ctrl_l_clears_the_screen_except_the_line() -> None:
    harness = EditorHarness(start=False)
    harness.write("output\r\n")
    harness.editor.start()
    assert harness.press("ab", LEFT, "\x0c") == [ClearScreen()]
    assert (harness.lines, harness.cursor) == (["$ ab"], (0, 3))


# --- Running commands and messages ---


def test_keys_typed_during_a_command_are_handled_at_the_next_prompt() -> None:
    harness = EditorHarness()
    assert harness.press("first\rsecond\rthi") == [Line("first")]
    assert harness.press("rd") == []
    harness.write("output\r\n")
    assert harness.editor.resume() == [Line("second")]
    assert not harness.editor.editing
    assert harness.editor.resume() == []
    assert harness.lines == ["$ first", "output", "$ second", "$ third"]


def test_an_interrupt_during_a_command_discards_typeahead() -> None:
    harness = EditorHarness()
    assert harness.press("sleep 9\r", "ls\r") == [Line("sleep 9")]
    assert harness.press("\x03", "p") == [Interrupt()]
    assert harness.editor.resume() == []
    assert harness.lines == ["$ sleep 9", "^C", "$ p"]


def test_a_partly_typed_line_survives_suspend() -> None:
    harness = EditorHarness(columns=20)
    harness.press("half typed and wrapped", *[LEFT] * 8)
    harness.editor.suspend()
    assert (harness.lines, harness.cursor) == ([], (0, 0))
    harness.write("$ agent's command\r\nno newline")
    harness.press("X")
    harness.editor.resume(at_line_start=False)
    assert harness.lines == ["$ agent's command", "no newline", "$ half typed andX wr", "apped"]
    assert harness.cursor == (2, 17)


def test_a_message_is_printed_above_the_typed_line() -> None:
    harness = EditorHarness()
    harness.press("half", LEFT)
    harness.editor.message("one\ntwo")
    assert (harness.lines, harness.cursor) == (["one", "two", "$ half"], (2, 5))
    harness.press("\r")
    harness.editor.message("thr")
    harness.editor.message("ee\n")
    assert harness.lines == ["one", "two", "$ half", "three"]


def test_each_prompt_is_computed_again() -> None:
    prompts = iter(["/a$ ", "/b$ ", "/c$ "])
    harness = EditorHarness(prompt=lambda: next(prompts))
    harness.line("cd /b")
    harness.press("x\x03")
    assert harness.lines == ["/a$ cd /b", "/b$ x^C", "/c$"]


def test_keys_typed_before_the_start_are_handled_at_the_start() -> None:
    harness = EditorHarness(start=False)
    assert harness.press("ls\r") == []
    assert harness.editor.start() == [Line("ls")]


# --- History ---


def test_history_moves_both_ways_and_restores_the_draft() -> None:
    harness = EditorHarness(history=["first", "second"])
    harness.press("draft", UP)
    assert harness.lines == ["$ second"]
    harness.press("\x10", "!")
    assert harness.lines == ["$ first!"]
    harness.press("\x0e", DOWN)
    assert (harness.lines, harness.cursor) == (["$ draft"], (0, 7))
    assert harness.line(UP, UP) == "first!"
    assert harness.history == ["first", "second", "first!"]


def test_history_skips_repeated_and_blank_lines() -> None:
    harness = EditorHarness()
    for line in ["ls", "ls", "", "  ", "pwd", "ls"]:
        assert harness.line(line) == line
    assert harness.history == ["ls", "pwd", "ls"]


def test_the_history_length_is_limited() -> None:
    harness = EditorHarness(history=[str(n) for n in range(1000)])
    harness.line("new")
    assert (len(harness.history), harness.history[0], harness.history[-1]) == (1000, "1", "new")


def test_a_recalled_multiline_command_is_fully_shown() -> None:
    harness = EditorHarness(history=["for x in 1\ndo echo\ndone"])
    harness.press(UP)
    assert (harness.lines, harness.cursor) == (["$ for x in 1", "> do echo", "> done"], (2, 6))
    harness.press("\x03")
    harness.press(UP, UP, UP, "-")
    assert harness.lines[-3:] == ["$ for -x in 1", "> do echo", "> done"]


def test_lines_added_meanwhile_do_not_change_the_position() -> None:
    harness = EditorHarness(history=["first", "second"])
    harness.press("draft", UP)
    harness.history.append("an agent's")
    harness.press(UP, DOWN, DOWN)
    assert harness.lines == ["$ draft"]


# --- Search ---


def test_a_search_is_incremental_and_continues_backward() -> None:
    harness = EditorHarness(history=["make test", "git push", "make", "ls"], columns=60)
    harness.press("x\x12")
    assert harness.lines == ["(reverse-i-search)`': x"]
    harness.press("ma")
    assert (harness.lines, harness.cursor) == (["(reverse-i-search)`ma': make"], (0, 24))
    harness.press("\x12")
    assert harness.lines == ["(reverse-i-search)`ma': make test"]
    harness.press("\x12")
    assert harness.lines == ["(failed reverse-i-search)`ma': make test"]
    harness.press("\x7f\x7f")
    assert harness.lines == ["(reverse-i-search)`ma': make"]
    assert harness.line() == "make"


def test_an_editing_key_or_ctrl_g_ends_a_search() -> None:
    harness = EditorHarness(history=["git push origin", "ls"])
    harness.press("x", "\x12", "push", "\x07")
    assert harness.lines == ["$ x"]
    harness.press("\x12", "push", LEFT, "-")
    assert harness.lines == ["$ git- push origin"]
    assert harness.press("\x12", "o", "\x03") == [Interrupt()]
    assert harness.lines == ["$ git- push origin^C", "$"]


def test_escape_ends_a_search_with_its_match() -> None:
    harness = EditorHarness(history=["git push", "ls"])
    harness.press("x", "\x12", "push", "\x1b")
    assert harness.lines == ["$ git push"]
    harness.press(LEFT, "-")
    assert harness.line() == "git- push"


def test_a_search_shows_repeated_lines_once() -> None:
    harness = EditorHarness(history=["make all", "make", "ls", "make"])
    harness.press("\x12", "make", "\x12")
    assert harness.lines == ["(reverse-i-search)`make': make all"]


def test_a_search_survives_a_message() -> None:
    harness = EditorHarness(history=["git push"])
    harness.press("\x12", "pu")
    harness.editor.message("note")
    assert harness.lines == ["note", "(reverse-i-search)`pu': git push"]


# --- Completion ---


def test_tab_inserts_the_common_prefix_and_a_second_tab_lists_candidates() -> None:
    seen: list[tuple[str, int]] = []

    def complete(text: str, cursor: int) -> list[str]:
        seen.append((text, cursor))
        return ["src/first.py ", "src/fish ", "src/fi\x07 "]

    harness = EditorHarness(complete=complete)
    harness.press("cat s rest", *[LEFT] * 5, "\t")
    assert seen == [("cat s rest", 5)]
    assert (harness.lines, harness.cursor) == (["$ cat src/fi rest"], (0, 12))
    harness.written.clear()
    harness.press("\t")
    assert harness.lines == ["$ cat src/fi rest", "first.py  fish      fi^G", "$ cat src/fi rest"]
    assert harness.cursor == (2, 12)


def test_tab_completes_a_single_candidate_and_rings_without_candidates() -> None:
    harness = EditorHarness(complete=lambda text, cursor: ["foo/foo/"] if text.endswith("foo/") else [])
    harness.press("cd foo/\t")
    assert harness.editor.text == "cd foo/foo/"
    harness.press("x")
    harness.written.clear()
    harness.press("\t\t")
    assert harness.written == ["\a"]


def test_the_list_of_candidates_is_limited() -> None:
    harness = EditorHarness(
        complete=lambda text, cursor: [f"{n:04}" for n in range(1234)], columns=80, rows=60
    )
    harness.press("\t\t")
    assert harness.lines[1].split()[:2] == ["0000", "0016"]
    assert harness.lines[-2:] == ["… and 1,034 more", "$"]


def test_without_completion_tab_inserts_a_tab() -> None:
    assert EditorHarness().line("\tx") == "\tx"
