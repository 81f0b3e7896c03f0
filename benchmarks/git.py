"""Compares `git status` in the embedded shell with the system's git, in a repository of 1,000 files."""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from gemini_testing.browser import launch  # noqa: E402 - found by the line above
from gemini_testing.server import serving  # noqa: E402
from gemini_testing.surface import Surface  # noqa: E402

DIST = Path(__file__).parents[1] / "dist"
MAX_RATIO = 3.0
ROUNDS = 9
SETUP = """
git init -q -b main && git config user.name Ada && git config user.email ada@example.org
for ((folder = 0; folder < 50; folder++)); do
  mkdir -p src/$folder
  for ((file = 0; file < 20; file++)); do printf '%s\\n' $folder $file some text >src/$folder/$file.txt; done
done
git add . && git commit -q -m 'Add 1,000 files'
printf 'changed\\n' >src/7/7.txt; printf 'new\\n' >src/7/new.txt
"""
IN_BROWSER = """
import tempfile, time
from gemini.computer.shell.backend import Tty
from gemini.computer.shell.embedded import ShellBackend

async def no_input(prompt, hidden):
    return None

async def status_times(setup, rounds):
    printed = bytearray()
    session = await ShellBackend().open(
        Tty(997, lambda stream, data: printed.extend(data), no_input), tempfile.mkdtemp()
    )
    assert (await session.run(setup, None)).exit_code == 0, printed
    times = []
    for _ in range(rounds):
        printed.clear()
        start = time.perf_counter()
        await session.run("git status", None)
        times.append(time.perf_counter() - start)
    await session.close()
    return times, printed.decode()
"""


def in_git(folder: str) -> tuple[list[float], str]:
    """Return the times of the system's git, and its output."""
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": folder}
    subprocess.run(["bash", "-c", SETUP], cwd=folder, check=True, env=environment)
    times: list[float] = []
    text = ""
    for _ in range(ROUNDS):
        start = time.perf_counter()
        done = subprocess.run(
            ["git", "status"], cwd=folder, check=True, env=environment, capture_output=True, text=True
        )
        times.append(time.perf_counter() - start)
        text = done.stdout
    return times, text


def median(times: list[float]) -> float:
    """Return the median in milliseconds, without the first time."""
    rest = sorted(times[1:])
    return rest[len(rest) // 2] * 1000


def main() -> int:
    """Print the figures and return 1 if the ratio exceeds its limit, else 0."""
    with serving(DIST, isolated=True) as url, tempfile.TemporaryDirectory() as folder:
        driver = launch(webmcp=True, headed=False)
        try:
            surface = Surface(driver, url)
            surface.load()
            surface.python(IN_BROWSER)
            ours, text = surface.python(f"await status_times({json.dumps(SETUP)}, {ROUNDS})")
        finally:
            driver.quit()
        theirs, expected = in_git(folder)
    ratio = median(ours) / median(theirs)
    print(f"git status, 1,000 files: {median(ours):.1f} ms, git {median(theirs):.1f} ms: {ratio:.2f} (3)")
    print(f"the first call: {ours[0] * 1000:.0f} ms, git {theirs[0] * 1000:.1f} ms")
    if text != expected:
        print(f"the outputs differ:\n{text}\n{expected}")
    return 0 if ratio <= MAX_RATIO and text == expected else 1


if __name__ == "__main__":
    raise SystemExit(main())
