"""The commands `build.py test` and `build.py bench`."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from typing import Protocol

from builder import checking, declared, drivers, environment, extension, npm, site
from builder.compression import Effort
from builder.exclusion import one_build
from builder.problems import BuildProblem
from builder.project import Project
from builder.stamps import Steps

# The tests marked `extended` are divided, so that each run of CI has one part of them, which takes a minute or two. The
# files of `tests/tiers.py` that take turns divide this number.
PARTS = 84
SUITES = ("unit", "contract", "bash", "pyodide", "web", "attacks", "conformance")
# These run on CPython alone.
WITHOUT_BROWSER = {"unit"}
# Its client programs are large, and no other suite needs them.
WITH_CLIENTS = "conformance"
# Half of a test's time is spent waiting for a browser or another process.
PROCESSES_PER_CORE = 2
# Each has browsers of half a gigabyte.
MAX_PROCESSES = 8
JOURNEYS = tuple(f"tests/web/test_{each}.py" for each in ("newcomer", "first_hour", "model_dialog"))
BENCH_WITH_CLIENTS = {"relay"}
BENCH_WITH_LIBRARIES = {"dom", "interactions"}
BENCH_WITH_RIVALS = {"starts"}
BENCH_WITH_TOKEN_CLIENTS = {"tokens"}


def test(
    project: Project, steps: Steps, suites: Sequence[str], arguments: Sequence[str], *, run_all: bool = False
) -> int:
    """Check the code and run the tests, or only run the suites or files that are named.

    Args:
        project: The project.
        steps: The steps of the build.
        suites: The suites to run; all of them by default.
        arguments: Arguments of pytest.
        run_all: Whether a run of everything includes all tests marked `extended` and all files that take turns.
            Without it, it has a part of them, another one each day; of the marked tests only in CI.

    Returns:
        pytest's exit code. pytest prints the last line.

    Raises:
        BuildProblem: The tests couldn't be started.
    """
    # Named files run instead of the suites.
    named = [argument for argument in arguments if Path(argument.partition("::")[0]).exists()]
    with_clients = any(WITH_CLIENTS in path for path in named or suites or SUITES)
    opens_pages = not suites or not set(suites) <= WITHOUT_BROWSER
    if opens_pages:
        _install(project, steps, [project.clients] if with_clients else [])
    # The site is built, and the first tests run, while the checkers do. One of them collects the tests, so that their
    # processes find the modules compiled.
    checks = checking.RunningChecks(project, steps) if not suites and not arguments else None
    env = dict(os.environ)
    # Each process of the tests, and each that they start, would compile all modules again.
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    if opens_pages:
        env |= _prepare_site(project, steps, Effort.QUICK)
        site.make_test_runtime(project, steps)
    else:
        _prepare_python(project, steps)
    chosen = [] if named else [str(project.root / "tests" / suite) for suite in suites]
    tier = [] if suites or arguments or run_all else _today()
    command = [str(project.python), "-m", "pytest", *chosen, *tier, *_in_parallel(arguments), *arguments]
    return run_beside(checks, command, project.root, env)


class Checks(Protocol):
    """Checkers that run."""

    def finish(self) -> None:
        """Wait for all of them.

        Raises:
            BuildProblem: One found something.
        """
        ...


def run_beside(checks: Checks | None, command: Sequence[str], folder: Path, env: Mapping[str, str]) -> int:
    """Run the tests in parallel with the checkers, and end them if a checker finds something.

    Args:
        checks: The checkers, if any run.
        command: The command of the tests.
        folder: The folder in which they run.
        env: Their environment.

    Returns:
        The exit code of the tests.

    Raises:
        BuildProblem: A checker found something.
    """
    with subprocess.Popen(command, cwd=folder, env=env) as tests:
        try:
            if checks:
                checks.finish()
            return tests.wait()
        finally:
            # After a complaint or an interrupt they still run.
            if tests.poll() is None:
                tests.terminate()


def pictures(project: Project, steps: Steps) -> int:
    """Take the pictures of docs/tour.md, which the tests of its journeys save; return pytest's exit code.

    Raises:
        BuildProblem: The tests couldn't be started.
    """
    folder = project.root / "docs/tour"
    return test(project, steps, [], [*JOURNEYS, "--extended=all", "-m", "pictured", f"--pictures={folder}"])


def _in_parallel(arguments: Sequence[str]) -> list[str]:
    """Run complete suites in several processes, each file in one of them. With arguments, run in order."""
    if arguments:
        return []
    return [
        f"--numprocesses={min(PROCESSES_PER_CORE * (os.cpu_count() or 1), MAX_PROCESSES)}",
        "--dist=loadfile",
        "--no-loadscope-reorder",
    ]


def _today() -> list[str]:
    """Select today's part of the files that take turns, and in CI of the tests that do."""
    day = f"{date.today().toordinal() % PARTS}/{PARTS}"
    return [f"--files={day}", f"--extended={day if os.environ.get('CI') else 'none'}"]


