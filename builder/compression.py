"""Compresses the files of the site, for servers that send compressed copies."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from pathlib import Path

from builder.npm import find_node
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project

# Wheels are already compressed: brotli saves only 1 to 4 %.
KINDS = {".css", ".html", ".js", ".json", ".mjs", ".onnx", ".so", ".tar", ".txt", ".wasm", ".zip"}
ENDINGS = (".br", ".gz")
PROGRAM = Path(__file__).with_name("compress.mjs")


class Effort(StrEnum):
    """The time that the copies may take: a minute for the smallest, some seconds, or none, for none.

    In this order: a site with more of it serves those who ask for less.
    """

    SMALL = "small"
    QUICK = "quick"
    NONE = "none"


def with_copies(
    project: Project, content: dict[str, Path], step: Step, effort: Effort = Effort.SMALL
) -> dict[str, Path]:
    """Return the files of a site by name, each followed by its compressed copies.

    The copies are cached by the hash of the original and of the program that compresses. If there are small ones, they
    serve quick builds, too.

    Raises:
        BuildProblem: Node could not compress the files.
    """
    if effort is Effort.NONE:
        return content
    cache = project.work / "compressed"
    cache.mkdir(parents=True, exist_ok=True)
    copies = {
        name: _copies(cache, path, effort) for name, path in content.items() if Path(name).suffix in KINDS
    }
    if missing := {
        content[name]: made[0].with_suffix("")
        for name, made in copies.items()
        if not all(copy.is_file() for copy in made)
    }:
        _compress(project, missing, effort, step)
    wanted = {copy for made in copies.values() for copy in made}
    for path in set(cache.iterdir()) - wanted:
        path.unlink()
    both: dict[str, Path] = {}
    for name, path in content.items():
        # The original first: servers ignore a copy that is older than its original.
        both[name] = path
        both |= {name + copy.suffix: copy for copy in copies.get(name, [])}
    return both


def _copies(cache: Path, path: Path, effort: Effort) -> list[Path]:
    digest = _hash(path)
    small = [cache / f"{digest}{ending}" for ending in ENDINGS]
    if effort is Effort.SMALL or all(copy.is_file() for copy in small):
        return small
    return [cache / f"{digest}-{effort}{ending}" for ending in ENDINGS]


def _compress(project: Project, targets: dict[Path, Path], effort: Effort, step: Step) -> None:
    # Files with the same content have the same target.
    files = {target: path for path, target in targets.items()}
    unfinished = {str(path): path.name for path in files.values()}

    def show_remaining(finished: str) -> None:
        unfinished.pop(finished, None)
        step.show(f"compressing {', '.join(unfinished.values())}")

    show_remaining("")
    pairs = [part for target, path in files.items() for part in (path, target)]
    try:
        run(
            [find_node().node, PROGRAM, effort, *pairs],
            cwd=project.root,
            log=project.log("compression"),
            on_line=show_remaining,
        )
    except ProgramFailed as failure:
        raise BuildProblem("The site's files could not be compressed.", failure.output) from None


def _hash(path: Path) -> str:
    return hashlib.sha256(PROGRAM.read_bytes() + path.read_bytes()).hexdigest()
