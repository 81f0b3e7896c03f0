"""Installs large dependency groups with uv, which takes a tenth of pip's time, from where pip would get them."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from pathlib import Path

from builder.pip import pip
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project

# uv doesn't read pip's configuration. By pip's option, uv's option.
OPTIONS = {"index-url": "--default-index", "extra-index-url": "--index", "find-links": "--find-links"}
# By pip's option, the variable that sets the same for uv.
VARIABLES = {"cert": "SSL_CERT_FILE", "proxy": "ALL_PROXY", "trusted-host": "UV_INSECURE_HOST"}


def is_installed(project: Project) -> bool:
    """Return whether the virtual environment has uv."""
    return (project.venv / "lock.stamp").exists()


def install(project: Project, group: str, step: Step) -> None:
    """Install the pinned packages of a dependency group into `.venv`. pip tries again what uv can't install.

    Raises:
        BuildProblem: pip failed, too; the message says why.
    """
    try:
        install_into(project, group, project.python)
    except ProgramFailed:
        # The user may have settings that only pip knows, and pip's errors are the ones that are explained.
        step.show("with pip")
        pip(project, "install", group, ["--no-warn-script-location", "--no-compile"], step)


def install_into(project: Project, group: str, python: Path) -> None:
    """Install the pinned packages of a dependency group into the environment of a Python.

    Raises:
        ProgramFailed: uv can't install them.
    """
    configured = _configure(project)
    variables = {VARIABLES[name]: value for name, value in configured.items() if name in VARIABLES}
    command = [project.python, "-m", "uv", "pip", "install", "--python", python, "--no-deps"]
    # With hashes it doesn't matter which index a file comes from.
    command += ["--require-hashes", "--index-strategy", "unsafe-best-match", *_sources(configured)]
    run(
        [*command, "-r", project.requirements(group)],
        cwd=project.root,
        log=project.log(f"uv-{group}"),
        env=variables | os.environ,
    )


def _configure(project: Project) -> dict[str, str]:
    """Return pip's options that its configuration files and variables set."""
    output = run(
        [project.python, "-m", "pip", "config", "list"], cwd=project.root, log=project.log("pip-config")
    )
    lines = [line.partition("=") for line in output.splitlines()]
    # pip lists its files in the order in which each overrides the last, and then its variables.
    return {name.rpartition(".")[2]: str(ast.literal_eval(value)) for name, equals, value in lines if equals}


def _sources(configured: dict[str, str]) -> Iterator[str]:
    for name, option in OPTIONS.items():
        for source in configured.get(name, "").split():
            yield from (option, source)
    if configured.get("no-index", "").lower() in {"1", "true", "yes", "on"}:
        yield "--no-index"
