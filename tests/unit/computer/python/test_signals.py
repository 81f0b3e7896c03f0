"""Which programs receive the signals of a task of the shell."""

import asyncio
from pathlib import Path

from gemini.computer.python.command import run_python
from gemini_userland.invocation import Invocation


async def test_programs_without_a_task_of_their_own_run_at_the_same_time(tmp_path: Path) -> None:
    calls = [Invocation(["python3", "-c", f"print({number})"], cwd=str(tmp_path)) for number in range(3)]
    assert await asyncio.gather(*map(run_python, calls)) == [0, 0, 0]
    assert [call.stdout.text() for call in calls] == ["0\n", "1\n", "2\n"]
