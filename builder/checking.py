"""Runs the linters and type checkers of `build.py check`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from builder import declared, environment, npm, unused
from builder.exclusion import one_build
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, modestly, run
from builder.project import Project
from builder.stamps import Steps

# Only these, since Biome would look through the folders of builds, too.
SCRIPTS = ("builder", "web", "webmcp_adapter.js", "webmcp_bridge.js")


class RunningChecks:
    """The checkers of a tree, which run side by side."""

    def __init__(self, project: Project, steps: Steps) -> None:
        with one_build(project.work, steps.progress):
            environment.prepare(project, steps, "test")
            npm.install(project, steps, development=True)
            declared.generate(project, steps)
        self._progress = steps.progress
        self._threads = ThreadPoolExecutor(os.cpu_count())
        self._names = {
            self._threads.submit(_complaint, project, *each): each[0] for each in _checkers(project)
        }

    def finish(self) -> None:
        """Wait for all checkers, then report all their findings.

        Raises:
            BuildProblem: A checker failed; `details` has the output of each that did.
        """
        with self._progress.step("checking the code") as step, self._threads:
            unfinished = dict(self._names)
            step.show(", ".join(unfinished.values()))
            for finished in as_completed(self._names):
                del unfinished[finished]
                step.show(", ".join(unfinished.values()))
        complaints = {
            name: output for done, name in self._names.items() if (output := done.result()) is not None
        }
        if complaints:
            details = "\n".join(f"{name}:\n{output}" for name, output in complaints.items())
            raise BuildProblem(f"The code does not pass {', '.join(complaints)}.", details)


def check(project: Project, steps: Steps) -> None:
    """Run every checker, then report all their findings.

    Raises:
        BuildProblem: A checker failed; `details` has the output of each that did.
    """
    RunningChecks(project, steps).finish()


def _complaint(project: Project, name: str, command: list[str | Path]) -> str | None:
    """Return the output of a checker that found something."""
    env = {**os.environ, "PYTHONPATH": str(project.root / "py")}
    # The processes of a run of the tests find the modules compiled.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    log = project.log(f"check-{name.replace(' ', '-')}")
    # The build, for which the tests wait, runs at the same time. At a much lower priority, pyright would outlast the
    # tests on a busy machine.
    try:
        run([*modestly(1), *command], cwd=project.root, log=log, env=env)
    except ProgramFailed as failure:
        return failure.output
    return None


def _checkers(project: Project) -> Iterator[tuple[str, list[str | Path]]]:
    ruff: list[str | Path] = [project.python, "-m", "ruff"]
    node = npm.find_node().node
    # It takes as long as all others, which run at the same time.
    yield "pyright", [node, project.modules / "pyright/index.js", "--project", project.root]
    yield "test collection", [project.python, "-m", "pytest", "--collect-only", "-qq"]
    yield "wording", [project.python, "-m", "builder.wording"]
    yield "sizes", [project.python, "-m", "builder.sizes"]
    yield "wrapping", [project.python, "-m", "builder.wrapping"]
    yield "imports of web", [project.python, "-m", "builder.web_imports"]
    yield "ruff", [*ruff, "check", "--quiet", "--output-format", "concise"]
    yield "ruff format", [*ruff, "format", "--check", "--output-format", "concise"]
    yield (
        "import-linter",
        [project.python, "-c", "from importlinter.cli import lint_imports_command as c; c()"],
    )
    biome: list[str | Path] = [node, project.modules / "@biomejs/biome/bin/biome"]
    yield "biome", [*biome, "ci", "--error-on-warnings", *SCRIPTS]
    yield "knip", unused.command(project)
    tsc: list[str | Path] = [node, project.modules / "typescript/bin/tsc", "--pretty", "false", "--project"]
    # The page and the worker have different globals.
    yield "tsc on the page", [*tsc, project.web / "tsconfig.json"]
    yield "tsc on the page script", [*tsc, project.web / "tsconfig.page.json"]
    yield "tsc on the worker", [*tsc, project.web / "tsconfig.worker.json"]
