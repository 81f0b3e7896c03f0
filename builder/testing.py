"""The commands `build.py test` and `build.py bench`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from builder import checking, drivers, environment, npm, site
from builder.exclusion import one_build
from builder.problems import BuildProblem
from builder.project import Project
from builder.stamps import Steps

SUITES = ("unit", "contract", "bash", "pyodide", "web", "attacks", "conformance")
# They run on CPython alone.
WITHOUT_BROWSER = {"unit"}
# What they use of other programs is large, and nothing else needs it.
WITH_CLIENTS = "conformance"
# Each has a browser of half a gigabyte.
MOST_PROCESSES = 4
BENCH_WITH_CLIENTS = "relay"


def test(project: Project, steps: Steps, suites: Sequence[str], arguments: Sequence[str]) -> int:
    """Check the code, then run the tests; only the tests where a part of them is asked for.

    Returns pytest's exit code, and lets pytest have the last word on the screen.

    Raises:
        BuildProblem: it didn't come to running the tests.
    """
    if not suites and not arguments:
        checking.check(project, steps)
    env = dict(os.environ)
    if suites and set(suites) <= WITHOUT_BROWSER:
        _prepare_python(project, steps)
    else:
        # Pages of tests are made with frameworks that the site doesn't ship.
        with one_build(project.work, steps.progress):
            npm.install(project, steps, development=True)
        env |= _prepare_site(project, steps)
        site.make_test_runtime(project, steps)
    # Files that are named take the place of whole suites.
    named = [argument for argument in arguments if Path(argument.partition("::")[0]).exists()]
    if any(WITH_CLIENTS in path for path in named or suites or SUITES):
        with one_build(project.work, steps.progress):
            npm.install(project, steps, folder=project.clients)
    chosen = [] if named else [str(project.root / "tests" / suite) for suite in suites]
    command = [str(project.python), "-m", "pytest", *chosen, *_in_parallel(arguments), *arguments]
    return subprocess.run(command, cwd=project.root, env=env, check=False).returncode


def _in_parallel(arguments: Sequence[str]) -> list[str]:
    """Run whole suites side by side, a file in one process; what the caller names runs in order."""
    if arguments:
        return []
    return [f"--numprocesses={min(os.cpu_count() or 1, MOST_PROCESSES)}", "--dist=loadfile"]


def bench(project: Project, steps: Steps, names: Sequence[str], options: Sequence[str]) -> int:
    """Run benchmarks/<name>.py, or all of them, each printing its figures. Returns the number that failed.

    Args:
        project: What is measured.
        steps: Of the build.
        names: Of the benchmarks; none for all of them.
        options: For the one that is named.

    Raises:
        BuildProblem: there is no such benchmark, the options are for nobody, or the site can't be built.
    """
    if options and len(names) != 1:
        raise BuildProblem(f"Name the one benchmark that {' '.join(options)} is for.")
    known = sorted(path.stem for path in (project.root / "benchmarks").glob("[!_]*.py"))
    if unknown := sorted(set(names) - set(known)):
        raise BuildProblem(f"There is no benchmark named {', '.join(unknown)}; there are {', '.join(known)}.")
    # What ours is measured beside isn't shipped with the site.
    with one_build(project.work, steps.progress):
        npm.install(project, steps, development=True)
        if not names or BENCH_WITH_CLIENTS in names:
            npm.install(project, steps, folder=project.clients)
    env = {**os.environ, **_prepare_site(project, steps), "PYTHONPATH": str(project.root / "py")}
    failed = 0
    for name in names or known:
        steps.progress.note(f"benchmark {name}")
        command = [str(project.python), str(project.root / "benchmarks" / f"{name}.py"), *options]
        failed += subprocess.run(command, cwd=project.root, env=env, check=False).returncode != 0
    return failed


def _prepare_python(project: Project, steps: Steps) -> None:
    with one_build(project.work, steps.progress):
        # As `serve` has it, which tests start.
        environment.prepare(project, steps, "companion")
        environment.prepare(project, steps, "test")
        site.generate(project, steps)


def _prepare_site(project: Project, steps: Steps) -> dict[str, str]:
    _prepare_python(project, steps)
    site.build(project, steps)
    return drivers.prepare(project, steps)
