"""A separate source tree for each test, with the minimum that a build needs to start."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# A port that nothing listens on: requests fail at once, as without a network.
NOWHERE = "http://127.0.0.1:9/"

Start = Callable[..., subprocess.CompletedProcess[str]]


def make_wheel(
    folder: Path, name: str, version: str = "1.0", content: str = "", needs: tuple[str, ...] = ()
) -> Path:
    """Create a wheel with one module, as pip and Pyodide accept it."""
    info = f"{name}-{version}.dist-info"
    metadata = [
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}",
        *(f"Requires-Dist: {n}" for n in needs),
    ]
    members = {
        f"{name}.py": content,
        f"{info}/METADATA": "\n".join(metadata) + "\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{path},{record_hash(text)},{len(text)}" for path, text in members.items()]
    members[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,"]) + "\n"
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"{name}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in members.items():
            archive.writestr(path, text)
    return wheel


def record_hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return "sha256=" + base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def pin(requirements: Path, wheel: Path, digest: str | None = None) -> None:
    name, version = wheel.name.split("-")[:2]
    digest = digest or hashlib.sha256(wheel.read_bytes()).hexdigest()
    requirements.write_text(f"{name}=={version} --hash=sha256:{digest}\n")


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with nothing but pip, created once."""
    folder = tmp_path_factory.mktemp("environment") / ".venv"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder


@pytest.fixture
def bare_tree(tmp_path: Path) -> Path:
    """A tree that was never built."""
    tree = tmp_path / "tree"
    tree.mkdir()
    shutil.copy(ROOT / "build.py", tree)
    for package in ("builder", "py/gemini_companion", "py/gemini_testing"):
        shutil.copytree(ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__"))
    # All that the companion's modules need of it before any package is installed.
    (tree / "py/gemini").mkdir()
    for module in ("__init__.py", "errors.py", "project.py"):
        shutil.copy(ROOT / "py/gemini" / module, tree / "py/gemini")
    (tree / "requirements").mkdir()
    (tree / "web").mkdir()
    package = {"name": "tree", "version": "1.0.0", "dependencies": {"demo": "1.0.0"}}
    (tree / "web/package.json").write_text(json.dumps(package))
    (tree / "web/.npmrc").write_text("audit=false\n")
    return tree


@pytest.fixture
def tree(bare_tree: Path, environment: Path) -> Path:
    """A tree with a virtual environment and one build requirement, whose wheel is in wheels/."""
    shutil.copytree(environment, bare_tree / ".venv", symlinks=True)
    pin(bare_tree / "requirements/build.txt", make_wheel(bare_tree / "wheels", "demo"))
    return bare_tree


@pytest.fixture
def start(bare_tree: Path) -> Start:
    """Run build.py in the tree, without this machine's configuration: `start("build", PATH="...")`."""
    unwanted = ("pip_", "npm_", "python")
    inherited = {key: value for key, value in os.environ.items() if not key.lower().startswith(unwanted)}
    quiet = {
        "PIP_CONFIG_FILE": os.devnull,
        "PIP_NO_INDEX": "1",
        "PIP_FIND_LINKS": str(bare_tree / "wheels"),
        "PIP_RETRIES": "0",
        "npm_config_userconfig": os.devnull,
        "npm_config_cache": str(bare_tree / "npm-cache"),
        "npm_config_registry": NOWHERE,
        "npm_config_fetch_retries": "0",
    }

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "build.py", *arguments],
            cwd=bare_tree,
            env={**inherited, **quiet, **variables},
            capture_output=True,
            text=True,
            check=False,
        )

    return run
