"""Files with results that were too long to return; the truncated result names the file.

They are in memory, so only the newest remain.
"""

from pathlib import Path

MAX_FILES = 50
MAX_BYTES = 500_000_000


def make_room(folder: Path) -> None:
    """Prepare `folder` for one more file: create it, and delete the oldest files if they are too many or too large.

    Raises:
        OSError: The folder can't be created, or a file can't be deleted.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = [(path, path.stat()) for path in folder.iterdir() if path.is_file()]
    files.sort(key=lambda entry: entry[1].st_mtime, reverse=True)
    total = 0
    for number, (path, status) in enumerate(files, start=1):
        total += status.st_size
        if number >= MAX_FILES or total > MAX_BYTES:
            path.unlink()
