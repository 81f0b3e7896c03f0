"""Standard streams that differ by context."""

import asyncio
import io
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from gemini.python import stdio
from gemini.python.stdio import Streams
from gemini_userland.invocation import Output


@contextmanager
def installed() -> Generator[io.StringIO]:
    """Puts the multiplexers in front of streams of the test, and gives the output among these.

    No fixture, because pytest puts its own streams back before the test begins.
    """
    before = sys.stdin, sys.stdout, sys.stderr
    output = io.StringIO()
    sys.stdin, sys.stdout, sys.stderr = io.StringIO("from outside\n"), output, io.StringIO()
    stdio.install()
    try:
        yield output
    finally:
        sys.stdin, sys.stdout, sys.stderr = before


@contextmanager
def redirected(stdin: bytes = b"", *, unbuffered: bool = False) -> Generator[tuple[list[bytes], list[bytes]]]:
    """Redirects to lists of the pieces that are written, standard output and standard error."""
    out: list[bytes] = []
    err: list[bytes] = []
    with (
        installed(),
        stdio.redirect(Streams(stdin, Output(out.append), Output(err.append), unbuffered=unbuffered)),
    ):
        yield out, err


def test_output_of_the_block_is_collected_in_order_and_as_bytes() -> None:
    with redirected() as (out, err):
        print("text é")
        sys.stdout.buffer.write(b"\xff\x00\n")
        print("more")
        print("wrong", file=sys.stderr)
    assert b"".join(out) == "text é\n".encode() + b"\xff\x00\n" + b"more\n"
    assert b"".join(err) == b"wrong\n"


def test_outside_of_the_block_the_original_streams_are_used() -> None:
    with installed() as outside:
        with stdio.redirect(Streams(b"", Output(), Output())):
            print("inside")
        print("outside")
        assert outside.getvalue() == "outside\n"
        assert input() == "from outside"


def test_installing_again_changes_nothing() -> None:
    with installed() as outside:
        first = sys.stdout
        stdio.install()
        assert sys.stdout is first
        print("still there")
        assert outside.getvalue() == "still there\n"


def test_a_stream_that_was_kept_follows_the_redirection() -> None:
    with installed() as outside:
        kept, out = sys.stdout, Output()
        with stdio.redirect(Streams(b"", out, Output())):
            kept.write("kept\n")
        assert out.text() == "kept\n"
        assert outside.getvalue() == ""


async def test_tasks_that_overlap_print_into_their_own_streams() -> None:
    async def child(name: str) -> None:
        await asyncio.sleep(0)
        print("child of", name)

    async def program(name: str) -> str:
        out = Output()
        with stdio.redirect(Streams(b"", out, Output())):
            for _ in range(2):
                print(name)
                await asyncio.sleep(0)
            await asyncio.create_task(child(name))
        return out.text()

    with installed():
        outputs = await asyncio.gather(program("a"), program("b"))
    assert outputs == ["a\na\nchild of a\n", "b\nb\nchild of b\n"]


def test_input_reads_lines_until_there_are_no_more() -> None:
    with redirected(b"one\ntwo") as (out, _):
        assert input("? ") == "one"
        assert input() == "two"
        with pytest.raises(EOFError):
            input()
    assert out == [b"? "]


def test_bytes_that_are_no_text_survive_reading_and_writing() -> None:
    with redirected(b"\xff\xfe\n") as (out, _):
        sys.stdout.writelines(sys.stdin)
    assert out == [b"\xff\xfe\n"]


def test_streams_are_no_terminal_and_say_their_encoding() -> None:
    with redirected():
        assert not sys.stdout.isatty()
        assert not sys.stdin.isatty()
        assert sys.stdout.encoding == "utf-8"
        with pytest.raises(io.UnsupportedOperation):
            sys.stdout.fileno()


def test_lines_are_handed_on_when_they_are_complete() -> None:
    with redirected() as (out, _):
        print("begun", end="")
        assert out == []
        print(" and done")
        assert b"".join(out) == b"begun and done\n"


def test_unbuffered_streams_hand_on_every_piece() -> None:
    with redirected(unbuffered=True) as (out, _):
        print("begun", end="")
        assert out == [b"begun"]


def test_writing_to_streams_that_were_cut_fails() -> None:
    streams = Streams(b"", Output(), Output(), unbuffered=True)
    streams.cut()
    with pytest.raises(BrokenPipeError):
        streams.stdout.write("too late")


def test_a_long_output_of_short_lines_is_kept_whole() -> None:
    out = Output()
    for number in range(300_000):
        out.write(b"%d\n" % number)
    assert out.text().splitlines() == [str(number) for number in range(300_000)]
