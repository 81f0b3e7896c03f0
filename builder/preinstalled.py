"""Installs the packages that the page starts with at build time, by running builder/preinstall.py."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from builder import pyodide, wheels
from builder.npm import find_node
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.project import Project
from builder.stamps import Steps

# Lists the files of a start for web/kernel/python.ts.
LIST = "start.json"


def make(project: Project, steps: Steps) -> None:
    """Install the packages if they or Pyodide changed.

    Raises:
        BuildProblem: Python could not start with them; `details` has the traceback.
    """
    here = Path(__file__)
    steps.run(
        "installing the startup packages",
        project.stamp("preinstalled"),
        lambda: [
            *(wheels.fetched(project, "browser"), wheels.own(project), project.npm_lock, here),
            *(here.with_name(f"preinstall.{ending}") for ending in ("mjs", "py")),
        ],
        [_folder(project) / LIST],
        lambda step: _install(project),
    )


def files(project: Project) -> dict[str, Path]:
    """Return the installed files, by name."""
    return {path.name: path for path in sorted(_folder(project).iterdir())}


def installed_wheels(project: Project) -> set[str]:
    """Return the names of the installed wheels."""
    listed: dict[str, Any] = json.loads((_folder(project) / LIST).read_text(encoding="utf-8"))
    return set(listed["wheels"])


def _folder(project: Project) -> Path:
    return project.work / "preinstall" / "installed"


def _install(project: Project) -> None:
    wheels.verify(project, "browser")
    folder = _folder(project).parent
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "wheels").mkdir(parents=True)
    for name, path in pyodide.packages(project, ["browser"], folder / pyodide.LOCK).items():
        if name != pyodide.LOCK:
            shutil.copy(path, folder / "wheels")
    here = Path(__file__)
    command = [find_node().node, here.with_name("preinstall.mjs"), project.modules / "pyodide"]
    try:
        run(
            [*command, here.with_name("preinstall.py"), folder],
            cwd=project.root,
            log=project.log("preinstalled"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("The startup packages could not be installed.", failure.output) from None
