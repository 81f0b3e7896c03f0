"""`cut` prints the same parts and messages as GNU cut."""

from __future__ import annotations

import pytest

from tests.unit.userland.conftest import Call

TEXT = b"a:b:c:d\nno delimiter\n:x:\n\nabcdefgh\n"


@pytest.mark.parametrize(
    "options",
    [
        ["-d:", "-f2"],
        ["-d:", "-f", "2-"],
        ["-d:", "-f-2,4"],
        ["-d:", "-f4,1-2,2-3"],
        ["-d", ":", "-sf1"],
        ["-d:", "-f2", "--complement"],
        ["-d:", "-f1,3", "--output-delimiter=--"],
        ["-d:", "-f1,3", "--output-delimiter="],
        ["-c1-3"],
        ["-c-2,5-"],
        ["-b3"],
        ["-c1,3-4", "--output-delimiter=_"],
        ["-c1-3,4-5", "--output-delimiter=_"],
        ["-c2", "--complement"],
        ["-z", "-c1"],
        ["-f1"],
        ["-c1", "-", "missing"],
        ["-f0"],
        ["-f3-1"],
        ["-fx"],
        ["-cx"],
        ["-c0"],
        ["-f,"],
        ["-f-"],
        ["-d:"],
        ["-d::", "-f1"],
        ["-d:", "-c1"],
        ["-c1", "-f1"],
        ["-q"],
    ],
    ids=" ".join,
)
async def test_cut_matches_gnu(call: Call, system: Call, options: list[str]) -> None:
    assert await call("cut", *options, stdin=TEXT) == await system("cut", *options, stdin=TEXT)
