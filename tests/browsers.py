"""Finds the processes of browsers."""

from __future__ import annotations

from pathlib import Path

PROC = Path("/proc")


def browsers_of(profile: Path) -> list[int]:
    """Return the main processes of the browsers with that profile."""
    return [
        process
        for process, words in _named(profile)
        if not any(word.startswith(b"--type=") for word in words)
    ]


def processes_of(profile: Path) -> list[int]:
    """Return all processes of the browsers with that profile."""
    return [process for process, _ in _named(profile)]


def _named(profile: Path) -> list[tuple[int, list[bytes]]]:
    """Return the processes that name the profile, and their words."""
    found: list[tuple[int, list[bytes]]] = []
    for process in PROC.iterdir():
        if process.name.isdigit():
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                # The process has ended.
                continue
            if f"--user-data-dir={profile}".encode() in words:
                found.append((int(process.name), words))
    return found
