"""Pyodide as it is shipped: the runtime of the npm package, and the wheels with the lock file that lists them."""

from __future__ import annotations

from pathlib import Path

from builder import wheels
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.project import Project
from builder.stamps import fingerprint

RUNTIME = ("pyodide.mjs", "pyodide.js", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"


def runtime(project: Project) -> dict[str, Path]:
    return {name: project.modules / "pyodide" / name for name in RUNTIME}


def folder(project: Project) -> str:
    """Where the site has the runtime; the name, and what browsers keep by it, lasts until Pyodide changes."""
    return f"pyodide-{fingerprint(runtime(project).values())[:16]}"


def packages(project: Project, groups: list[str], lock: Path) -> dict[str, Path]:
    """The wheels of some groups and our own, and the lock file that lists them, which is written to `lock`.

    Raises:
        BuildProblem: a wheel isn't for this Pyodide, or needs one that isn't there.
    """
    folders = [*(wheels.fetched(project, group) for group in groups), wheels.own(project)]
    found = {path.name: path for folder in folders for path in sorted(folder.glob("*.whl"))}
    try:
        run(
            [project.python, "-m", "builder.lockfile", wheels.pyodide_lock(project), lock, *found.values()],
            cwd=project.root,
            log=project.log("lockfile"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("The wheels do not make up a Pyodide.", failure.output) from None
    return found | {LOCK: lock}
