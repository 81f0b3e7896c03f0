"""A shell in the page and the system's bash, in which a benchmark runs the same commands on the same files."""

import inspect
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from gemini_testing.browser import launch  # noqa: E402 - found by the line above
from gemini_testing.server import serving  # noqa: E402
from gemini_testing.surface import Surface  # noqa: E402

DIST = Path(__file__).parents[1] / "dist"

IN_BROWSER = """
import json, os, random, statistics, tempfile, time
from gemini.computer.shell.backend import Tty
from gemini.computer.shell.embedded import ShellBackend

async def no_input(prompt, hidden):
    return None

async def opened(number, directory):
    return await ShellBackend().open(Tty(number, lambda stream, data: None, no_input), directory)

async def start():
    global session
    root = tempfile.mkdtemp()
    make(root)
    session = await opened(950, root)

async def run_ms(command, times=1):
    start = time.perf_counter()
    assert (await session.run("; ".join([command] * times), None)).exit_code == 0
    return (time.perf_counter() - start) * 1000 / times
"""


@contextmanager
def shells(make: Callable[[str], None]) -> Generator[tuple[Surface, str]]:
    """Open a page with a shell, and a folder of the system, with the same files.

    Args:
        make: Creates the files in a folder. The page runs its source, too.

    Yields:
        The page, whose Python has `run_ms`, and the folder.
    """
    root = tempfile.mkdtemp()
    with serving(DIST, isolated=True) as url:
        driver = launch(webmcp=True, headed=False)
        try:
            surface = Surface(driver, url)
            surface.load()
            make(root)
            surface.python(inspect.getsource(make) + IN_BROWSER)
            surface.python("await start()")
            yield surface, root
        finally:
            driver.quit()
            shutil.rmtree(root)


def native_ms(root: str, command: str, baseline: str) -> float:
    """Return the milliseconds that the system's bash takes for a command, less those for a baseline."""
    took: list[float] = []
    for one in (command, baseline):
        start = time.perf_counter()
        environment = {**os.environ, "LC_ALL": "C"}
        subprocess.run(["bash", "-c", one], cwd=root, env=environment, check=True, capture_output=True)
        took.append(time.perf_counter() - start)
    return (took[0] - took[1]) * 1000


def medians(
    shell: tuple[Surface, str], ours: str, native: str, baseline: str, runs: int
) -> tuple[float, float]:
    """Return the median milliseconds of a command in the page, and of one in the system, run in turn."""
    surface, root = shell
    pairs = [
        (surface.python(f"await run_ms({json.dumps(ours)})"), native_ms(root, native, baseline))
        for _ in range(runs)
    ]
    here, system = (statistics.median(column) for column in zip(*pairs, strict=True))
    return here, system
