"""`bc` prints the same results as GNU bc."""

from __future__ import annotations

import pytest

from tests.unit.userland.conftest import Call

LINES = [
    "1+2*3^2",
    "scale=5; 22/7; -1/3; 10%3; .5*.25",
    "2^100; 2^300",
    "0; -0.0; 1.50; sqrt(2); scale=10; sqrt(2)",
    "obase=2; 10; 0; -5",
    "ibase=16; FF; A; obase=2; FF",
    "obase=16; 255; -31; 4095.5",
    "ibase=2; 1010; obase=1010; 11; 9; 12",
    "obase=8; 3.5; .125",
    "obase=20; 399; 5",
    "ibase=16; 1A.8; ibase; AB",
    "AB; x=A; x+B",
    "ibase=17; 5; obase",
    "obase=2; scale=4; 1/3",
    "1/0",
    "i=0; while (i<3) { i=i+1; i*i }",
    "for (i=1; i<=4; i=i+1) { if (i==3) continue; i }",
    'while(1){i=i+1; if(i>5) break}; i; print "i is ", i, "\\n"; "text"; 2',
    "if (1 > 2) 5 else 6",
    "for (i=0; i<2; i=i+1)\n  for (j=0; j<2; j=j+1)\n    i*2+j",
    "a=1; quit; 5",
]


@pytest.mark.parametrize("text", LINES)
async def test_bc_matches_gnu(call: Call, system: Call, text: str) -> None:
    ours, theirs = [await one("bc", stdin=f"{text}\n".encode()) for one in (call, system)]
    assert (ours.exit_code, ours.output) == (theirs.exit_code, theirs.output)
