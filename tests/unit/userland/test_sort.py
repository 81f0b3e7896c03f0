"""`sort` orders by keys, and reports invalid keys, like GNU sort."""

from __future__ import annotations

import pytest

from tests.unit.userland.conftest import Call

TEXT = b"b 2 x\na 10 y\nc 2 a\nB 1 z\n\n a 3\n"


@pytest.mark.parametrize(
    "options",
    [
        ["-k2"],
        ["-k2,2n"],
        ["-k", "2.1,2.2", "-k1"],
        ["-k2n,2r", "-s"],
        ["-fk1,1.0"],
        ["-k+"],
        ["-k", ""],
        ["-k0"],
        ["-kx"],
        ["-k1."],
        ["-k1.x"],
        ["-k1.0"],
        ["-k1q"],
        ["-k1,"],
        ["-k1,+"],
        ["-k1,0"],
        ["-k2,1.1x"],
    ],
    ids=" ".join,
)
async def test_keys_match_gnu(call: Call, system: Call, options: list[str]) -> None:
    assert await call("sort", *options, stdin=TEXT) == await system("sort", *options, stdin=TEXT)
