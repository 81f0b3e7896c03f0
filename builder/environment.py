"""The virtual environment in `.venv`, where everything that needs third-party packages runs."""

from __future__ import annotations

import importlib.util
import shutil
import sys

from builder.pip import pip
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps


def prepare(project: Project, steps: Steps, group: str) -> None:
    """Make `.venv` if there is none, and install a dependency group into it.

    Raises:
        BuildProblem: this Python can't make environments, or the packages can't be had.
    """
    if not project.python.exists():
        _create(project, steps)
    requirements = project.requirements(group)

    def install(step: Step) -> None:
        pip(project, "install", group, ["--no-warn-script-location"], step)

    steps.run(
        f"installing Python packages ({group})",
        # Inside the environment, so that it goes when the environment goes.
        project.venv / f"{group}.stamp",
        lambda: [requirements],
        [project.python],
        install,
    )


def _create(project: Project, steps: Steps) -> None:
    # Debian splits the standard library: its `venv` without `ensurepip` makes half an environment.
    if importlib.util.find_spec("ensurepip") is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise BuildProblem(
            "This Python can't make virtual environments because its ensurepip module is missing; on Debian "
            f"and Ubuntu `apt install python{version}-venv` brings it."
        )
    with steps.progress.step("making a virtual environment"):
        try:
            run(
                [sys.executable, "-m", "venv", "--clear", project.venv],
                cwd=project.root,
                log=project.log("venv"),
            )
        except ProgramFailed as failure:
            shutil.rmtree(project.venv, ignore_errors=True)
            log = project.shown(failure.log)
            raise BuildProblem(
                f"Python could not make a virtual environment in .venv; its output is in {log}."
            ) from None
    steps.taken += 1
