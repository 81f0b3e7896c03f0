"""The modules that a start of the page imports."""

import os
import subprocess
import sys
from pathlib import Path

# Each takes some of the time of every first visit.
LATER = (
    "gemini.agents.chats.chats",
    "gemini.agents.chats.messages",
    "gemini.agents.runs.runs",
    "gemini.agents.watching.views",
    "gemini.computer.python.completion",
    "gemini.models.interface.model",
    "gemini.models.interface.sampling",
    "gemini.personal.photo_files",
    "jedi",
    "pyte",
    "wcwidth",
)
SCRIPT = """
import asyncio, sys
from gemini.kernel import clients

async def draw():
    running = await clients.kernel.start(home=sys.argv[1], fresh_files=True)
    running.terminals.create()
    running.connect(print, attended=True)
    assert running.snapshot()["chats"] == []

asyncio.run(draw())
print(*sorted(set(sys.argv[2:]) & set(sys.modules)), file=sys.stderr)
"""


def test_a_start_leaves_what_it_does_not_need_for_later(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, tmp_path, *LATER], env=env, check=True, capture_output=True, text=True
    )
    assert ran.stderr.split() == []
