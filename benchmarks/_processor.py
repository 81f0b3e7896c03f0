"""The time and memory of the renderers of a benchmark's browser, by the files of Linux (proc(5))."""

import os
import subprocess
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def renderers(browser: int) -> list[int]:
    """Return the numbers of the processes that draw pages and run their scripts.

    Args:
        browser: The number of the browser's driver.
    """
    listed = subprocess.run(
        ["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True
    ).stdout
    rows = [line.split(None, 2) for line in listed.splitlines()]
    parents = {int(pid): int(parent) for pid, parent, _ in rows}

    def is_ours(pid: int) -> bool:
        while pid in parents and pid != browser:
            pid = parents[pid]
        return pid == browser

    return [int(pid) for pid, _, command in rows if "--type=renderer" in command and is_ours(int(pid))]


def seconds_of_living(pids: list[int]) -> float:
    """Return the time of all threads that live, exactly."""
    tasks = [task for pid in pids for task in Path(f"/proc/{pid}/task").iterdir()]
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9


def seconds(pids: list[int]) -> float:
    """Return the time of all threads, also of those that have ended, to a hundredth of a second."""
    # The name in parentheses may have spaces. The 14th and 15th value are the times in user and in kernel mode.
    rows = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in pids]
    return sum(int(row[11]) + int(row[12]) for row in rows) / TICKS


def megabytes(pids: list[int]) -> float:
    """Return the memory, of which what several processes share counts for each in part (PSS)."""
    files = [Path(f"/proc/{pid}/smaps_rollup").read_text() for pid in pids]
    lines = [line.split() for text in files for line in text.splitlines()]
    return sum(int(line[1]) for line in lines if line[0] == "Pss:") / 1024
