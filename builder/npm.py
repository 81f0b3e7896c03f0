"""npm, the ordinary client, and the Node that it comes with."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
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
    """The programs of a Node installation, as full paths."""

    node: str
    npm: str


def find_node() -> Node:
    """The Node and npm on the PATH.

    Raises:
        BuildProblem: one is missing, or Node is too old.
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
            f"Node.js {OLDEST_NODE} or newer is needed and {node} is {version or 'broken'}; "
            "install a newer one and start again."
        )
    return Node(node, npm)


def check(project: Project) -> None:
    """Fail early where the packages are still to be fetched and can't be. A finished build needs no Node."""
    if not _installed(project, development=False):
        find_node()


def install(project: Project, steps: Steps, *, development: bool = False) -> None:
    """Fetch the packages of the lock file into web/node_modules, and what checks the code too where asked.

    Raises:
        BuildProblem: in a sentence, whatever went wrong.
    """
    if not _installed(project, development=development):
        steps.run(
            "installing npm packages",
            _stamp(project, development),
            lambda: _inputs(project),
            [project.modules],
            lambda step: _ci(project, development, step),
        )


def _stamp(project: Project, development: bool) -> Path:
    # Inside the folder, so that it goes when the folder goes, which is also how `npm ci` begins.
    return project.modules / (".development.stamp" if development else ".stamp")


def _inputs(project: Project) -> list[Path]:
    return [project.web / "package.json", project.npm_lock, project.web / ".npmrc"]


def _installed(project: Project, *, development: bool) -> bool:
    return any(
        is_fresh(_stamp(project, kind), lambda: _inputs(project), [project.modules])
        for kind in {development, True}
    )


def _ci(project: Project, development: bool, step: Step) -> None:
    program = find_node().npm
    options = ["--include=dev" if development else "--omit=dev", "--loglevel=http"]
    try:
        run(
            [program, "ci", *options],
            cwd=project.web,
            log=project.log("npm"),
            on_line=lambda line: step.show(line.rsplit("/", 1)[-1]),
        )
    except ProgramFailed as failure:
        raise _explained(project, failure) from None


def _explained(project: Project, failure: ProgramFailed) -> BuildProblem:
    log = project.shown(failure.log)
    found = CODE.search(failure.output)
    code = found[1] if found else "unknown"
    if code == "EINTEGRITY":
        return BuildProblem(
            f"What the npm registry served for {_mismatched(project, failure)} does not match its hash in "
            f"{project.shown(project.npm_lock)}, so it was not installed; the hashes are in {log}."
        )
    if code in UNREACHABLE:
        return BuildProblem(
            "npm could not reach its registry; check the network, or npm's own configuration of registry, "
            f"proxy and certificates, and start again (its output is in {log})."
        )
    return BuildProblem(f"npm could not install the packages of web/ ({code}); its output is in {log}.")


def _mismatched(project: Project, failure: ProgramFailed) -> str:
    """The package that npm speaks of, which it tells by nothing but its hash."""
    wanted = WANTED.search(failure.output)
    packages: dict[str, dict[str, str]] = json.loads(project.npm_lock.read_text(encoding="utf-8"))["packages"]
    for path, package in packages.items():
        if wanted and package.get("integrity") == wanted[1]:
            return f"{path.rpartition('node_modules/')[2]} {package['version']}"
    return "a package"
