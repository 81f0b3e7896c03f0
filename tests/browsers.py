"""Finds the processes of browsers."""

from __future__ import annotations

from pathlib import Path

PROC = Path("/proc")


def browsers_of(profile: Path) -> list[int]:
    """Return the main processes of the browsers with that profile."""
    found: list[int] = []
    for process in PROC.iterdir():
        if process.name.isdigit():
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                # The process has ended.
                continue
            named = f"--user-data-dir={profile}".encode() in words
            if named and not any(word.startswith(b"--type=") for word in words):
                found.append(int(process.name))
    return found