def bench(project: Project, steps: Steps, names: Sequence[str], options: Sequence[str]) -> int:
    """Run benchmarks/<name>.py, or all of them, each printing its figures. Return the number that failed.

    Args:
        project: The project to measure.
        steps: The steps of the build.
        names: The benchmarks; all of them by default.
        options: Options of the one that is named.

    Raises:
        BuildProblem: No benchmark has this name, options come without one name, or the site can't be built.
    """
    if options and len(names) != 1:
        raise BuildProblem(f"Name one benchmark for {' '.join(options)}.")
    known = sorted(path.stem for path in (project.root / "benchmarks").glob("[!_]*.py"))
    if unknown := sorted(set(names) - set(known)):
        raise BuildProblem(f"There is no benchmark named {', '.join(unknown)}; there are {', '.join(known)}.")
    needed = {
        project.clients: BENCH_WITH_CLIENTS,
        project.libraries: BENCH_WITH_LIBRARIES,
        project.rivals: BENCH_WITH_RIVALS,
        project.token_clients: BENCH_WITH_TOKEN_CLIENTS,
    }
    wanted = set(names or known)
    _install(project, steps, [folder for folder, users in needed.items() if users & wanted])
    # Benchmarks measure what a first visit loads.
    prepared = _prepare_site(project, steps, Effort.SMALL)
    env = {**os.environ, **prepared, "PYTHONPATH": str(project.root / "py")}
    failed = 0
    for name in names or known:
        steps.progress.note(f"benchmark {name}")
        command = [str(project.python), str(project.root / "benchmarks" / f"{name}.py"), *options]
        failed += subprocess.run(command, cwd=project.root, env=env, check=False).returncode != 0
    return failed


def _install(project: Project, steps: Steps, folders: Sequence[Path]) -> None:
    """Install what doesn't ship with the site: the libraries of all tests and of further folders."""
    with one_build(project.work, steps.progress):
        first, packages = site.begin_packages(project, development=True)
        begun = [packages]
        begun += [npm.Installation(project, folder=folder) for folder in folders]
        environment.create(project, steps)
        with ThreadPoolExecutor() as threads:
            # The slowest steps of the site need few of the packages.
            needed = [threads.submit(site.fetch, project, steps), threads.submit(first.finish, steps)]
            environment.prepare(project, steps, "test")
            made = [
                threads.submit(declared.list_tools, project, steps),
                threads.submit(site.install_startup, project, steps, needed),
            ]
            for installation in begun:
                installation.finish(steps)
            for each in made:
                each.result()


def _prepare_python(project: Project, steps: Steps) -> None:
    with one_build(project.work, steps.progress):
        environment.prepare(project, steps, "test")
        declared.generate(project, steps)


def _prepare_site(project: Project, steps: Steps, effort: Effort) -> dict[str, str]:
    _prepare_python(project, steps)
    site.build(project, steps, effort)
    extension.unpack(project, steps)
    return drivers.prepare(project, steps)
