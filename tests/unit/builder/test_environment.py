"""Which packages a build installs, and which copies of the site's files it makes."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from builder import compression, environment, wheels
from builder.compression import Effort
from builder.problems import BuildProblem
from builder.progress import Progress, Step
from builder.project import Project
from builder.stamps import Steps, fingerprint

from .conftest import ROOT


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


@pytest.mark.parametrize(
    ("version", "works"), [((2, 7, 18), False), ((3, 10, 13), False), ((3, 15, 0), True)]
)
def test_an_old_python_is_named_with_what_is_needed(version: tuple[int, int, int], works: bool) -> None:
    # Old releases read the file itself, which has nothing that is new.
    script = (
        f"import sys, runpy; sys.argv = ['build.py', '--help']; sys.version_info = {version}; "
        "sys.path.insert(0, '.'); runpy.run_path('build.py', run_name='__main__')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (ran.returncode == 0) == works
    named = f"needs Python 3.11 or newer, but this is Python {version[0]}.{version[1]};"
    assert (named in ran.stderr) == (not works)


def test_a_site_for_this_machine_has_no_compressed_copies(tmp_path: Path) -> None:
    content = {"index.html": tmp_path / "index.html"}
    assert compression.with_copies(Project(tmp_path), content, Step("copying"), Effort.NONE) == content
    assert not (tmp_path / ".build").exists()


def test_a_new_environment_has_a_pip_that_works(tmp_path: Path) -> None:
    project = Project(tmp_path)
    environment.create(project, Steps(Progress(io.StringIO())))
    ran = subprocess.run(
        [project.python, "-m", "pip", "--version"], capture_output=True, text=True, check=False
    )
    assert str(project.venv) in ran.stdout, ran.stderr


def test_wheels_are_downloaded_for_the_installed_pyodide(tmp_path: Path) -> None:
    project = Project(tmp_path)
    installed = wheels.pyodide_lock(project)
    installed.parent.mkdir(parents=True)
    (tmp_path / "requirements").mkdir()
    installed.write_text('{"info": {"python": "3.14.2"}, "packages": {}}')
    wheels.pin_interpreter(project)
    wheels.check_interpreter(project)
    installed.write_text('{"info": {"python": "3.15.0"}, "packages": {}}')
    with pytest.raises(BuildProblem, match=r"requirements/pyodide\.json .* build\.py lock"):
        wheels.check_interpreter(project)
