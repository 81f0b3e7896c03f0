"""The example project of a new surface."""

import os
from pathlib import Path

from gemini import manual

README = """\
# Your project

This folder lives in your browser: the terminals, the file list and Python all see the same files.

- `app.log` is a small log with two errors in it.
- `report.py` counts what is in the log: `python report.py`. It exits with 1 when the log has errors.

Try in a terminal:

    python report.py
    grep ERROR app.log | cut -d' ' -f3-

Try in the Python console:

    import gemini
    [file.name for file in gemini.list_files("/project")]
"""

REPORT = '''\
"""Count the lines of a log by level, and show its errors. Exits with 1 if there are any."""

import sys
from collections import Counter
from pathlib import Path

log = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("app.log")
lines = [line.split(maxsplit=2) for line in log.read_text().splitlines() if line.strip()]
errors = [(when, message) for when, level, message in lines if level == "ERROR"]

print(f"{log.name}: {len(lines)} lines")
for level, count in Counter(level for _, level, _ in lines).most_common():
    print(f"{level:>8} {count:3} {'#' * count}")
for when, message in errors:
    print(f"error at {when}: {message}")

sys.exit(1 if errors else 0)
'''

LOG = """\
2026-11-21T08:00:01Z INFO service started on port 8080
2026-11-21T08:00:02Z INFO connected to the database
2026-11-21T08:04:40Z INFO GET /orders 200 in 31 ms
2026-11-21T08:05:12Z WARNING GET /orders 200 in 1840 ms
2026-11-21T08:05:44Z ERROR GET /orders/17 500: the database closed the connection
2026-11-21T08:05:45Z INFO connected to the database
2026-11-21T08:07:03Z INFO POST /orders 201 in 58 ms
2026-11-21T08:09:30Z ERROR POST /orders 500: the quantity is missing
2026-11-21T08:12:00Z INFO GET /orders 200 in 29 ms
"""

FILES = {"README.md": README, "report.py": REPORT, "app.log": LOG}


def prepare(root: str = "/project", *, fresh: bool = False) -> bool:
    """Create the directory `root` with a README, a script and a log to try things with.

    If `root` already exists, it is the user's work and doesn't change.

    Args:
        root: An absolute path.
        fresh: Whether this is the first visit, so that an empty `root` may be filled.

    Returns:
        Whether the project was created.

    Raises:
        OSError: The files can't be written.
    """
    if os.path.lexists(root) and not (fresh and os.path.isdir(root) and not os.listdir(root)):
        return False
    os.makedirs(root, exist_ok=True)
    for name, content in FILES.items():
        with open(os.path.join(root, name), "w", encoding="utf-8", newline="\n") as file:
            file.write(content)
    return True


def offer_manual(path: Path, written: str | None) -> str:
    """Write the manual for agents, unless the user has deleted or changed it.

    Args:
        path: The file.
        written: The text that an earlier start has written; None if there was no such start.

    Returns:
        The text to pass to the next start.

    Raises:
        OSError: The file can't be read or written.
    """
    exists = path.exists()
    is_outdated = exists and written != manual.TEXT and path.read_text(encoding="utf-8") == written
    if is_outdated or (written is None and not exists):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(manual.TEXT, encoding="utf-8")
    return manual.TEXT
