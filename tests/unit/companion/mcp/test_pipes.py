"""Standard input and output as the event loop's pipes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the SDK's own transport is used there")

PACKAGES = Path(__file__).parents[4] / "py"
ECHO = """
import asyncio, os
from gemini_companion.mcp import pipes
from gemini_companion.mcp.pipes import standard_streams

pipes.LONGEST_LINE = 1_000_000

async def main():
    async with standard_streams() as (reading, writing):
        print("stray", input_is_empty())
        async for message in reading:
            if isinstance(message, Exception):
                print("not JSON-RPC", flush=True)
            else:
                await writing.send(message)
        await writing.aclose()
    os.write(1, b"restored")

def input_is_empty():
    return os.read(0, 1) == b""

asyncio.run(main())
"""


def test_long_messages_pass_and_other_output_goes_to_standard_error() -> None:
    sent = [{"jsonrpc": "2.0", "method": "echo", "params": {"text": "ä" * size}} for size in (1, 300_000, 2)]
    lines = [json.dumps(sent[0]), "no JSON", *(json.dumps(each, ensure_ascii=False) for each in sent[1:])]
    lines.insert(2, json.dumps({"jsonrpc": "2.0", "method": "echo", "params": {"text": "x" * 1_000_000}}))
    ended = subprocess.run(
        [sys.executable, "-c", ECHO],
        input="\n".join(lines).encode() + b"\n",
        capture_output=True,
        env={**os.environ, "PYTHONPATH": str(PACKAGES)},
        check=True,
    )
    *received, last = ended.stdout.decode().split("\n")
    *rest, too_long = sorted((json.loads(line) for line in received), key=lambda row: "error" in row)
    assert rest == sent
    assert (too_long["id"], too_long["error"]["code"]) == (None, -32600)
    assert last == "restored"
    assert ended.stderr.decode().splitlines() == ["stray True", "not JSON-RPC"]
