"""Makes `dist/`: every step in order, then the folder as exactly what they produced."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from builder import bundles, environment, notices, npm, wheels
from builder.exclusion import one_build
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.project import Project
from builder.stamps import Steps, files_below

RUNTIME = ("pyodide.mjs", "pyodide.js", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")


def build(project: Project, steps: Steps) -> None:
    """Bring `dist/` up to date; does nothing, and needs no network, where nothing changed.

    Raises:
        BuildProblem: in a sentence, what stopped it.
    """
    with one_build(project.work, steps.progress):
        npm.check(project)
        environment.prepare(project, steps, "build")
        npm.install(project, steps)
        wheels.fetch(project, steps, "browser")
        bundles.build(project, steps)
        wheels.make_own(project, steps)
        _list_tools(project, steps)
        _assemble(project, steps)


def make_test_runtime(project: Project, steps: Steps) -> None:
    """Make .build/test-pyodide: the Pyodide of `dist/` with the packages that run tests in the browser."""
    with one_build(project.work, steps.progress):
        wheels.fetch(project, steps, "browser-test")
        steps.run(
            "gathering the Pyodide of the tests",
            project.stamp("test-pyodide"),
            lambda: [project.npm_lock, project.work / "wheels", Path(__file__).parent],
            [project.work / "test-pyodide"],
            lambda step: _gather_test_runtime(project),
        )


def _gather_test_runtime(project: Project) -> None:
    wheels.verify(project, "browser-test")
    lock = project.work / "test-pyodide-lock.json"
    _mirror(_pyodide(project, ["browser", "browser-test"], lock), project.work / "test-pyodide")


def _list_tools(project: Project, steps: Steps) -> None:
    steps.run(
        "listing the tools",
        project.stamp("tools"),
        lambda: [project.root / "py", project.requirements("build"), Path(__file__)],
        [_catalogue(project)],
        lambda step: _write_catalogue(project),
    )


def _catalogue(project: Project) -> Path:
    return project.work / "tools.json"


def _write_catalogue(project: Project) -> None:
    listed = subprocess.run(
        [project.python, "-m", "gemini.catalogue"],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(project.root / "py"), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if listed.returncode:
        raise BuildProblem("The tools could not be listed by gemini.catalogue.", listed.stderr)
    _catalogue(project).write_text(listed.stdout, encoding="utf-8")


def _assemble(project: Project, steps: Steps) -> None:
    made = ["bundles", "wheels/browser", "wheels/own", "tools.json"]
    sources = ["index.html", "webmcp_bridge.js", "examples"]
    steps.run(
        "assembling dist/",
        project.stamp("dist"),
        lambda: [
            *(project.work / name for name in made),
            *(project.root / name for name in sources),
            *(project.npm_lock, Path(__file__).parent),
        ],
        [project.dist / "index.html"],
        lambda step: _fill_dist(project),
    )


def _fill_dist(project: Project) -> None:
    wheels.verify(project, "browser")
    notices.write(project, project.work / "NOTICES.txt")
    _mirror(_content(project), project.dist)


def _content(project: Project) -> dict[str, Path]:
    """The whole site: where each file stands in `dist/`, and where it comes from."""
    made = project.work / "bundles"
    content = {
        "index.html": project.root / "index.html",
        "webmcp_bridge.js": project.root / "webmcp_bridge.js",
        "webmcp-polyfill.js": project.modules / "@mcp-b/webmcp-polyfill/dist/index.iife.js",
        "coi-serviceworker.js": project.modules / "coi-serviceworker/coi-serviceworker.min.js",
        "tools.json": _catalogue(project),
        "NOTICES.txt": project.work / "NOTICES.txt",
    }
    content |= {path.name: path for path in made.iterdir() if path.suffix in {".js", ".css", ".map"}}
    examples = project.root / "examples"
    content |= {f"examples/{path.relative_to(examples).as_posix()}": path for path in files_below(examples)}
    pyodide = _pyodide(project, ["browser"], project.work / "pyodide-lock.json")
    return content | {f"pyodide/{name}": path for name, path in pyodide.items()}


def _pyodide(project: Project, groups: list[str], lock: Path) -> dict[str, Path]:
    """Pyodide's runtime with the wheels of some groups and our own, and the lock file that lists them."""
    folders = [*(wheels.fetched(project, group) for group in groups), wheels.own(project)]
    found = {path.name: path for folder in folders for path in folder.glob("*.whl")}
    try:
        run(
            [project.python, "-m", "builder.lockfile", wheels.pyodide_lock(project), lock, *found.values()],
            cwd=project.root,
            log=project.log("lockfile"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("The wheels do not make up a Pyodide.", failure.output) from None
    return (
        found | {name: project.modules / "pyodide" / name for name in RUNTIME} | {"pyodide-lock.json": lock}
    )


def _mirror(content: dict[str, Path], folder: Path) -> None:
    """Make `folder` hold exactly these files; a file that is right already isn't touched."""
    for name, source in content.items():
        target = folder / name
        fresh = source.read_bytes()
        if not target.is_file() or target.read_bytes() != fresh:
            target.parent.mkdir(parents=True, exist_ok=True)
            # A server may be reading the old one.
            partial = target.with_name(f"{target.name}.partial")
            partial.write_bytes(fresh)
            partial.replace(target)
    wanted = {folder / name for name in content}
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in wanted:
            path.unlink()
