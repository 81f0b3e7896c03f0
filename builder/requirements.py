"""Pins the dependency groups of pyproject.toml, and the package.json files: what `build.py lock` runs."""

from __future__ import annotations

import re
from pathlib import Path

from builder import environment, npm
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.project import Project
from builder.stamps import Steps

# Any Python that build.py runs on, on any system.
HOST = ("--universal", "--python-version", "3.11")
# uv's newest name for the browser has an older ABI, but only its markers count here: pip picks the files.
BROWSER = ("--python-platform", "wasm32-pyodide2025", "--python-version", "3.14")

GROUPS = {
    "lock": HOST,
    "build": HOST,
    "companion": HOST,
    "test": HOST,
    "docs": HOST,
    "browser": BROWSER,
    "browser-models": BROWSER,
    "browser-test": BROWSER,
}


def lock(project: Project, steps: Steps) -> None:
    """Resolve every group, with the hashes of all files and the name of no index.

    Raises:
        BuildProblem: a group can't be resolved; `details` has the resolver's account of it.
    """
    node = npm.find_node()
    environment.prepare(project, steps, "lock")
    for group, target in GROUPS.items():
        with steps.progress.step(f"resolving {group}"):
            _compile(project, group, target)
    for folder in (project.web, project.clients):
        with steps.progress.step(f"resolving npm packages of {project.shown(folder)}"):
            _resolve(project, node, folder)


def _resolve(project: Project, node: npm.Node, folder: Path) -> None:
    try:
        run([node.npm, "install", "--package-lock-only"], cwd=folder, log=project.log("npm-lock"))
    except ProgramFailed as failure:
        told = project.shown(folder / "package.json")
        raise BuildProblem(f"npm could not resolve {told}.", failure.output) from None


def _compile(project: Project, group: str, target: tuple[str, ...]) -> None:
    listed = project.requirements(group)
    command: list[str | Path] = [project.python, "-m", "uv", "pip", "compile", "--quiet", *target]
    command += ["--generate-hashes", "--custom-compile-command", "python3 build.py lock"]
    command += ["--group", f"{project.root / 'pyproject.toml'}:{group}", "--output-file", listed]
    try:
        run(command, cwd=project.root, log=project.log(f"lock-{group}"))
    except ProgramFailed as failure:
        raise BuildProblem(f"The group {group} can't be resolved.", failure.output) from None
    text = listed.read_text(encoding="utf-8")
    # Which index a machine uses is its own affair.
    text = re.sub(r"^--(index-url|extra-index-url|find-links) .*\n", "", text, flags=re.MULTILINE)
    listed.write_text(text.replace(f"{project.root}/", ""), encoding="utf-8")
