"""Suggestions where a command is missing: the nearest command, or where to run it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

HOST = "the computer may have it: terminal_create(backend='host'), where the companion runs and the user allows it"
SOCKETS = "a page has no sockets"
GUIDES = {
    **dict.fromkeys(
        ("perl", "ruby", "npm", "npx", "go", "java", "php", "lua", "Rscript", "deno", "bun"),
        f"this shell runs Python and JavaScript (`node`); {HOST}",
    ),
    **dict.fromkeys(
        ("gcc", "g++", "cc", "c++", "clang", "clang++", "rustc", "cargo", "cmake", "ld", "as"),
        f"this shell has no compilers; {HOST}",
    ),
    **dict.fromkeys(
        ("docker", "podman", "kubectl", "systemctl", "service"), f"this shell has no processes; {HOST}"
    ),
    **dict.fromkeys(
        ("apt", "apt-get", "dpkg", "yum", "dnf", "apk", "brew", "snap", "pacman"),
        "there are no packages for this shell but Python's: pip install NAME; `man -k WORD` finds commands",
    ),
    **dict.fromkeys(
        ("ping", "nc", "ncat", "netcat", "scp", "sftp", "rsync", "dig", "nslookup"), f"{SOCKETS}; {HOST}"
    ),
    **dict.fromkeys(("sudo", "su", "doas"), "all files are the user's, so no command needs other rights"),
    **dict.fromkeys(("gpg", "gpg2"), f"this shell has no keys; {HOST}"),
    **dict.fromkeys(("fuser", "strace"), "`ps -e` lists what runs, `lsof` what is open"),
    **dict.fromkeys(("psql", "mysql"), f"{SOCKETS}; sqlite3 has databases in files, and {HOST}"),
}


def suggest(name: str, known: Iterable[str]) -> str:
    """Return a line that helps where the command `name` is missing, or "" if nothing is known about it.

    Args:
        name: The name.
        known: The commands that are there.
    """
    if name in GUIDES:
        return f"{name}: {GUIDES[name]}"
    names = sorted(set(known))
    # Of short names, swapped letters are no close match.
    near = [each for each in names if sorted(each) == sorted(name)][:2]
    if not near and len(name) > 2:
        near = difflib.get_close_matches(name, names, n=2, cutoff=0.7)
    return f"Did you mean {' or '.join(near)}?" if near else ""
