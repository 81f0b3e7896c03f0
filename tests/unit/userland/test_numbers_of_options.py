"""Options that take a number print one line to standard error for other values, as the GNU commands do."""

from __future__ import annotations

import pytest

from tests.unit.userland.conftest import Call

LINES = b"a\nb\na\nb\n"


@pytest.mark.parametrize(
    "argv",
    [
        ["shuf", "-n", "x"],
        ["shuf", "-n", "-1"],
        ["shuf", "-n", ""],
        ["od", "-j", "x"],
        ["od", "-N", "-1"],
        ["fmt", "-w", "x"],
        ["uniq", "-f", "x"],
        ["uniq", "-s", "1x"],
        ["uniq", "-w", "x"],
        ["grep", "-A", "x", "a"],
        ["grep", "-m", "x", "a"],
    ],
    ids=" ".join,
)
async def test_an_invalid_number_is_reported_as_by_gnu(call: Call, system: Call, argv: list[str]) -> None:
    ours, theirs = await call(*argv, stdin=LINES), await system(*argv, stdin=LINES)
    assert ours == theirs


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["shuf", "-i", "1-x"], "invalid input range"),
        (["od", "-wx", "a"], "invalid -w argument 'x'"),
        (["hexdump", "-n", "x"], "failed to parse length: 'x'"),
        (["xargs", "-n", "0"], 'invalid number "0" for -n option'),
        (["xargs", "-L", "x"], 'invalid number "x" for -L option'),
        (["cmp", "-n", "x", "a", "b"], "invalid --bytes value 'x'"),
        (["numfmt", "--field", "0", "1"], "fields are numbered from 1"),
        (["diff", "-U", "x", "a", "b"], "invalid context length 'x'"),
    ],
    ids=repr,
)
async def test_an_invalid_number_is_reported(call: Call, argv: list[str], message: str) -> None:
    done = await call(*argv, stdin=LINES)
    assert done.exit_code > 0
    assert done.output == b""
    assert done.error.startswith(f"{argv[0]}: {message}")
    # Some refer to their help in a second line.
    assert done.error.count("\n") <= 2


@pytest.mark.parametrize(
    "argv",
    [
        ["od", "-j", "0x2", "-N", "3", "-c"],
        ["uniq", "-w", "0"],
        ["grep", "-m", "1", "-A", "1", "a"],
        ["xargs", "-n", "3"],
        ["numfmt", "--padding", "-5", "1"],
    ],
    ids=" ".join,
)
async def test_valid_numbers_are_accepted(call: Call, system: Call, argv: list[str]) -> None:
    ours, theirs = await call(*argv, stdin=LINES), await system(*argv, stdin=LINES)
    assert (ours.output, ours.exit_code) == (theirs.output, theirs.exit_code)


async def test_repeated_lines_are_one_star_in_a_dump(call: Call, system: Call) -> None:
    zeros = bytes(64) + b"end"
    for argv in (
        ["od"],
        ["od", "-v"],
        ["od", "-Ad", "-tx1", "-w8"],
        ["hexdump", "-C"],
        ["hexdump", "-v"],
        ["xxd"],
    ):
        assert (await call(*argv, stdin=zeros)).text == (await system(*argv, stdin=zeros)).text
