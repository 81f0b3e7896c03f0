"""The recipes of docs/testing.md, each copied into an empty folder and run there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs/testing.md").read_text(encoding="utf-8")

pytestmark = [
    pytest.mark.extended("recipes"),
    pytest.mark.skipif(sys.platform == "win32", reason="programs of environments are elsewhere there"),
]


def part(kind: str, name: str) -> str:
    """Return the fenced text below a marker of the guide."""
    found = re.search(rf"<!-- {kind}: {name} -->\n```\w+\n(.*?)```", GUIDE, re.DOTALL)
    assert found, name
    return found[1]


@pytest.fixture(scope="module")
def programs(surface_dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a new environment with our wheel, and this tree's packages."""
    folder = tmp_path_factory.mktemp("environment")
    [wheel] = surface_dist.glob("surface-*/packages/control_surface-*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin/python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "-q", "--no-deps", "--no-index", wheel], check=True)
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    purelib = Path(subprocess.check_output(asked, text=True).strip())
    (purelib / "ours.pth").write_text(sysconfig.get_path("purelib"))
    pytest_program = folder / "bin/pytest"
    pytest_program.write_text(f"#!{python}\nimport sys\nimport pytest\nsys.exit(pytest.main())\n")
    pytest_program.chmod(0o755)
    return folder / "bin"


@pytest.fixture
def folder(tmp_path: Path, surface_dist: Path) -> Path:
    """An empty folder, with the build that an installed wheel has in it."""
    (tmp_path / "dist").symlink_to(surface_dist)
    return tmp_path


def run(commands: str, folder: Path, programs: Path) -> str:
    ours = {"PYTHONPATH", "VIRTUAL_ENV", "PYTEST_ADDOPTS", "PYTEST_CURRENT_TEST"}
    env = {name: value for name, value in os.environ.items() if name not in ours}
    env["PATH"] = f"{programs}{os.pathsep}{env['PATH']}"
    ran = subprocess.run(
        ["bash", "-ec", commands], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def test_the_recipe_of_the_page(folder: Path, programs: Path) -> None:
    (folder / "test_share.py").write_text(part("example", "plugin"))
    assert "5 passed" in run(part("commands", "plugin"), folder, programs)


def test_the_recipe_of_pytest_pyodide(folder: Path, programs: Path) -> None:
    (folder / "test_terminal.py").write_text(part("example", "pyodide"))
    assert "1 passed" in run(part("commands", "pyodide"), folder, programs)


def test_the_fixture_makes_the_folder(folder: Path, programs: Path) -> None:
    (folder / "test_terminal.py").write_text(part("example", "pyodide"))
    (folder / "conftest.py").write_text(part("example", "pyodide-fixture"))
    assert "1 passed" in run("pytest --rt=chrome", folder, programs)
