"""The Pyodide that ships: the runtime of the npm package, the wheels, and the lock file that lists them."""

from __future__ import annotations

from pathlib import Path

from builder import wheels
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.project import Project
from builder.stamps import fingerprint

RUNTIME = ("pyodide.mjs", "pyodide.js", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
# Pyodide's own lock file, which `pip install` reads; py/gemini/core/ffi/packages.py has the same name.
DISTRIBUTION = "pyodide-distribution.json"


def runtime(project: Project) -> dict[str, Path]:
    """Return the files of the runtime, by name."""
    return {name: project.pyodide / name for name in RUNTIME}


def folder(project: Project) -> str:
    """Return the site's folder for the runtime; its name, and browsers' caches, change only with Pyodide."""
    return f"pyodide-{fingerprint(runtime(project).values())[:16]}"


def packages(project: Project, groups: list[str], lock: Path, *, own: Path | None = None) -> dict[str, Path]:
    """Write the lock file for the wheels of some dependency groups and our own.

    Args:
        project: The source tree.
        groups: The dependency groups.
        lock: The path to write the lock file to.
        own: The folder with our own wheel; by default that of the one that ships.

    Returns:
        The wheels and the lock file, by name.

    Raises:
        BuildProblem: A wheel isn't for this Pyodide, or requires a missing one.
    """
    folders = [*(wheels.fetched(project, group) for group in groups), own or wheels.own(project)]
    found = {path.name: path for folder in folders for path in sorted(folder.glob("*.whl"))}
    try:
        run(
            [project.python, "-m", "builder.lockfile", wheels.pyodide_lock(project), lock, *found.values()],
            cwd=project.root,
            log=project.log("lockfile"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("The lock file of the wheels could not be written.", failure.output) from None
    return found | {LOCK: lock}
