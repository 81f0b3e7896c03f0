"""Which packages a build installs, and which copies of the site's files it makes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from builder import compression, environment
from builder.compression import Effort
from builder.problems import BuildProblem
from builder.progress import Progress, Step
from builder.project import Project
from builder.stamps import Steps, fingerprint


def test_a_group_is_installed_with_the_one_that_includes_it(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.python.parent.mkdir(parents=True)
    # It can't run: an attempt to install something fails.
    project.python.touch()
    (tmp_path / "requirements").mkdir()
    project.requirements("test").touch()
    (project.venv / "test.stamp").write_text(fingerprint([project.requirements("test")]))
    steps = Steps(Progress(io.StringIO()))
    for group in ("companion", "build"):
        environment.prepare(project, steps, group)
    assert steps.taken == 0
    # With other pins, it may not be included any more.
    project.requirements("test").write_text("demo==1.0")
    with pytest.raises((BuildProblem, OSError)):
        environment.prepare(project, steps, "build")


def test_a_site_for_this_machine_has_no_compressed_copies(tmp_path: Path) -> None:
    content = {"index.html": tmp_path / "index.html"}
    assert compression.with_copies(Project(tmp_path), content, Step("copying"), Effort.NONE) == content
    assert not (tmp_path / ".build").exists()
