"""Checks the folder where the companion saves the user's data."""

from pathlib import Path

from gemini_companion.doctor.finding import Finding
from gemini_companion.errors import FolderUnusable
from gemini_companion.storage.private_files import private_folder, write_private

PROBE = "doctor.txt"


def check_folder(folder: Path) -> Finding:
    """Check that the folder is writable; otherwise no page opens automatically, and a restart forgets all browsers."""
    try:
        write_private(private_folder(folder) / PROBE, "")
        (folder / PROBE).unlink()
    except FolderUnusable as problem:
        return Finding("folder", False, problem.message, problem.hint, needed=False)
    return Finding("folder", True, str(folder))
