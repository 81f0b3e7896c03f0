"""Files that hold what was too long to tell, each named by the answer that was cut.

They live in memory, so only the newest are kept.
"""

from pathlib import Path

MOST_FILES = 50
MOST_BYTES = 500_000_000


def make_room(folder: Path) -> None:
    """Make `folder` ready for one more file: the oldest go where there are too many, or too much in them.

    Raises:
        OSError: it can't be made or emptied.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept = [(path, path.stat()) for path in folder.iterdir() if path.is_file()]
    kept.sort(key=lambda entry: entry[1].st_mtime, reverse=True)
    total = 0
    for number, (path, status) in enumerate(kept, start=1):
        total += status.st_size
        if number >= MOST_FILES or total > MOST_BYTES:
            path.unlink()
