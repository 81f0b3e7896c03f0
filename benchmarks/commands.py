"""Compares commands of the embedded shell with the system's own, on 100,000 lines and 10,000 files.

Each figure is a ratio to the system's command in the same minute, the median of several runs.
"""

import os
import random
import statistics

from _commands import medians, shells

RUNS = 7
# A command with the highest ratio that is wanted.
COMMANDS = {
    "sort -n numbers > sorted": 4.0,
    "grep -c 77 numbers": 10.0,
    "sed s/fox/cat/ numbers | md5sum": 10.0,
    "awk '{s += $1} END {print s}' numbers": 10.0,
    "awk '{n[$1]++} END {print length(n)}' numbers": 10.0,
    "find tree | wc -l": 3.0,
}
MAX_FIRST_MS = 50.0
MAX_START_MS = 15.0

FIRST_MS = """
async def first_ms():
    times = []
    for number in range(7):
        start = time.perf_counter()
        session = await opened(960 + number, "/tmp")
        assert (await session.run("true", None)).exit_code == 0
        times.append((time.perf_counter() - start) * 1000)
        await session.close()
    return statistics.median(times)
"""


def make(root: str) -> None:
    """Create the lines and files; the page runs it, too."""
    random.seed(1)
    with open(f"{root}/numbers", "w", encoding="utf-8") as file:
        for line in range(100_000):
            file.write(f"{random.randrange(10**6)} line {line}: the quick brown fox\n")
    for number in range(10_000):
        os.makedirs(f"{root}/tree/{number // 100}", exist_ok=True)
        with open(f"{root}/tree/{number // 100}/{number}", "w", encoding="utf-8"):
            pass


def main() -> int:
    """Print the figures and return 1 if one exceeds its limit, else 0."""
    with shells(make) as shell:
        surface, _ = shell
        surface.python("await run_ms('uname')")
        surface.python(FIRST_MS)
        first = surface.python("await first_ms()")
        starts = [surface.python("await run_ms('uname > /dev/null', 10)") for _ in range(RUNS)]
        found = {command: medians(shell, command, command, "true", RUNS) for command in COMMANDS}
    good = first <= MAX_FIRST_MS and statistics.median(starts) <= MAX_START_MS
    print(f"the first command of a terminal takes {first:.0f} ms ({MAX_FIRST_MS:.0f})")
    print(f"a command in Python takes {statistics.median(starts):.1f} ms ({MAX_START_MS:.0f})")
    for command, (ours, native) in found.items():
        ratio = ours / native
        good = good and ratio <= COMMANDS[command]
        print(
            f"{command}: {ratio:.1f} times the system's ({COMMANDS[command]:.0f}); {ours:.0f} and {native:.1f} ms"
        )
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
