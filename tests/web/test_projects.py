"""The own tests of five projects from PyPI, in the page and on CPython."""

from __future__ import annotations

import base64
import os
import subprocess
import sys
import tarfile
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import pytest

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.web.packages import PYTEST, World, world_of
from tests.wheels import copied

pytestmark = pytest.mark.extended
SOURCES = Path(__file__).with_name("projects.txt")
OPTIONS = "-q --tb=short -p no:cacheprovider --junitxml"
SHARE = 0.95
TIMEOUT_S = 900


@dataclass(frozen=True)
class Project:
    """A project of projects.txt.

    Attributes:
        name: Its name there.
        tests: The folders or files with its tests, in its source archive.
        source: The folder of its modules.
        needs: Other projects of projects.txt that it imports.
    """

    name: str
    tests: str
    source: str = "."
    needs: tuple[str, ...] = ()


PROJECTS = [
    # Linters, which start themselves as programs.
    Project("pyflakes", "pyflakes/test"),
    Project("autopep8", "test", needs=("pycodestyle",)),
    # Command lines and files.
    Project("click", "tests", "src"),
    Project("pluggy", "testing", "src"),
    # asyncio.
    Project("aioitertools", "aioitertools/tests/*.py"),
]


@pytest.fixture(scope="module")
def world(surface_dist: Path, browsers: BrowserPool) -> Generator[World]:
    with world_of(surface_dist, browsers) as world:
        installed = world.allowed(f"{world.offer(*map(copied, PYTEST))} pip install pytest")
        assert installed["exit_code"] == 0, installed
        yield world


@pytest.fixture(scope="session")
def sources(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Download the source archives; return their files by the project's name."""
    folder = tmp_path_factory.mktemp("sources")
    download = (
        "download",
        "--quiet",
        "--no-deps",
        "--no-binary=:all:",
        "--require-hashes",
        "-r",
        str(SOURCES),
    )
    subprocess.run([sys.executable, "-m", "pip", *download], cwd=folder, check=True)
    return {file.name.rsplit("-", 1)[0]: file for file in folder.iterdir()}


def command(project: Project, folders: dict[str, str], report: str) -> str:
    folder = folders[project.name]
    modules = f"{folder}/{project.source}"
    # `importlib.metadata` finds the version of a project that isn't installed, too.
    about = f"{modules}/{Path(folder).name}.dist-info"
    path = ":".join([modules, *(folders[name] for name in project.needs)])
    return (
        f"cd {folder} && mkdir -p {about} && cp PKG-INFO {about}/METADATA && "
        f"PYTHONPATH={path} python -m pytest {OPTIONS}={report} {project.tests}"
    )


def passed(report: str) -> set[str]:
    cases = ElementTree.fromstring(report).iter("testcase")
    return {f"{case.get('classname')}::{case.get('name')}" for case in cases if len(case) == 0}


def on_cpython(project: Project, sources: dict[str, Path], folder: Path) -> set[str]:
    for name in (project.name, *project.needs):
        with tarfile.open(sources[name]) as archive:
            archive.extractall(folder, filter="data")
    folders = {name: str(folder / file.name.removesuffix(".tar.gz")) for name, file in sources.items()}
    report = folder / "report.xml"
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    run = command(project, folders, str(report)).replace("pytest ", "pytest -p no:xdist -p no:randomly ", 1)
    subprocess.run(["bash", "-c", run], env=env, check=False, stdout=subprocess.DEVNULL)
    return passed(report.read_text())


def in_the_page(project: Project, sources: dict[str, Path], surface: Surface) -> tuple[set[str], str]:
    folders: dict[str, str] = {}
    for name in (project.name, *project.needs):
        content = base64.b64encode(sources[name].read_bytes()).decode()
        path = f"/tmp/{sources[name].name}"
        surface.python(f"import base64; open({path!r}, 'wb').write(base64.b64decode({content!r}))")
        assert surface.call("terminal_execute", command=f"tar -xzf {path} -C /tmp")["exit_code"] == 0
        folders[name] = path.removesuffix(".tar.gz")
    report = "/tmp/report.xml"
    ran = surface.call("terminal_execute", command=command(project, folders, report), timeout_s=TIMEOUT_S)
    return passed(surface.python(f"open({report!r}).read()")), ran["output"]


@pytest.mark.parametrize("project", PROJECTS, ids=lambda project: project.name)
def test_its_own_tests_pass_as_on_cpython(
    world: World, sources: dict[str, Path], project: Project, tmp_path: Path
) -> None:
    there = on_cpython(project, sources, tmp_path)
    here, output = in_the_page(project, sources, world.surface)
    assert len(there) > 50
    missing = sorted(there - here)
    print(project.name, f"{len(there & here)} of {len(there)}", *missing, output, sep="\n")
    assert len(there & here) >= SHARE * len(there)
