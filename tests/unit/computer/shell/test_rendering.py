"""A command's output as a terminal shows it."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

import pyte.modes
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemini.computer.shell.output import Capture


def shown(*parts: bytes, most: int = 100_000) -> str:
    with tempfile.TemporaryDirectory() as folder:
        capture = Capture(most, lambda: Path(folder) / "output.txt")
        for part in parts:
            capture.add("stdout", part)
        capture.finish()
    return capture.output


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        (b"0%\r50%\r99%\rdone", "done"),
        (b"10%\r20%\r100%\ndone\n", "100%\ndone\n"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"long text\rab\n", "abng text\n"),
        (b"long text\r         \rab\n", "ab\n"),
        (b"retained  \n", "retained  \n"),
        (b"abc\b\bX\n", "aXc\n"),
        (b"abc\b \b\n", "ab\n"),
        (b"\b\b|\b/\b-\bok\n", "ok\n"),
        (b"\x1b[1;31mred\x1b[0m\x1b[K plain\x1b(B\n", "red plain\n"),
        (b"\x1b]0;title\x07a\x1b]8;;https://x.org\x1b\\link\x1b]8;;\x1b\\\n", "alink\n"),
        (b"loading\r\x1b[2K\x1b[1Gready\n", "ready\n"),
        (b"loading\x1b[5D\x1b[0Kx\n", "lox\n"),
        (b"abc\x1b[10Gd\n", "abc      d\n"),
        (b"abcdef\r\x1b[2P\x1b[1@\n", " cdef\n"),
        (b"abcdef\x1b[4D\x1b[2X\n", "ab  ef\n"),
        (b"one\ntwo\nthree\n\x1b[2A\r\x1b[2KTWO\n\x1b[1B.\n", "one\nTWO\nthree\n.\n"),
        (b"one\ntwo\n\x1b[2A\x1b[J", ""),
        (b"one\n\x1b[H\x1b[2J\x1b[3Jtwo\n", "two\n"),
        (b"before\n\x1b[?1049h\x1b[Hfull screen\x1b[?1049lafter\n", "before\nafter\n"),
        (b"a\x1b7bcd\x1b8X\n", "aXcd\n"),
        (b"1\n2\n3\n\x1b[2A\x1b[Lnew\n", "1\nnew\n2\n3"),
        (b"1\n2\n3\n\x1b[2A\x1b[Mnew\n", "1\nnew\n"),
        (b"ab\x1b[3bc\n", "abbbbc\n"),
        (b"ab\x1bDc\x1bEd\n", "ab\n  c\nd\n"),
        (b"1\n2\n\x1b[S\x1b[H3\n", "3\n"),
        ("日本\ra\n".encode(), "a 本\n"),
        ("日本\b\b語\n".encode(), "日語\n"),
        ("e\u0301x\by\n".encode(), "e\u0301y\n"),
        (b"a\tb\n\x1b[32mc\td\x1b[m\n", "a\tb\nc\td\n"),
        (b"a\tb\rxyz\n", "xyz     b\n"),
        (b"caf\xe9\r\n", "caf\\xe9\n"),
        (b"beep\x07\n", "beep\n"),
        (b"half \x1b[3", "half "),
        (b"nul\0 stays\n", "nul\0 stays\n"),
        (b"", ""),
    ],
)
def test_output_is_what_a_person_would_see(written: bytes, seen: str) -> None:
    assert shown(written) == seen
    assert shown(*(written[at : at + 1] for at in range(len(written)))) == seen


@pytest.mark.fortnightly
@given(st.lists(st.text(alphabet="ab é日\t\n", max_size=200), max_size=20))
def test_text_without_control_sequences_stays(parts: list[str]) -> None:
    assert shown(*(part.encode() for part in parts)) == "".join(parts)


PIECES = st.sampled_from(
    ["a", "bc", "é", "\r", "\n", "\b", "\x1b[K", "\x1b[1K", "\x1b[2K",
     "\x1b[A", "\x1b[2C", "\x1b[D", "\x1b[3G", "\x1b[1m", "\x1b[L", "\x1bD"]
)  # fmt: skip


@pytest.mark.fortnightly
@given(st.lists(PIECES, max_size=40))
def test_short_output_is_as_on_a_terminal(pieces: list[str]) -> None:
    screen = pyte.Screen(200, 45)
    screen.set_mode(pyte.modes.LNM)
    pyte.Stream(screen).feed("".join(pieces))
    expected = [line.rstrip() for line in screen.display]
    ours = [line.rstrip() for line in shown("".join(pieces).encode()).split("\n")]
    assert ours == expected[: len(ours)]
    assert not any(expected[len(ours) :])


def test_a_long_progress_isnt_cut_and_costs_no_budget(tmp_path: Path) -> None:
    capture = Capture(100, lambda: tmp_path / "all.txt")
    for percent in range(100):
        capture.add("stderr", b"%d%%\r" % percent)
    capture.add("stdout", b"done\n")
    capture.finish()
    assert (capture.output, capture.truncated, capture.raw_truncated) == ("done\n", False, True)
    assert (tmp_path / "all.txt").read_bytes().startswith(b"0%\r1%\r")


def lines(count: int) -> Iterable[bytes]:
    return (b"line %d\n" % number for number in range(count))


def test_long_output_is_complete() -> None:
    text = b"".join(lines(20_000))
    assert shown(text, most=1_000_000) == text.decode()
    assert shown(*lines(20_000), most=1_000_000) == text.decode()
    assert shown(text[:-1] + b"\r", most=1_000_000) == text.decode()[:-1]
    assert shown(*[b"x" * 1000] * 200, b"\ny", most=1_000_000) == "x" * 200_000 + "\ny"
