"""Measures `file_find` over 10,000 files, as a ratio to `os.walk` with `fnmatch` in the same interpreter.

It needs only the standard library and `gemini`, so it runs in any Python that has the package: with
`python benchmarks/file_find.py`, or in the page by importing this module there and calling `figures()`.
"""

import fnmatch
import json
import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable

from gemini.computer.files import FileBrowser
from gemini.computer.files.tools import FileTools

FILES = 10_000
PER_DIRECTORY = 50
SUFFIXES = ("py", "txt", "log", "json", "png", "md", "js", "csv", "html", "zip")
# One file in ten, all of them, and a path.
PATTERNS = {"*.log": "*.log", "*": "*", "**/level-1*/**/*.py": "*.py"}
MAX_RATIO = 2.0
ROUNDS = 7


def make_tree(root: str) -> None:
    """Create FILES empty files of ten kinds, PER_DIRECTORY in each directory, two levels deep."""
    for number in range(FILES):
        group = number // PER_DIRECTORY
        directory = os.path.join(root, f"level-{group // 20}", f"group-{group}")
        if number % PER_DIRECTORY == 0:
            os.makedirs(directory)
        suffix = SUFFIXES[number % len(SUFFIXES)]
        with open(os.path.join(directory, f"file-{number}.{suffix}"), "wb"):
            pass


def walk(root: str, name_pattern: str) -> list[str]:
    """Return the sorted paths of the files whose name matches: the baseline."""
    found = [
        os.path.join(directory, name)
        for directory, _, names in os.walk(root)
        for name in fnmatch.filter(names, name_pattern)
    ]
    return sorted(found)


def seconds(action: Callable[[], object]) -> float:
    """Return the seconds that an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def compare(root: str, pattern: str, name_pattern: str) -> dict[str, float]:
    """Measure the median seconds of both, alternating, and their ratio."""
    tools = FileTools(FileBrowser())
    ours: list[float] = []
    plain: list[float] = []
    for _ in range(ROUNDS):
        plain.append(seconds(lambda: walk(root, name_pattern)))
        ours.append(seconds(lambda: tools.file_find(pattern, root)))
    found, baseline = statistics.median(ours), statistics.median(plain)
    return {"file_find_s": found, "walk_s": baseline, "ratio": found / baseline}


def figures() -> dict[str, dict[str, float]]:
    """Create a tree, measure every pattern in it, and remove it."""
    root = tempfile.mkdtemp(prefix="file-find-")
    try:
        make_tree(root)
        return {pattern: compare(root, pattern, plain) for pattern, plain in PATTERNS.items()}
    finally:
        shutil.rmtree(root)


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    results = figures()
    print(json.dumps(results, indent=2))
    worst = max(result["ratio"] for result in results.values())
    print(f"file_find over {FILES:,} files: {worst:.2f} times os.walk with fnmatch; limit {MAX_RATIO:g}")
    return 0 if worst <= MAX_RATIO else 1


if __name__ == "__main__":
    raise SystemExit(main())
