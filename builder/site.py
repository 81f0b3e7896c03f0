"""Builds `dist/`: runs every step in order, then copies exactly their results to the folder."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from builder import (
    bundles,
    compression,
    content,
    declared,
    environment,
    notices,
    npm,
    preinstalled,
    pyodide,
    wheels,
)
from builder.compression import Effort
from builder.exclusion import one_build
from builder.linux import image
from builder.meaning import model
from builder.progress import Step
from builder.project import Project
from builder.stamps import HASHES, Steps, is_fresh


def build(
    project: Project,
    steps: Steps,
    effort: Effort = Effort.SMALL,
    *,
    group: str = "build",
    can_make_model: bool = False,
) -> None:
    """Update `dist/`; without a change this does nothing and needs no network.

    Args:
        project: The project.
        steps: The steps of the build.
        effort: How much time the compressed copies may take. Hosted sites need the smallest.
        group: The dependency group that is installed for it, which includes `build`.
        can_make_model: Whether the page may offer the model for search by meaning although it isn't made yet.

    Raises:
        BuildProblem: The build failed; the message says why.
    """
    with one_build(project.work, steps.progress), HASHES.remembered(project.work / "hashes.json"):
        npm.check(project)
        first, packages = begin_packages(project)
        environment.create(project, steps)
        with ThreadPoolExecutor() as threads:
            fetched = threads.submit(fetch, project, steps)
            runtime = threads.submit(first.finish, steps)
            environment.prepare(project, steps, group)
            listed = threads.submit(declared.list_tools, project, steps)
            others = threads.submit(
                _make_others, project, steps, packages, [runtime, listed], modest=group == "companion"
            )
            compiled = (
                [threads.submit(_compile_companion, project, steps, others)] if group == "companion" else []
            )
            startup = threads.submit(install_startup, project, steps, [runtime, fetched])
            # If both fail, npm's problem is the one to solve first.
            others.result()
            startup.result()
            _assemble(project, steps, effort, can_make_model=can_make_model)
            for each in compiled:
                each.result()


def begin_packages(
    project: Project, *, development: bool = False
) -> tuple[npm.Installation, npm.Installation]:
    """Begin to install the npm packages: first Pyodide, which the slowest step needs, then those of `web`.

    Args:
        project: The source tree.
        development: Whether to install development dependencies, too.
    """
    runtime = npm.Installation(project, folder=project.runtime)
    return runtime, npm.Installation(project, development=development)


def install_startup(project: Project, steps: Steps, needed: Sequence[Future[None]]) -> None:
    """Install the packages that the page starts with, which takes the longest of all steps, and one core.

    Args:
        project: The source tree.
        steps: The steps of the build.
        needed: Pyodide, and the packages of the page's Python.

    Raises:
        BuildProblem: One of these failed.
    """
    wheels.make_bare(project, steps)
    for each in needed:
        each.result()
    wheels.check_interpreter(project)
    preinstalled.make(project, steps)


def _compile_companion(project: Project, steps: Steps, others: Future[None]) -> None:
    """Shorten the companion's first start, when a core is free for it."""
    wait([others])
    environment.compile_companion(project, steps)


def _make_others(
    project: Project,
    steps: Steps,
    packages: npm.Installation,
    needed: Sequence[Future[None]],
    *,
    modest: bool,
) -> None:
    """Make the scripts, and the wheel, which has some of them."""
    packages.finish(steps)
    for each in needed:
        each.result()
    declared.generate(project, steps)
    bundles.build(project, steps, pyodide.folder(project), modest=modest)
    wheels.make_own(project, steps)
    _collect_notices(project, steps)


def _collect_notices(project: Project, steps: Steps) -> None:
    steps.run(
        "collecting the notices",
        project.stamp("notices"),
        lambda: [
            *(project.work / name for name in ("bundles", "wheels/browser-all")),
            *(*image.identity(project), *model.identity(project)),
            *(project.npm_lock, Path(__file__).parent),
        ],
        [_notices(project)],
        lambda step: notices.write(project, _notices(project)),
    )


def _notices(project: Project) -> Path:
    return project.work / "NOTICES.txt"


def fetch(project: Project, steps: Steps) -> None:
    """Download the packages of the page's Python.

    Raises:
        BuildProblem: A download failed, or a file doesn't match its hash.
    """
    wheels.fetch(project, steps, "browser-all")
    # All of them are among those.
    wheels.fetch(project, steps, "browser", among="browser-all")


def make_test_runtime(project: Project, steps: Steps) -> None:
    """Create .build/test-pyodide: the Pyodide of `dist/` with the packages that run tests in the browser."""
    with one_build(project.work, steps.progress):
        wheels.fetch(project, steps, "browser-test")
        steps.run(
            "collecting the test Pyodide",
            project.stamp("test-pyodide"),
            lambda: [project.npm_lock, project.work / "wheels", Path(__file__).parent],
            [project.work / "test-pyodide"],
            lambda step: _gather_test_runtime(project),
        )


def _gather_test_runtime(project: Project) -> None:
    wheels.verify(project, "browser-test")
    lock = project.work / "test-pyodide-lock.json"
    packages = pyodide.packages(project, ["browser", "browser-test"], lock)
    mirror(pyodide.runtime(project) | packages, project.work / "test-pyodide")


def _assemble(project: Project, steps: Steps, effort: Effort, *, can_make_model: bool) -> None:
    outputs = [
        "bundles",
        "wheels/browser",
        "wheels/browser-all",
        "wheels/own",
        "preinstall/installed",
        "tools.json",
    ]
    sources = [
        "index.html",
        "pyproject.toml",
        *content.BRIDGE,
        "examples",
        "web/site",
        "web/kernel/frame.html",
    ]
    stamp, page = project.stamp("dist"), project.dist / "index.html"
    later = [model.expected(project)] if can_make_model else []

    def inputs(effort: Effort) -> list[Path | str]:
        return [
            *(project.work / name for name in outputs),
            *image.identity(project),
            *(model.identity(project) or later),
            *(project.root / name for name in sources),
            *(project.npm_lock, Path(__file__).parent),
            effort,
        ]

    # A site with smaller copies will do as well.
    if any(is_fresh(stamp, partial(inputs, each), [page]) for each in _at_least(effort)):
        return
    steps.run(
        "assembling dist/",
        stamp,
        lambda: inputs(effort),
        [page],
        lambda step: _fill_dist(project, step, effort, can_make_model=can_make_model),
    )


def _at_least(effort: Effort) -> list[Effort]:
    return list(Effort)[: list(Effort).index(effort)]


def _fill_dist(project: Project, step: Step, effort: Effort, *, can_make_model: bool) -> None:
    wheels.verify(project, "browser-all")
    files = compression.with_copies(
        project, content.gather(project, can_make_model=can_make_model), step, effort
    )
    mirror(files, project.dist, spared=(project.docs, project.extension_archive, project.release))


def mirror(content: dict[str, Path], folder: Path, *, spared: tuple[Path, ...] = ()) -> None:
    """Make `folder` contain exactly these files and whatever `spared` has; unchanged files aren't touched."""
    for name, source in content.items():
        target = folder / name
        fresh = source.read_bytes()
        if not target.is_file() or target.read_bytes() != fresh:
            target.parent.mkdir(parents=True, exist_ok=True)
            # A server may be reading the old file.
            partial = target.with_name(f"{target.name}.partial")
            partial.write_bytes(fresh)
            partial.replace(target)
    wanted = {folder / name for name in content}
    for path in sorted(folder.rglob("*"), reverse=True):
        if any(path.is_relative_to(each) for each in spared):
            continue
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif path not in wanted:
            path.unlink()
