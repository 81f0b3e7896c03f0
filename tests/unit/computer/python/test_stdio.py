"""Standard streams that depend on the context."""

import asyncio
import io
import sys
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from gemini.computer.python import stdio
from gemini.computer.python.stdio import Streams
from gemini_userland.invocation import Output


@contextmanager
def installed() -> Generator[io.StringIO]:
    """Install the multiplexers in front of the test's streams and yield the original output.

    This isn't a fixture, because pytest restores its own streams before the test starts.
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
    """Redirect to lists of the pieces written to standard output and standard error."""
    out: list[bytes] = []
    err: list[bytes] = []
    with (
        installed(),
        stdio.redirect(Streams(stdin, Output(out.append), Output(err.append), unbuffered=unbuffered)),
    ):
        yield out, err


def test_output_in_the_block_is_collected_as_bytes_in_order() -> None:
    with redirected() as (out, err):
        print("text é")
        sys.stdout.buffer.write(b"\xff\x00\n")
        print("more")
        print("wrong", file=sys.stderr)
    assert b"".join(out) == "text é\n".encode() + b"\xff\x00\n" + b"more\n"
    assert b"".join(err) == b"wrong\n"


def test_the_original_streams_are_used_outside_the_block() -> None:
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


def test_a_stored_stream_follows_the_redirection() -> None:
    with installed() as outside:
        stored, out = sys.stdout, Output()
        with stdio.redirect(Streams(b"", out, Output())):
            stored.write("stored\n")
        assert out.text() == "stored\n"
        assert outside.getvalue() == ""


async def test_overlapping_tasks_have_separate_streams() -> None:
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


def test_binary_data_survives_reading_and_writing() -> None:
    with redirected(b"\xff\xfe\n") as (out, _):
        sys.stdout.writelines(sys.stdin)
    assert out == [b"\xff\xfe\n"]


def test_streams_are_not_terminals_and_have_an_encoding() -> None:
    with redirected():
        assert not sys.stdout.isatty()
        assert not sys.stdin.isatty()
        assert sys.stdout.encoding == "utf-8"
        assert [sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno()] == [0, 1, 2]


def test_complete_lines_are_passed_on() -> None:
    with redirected() as (out, _):
        print("started", end="")
        assert out == []
        print(" and done")
        assert b"".join(out) == b"started and done\n"


def test_unbuffered_streams_pass_every_write_on() -> None:
    with redirected(unbuffered=True) as (out, _):
        print("started", end="")
        assert out == [b"started"]


def test_writing_to_cut_streams_fails() -> None:
    streams = Streams(b"", Output(), Output(), unbuffered=True)
    streams.cut()
    with pytest.raises(BrokenPipeError):
        streams.stdout.write("too late")


def test_a_long_output_of_short_lines_is_complete() -> None:
    out = Output()
    for number in range(300_000):
        out.write(b"%d\n" % number)
    assert out.text().splitlines() == [str(number) for number in range(300_000)]
