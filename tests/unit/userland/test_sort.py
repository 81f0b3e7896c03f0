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


VERSIONS = (
    b"1.10\n1.9\n1.9~rc\na1.txt\na10.txt\na2.txt\n1.9a\nv1.0.0\nv1.0\n.x\n.b\na-1\na.1\nA1\n\n1.09\n"
    b"x.tar.gz\nx2.tar.gz\nx-2.tar\n"
)


@pytest.mark.parametrize("options", [["-V"], ["-rV"]], ids=" ".join)
async def test_versions_match_gnu(call: Call, system: Call, options: list[str]) -> None:
    assert await call("sort", *options, stdin=VERSIONS) == await system("sort", *options, stdin=VERSIONS)
