"""Installs the packages that the page starts with at build time, by running builder/preinstall.py."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from builder import pyodide, wheels
from builder.bundles import AT_START, IN_WHEEL
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
            *(
                wheels.fetched(project, "browser"),
                wheels.bare(project),
                project.runtime / "package-lock.json",
                here,
            ),
            *(here.with_name(f"preinstall.{ending}") for ending in ("mjs", "py")),
        ],
        [_folder(project) / LIST],
        lambda step: _install(project),
    )


def files(project: Project) -> dict[str, Path]:
    """Return the installed files and the modules of the shell, by name."""
    paths = [*_folder(project).iterdir(), *(bundle.path(project) for bundle in IN_WHEEL)]
    return {path.name: path for path in sorted(paths, key=lambda path: path.name)}


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
    # The modules of the shell are files of the page, which Python doesn't install.
    bare = wheels.bare(project)
    for name, path in pyodide.packages(project, ["browser"], folder / pyodide.LOCK, own=bare).items():
        if name != pyodide.LOCK:
            shutil.copy(path, folder / "wheels")
    here = Path(__file__)
    command = [find_node().node, here.with_name("preinstall.mjs"), project.pyodide]
    try:
        run(
            [*command, here.with_name("preinstall.py"), folder],
            cwd=project.root,
            log=project.log("preinstalled"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("The startup packages could not be installed.", failure.output) from None
    listed = _folder(project) / LIST
    made: dict[str, Any] = json.loads(listed.read_text(encoding="utf-8"))
    made["modules"] = [bundle.name for bundle in AT_START]
    listed.write_text(json.dumps(made, indent=1), encoding="utf-8")
