"""Builds `dist/docs/`: the documents and the API reference, generated from types and docstrings."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from builder import environment
from builder.exclusion import one_build
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps

# For search engines; without the address of a host it lists nothing, and has the time of the build.
SITEMAPS = ("sitemap.xml", "sitemap.xml.gz")
CONFIGURATION = Path(__file__).parent / "mkdocs.yml"


def build(project: Project, steps: Steps) -> None:
    """Update `dist/docs/` if a document or a docstring has changed.

    Raises:
        BuildProblem: A page can't be built, for example because the reference names a missing object; `details` has
            the reason.
    """
    with one_build(project.work, steps.progress):
        environment.prepare(project, steps, "docs")
        steps.run(
            "building the documentation",
            project.stamp("docs"),
            lambda: [project.root / "docs", project.root / "py", CONFIGURATION, Path(__file__)],
            [project.docs / "index.html"],
            lambda step: _make(project, step),
        )


def _make(project: Project, step: Step) -> None:
    made = project.work / "docs"
    command: list[str | Path] = [project.python, "-m", "mkdocs", "build", "--strict", "--clean", "--quiet"]
    try:
        run(
            [*command, "--config-file", CONFIGURATION, "--site-dir", made],
            cwd=project.root,
            log=project.log("docs"),
            # Otherwise Material prints an announcement.
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        )
    except ProgramFailed as failure:
        raise BuildProblem("The documentation could not be built.", failure.output) from None
    for name in SITEMAPS:
        (made / name).unlink(missing_ok=True)
    shutil.rmtree(project.docs, ignore_errors=True)
    shutil.copytree(made, project.docs)
