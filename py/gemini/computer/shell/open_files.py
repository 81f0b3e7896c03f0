"""The files and ports that programs of the page have open, for `lsof`."""

from __future__ import annotations

from typing import Any

from gemini.computer import servers
from gemini_userland.invocation import OpenFile

# Files of the surface itself and of Python's library.
OWN = ("/dev/", "/lib/", "/usr/lib/", "/var/lib/gemini/")
ANY_HOST = ("", "0.0.0.0", "::")


def open_files(engine: Any) -> list[OpenFile]:
    """Return the open files and ports.

    Args:
        engine: The shell's JavaScript module.
    """
    processes = {row["pid"]: _program(row["command"]) for row in engine.processes().to_py()}
    rows = [row for row in engine.openFiles().to_py() if not row["path"].startswith(OWN)]
    files = [
        OpenFile(processes.get(row["pid"], "python3"), row["pid"] or None, row["descriptor"], row["path"])
        for row in rows
    ]
    ports = [
        OpenFile(
            processes.get(pid, "python3"), pid or None, "-", "*" if host in ANY_HOST else "localhost", port
        )
        for host, port, pid in servers.listening()
    ]
    return [*files, *ports]


def _program(command: str) -> str:
    """Return the name of the program that `bash: command`, as the engine lists a command, runs."""
    return command.removeprefix("bash: ").split(" ")[0].rpartition("/")[2]
