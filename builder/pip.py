"""Runs pip, which reads the user's own configuration (mirrors, proxies, certificates)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project

UNREACHABLE = re.compile(
    r"connection broken by|NewConnectionError|ConnectTimeoutError|NameResolutionError|ReadTimeoutError"
    r"|ProxyError|SSLError|Could not fetch URL|Network is unreachable"
)
MISMATCH = re.compile(r"DO NOT MATCH THE HASHES.*?\n\s+(?P<package>\S+) from ", re.DOTALL)
MISSING = re.compile(r"No matching distribution found for (?P<package>\S+)")


def pip(project: Project, command: str, group: str, arguments: Sequence[str | Path], step: Step) -> None:
    """Run pip on the pinned packages of a dependency group.

    Args:
        project: The source tree.
        command: `install` or `download`.
        group: The dependency group.
        arguments: More arguments for pip.
        step: The step that shows the progress.

    Raises:
        BuildProblem: pip failed; the message says why.
    """
    requirements = project.requirements(group)
    if not requirements.is_file():
        raise BuildProblem(
            f"{project.shown(requirements)} is missing; run `python3 build.py lock` to create it."
        )
    options = [
        "--require-hashes",
        "--no-deps",
        "--no-input",
        "--disable-pip-version-check",
        "--progress-bar=off",
    ]
    try:
        run(
            [project.python, "-m", "pip", command, *options, *arguments, "-r", requirements],
            cwd=project.root,
            log=project.log(f"pip-{group}"),
            on_line=lambda line: _show(line, step),
        )
    except ProgramFailed as failure:
        raise _explain(project, failure, requirements) from None


def _show(line: str, step: Step) -> None:
    if re.match(r"Collecting|Downloading|Installing", line):
        step.show(line.split(" (from", maxsplit=1)[0])


def _explain(project: Project, failure: ProgramFailed, requirements: Path) -> BuildProblem:
    listed, log = project.shown(requirements), project.shown(failure.log)
    if mismatch := MISMATCH.search(failure.output):
        return BuildProblem(
            f"The package index's file for {mismatch['package']} does not match its hash in {listed}, "
            f"so it was not installed; the hashes are in {log}."
        )
    if UNREACHABLE.search(failure.output):
        return BuildProblem(
            "pip could not reach its package index; check the network, and pip's settings for the index, "
            f"proxy and certificates, and start again (its output is in {log})."
        )
    if missing := MISSING.search(failure.output):
        return BuildProblem(
            f"pip found no {missing['package']} for this Python: the package index doesn't have it or can't "
            f"be reached; pip's output is in {log}."
        )
    if "No module named pip" in failure.output:
        return BuildProblem("The environment in .venv has no pip; delete that folder and start again.")
    return BuildProblem(f"pip could not fetch the packages of {listed}; its output is in {log}.")
