"""Progress bars of rich where no thread can start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PY = Path(__file__).parents[4] / "py"
BEGIN = """
import sys, threading
def refuse(thread): raise RuntimeError("can't start new thread")
threading.Thread.start = refuse
from gemini.computer.python import progress
progress.install()
from rich.console import Console
from rich.live import Live
from rich.progress import Progress, track
console = Console(force_terminal=True, width=60)
"""


def run(code: str) -> str:
    command = [sys.executable, "-c", BEGIN + code]
    env = {"PYTHONPATH": str(PY), "TERM": "xterm"}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_track_ends_with_the_whole_bar() -> None:
    shown = run("for n in track(range(5000), 'Working', console=console): pass")
    assert "100%" in shown.rpartition("Working")[2]
    # It isn't drawn for each step.
    assert shown.count("Working") < 200


def test_a_change_redraws_the_bar() -> None:
    shown = run(
        "with Progress(console=console, refresh_per_second=1000) as bars:\n"
        "    task = bars.add_task('Loading', total=4)\n"
        "    import time\n"
        "    for n in range(4):\n"
        "        end = time.monotonic() + 0.002\n"
        "        while time.monotonic() < end: pass\n"
        "        bars.update(task, advance=1)\n"
        "print('after')"
    )
    assert " 50%" in shown and "100%" in shown and shown.endswith("after\n")


def test_a_live_text_changes() -> None:
    shown = run(
        "with Live('one', console=console, refresh_per_second=1000) as live:\n"
        "    import time\n"
        "    end = time.monotonic() + 0.002\n"
        "    while time.monotonic() < end: pass\n"
        "    live.update('two')\n"
        "    live.update('three')\n"
    )
    assert "one" in shown and "two" in shown and "three" in shown
