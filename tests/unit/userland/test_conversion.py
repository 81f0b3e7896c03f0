"""`dd` and `iconv` do what GNU's do; `conversion_cases.json` has their output, errors and exit codes."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from tests.unit.userland.conftest import Call

CASES = json.loads(Path(__file__).with_name("conversion_cases.json").read_text())
FILES = {"h": b"hello world\n", "u": 'a→é"“”…—ß€\n'.encode(), "b": b"a\xffb", "inc": b"a\xe2\x82"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["line"])
async def test_what_it_prints_is_gnus(call: Call, case: dict[str, Any], tmp_path: Path) -> None:
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    ran = await call(*shlex.split(case["line"]), stdin=case["stdin"].encode("latin-1"))
    assert ran.exit_code == case["exit_code"]
    assert ran.output.decode("latin-1") == case["output"]
    assert re.sub(r" copied, .*", " copied", ran.error) == case["error"]


async def test_dd_writes_into_files(call: Call, tmp_path: Path) -> None:
    target = tmp_path / "target"
    for operands in (
        "of=target",
        "of=target bs=3 seek=2 conv=notrunc",
        "of=target oflag=append conv=notrunc",
    ):
        ran = await call("dd", *operands.split(), "status=none", stdin=b"hello world\n")
        assert (ran.exit_code, ran.error) == (0, "")
    assert target.read_bytes() == b"hello hello world\nhello world\n"
    await call("dd", "of=target", "bs=4", "seek=1", "status=none", stdin=b"x")
    assert target.read_bytes() == b"hellx"
    refused = await call("dd", "of=target", "conv=excl", stdin=b"x")
    assert (refused.exit_code, refused.error) == (1, "dd: failed to open 'target': File exists\n")


async def test_dd_says_what_to_use_instead_of_ebcdic(call: Call) -> None:
    ran = await call("dd", "conv=ebcdic", stdin=b"x")
    assert ran.exit_code == 1
    assert ran.error == "dd: conv=ebcdic isn't supported: use iconv, such as `iconv -f CP037`\n"


async def test_iconv_writes_a_file(call: Call, tmp_path: Path) -> None:
    ran = await call("iconv", "-f", "latin1", "-t", "utf8", "-o", "out", stdin=b"\xe9\n")
    assert (ran.exit_code, ran.output) == (0, b"")
    assert (tmp_path / "out").read_bytes() == "é\n".encode()


async def test_iconv_lists_encodings(call: Call) -> None:
    ran = await call("iconv", "-l")
    assert {"UTF-8//", "LATIN1//", "CP1252//", "SHIFT-JIS//"} <= set(ran.text.split())
