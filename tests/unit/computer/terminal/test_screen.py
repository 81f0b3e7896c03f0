"""The content of a terminal as text."""

import re
import subprocess
import sys

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gemini.computer.terminal.screen import Screen

TAIL = 256 * 1024


def shown(text: str, *, columns: int = 20, rows: int = 5) -> list[str]:
    screen = Screen(columns, rows)
    screen.feed(text)
    return screen.lines()


def test_lines_include_the_screen_and_the_scrollback() -> None:
    screen = Screen(20, 3)
    screen.feed("".join(f"line {n}\r\n" for n in range(6)) + "$ ")
    assert screen.lines() == [f"line {n}" for n in range(6)] + ["$"]
    assert screen.rows(2) == ["line 5", "$"]
    assert screen.rows(0) == []
    assert screen.rows(100) == screen.lines()
    assert screen.text() == "line 0\nline 1\nline 2\nline 3\nline 4\nline 5\n$"


def test_an_empty_screen_has_no_lines() -> None:
    screen = Screen()
    assert (screen.lines(), screen.text(), screen.rows(5)) == ([], "", [])
    screen.feed("\r\n\r\n   \r\n")
    assert screen.lines() == []


def test_the_scrollback_has_a_thousand_lines() -> None:
    screen = Screen(20, 4)
    for n in range(3000):
        screen.feed(f"{n}\r\n")
        if n % 700 == 0:
            screen.lines()
    assert screen.lines() == [str(n) for n in range(1997, 3000)]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("50 %\r100 %", ["100 %"]),
        ("abc\b\bX", ["aXc"]),
        ("a\tb", ["a       b"]),
        ("a\r\nb\x1b[A\x1b[5Gc", ["a   c", "b"]),
        ("abcdef\x1b[3G\x1b[K", ["ab"]),
        ("abcdef\x1b[3G\x1b[2P", ["abef"]),
        ("abcdef\x1b[3G\x1b[2@", ["ab  cdef"]),
        ("abcdef\x1b[3G\x1b[2X", ["ab  ef"]),
        ("a\r\nb\r\nc\x1b[2;1H\x1b[M", ["a", "c"]),
        ("a\r\nb\r\nc\x1b[2;1H\x1b[L", ["a", "", "b", "c"]),
        ("a\r\nb\x1b[H\x1b[2Jc", ["c"]),
        ("a\r\nb\x1b[H\x1b[J", []),
        ("a\x1b7bcd\x1b8X", ["aXcd"]),
        ("1\r\n2\r\n3\x1b[2;3r\x1b[3;1H\n4", ["1", "3", "4"]),
        ("\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mtrue\x1b[38:5:300m", ["red true"]),
        ("a\x1b]0;title\x07b\x1b]8;;http://x\x1b\\c\x1b]8;;\x1b\\", ["abc"]),
        ("a\x1bP1$r0m\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d", ["abcd"]),
        ("a\x00\x01\x07b\x7f\x85c", ["abc"]),
        ("a\x1bcb", ["b"]),
        ("0123456789" * 3, ["01234567890123456789", "0123456789"]),
        ("\x1b[?7l" + "0123456789" * 3, ["01234567890123456789"]),
        ("漢字", ["漢字"]),
        ("漢字\rx", ["x 字"]),
        ("漢字\b\bx", ["漢x"]),
        ("x" * 19 + "漢", ["x" * 19, "漢"]),
        ("e\u0301 ❤\ufe0f 👩\u200d💻!", ["e\u0301 ❤\ufe0f 👩\u200d💻!"]),
        ("a\ud800b", ["a\ufffdb"]),
    ],
)
def test_sequences(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


def test_a_program_on_the_alternate_screen_leaves_no_trace() -> None:
    screen = Screen(20, 4)
    screen.feed("$ vim\r\n\x1b[?1049h\x1b[H\x1b[2J~\r\n~\r\n-- INSERT --")
    assert screen.lines() == ["~", "~", "-- INSERT --"]
    screen.feed("\x1b[?1049l$ ")
    assert screen.lines() == ["$ vim", "$"]


@pytest.mark.parametrize(
    "parameters", ["", "0", "5", "99999999999", ";;;", "1;2;3;4;5", "?1;2", ">4;1", "!", "1 ", "²"]
)
def test_no_sequence_raises(parameters: str) -> None:
    for final in map(chr, range(0x40, 0x7F)):
        shown(f"a\x1b[{parameters}{final}漢\x1b[{parameters}{final}\r\nc")


PIECES = st.sampled_from(
    [
        "\x1b",
        "\x1b[",
        "\x1b]",
        "\x1bP",
        "\x9b",
        "\x07",
        "\r",
        "\n",
        "\b",
        "\t",
        ";",
        "5",
        "?",
        "31m",
        "K",
        "J",
        "漢",
        "\u0301",
    ]
    + [
        "A",
        "\x1b[2A",
        "\x1b[3;3H",
        "\x1b[?1049h",
        "\x1b[?1049l",
        "\x1b[4h",
        "\x1b[2;3r",
        "\x1b[?6h",
        "\x1bM",
        "\x18",
        "\ud800",
    ]
)


@settings(max_examples=200)
@given(st.lists(PIECES | st.text(max_size=8), max_size=40), st.data())
def test_no_input_raises_and_reading_changes_nothing(pieces: list[str], data: st.DataObject) -> None:
    together, piecewise = Screen(7, 3), Screen(7, 3)
    together.feed("".join(pieces))
    for piece in pieces:
        for character in piece:
            piecewise.feed(character)
        if data.draw(st.booleans()):
            piecewise.lines()
    assert piecewise.lines() == together.lines()
    piecewise.resize(3, 2)
    assert all(len(line) <= 40 for line in piecewise.lines())


@settings(max_examples=100)
@given(
    st.lists(
        st.text("ab é", max_size=12) | st.sampled_from(["\r\n", "\r", "\x1b[A", "\x1b[2C", "\x1b[K"]),
        max_size=20,
    )
)
def test_plain_output_matches_pyte(pieces: list[str]) -> None:
    text = "".join(pieces)
    oracle = pyte.Screen(30, 30)
    pyte.Stream(oracle).feed(text)
    if max(map(len, re.split(r"[\r\n]", text)), default=0) < 12:
        lines = "\n".join(row.rstrip() for row in oracle.display).rstrip("\n")
        assert "\n".join(shown(text, columns=30, rows=30)) == lines


# --- Limits ---


@pytest.mark.parametrize("chunk", [1, 100, 1000])
def test_unread_output_is_cut_at_the_start_of_a_line(chunk: int) -> None:
    screen = Screen(2000, 24)
    screen.feed("seen\r\n")
    screen.lines()
    lines = [f"{n:06}" + "x" * 1000 for n in range(1000)]
    for start in [*range(0, 1000, chunk)] * 50:
        screen.feed("".join(line + "\x1b[K\r\n" for line in lines[start : start + chunk]))
    stored = screen.lines()
    assert len(stored) >= TAIL // 1011
    assert stored == lines[-len(stored) :]


def test_of_many_short_lines_only_the_visible_ones_are_interpreted() -> None:
    screen = Screen(80, 24)
    for n in range(400_000):
        screen.feed(f"{n}\r\n")
    assert screen.lines() == [str(n) for n in range(400_000 - 1023, 400_000)]


def test_output_with_more_than_colors_is_interpreted_from_the_start() -> None:
    screen = Screen(20, 4)
    screen.feed("$ less\r\n\x1b[?1049h" + "\x1b[32mx\x1b[m\r\n" * 1500)
    assert screen.lines() == ["x", "x", "x"]
    screen.feed("\x1b[?1049l")
    assert screen.lines() == ["$ less"]


def test_the_end_of_an_endless_line_is_stored() -> None:
    screen = Screen(80, 24)
    screen.feed("a" * TAIL + "b" * 100)
    assert screen.text().replace("\n", "").endswith("a" * 1000 + "b" * 100)


def test_output_up_to_the_limit_is_complete() -> None:
    screen = Screen(2000, 24)
    lines = ["first", *(f"{n:06}" + "x" * 1000 for n in range(TAIL // 1008 - 1))]
    for line in lines:
        screen.feed(line + "\r\n")
    assert screen.lines() == lines


def test_an_endless_sequence_is_not_stored() -> None:
    screen = Screen(80, 24)
    for _ in range(50):
        screen.feed("\x1b]0;" if _ == 0 else "x" * 100_000)
        screen.lines()
    screen.feed("\x07visible")
    assert screen.lines() == ["visible"]


def test_clear_drops_everything() -> None:
    screen = Screen(20, 3)
    screen.feed("a\r\nb\x1b[31")
    screen.lines()
    screen.feed("c")
    screen.clear()
    assert screen.lines() == []
    screen.feed("m")
    assert screen.lines() == ["m"]


def test_pyte_is_imported_on_the_first_read() -> None:
    code = (
        "import sys; from gemini.computer.terminal.screen import Screen; s = Screen(); s.feed('x');"
        "assert 'pyte' not in sys.modules; s.lines(); assert 'pyte' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


# --- Size ---


def test_wrapped_lines_are_rewrapped_for_another_width() -> None:
    screen = Screen(10, 4)
    screen.feed("0123456789abcdef\r\n漢字漢字漢字\r\n0123456789\r\nshort\r\n$ ")
    screen.resize(20, 4)
    assert screen.lines() == ["0123456789abcdef", "漢字漢字漢字", "0123456789", "short", "$"]
    screen.resize(5, 4)
    assert screen.lines() == [
        "01234",
        "56789",
        "abcde",
        "f",
        "漢字",
        "漢字",
        "漢字",
        "01234",
        "56789",
        "short",
        "$",
    ]
    screen.resize(80, 24)
    assert screen.lines() == ["0123456789abcdef", "漢字漢字漢字", "0123456789", "short", "$"]


def test_a_taller_terminal_shows_scrollback_and_continues_below() -> None:
    screen = Screen(10, 2)
    screen.feed("1\r\n2\r\n3\r\n4")
    screen.resize(10, 4)
    screen.feed("\x1b[H0")
    assert screen.lines() == ["0", "2", "3", "4"]
    screen.resize(10, 2)
    screen.feed("\x1b[H-\r\n5")
    assert screen.lines()[-1] == "5"


def test_a_terminal_of_size_zero_works() -> None:
    screen = Screen(0, 0)
    screen.feed("ab漢\r\nc")
    assert screen.lines() == ["ab", "漢", "c"]
    screen.resize(-1, 0)
    screen.resize(4, 2)
    assert screen.lines() == ["ab漢", "c"]
