"""Measures the cost of saving file versions: writes with and without a checkpoint, alternating.

Each write is a tool call as an agent makes it, which commits its changes before it returns. Captured versions go to
the database later, when the kernel is idle; that is measured separately.
"""

import json
import statistics
import sys
from pathlib import Path

from gemini_testing import Surface
from gemini_testing.browser import launch
from gemini_testing.server import serving

DIST = Path(__file__).parents[1] / "dist"
ROUNDS = 5
LIMIT = 1.3

MEASURE = """
import json, os, statistics, time
from gemini.kernel.kernel import kernel
from gemini_host import capture, commit

CALLER = json.dumps([{"id": "changes-bench", "caller": "mcp:bench", "run": None, "about": None}])
os.makedirs("/project/bench", exist_ok=True)

async def python(code):
    await gemini.registry.call("python_run", {"code": code}, caller="mcp:bench")

def put(name, mode, text):
    return f"with open('/project/bench/{name}', {mode!r}) as file: file.write({text})"

async def file_write(turn):
    given = {"path": "/project/bench/small", "content": f"{turn}\\n" * 500}
    await gemini.registry.call("file_write", given, caller="mcp:bench")

def thousand(turn):
    return (
        "import os; os.makedirs('/project/bench/many', exist_ok=True)\\n"
        f"for number in range(1000): open(f'/project/bench/many/{{number}}', 'w').write(f'{turn} {{number}}' * 20)"
    )

INSIDE = "with open('/project/bench/large', 'r+b') as file: file.seek(25_000_000); file.write(b'%d')"
GONE = put("gone", "w", "'x' * 50_000_000")

# By name: the call, the unmeasured call before each, and the number of calls.
WRITES = {
    "file_write": (file_write, None, 60),
    "python_overwrites": (lambda turn: python(put("small", "w", f"'{turn}' * 1000")), None, 60),
    "python_appends": (lambda turn: python(put("log", "a", "'one more line'")), None, 60),
    "byte_of_50_mb": (lambda turn: python(INSIDE % turn), None, 20),
    "50_mb_deleted": (lambda turn: python("import os; os.remove('/project/bench/gone')"), lambda turn: python(GONE), 2),
    "1000_files_written": (lambda turn: python(thousand(turn)), lambda turn: python(thousand(-turn)), 3),
    "1000_files_deleted": (
        lambda turn: python("import shutil; shutil.rmtree('/project/bench/many')"),
        lambda turn: python(thousand(turn)),
        3,
    ),
}
with open("/project/bench/large", "wb") as file:
    file.write(os.urandom(1 << 20) * 50)
commit()

async def took_ms(name, saved, base):
    write, prepare, times = WRITES[name]
    took = []
    on_change = kernel.registry.writers.on_change
    for turn in range(base, base + times):
        kernel.registry.writers.on_change = None
        capture.turn("")
        if prepare:
            await prepare(turn)
        if saved:
            kernel.registry.writers.on_change = on_change
            capture.turn(CALLER)
        start = time.perf_counter()
        await write(turn)
        took.append((time.perf_counter() - start) * 1000)
    capture.turn("")
    kernel.registry.writers.on_change = on_change
    start = time.perf_counter()
    kernel.history._settle()
    settled = (time.perf_counter() - start) * 1000 / times
    kernel.store.changes.clear()
    return statistics.median(took), settled

async def measure(round):
    rows = {}
    for name in WRITES:
        without, _ = await took_ms(name, False, round * 1000)
        with_checkpoint, settled = await took_ms(name, True, round * 1000 + 500)
        rows[name] = [without, with_checkpoint, settled]
    return rows
"""


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    with serving(DIST) as url:
        driver = launch()
        try:
            driver.set_script_timeout(300)
            surface = Surface(driver, url)
            surface.load()
            surface.python(MEASURE)
            rounds = [surface.python(f"await measure({turn})") for turn in range(1, ROUNDS + 1)]
        finally:
            driver.quit()
    ms: dict[str, float] = {}
    ratio: dict[str, float] = {}
    for name in rounds[0]:
        for place, what in enumerate(("without", "with_checkpoint", "saved_later")):
            ms[f"{name}_{what}"] = round(statistics.median(turn[name][place] for turn in rounds), 3)
        ratio[name] = round(statistics.median(turn[name][1] / turn[name][0] for turn in rounds), 3)
    print(json.dumps({"ms": ms, "ratio": ratio, "limit": LIMIT}, indent=2))
    return int(any(value > LIMIT for value in ratio.values()))


if __name__ == "__main__":
    sys.exit(main())
