"""Downloads the wheels for the browser, and builds our own."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

from builder.bundles import IN_WHEEL
from builder.pip import pip
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps

# The environment variable that passes the page's folder to builder/wheel_hook.py, in Hatchling's process.
PAGE = "GEMINI_SURFACE_PAGE"
BARE = "GEMINI_SURFACE_BARE"
HOST = "GEMINI_SURFACE_HOST"
# What our wheel is made of, except for the modules of the shell.
SOURCES = ("py", "pyproject.toml", "LICENSE", "README.md", "builder/wheel_hook.py")


def fetched(project: Project, group: str) -> Path:
    """Return the folder with the downloaded wheels of a dependency group."""
    return project.work / "wheels" / group


def own(project: Project) -> Path:
    """Return the folder with the wheel that is built from this tree."""
    return project.work / "wheels" / "own"


def bare(project: Project) -> Path:
    """Return the folder with our wheel without the modules of the shell, which needs no package of npm."""
    return project.work / "wheels" / "bare"


def fetch(project: Project, steps: Steps, group: str, among: str | None = None) -> None:
    """Download the wheels that a group pins, for the Python of the pinned Pyodide.

    Args:
        project: The source tree.
        steps: The steps of the build.
        group: The dependency group.
        among: A group that includes this one and was fetched: its wheels are copied.

    Raises:
        BuildProblem: A download failed, or a file doesn't match its hash.
    """
    requirements, folder = project.requirements(group), fetched(project, group)
    steps.run(
        f"fetching wheels ({group})",
        project.stamp(f"wheels-{group}"),
        lambda: [requirements, _interpreter(project)],
        [folder],
        lambda step: _copy(project, group, among) if among else _download(project, group, folder, step),
    )


def pyodide_lock(project: Project) -> Path:
    """Return the lock file of the npm package, which has the Python version, ABI and architecture of Pyodide."""
    return project.pyodide / "pyodide-lock.json"


def pin_interpreter(project: Project) -> None:
    """Write down for which Python wheels are downloaded, so that nothing waits for the npm package to know it."""
    text = json.dumps({"info": _info(pyodide_lock(project))}, indent=2) + "\n"
    _interpreter(project).write_text(text, encoding="utf-8")


def check_interpreter(project: Project) -> None:
    """Check that wheels are downloaded for the Python of the installed Pyodide.

    Raises:
        BuildProblem: Pyodide was changed without `build.py lock`.
    """
    if _info(pyodide_lock(project)) != _info(_interpreter(project)):
        raise BuildProblem(
            f"{project.shown(_interpreter(project))} isn't of the Pyodide that {project.shown(project.runtime)} "
            "pins; run `python3 build.py lock` to update it."
        )


def _interpreter(project: Project) -> Path:
    return project.root / "requirements" / "pyodide.json"


def _info(listed: Path) -> dict[str, str]:
    """Return the part of a lock file of Pyodide that describes its Python."""
    content: dict[str, dict[str, str]] = json.loads(listed.read_text(encoding="utf-8"))
    return content["info"]


def verify(project: Project, group: str) -> None:
    """Check the downloaded wheels against the pinned hashes again before they ship.

    Raises:
        BuildProblem: A file was changed after its download.
    """
    requirements, pinned = project.requirements(group), _pinned(project, group)
    for wheel in sorted(fetched(project, group).glob("*.whl")):
        if hashlib.sha256(wheel.read_bytes()).hexdigest() not in pinned:
            raise BuildProblem(
                f"{project.shown(wheel)} does not match its hash in {project.shown(requirements)}; delete "
                f"{project.shown(wheel.parent)} and start again."
            )


def make_own(project: Project, steps: Steps) -> None:
    """Build the wheel `control-surface`; the same sources produce the same bytes.

    Raises:
        BuildProblem: Hatchling failed; `details` has its output.
    """
    modules = [bundle.path(project) for bundle in IN_WHEEL]
    _make(project, steps, "wheel", own(project), [*_sources(project), *modules])


def make_bare(project: Project, steps: Steps) -> None:
    """Build the wheel `control-surface` without the modules of the shell.

    Raises:
        BuildProblem: Hatchling failed; `details` has its output.
    """
    _make(project, steps, "bare wheel", bare(project), _sources(project), {BARE: "1"})


def _make(
    project: Project,
    steps: Steps,
    kind: str,
    folder: Path,
    sources: list[Path],
    env: dict[str, str] | None = None,
) -> None:
    stamp = project.stamp(kind.replace(" ", "-"))
    steps.run(
        f"building the {kind} of gemini",
        stamp,
        lambda: sources,
        [folder],
        lambda step: _hatch(project, folder, env),
    )


def make_installable(project: Project, steps: Steps) -> Path:
    """Build the wheel with the finished page and the command `control-surface`, and return its path.

    Raises:
        BuildProblem: Hatchling failed; `details` has its output.
    """
    folder = project.work / "wheels" / "installable"
    with steps.progress.step("building the wheel with the page"):
        _hatch(project, folder, {PAGE: str(project.dist)})
    [wheel] = folder.glob("*.whl")
    return wheel


def make_release(project: Project, page: Path, folder: Path, epoch: int) -> Path:
    """Build the wheel with the page, and the sdist, in `folder`; return the wheel's path.

    Args:
        project: The source tree.
        page: The folder of the page.
        folder: Where both are written.
        epoch: The time of every file in them, in seconds since 1970.

    Raises:
        BuildProblem: Hatchling failed; `details` has its output.
    """
    made = project.work / "wheels" / "release"
    variables = {PAGE: str(page), HOST: "1", "SOURCE_DATE_EPOCH": str(epoch)}
    _hatch(project, made, variables, ("sdist", "wheel"))
    [wheel] = made.glob("*.whl")
    for path in sorted(made.iterdir()):
        shutil.move(path, folder)
    return folder / wheel.name


def _download(project: Project, group: str, folder: Path, step: Step) -> None:
    info = _info(_interpreter(project))
    major, minor = info["python"].split(".")[:2]
    _empty(folder)
    options = [
        *("--only-binary", ":all:", "--dest", folder),
        *("--platform", f"pyemscripten_{info['abi_version']}_{info['arch']}", "--platform", "any"),
        *("--implementation", "cp", "--python-version", f"{major}.{minor}"),
        *("--abi", f"cp{major}{minor}", "--abi", "none"),
    ]
    pip(project, "download", group, options, step)


def _copy(project: Project, group: str, among: str) -> None:
    folder, pinned = fetched(project, group), _pinned(project, group)
    _empty(folder)
    for wheel in sorted(fetched(project, among).glob("*.whl")):
        if hashlib.sha256(wheel.read_bytes()).hexdigest() in pinned:
            shutil.copy(wheel, folder)


def _pinned(project: Project, group: str) -> set[str]:
    """Return the SHA-256 hashes of the files that a group pins."""
    return set(
        re.findall(r"--hash=sha256:([0-9a-f]{64})", project.requirements(group).read_text(encoding="utf-8"))
    )


def _sources(project: Project) -> list[Path]:
    return [project.root / name for name in SOURCES]


def _hatch(
    project: Project,
    folder: Path,
    env: dict[str, str] | None = None,
    targets: Sequence[str] = ("wheel",),
) -> None:
    _empty(folder)
    chosen = [part for target in targets for part in ("--target", target)]
    try:
        run(
            [project.python, "-m", "hatchling", "build", *chosen, "--directory", folder],
            cwd=project.root,
            env={**os.environ, **(env or {})},
            log=project.log("wheel"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("Hatchling could not build the gemini wheel.", failure.output) from None


def _empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
