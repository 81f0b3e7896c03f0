"""Solves the tasks of MiniWoB++ by the page script's actions, and the same by plain DOM events.

The tasks come from the pinned wheel of benchmarks/miniwob.txt. Their solvers (_oracles.py) read the task's sentence and
the page; this measures actions, not models. A task that plain DOM events solve and the page script doesn't is a fault.
"""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import _oracles_of_drags  # pyright: ignore[reportUnusedImport]  # noqa: F401
import _oracles_of_drawings  # pyright: ignore[reportUnusedImport]  # noqa: F401
import _oracles_of_games  # pyright: ignore[reportUnusedImport]  # noqa: F401
from _libraries import serving
from _oracles import ORACLES
from _tasks import Task
from selenium.common.exceptions import WebDriverException

from gemini_testing.browser import launch
from gemini_testing.html_page import HtmlPage, PageThrew

HERE = Path(__file__).parent
ROOT = HERE.parent
SCRIPT = ROOT / "dist/gemini-page.js"
PINNED = HERE / "miniwob.txt"
SEEDS = 3
# Drawings are rewarded by their precision.
SOLVED = 0.7


@dataclass
class Solved:
    """The solved seeds of a task, in one way of acting."""

    seeds: int = 0
    problems: list[str] = field(default_factory=list[str])


def tasks_folder() -> Path:
    """Return the folder of the tasks, installed on first use."""
    digest = hashlib.sha256(PINNED.read_bytes()).hexdigest()[:12]
    folder = ROOT / ".build/miniwob" / digest
    if not folder.exists():
        shutil.rmtree(folder.parent, ignore_errors=True)
        command = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
        subprocess.run([*command, "--target", folder, "--requirement", PINNED], check=True)
    return folder / "miniwob/html"


def solve(page: HtmlPage, name: str, seeds: range, *, plain: bool) -> Solved:
    """Solve a task with each seed."""
    solved = Solved()
    for seed in seeds:
        page.driver.get(f"{page.server.url}/tasks/miniwob/{name}.html")
        task = Task(page, plain=plain)
        task.start(seed)
        query = task.query
        try:
            ORACLES[name](task)
            reward = task.reward
        except (
            AssertionError,
            PageThrew,
            WebDriverException,
            ValueError,
            KeyError,
            StopIteration,
        ) as problem:
            solved.problems.append(f"seed {seed}: {query}: {type(problem).__name__} {str(problem)[:200]}")
            continue
        if reward >= SOLVED:
            solved.seeds += 1
        else:
            solved.problems.append(f"seed {seed}: {query}: reward {reward}")
    return solved


def main() -> int:
    """Print the figures and return 1 if plain events solve what the page script doesn't, else 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", nargs="*", default=[], help="only these tasks")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--script", type=Path, default=SCRIPT)
    options = parser.parse_args()
    folder = tasks_folder()
    known = sorted(path.stem for path in (folder / "miniwob").glob("*.html"))
    names = options.tasks or [name for name in known if name in ORACLES]
    wins = ours_total = plain_total = 0
    faults: list[str] = []
    driver = launch(webmcp=False)
    driver.set_script_timeout(60)
    try:
        with serving(options.script, tasks=folder) as server:
            page = HtmlPage(driver, server)
            for name in names:
                ours = solve(page, name, range(options.seeds), plain=False)
                plain = solve(page, name, range(options.seeds), plain=True)
                print(f"{name:32} {ours.seeds} of {options.seeds}, by plain events {plain.seeds}", flush=True)
                for problem in ours.problems:
                    print(f"    {problem}", flush=True)
                wins += ours.seeds == options.seeds
                ours_total += ours.seeds
                plain_total += plain.seeds
                if plain.seeds > ours.seeds:
                    faults.append(name)
    finally:
        driver.quit()
    runs = options.seeds * len(names)
    print(f"without a solver: {', '.join(name for name in known if name not in ORACLES)}")
    print(f"{wins} of {len(names)} tasks with every seed; {len(known)} exist")
    print(f"{ours_total} of {runs} runs by the page script, {plain_total} by plain DOM events")
    print(f"plain events solve more of: {', '.join(faults) or 'none'}")
    return int(bool(faults))


if __name__ == "__main__":
    raise SystemExit(main())
