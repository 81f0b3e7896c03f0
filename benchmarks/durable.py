"""What keeping files costs: commits, and mounting what was kept.

Each figure is a ratio to a baseline of the same browser and minute: a commit of one file, and a plain `loadPyodide`.
"""

import json
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.durable.harness import Browser, Kernel, site  # noqa: E402 - found by the line above

FILES = 10_000
# 50 MB in all.
MOUNTED_BYTES = 5_000
NEW_BYTES = 100
COMMITS = 101
ROUNDS = 5
MOST = {"one_changed_file": 1.5, "many_new_files": 200.0, "mount": 0.1}

# Defines `commit_ms(change)`: applies a change in Python, and times the commit of it alone.
DEFINE = """
globalThis.commitMs = (source) => {
  pyodide.runPython(source);
  const start = performance.now();
  durable.commit();
  return performance.now() - start;
};
"""
MAKE = "os.mkdir('{directory}')\nfor i in range({count}): open(f'{directory}/{{i}}', 'wb').write(os.urandom({size}))"


def commits_ms(kernel: Kernel, source: str, times: int = COMMITS) -> float:
    """Median of the commits of a change, repeated; {n} in it is the number of the repetition."""
    told: list[float] = kernel.javascript(
        "const { source, times } = parameter;"
        "return Array.from({ length: times }, (_, n) => commitMs(source.replaceAll('{n}', n)));",
        {"source": source, "times": times},
    )
    return statistics.median(told)


def commit(browser: Browser) -> dict[str, float]:
    """Milliseconds of commits by what changed, and how many files were there."""
    kernel = browser.kernel(spare=False)
    kernel.open("bench-commit")
    kernel.javascript(DEFINE)
    change = "open('/project/changed', 'w').write('{n}' * 20)"
    new = f"open('/project/new/{{n}}', 'wb').write(os.urandom({NEW_BYTES}))"
    kernel.python("os.mkdir('/project/new')\n" + MAKE.format(directory="/project/ten", count=10, size=NEW_BYTES))
    kernel.commit()
    few = [commits_ms(kernel, change) for _ in range(ROUNDS)]
    one = commits_ms(kernel, new)
    kernel.python(MAKE.format(directory="/project/many", count=FILES, size=NEW_BYTES))
    kernel.commit()
    many = [commits_ms(kernel, change) for _ in range(ROUNDS)]
    batch = MAKE.format(directory="/project/batch-{n}", count=FILES, size=NEW_BYTES)
    figures = {
        "one_changed_with_10": statistics.median(few),
        "one_changed_with_10000": statistics.median(many),
        "one_new": statistics.median([one, commits_ms(kernel, new.replace("/new/", "/ten/n"))]),
        "10000_new": commits_ms(kernel, batch, ROUNDS),
        "rename_of_10000": commits_ms(kernel, "os.rename('/project/many', '/project/x'); os.rename('/project/x', '/project/many')"),
    }
    figures |= large_file(kernel)
    kernel.terminate()
    return figures


def large_file(kernel: Kernel) -> dict[str, float]:
    new = "open('/project/large', 'wb').write(os.urandom(1 << 20) * 50)"
    byte = "f = open('/project/large', 'r+b'); f.seek(25_000_000); f.write(b'{n}'); f.close()"
    return {"50_mb_new": commits_ms(kernel, new, ROUNDS), "1_byte_of_50_mb": commits_ms(kernel, byte)}


def mount(browser: Browser) -> dict[str, float]:
    """Milliseconds of a plain `loadPyodide`, and of mounting FILES files behind it, each time in a worker of its own."""
    writer = browser.kernel(spare=False)
    writer.open("bench-mount")
    writer.python(MAKE.format(directory="/project/many", count=FILES, size=MOUNTED_BYTES))
    writer.commit()
    writer.terminate()
    boots: list[float] = []
    mounts: list[float] = []
    for _ in range(ROUNDS):
        kernel = browser.kernel(spare=False)
        boots.append(kernel.ask("boot")["ms"])
        report = kernel.open("bench-mount")
        assert report["mounted"]["bytes"] == FILES * MOUNTED_BYTES
        mounts.append(report["mounted"]["ms"])
        kernel.terminate()
    return {"loadPyodide": statistics.median(boots), "mount_of_10000_50_mb": statistics.median(mounts)}


def main() -> int:
    """Print the figures; 1 if one is over its limit."""
    with tempfile.TemporaryDirectory() as folder, site(Path(folder) / "site") as url:
        with Browser(url, Path(folder) / "profile") as browser:
            ms = mount(browser) | commit(browser)
    ratio = {
        "one_changed_file": ms["one_changed_with_10000"] / ms["one_changed_with_10"],
        "many_new_files": ms["10000_new"] / ms["one_new"],
        "mount": ms["mount_of_10000_50_mb"] / ms["loadPyodide"],
    }
    print(json.dumps({"ms": ms}, indent=2))
    print(f"a changed file commits in {ratio['one_changed_file']:.2f} of the time with {FILES:,} files present (1.5)")
    print(f"{FILES:,} new files commit in {ratio['many_new_files']:.0f} times that of one (200)")
    print(f"mounting {FILES:,} files takes {ratio['mount']:.3f} of a plain loadPyodide (0.1)")
    return 0 if all(ratio[name] <= most for name, most in MOST.items()) else 1


if __name__ == "__main__":
    raise SystemExit(main())
