"""Measures the omnibar's search over 2,000 files in the page, as a ratio to a plain walk that reads every file.

Both run in the page's Python, alternating. Calls during the first indexing show how long it delays others.
"""

import json
import sys

from _during import timed_calls
from _page import opened

MAX_RATIO = 0.5

PREPARE = """
import asyncio, os, random, statistics, time
from pathlib import Path
from gemini.computer.search.search import Search

random.seed(1)
words = ["".join(random.choices("abcdefghijklmnopqrstuvwxyz", k=random.randint(3, 9))) for _ in range(5_000)]
root = "/tmp/searched"
for number in range(2_000):
    folder = f"{root}/{number % 50}"
    os.makedirs(folder, exist_ok=True)
    lines = (" ".join(random.choices(words, k=10)) for _ in range(60))
    Path(folder, f"{number}.txt").write_text("\\n".join(lines))
search = Search([Path(root)], {})
"""
INDEX = """
async def index():
    began = time.perf_counter()
    await search.refresh()
    return {"took_ms": (time.perf_counter() - began) * 1000, "files": search.files}
"""
COMPARE = """
def plain(word):
    found = 0
    for folder, _, names in os.walk(root):
        for name in names:
            with open(os.path.join(folder, name), encoding="utf-8", errors="replace") as file:
                found += word in file.read()
    return found

async def compare():
    ours, theirs, refreshes = [], [], []
    for word in words[:15]:
        began = time.perf_counter()
        assert plain(word)
        theirs.append(time.perf_counter() - began)
        began = time.perf_counter()
        await search.refresh()
        refreshes.append(time.perf_counter() - began)
        began = time.perf_counter()
        found, unfinished = await search.find(word[:3], search.kinds, 30)
        assert found and not unfinished
        ours.append(time.perf_counter() - began)
    return {name: statistics.median(times) * 1000
            for name, times in (("search_ms", ours), ("refresh_ms", refreshes), ("plain_ms", theirs))}

await compare()
"""


def figures() -> dict[str, float]:
    """Measure milliseconds, and the ratio of a search to a plain walk, with and without a refresh of the index."""
    with opened() as surface:
        surface.load()
        surface.python(PREPARE)
        surface.python(INDEX)
        indexed, calls = timed_calls(surface, "await index()", "indexing")
        compared = surface.python(COMPARE)
    plain = compared["plain_ms"]
    return {
        "files": indexed["files"],
        "index_ms": indexed["took_ms"],
        **calls,
        **compared,
        "ratio": compared["search_ms"] / plain,
        "ratio_with_refresh": (compared["search_ms"] + compared["refresh_ms"]) / plain,
        "index_ratio": indexed["took_ms"] / plain,
    }


def main() -> int:
    """Print the figures and return 1 if the ratio exceeds its limit, else 0."""
    found = figures()
    print(json.dumps(found, indent=2))
    return 0 if found["ratio"] <= MAX_RATIO else 1


if __name__ == "__main__":
    sys.exit(main())
