"""The wheels of the browser: those that are fetched, and our own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from pathlib import Path

from builder.bundles import SHELL_ENGINE
from builder.pip import pip
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps

# Tells builder/wheel_hook.py, which runs in hatchling's process, the folder of the page.
PAGE = "GEMINI_SURFACE_PAGE"


def fetched(project: Project, group: str) -> Path:
    """The folder with the wheels of a dependency group."""
    return project.work / "wheels" / group


def own(project: Project) -> Path:
    """The folder with the one wheel that is made from this tree."""
    return project.work / "wheels" / "own"


def fetch(project: Project, steps: Steps, group: str) -> None:
    """Download the wheels that a group pins, for the Python of the pinned Pyodide.

    Raises:
        BuildProblem: in a sentence, whatever went wrong; a file that doesn't match its hash too.
    """
    requirements, folder = project.requirements(group), fetched(project, group)
    steps.run(
        f"fetching wheels ({group})",
        project.stamp(f"wheels-{group}"),
        lambda: [requirements, pyodide_lock(project)],
        [folder],
        lambda step: _download(project, group, folder, step),
    )


def pyodide_lock(project: Project) -> Path:
    """The lock file of the npm package, with the Python, the ABI and the architecture of that Pyodide."""
    return project.modules / "pyodide" / "pyodide-lock.json"


def verify(project: Project, group: str) -> None:
    """Compare the downloaded wheels with the pinned hashes once more, before they are shipped.

    Raises:
        BuildProblem: a file was changed after it was downloaded.
    """
    requirements = project.requirements(group)
    pinned = set(re.findall(r"--hash=sha256:([0-9a-f]{64})", requirements.read_text(encoding="utf-8")))
    for wheel in sorted(fetched(project, group).glob("*.whl")):
        if hashlib.sha256(wheel.read_bytes()).hexdigest() not in pinned:
            raise BuildProblem(
                f"{project.shown(wheel)} does not match its hash in {project.shown(requirements)}; delete "
                f"{project.shown(wheel.parent)} and start again."
            )


def make_own(project: Project, steps: Steps) -> None:
    """Make the wheel `gemini-surface`: the same bytes from the same sources.

    Raises:
        BuildProblem: hatchling refused; `details` has its account of it.
    """
    named = ["py", "pyproject.toml", "LICENSE", "README.md", "builder/wheel_hook.py"]
    steps.run(
        "making the gemini wheel",
        project.stamp("wheel"),
        lambda: [*(project.root / name for name in named), SHELL_ENGINE.path(project)],
        [own(project)],
        lambda step: _hatch(project, own(project)),
    )


def make_installable(project: Project, steps: Steps) -> Path:
    """Make the wheel with the finished page in it, which gives people the command `control-surface`; gives its path.

    Raises:
        BuildProblem: hatchling refused; `details` has its account of it.
    """
    folder = project.work / "wheels" / "installable"
    with steps.progress.step("making the wheel with the page"):
        _hatch(project, folder, {PAGE: str(project.dist)})
    [wheel] = folder.glob("*.whl")
    return wheel


def _download(project: Project, group: str, folder: Path, step: Step) -> None:
    info: dict[str, str] = json.loads(pyodide_lock(project).read_text(encoding="utf-8"))["info"]
    major, minor = info["python"].split(".")[:2]
    _empty(folder)
    options = [
        *("--only-binary", ":all:", "--dest", folder),
        *("--platform", f"pyemscripten_{info['abi_version']}_{info['arch']}", "--platform", "any"),
        *("--implementation", "cp", "--python-version", f"{major}.{minor}"),
        *("--abi", f"cp{major}{minor}", "--abi", "none"),
    ]
    pip(project, "download", group, options, step)


def _hatch(project: Project, folder: Path, env: dict[str, str] | None = None) -> None:
    _empty(folder)
    try:
        run(
            [project.python, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder],
            cwd=project.root,
            env={**os.environ, **(env or {})},
            log=project.log("wheel"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("hatchling could not make the gemini wheel.", failure.output) from None


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
