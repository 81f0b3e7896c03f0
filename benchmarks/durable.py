"""Measures the cost of storing files: commits, and mounting the stored files.

Each figure is a ratio to a baseline of the same browser and minute: a commit with few files, a commit of one file,
and a plain `loadPyodide`.
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.durable.harness import Browser, Kernel, site  # noqa: E402 - found by the line above

FILES = 10_000
FEW = 10
# 50 MB in all.
MOUNTED_BYTES = 5_000
NEW_BYTES = 100
COMMITS = 51
ROUNDS = 5
LIMITS = {"one_changed_file": 1.5, "many_new_files": 200.0, "mount": 0.1}

# Measures the median milliseconds of commits, each after a change in Python; {n} is the number of the repetition.
COMMIT = """
const times = Array.from({ length: parameter.times }, (_, n) => {
  pyodide.runPython(parameter.change.replaceAll("{n}", n));
  const start = performance.now();
  durable.commit();
  return performance.now() - start;
});
return times.sort((one, other) => one - other)[times.length >> 1];
"""
CHANGE = "open('/project/changed', 'w').write('{n}' * 20)"
NEW = f"open('/project/new-{{n}}', 'wb').write(os.urandom({NEW_BYTES}))"
RENAME = """
old = next(name for name in os.listdir("/project") if name.startswith("many"))
os.rename(f"/project/{old}", "/project/many-{n}")
"""
LARGE = "open('/project/large', 'wb').write(os.urandom(1 << 20) * 50)"
BYTE = "f = open('/project/large', 'r+b'); f.seek(25_000_000); f.write(b'{n}'); f.close()"


def files(directory: str, count: int, size: int) -> str:
    """Return Python code that creates a directory of new files."""
    return (
        f"os.mkdir('/project/{directory}')\n"
        f"for i in range({count}): open(f'/project/{directory}/{{i}}', 'wb').write(os.urandom({size}))"
    )


def commit_ms(kernel: Kernel, change: str, times: int = COMMITS) -> float:
    """Return the median milliseconds of a commit after a change."""
    return kernel.javascript(COMMIT, {"change": change, "times": times})


def opened(browser: Browser, name: str, count: int) -> Kernel:
    """Start a worker with `count` small files."""
    kernel = browser.kernel(spare=False)
    kernel.open(name)
    kernel.python(files("many", count, NEW_BYTES))
    kernel.commit()
    return kernel


def commits(browser: Browser) -> dict[str, float]:
    """Measure the milliseconds of commits by kind of change; the compared kinds alternate."""
    few, many = opened(browser, "bench-few", FEW), opened(browser, "bench-many", FILES)
    rows = [(commit_ms(few, CHANGE), commit_ms(many, CHANGE)) for _ in range(ROUNDS)]
    ones: list[float] = []
    batches: list[float] = []
    for turn in range(ROUNDS):
        ones.append(commit_ms(many, NEW.replace("new", f"new-{turn}")))
        batches.append(commit_ms(many, files(f"batch-{turn}", FILES, NEW_BYTES), 1))
    return {
        "one_changed_of_10": statistics.median(row[0] for row in rows),
        "one_changed_of_10000": statistics.median(row[1] for row in rows),
        "one_new": statistics.median(ones),
        "10000_new": statistics.median(batches),
        "rename_of_10000": commit_ms(many, RENAME),
        "50_mb_new": commit_ms(few, LARGE, ROUNDS),
        "1_byte_of_50_mb": commit_ms(few, BYTE),
    }


def mounts(browser: Browser) -> dict[str, float]:
    """Measure the milliseconds of a plain `loadPyodide` and of mounting FILES files, each time in a new worker."""
    writer = browser.kernel(spare=False)
    writer.open("bench-mount")
    writer.python(files("many", FILES, MOUNTED_BYTES))
    writer.commit()
    writer.terminate()
    rows: list[tuple[float, float]] = []
    for _ in range(ROUNDS):
        kernel = browser.kernel(spare=False)
        boot_ms = kernel.ask("boot")["ms"]
        mounted = kernel.open("bench-mount")["mounted"]
        assert mounted["bytes"] == FILES * MOUNTED_BYTES
        rows.append((boot_ms, mounted["ms"]))
        kernel.terminate()
    return {
        "loadPyodide": statistics.median(row[0] for row in rows),
        "mount_of_10000_50_mb": statistics.median(row[1] for row in rows),
    }


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    with (
        tempfile.TemporaryDirectory() as folder,
        site(Path(folder) / "site") as url,
        Browser(url, Path(folder) / "profile") as browser,
    ):
        ms = mounts(browser) | commits(browser)
    ratio = {
        "one_changed_file": ms["one_changed_of_10000"] / ms["one_changed_of_10"],
        "many_new_files": ms["10000_new"] / ms["one_new"],
        "mount": ms["mount_of_10000_50_mb"] / ms["loadPyodide"],
    }
    print(json.dumps({"ms": ms, "ratio": ratio}, indent=2))
    print(f"a changed file among 10,000 commits in {ratio['one_changed_file']:.2f} times that among 10 (1.5)")
    print(f"10,000 new files commit in {ratio['many_new_files']:.0f} times the time of one (200)")
    print(f"10,000 files (50 MB) mount in {ratio['mount']:.3f} of the time of loadPyodide (0.1)")
    return 0 if all(ratio[name] <= limit for name, limit in LIMITS.items()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
