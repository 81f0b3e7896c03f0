"""Installs npm packages with the npm client of the system's Node.js."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps, is_fresh

OLDEST_NODE = 20

CODE = re.compile(r"npm (?:error|ERR!) code (\S+)")
WANTED = re.compile(r"wanted (sha\d+-\S+?)[\s;]")
UNREACHABLE = {
    "ECONNREFUSED", "ECONNRESET", "ENOTFOUND", "ETIMEDOUT", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH",
    "ERR_SOCKET_TIMEOUT", "FETCH_ERROR", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
}  # fmt: skip


@dataclass(frozen=True)
class Node:
    """The programs of a Node.js installation, as full paths."""

    node: str
    npm: str


def find_node() -> Node:
    """Find Node.js and npm on the PATH.

    Raises:
        BuildProblem: One is missing, or Node.js is too old.
    """
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        missing = "Node.js" if node is None else "npm"
        raise BuildProblem(
            f"{missing} is not on the PATH; install Node.js {OLDEST_NODE} or newer with npm and start again."
        )
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    major = re.match(r"v(\d+)\.", version)
    if major is None or int(major[1]) < OLDEST_NODE:
        raise BuildProblem(
            f"Node.js {OLDEST_NODE} or newer is needed, but {node} is {version or 'broken'}; "
            "install a newer version and start again."
        )
    return Node(node, npm)


def with_typescript() -> list[str | Path]:
    """Return the command of a Node.js that can import modules of web/.

    Raises:
        BuildProblem: Node.js or npm is missing or too old.
    """
    return [find_node().node, "--import", Path(__file__).with_name("typescript.mjs").as_uri()]


def check(project: Project) -> None:
    """Check for Node.js if packages are still to be installed.

    Raises:
        BuildProblem: Node.js or npm is missing or too old.
    """
    if not all(_installed(folder, development=False) for folder in (project.runtime, project.web)):
        find_node()


class Installation:
    """Installs the packages of a lock file into node_modules, in parallel with other steps until `finish` is called.

    Args:
        project: The source tree.
        development: Whether to install development dependencies, too.
        folder: The folder of package.json; web/ by default.
    """

    def __init__(self, project: Project, *, development: bool = False, folder: Path | None = None) -> None:
        self._project = project
        self._folder = folder or project.web
        self._stamp = _stamp(self._folder, development)
        self._step = Step("")
        self._threads = ThreadPoolExecutor(1)
        self._running: Future[None] | None = None
        if not _installed(self._folder, development=development):
            self._running = self._threads.submit(self._ci, development)

    def finish(self, steps: Steps) -> None:
        """Wait until the packages are installed.

        Raises:
            BuildProblem: npm failed; the message says why.
        """
        if self._running is None:
            return
        steps.run(
            f"installing npm packages of {self._project.shown(self._folder)}",
            self._stamp,
            lambda: _inputs(self._folder),
            [self._folder / "node_modules"],
            self._wait,
        )

    def _wait(self, step: Step) -> None:
        assert self._running is not None
        self._step = step
        with self._threads:
            self._running.result()

    def _ci(self, development: bool) -> None:
        program = find_node().npm
        options = ["--include=dev" if development else "--omit=dev", "--loglevel=http"]
        try:
            run(
                [program, "ci", *options],
                cwd=self._folder,
                log=self._project.log(f"npm-{self._folder.name}"),
                on_line=lambda line: self._step.show(line.rsplit("/", 1)[-1]),
            )
        except ProgramFailed as failure:
            raise _explain(self._project, self._folder, failure) from None


def install(project: Project, steps: Steps, *, development: bool = False, folder: Path | None = None) -> None:
    """Install the packages of the lock file into node_modules.

    Args:
        project: The source tree.
        steps: The steps of this build.
        development: Whether to install development dependencies, too.
        folder: The folder of package.json; web/ by default.

    Raises:
        BuildProblem: npm failed; the message says why.
    """
    Installation(project, development=development, folder=folder).finish(steps)


def _stamp(folder: Path, development: bool) -> Path:
    # Inside the folder, so it is deleted with the folder, which `npm ci` does first.
    return folder / "node_modules" / (".development.stamp" if development else ".stamp")


def _inputs(folder: Path) -> list[Path]:
    return [folder / "package.json", folder / "package-lock.json", folder / ".npmrc"]


def _installed(folder: Path, *, development: bool) -> bool:
    return any(
        is_fresh(_stamp(folder, kind), lambda: _inputs(folder), [folder / "node_modules"])
        for kind in {development, True}
    )


def _explain(project: Project, folder: Path, failure: ProgramFailed) -> BuildProblem:
    lock = folder / "package-lock.json"
    log = project.shown(failure.log)
    found = CODE.search(failure.output)
    code = found[1] if found else "unknown"
    if code == "EINTEGRITY":
        return BuildProblem(
            f"The npm registry's file for {_mismatched(lock, failure)} does not match its hash in "
            f"{project.shown(lock)}, so it was not installed; the hashes are in {log}."
        )
    if code in UNREACHABLE:
        return BuildProblem(
            "npm could not reach its registry; check the network, and npm's settings for the registry, "
            f"proxy and certificates, and start again (its output is in {log})."
        )
    return BuildProblem(
        f"npm could not install the packages of {project.shown(folder)} ({code}); its output is in {log}."
    )


def _mismatched(lock: Path, failure: ProgramFailed) -> str:
    """Return the name and version of the package whose hash npm reports."""
    wanted = WANTED.search(failure.output)
    packages: dict[str, dict[str, str]] = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    for path, package in packages.items():
        if wanted and package.get("integrity") == wanted[1]:
            return f"{path.rpartition('node_modules/')[2]} {package['version']}"
    return "a package"
