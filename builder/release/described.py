"""The name, the version and the date of a release."""

from __future__ import annotations

import os
import subprocess
import tomllib
from dataclasses import dataclass

from builder.problems import BuildProblem
from builder.project import Project


@dataclass(frozen=True)
class Described:
    """A release, as its files describe it.

    Attributes:
        name: The project's name.
        version: Its version.
        summary: One sentence on it.
        licence: The SPDX expression of its licence.
        keywords: Words to find it by.
        namespace: The owner's namespace in MCP's registry, as `io.github.NAME`.
        epoch: The time of the commit, in seconds since 1970.
    """

    name: str
    version: str
    summary: str
    licence: str
    keywords: tuple[str, ...]
    namespace: str
    epoch: int


def described(project: Project) -> Described:
    """Return what pyproject.toml and the commit say. SOURCE_DATE_EPOCH overrides the commit's time.

    Raises:
        BuildProblem: There is no commit.
    """
    settings = tomllib.loads((project.root / "pyproject.toml").read_text(encoding="utf-8"))
    about = settings["project"]
    return Described(
        name=about["name"],
        version=about["version"],
        summary=about["description"],
        licence=about["license"],
        keywords=tuple(about["keywords"]),
        namespace=settings["tool"]["gemini"]["mcp-namespace"],
        epoch=int(os.environ.get("SOURCE_DATE_EPOCH") or _commit_time(project)),
    )


def _commit_time(project: Project) -> str:
    command = ["git", "log", "-1", "--format=%ct"]
    answer = subprocess.run(command, cwd=project.root, capture_output=True, text=True, check=False)
    if answer.returncode or not answer.stdout.strip():
        raise BuildProblem(
            "A release has the date of its commit, but git names none here; "
            "set SOURCE_DATE_EPOCH to seconds since 1970."
        )
    return answer.stdout.strip()
