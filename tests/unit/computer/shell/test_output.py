"""The output of a command: both ends in memory, all of it in a file if it is too long or isn't text."""

import re
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gemini.computer.shell.output import Capture, Stream

CapturedFrom = Callable[[int, Iterable[tuple[Stream, bytes]]], Capture]
MARKER = re.compile(r"\n\[… ([\d,]+) of ([\d,]+) bytes cut …\]\n")


def run(folder: Path, most: int, chunks: Iterable[tuple[Stream, bytes]]) -> Capture:
    created: list[Path] = []

    def new_file() -> Path:
        created.append(folder / f"outputs/{len(created)}.txt")
        return created[-1]

    capture = Capture(most, new_file)
    for stream, data in chunks:
        capture.add(stream, data)
    capture.finish()
    assert [str(path) for path in created] == ([] if capture.file is None else [capture.file])
    return capture


@pytest.fixture
def captured(tmp_path: Path) -> CapturedFrom:
    return lambda most, chunks: run(tmp_path, most, chunks)


def whole(captured: Capture) -> bytes:
    assert captured.file is not None
    return Path(captured.file).read_bytes()


def test_streams_are_separate_and_together_in_order(captured: CapturedFrom) -> None:
    got = captured(100, [("stdout", b"one\n"), ("stderr", b"two\n"), ("stdout", b"three\n")])
    assert (got.output, got.stdout, got.stderr) == ("one\ntwo\nthree\n", "one\nthree\n", "two\n")
    assert (got.truncated, got.file) == (False, None)


def test_a_command_without_output(captured: CapturedFrom) -> None:
    got = captured(100, [])
    assert (got.output, got.stdout, got.stderr, got.truncated, got.file) == ("", "", "", False, None)


def test_output_within_the_budget_is_complete(captured: CapturedFrom) -> None:
    got = captured(10, [("stdout", b"01234"), ("stdout", b"56789")])
    assert (got.output, got.truncated, got.file) == ("0123456789", False, None)


def test_output_over_the_budget_is_cut_in_the_middle_and_saved_in_a_file(captured: CapturedFrom) -> None:
    got = captured(9, [("stdout", b"01234"), ("stdout", b"56789")])
    assert got.output == got.stdout == "012345\n[… 1 of 10 bytes cut …]\n789"
    assert got.truncated
    assert whole(got) == b"0123456789"


def test_both_streams_count_together(captured: CapturedFrom) -> None:
    got = captured(9, [("stdout", b"01234"), ("stderr", b"56789")])
    assert (got.stdout, got.stderr) == ("01234", "56789")
    assert got.truncated
    assert whole(got) == b"0123456789"


@pytest.mark.parametrize("most", range(4, 16))
def test_characters_are_not_split(captured: CapturedFrom, most: int) -> None:
    got = captured(most, [("stdout", "žluť🐍€".encode() * 20)])
    head, _, _, tail = MARKER.split(got.output)
    assert ("žluť🐍€" * 20).startswith(head) and ("žluť🐍€" * 20).endswith(tail)
    assert most - 6 <= len((head + tail).encode()) <= most


def test_characters_may_arrive_in_pieces(captured: CapturedFrom) -> None:
    got = captured(100, [("stdout", bytes([byte])) for byte in "ž🐍".encode()])
    assert (got.output, got.file) == ("ž🐍", None)


def test_bytes_that_are_not_utf_8_are_escaped_and_saved_unchanged(captured: CapturedFrom) -> None:
    got = captured(100, [("stdout", b"a\xff\xfe"), ("stdout", b"\x80z")])
    assert got.output == got.stdout == r"a\xff\xfe\x80z"
    assert not got.truncated
    assert whole(got) == b"a\xff\xfe\x80z"


@pytest.mark.parametrize("most", [1, 2, 3, 5])
def test_a_tiny_budget(captured: CapturedFrom, most: int) -> None:
    got = captured(most, [("stdout", b"abcdefgh")])
    head, cut, total, tail = MARKER.split(got.output)
    assert len(head + tail) == most
    assert (int(cut), int(total)) == (8 - most, 8)


def test_much_output_is_cut_to_the_budget_and_saved(captured: CapturedFrom) -> None:
    lines = [f"line {number}\n".encode() for number in range(200_000)]
    got = captured(12_000, (("stdout", line) for line in lines))
    assert got.output.startswith("line 0\nline 1\n")
    assert got.output.endswith("line 199998\nline 199999\n")
    assert len(got.output) < 12_100
    assert whole(got) == b"".join(lines)


def test_one_huge_piece_is_cut_and_saved(captured: CapturedFrom) -> None:
    got = captured(12_000, [("stdout", b"a" * 20_000_000)])
    assert len(got.output) < 12_100
    assert len(whole(got)) == 20_000_000


@pytest.mark.fortnightly
def test_the_cost_of_a_line_is_constant(captured: CapturedFrom) -> None:
    started = time.perf_counter()
    got = captured(50_000_000, (("stdout", b"one line\n") for _ in range(500_000)))
    assert got.stdout.count("\n") == 500_000
    # Copying the stored output for each line would take minutes.
    assert time.perf_counter() - started < 20


CHUNKS = st.lists(st.tuples(st.sampled_from(["stdout", "stderr"]), st.binary(max_size=12)), max_size=12)
TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=8).map(str.encode), max_size=12)


@given(most=st.integers(1, 60), chunks=CHUNKS)
def test_the_file_has_all_output(most: int, chunks: list[tuple[Stream, bytes]]) -> None:
    printed = b"".join(data for _, data in chunks)
    with tempfile.TemporaryDirectory() as folder:
        got = run(Path(folder), most, chunks)
        assert got.raw_truncated == (len(printed) > most)
        if got.file is None:
            assert got.raw_output == printed.decode()
        else:
            assert whole(got) == printed
        if not got.raw_truncated:
            assert got.raw_output == printed.decode("utf-8", "backslashreplace")
            for stream, text in (("stdout", got.stdout), ("stderr", got.stderr)):
                own = b"".join(data for name, data in chunks if name == stream)
                assert text == own.decode("utf-8", "backslashreplace")


@given(most=st.integers(8, 60), texts=TEXTS)
def test_cut_text_shows_its_start_and_its_end(most: int, texts: list[bytes]) -> None:
    printed = b"".join(texts).decode()
    with tempfile.TemporaryDirectory() as folder:
        got = run(Path(folder), most, [("stdout", text) for text in texts])
    if got.raw_truncated:
        cut = list(MARKER.finditer(got.raw_output))
        assert any(
            printed.startswith(got.raw_output[: marker.start()])
            and printed.endswith(got.raw_output[marker.end() :])
            for marker in cut
        )
    else:
        assert got.raw_output == printed
