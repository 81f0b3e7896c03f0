"""Creates the virtual environment `.venv`, which has the third-party packages."""

from __future__ import annotations

import importlib.util
import os
import shutil
import sys
import sysconfig
import zipfile
from pathlib import Path

from builder import uv
from builder.pip import pip
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, modestly, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps, is_fresh

# uv installs these much faster than pip, even if uv itself has to be installed first.
LARGE = ("companion", "test")
# The groups that include a group.
INCLUDED_IN = {"build": ("companion", "test"), "companion": ("test",)}
# The companion, and what its server imports when it starts.
FIRST_IMPORTS = (
    "gemini_companion.serving.serve",
    "gemini_companion.doctor",
    "anyio._backends._asyncio",
    "uvicorn.lifespan.on",
    "uvicorn.protocols.websockets.auto",
)


def prepare(project: Project, steps: Steps, group: str) -> None:
    """Create `.venv` if it is missing, and install a dependency group into it unless one has it that includes it.

    Raises:
        BuildProblem: This Python can't create virtual environments, or the packages can't be installed.
    """
    create(project, steps)
    if any(_is_installed(project, each) for each in INCLUDED_IN.get(group, ())):
        return
    if group in LARGE:
        prepare(project, steps, "lock")
    requirements = project.requirements(group)

    def install(step: Step) -> None:
        if uv.is_installed(project):
            uv.install(project, group, step)
            return
        # Python compiles a module when it is first imported. Most of the installed modules never are.
        pip(project, "install", group, ["--no-warn-script-location", "--no-compile"], step)

    steps.run(
        f"installing Python packages ({group})",
        # Inside the environment, so it is deleted with the environment.
        _stamp(project, group),
        lambda: [requirements],
        [project.python],
        install,
    )


def _is_installed(project: Project, group: str) -> bool:
    return is_fresh(_stamp(project, group), lambda: [project.requirements(group)], [project.python])


def _stamp(project: Project, group: str) -> Path:
    return project.venv / f"{group}.stamp"


def compile_companion(project: Project, steps: Steps) -> None:
    """Import the companion once after an installation, so that its first start finds its modules compiled.

    Raises:
        BuildProblem: It can't be imported; `details` has the traceback.
    """
    steps.run(
        "compiling the companion",
        project.venv / "compiled.stamp",
        lambda: [project.requirements("companion")],
        [project.python],
        lambda step: _import_companion(project),
    )


def create(project: Project, steps: Steps) -> None:
    """Create `.venv` with pip and nothing else, if it is missing.

    Raises:
        BuildProblem: This Python can't create virtual environments.
    """
    if project.python.exists():
        return
    # Debian splits the standard library: `venv` without `ensurepip` creates half an environment.
    if importlib.util.find_spec("ensurepip") is None:
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        raise BuildProblem(
            "This Python can't create virtual environments because its ensurepip module is missing; on Debian "
            f"and Ubuntu, install it with `apt install python{version}-venv`."
        )
    wheel = _bundled_pip()
    without_pip = ["--without-pip"] if wheel else []
    with steps.progress.step("creating a virtual environment"):
        try:
            run(
                [sys.executable, "-m", "venv", "--clear", *without_pip, project.venv],
                cwd=project.root,
                log=project.log("venv"),
            )
            if wheel:
                _unpack(wheel, project.venv)
        except ProgramFailed as failure:
            shutil.rmtree(project.venv, ignore_errors=True)
            log = project.shown(failure.log)
            raise BuildProblem(
                f"Python could not create a virtual environment in .venv; its output is in {log}."
            ) from None
    steps.taken += 1


def _import_companion(project: Project) -> None:
    env = {**os.environ, "PYTHONPATH": str(project.root / "py")}
    try:
        run(
            [*modestly(5), project.python, "-c", f"import {', '.join(FIRST_IMPORTS)}"],
            cwd=project.root,
            log=project.log("companion"),
            env=env,
        )
    except ProgramFailed as failure:
        raise BuildProblem("The companion can't start.", failure.output) from None


def _bundled_pip() -> Path | None:
    """Return the wheel that `ensurepip` would install, or None where this Python has it elsewhere.

    Unpacked, it works as well, and `ensurepip` takes 5 s of CPU time to install it: it compiles all of its modules.
    """
    found = importlib.util.find_spec("ensurepip")
    bundled = [Path(each) / "_bundled" for each in (found and found.submodule_search_locations) or ()]
    # Distributions of Linux have a folder for it.
    shared = sysconfig.get_config_var("WHEEL_PKG_DIR")
    folders = [*([Path(shared)] if shared else []), *bundled]
    return next((wheel for folder in folders for wheel in sorted(folder.glob("pip-*.whl"))), None)


def _unpack(wheel: Path, venv: Path) -> None:
    # Nothing calls its command: the build runs `python -m pip`.
    packages = sysconfig.get_path("purelib", "venv", vars={"base": str(venv)})
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
