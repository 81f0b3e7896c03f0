"""Compresses the files of the site, for servers that send compressed copies."""

from __future__ import annotations

import hashlib
from pathlib import Path

from builder.npm import find_node
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project

# Wheels are already compressed: brotli saves only 1 to 4 %.
KINDS = {".css", ".html", ".js", ".json", ".mjs", ".so", ".tar", ".txt", ".wasm", ".zip"}
ENDINGS = (".br", ".gz")
PROGRAM = Path(__file__).with_name("compress.mjs")


def with_copies(project: Project, content: dict[str, Path], step: Step) -> dict[str, Path]:
    """Return the files of a site by name, each followed by its compressed copies.

    The copies are cached by the hash of the original and of the program that compresses, which takes a minute at first.

    Raises:
        BuildProblem: Node could not compress the files.
    """
    cache = project.work / "compressed"
    cache.mkdir(parents=True, exist_ok=True)
    copies = {
        name: [cache / f"{_hash(path)}{ending}" for ending in ENDINGS]
        for name, path in content.items()
        if Path(name).suffix in KINDS
    }
    if missing := [
        content[name] for name, made in copies.items() if not all(copy.is_file() for copy in made)
    ]:
        _compress(project, missing, cache, step)
    wanted = {copy for made in copies.values() for copy in made}
    for path in set(cache.iterdir()) - wanted:
        path.unlink()
    both: dict[str, Path] = {}
    for name, path in content.items():
        # The original first: servers ignore a copy that is older than its original.
        both[name] = path
        both |= {name + copy.suffix: copy for copy in copies.get(name, [])}
    return both


def _compress(project: Project, files: list[Path], cache: Path, step: Step) -> None:
    targets = {_hash(path): path for path in files}
    unfinished = {str(path): path.name for path in targets.values()}

    def show_remaining(finished: str) -> None:
        unfinished.pop(finished, None)
        step.show(f"compressing {', '.join(unfinished.values())}")

    show_remaining("")
    pairs = [part for digest, path in targets.items() for part in (path, cache / digest)]
    try:
        run(
            [find_node().node, PROGRAM, *pairs],
            cwd=project.root,
            log=project.log("compression"),
            on_line=show_remaining,
        )
    except ProgramFailed as failure:
        raise BuildProblem("The site's files could not be compressed.", failure.output) from None


def _hash(path: Path) -> str:
    return hashlib.sha256(PROGRAM.read_bytes() + path.read_bytes()).hexdigest()
