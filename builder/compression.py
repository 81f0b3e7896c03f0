"""Compressed copies of what gets much smaller, for servers that send them in place of the originals."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from builder.npm import find_node
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project

# Wheels and the zip file of the standard library are compressed already: brotli takes off 1 to 4 % of them.
KINDS = {".css", ".html", ".js", ".json", ".mjs", ".txt", ".wasm"}
ENDINGS = (".br", ".gz")


def with_copies(project: Project, content: dict[str, Path], step: Step) -> dict[str, Path]:
    """The files of a site by their names, each followed by its compressed copies.

    The copies are kept by the hash of what they were made from, since Python's binary takes a minute.

    Raises:
        BuildProblem: Node could not make them.
    """
    kept = project.work / "compressed"
    kept.mkdir(parents=True, exist_ok=True)
    chosen = {name: _hash(path) for name, path in content.items() if Path(name).suffix in KINDS}
    missing = {
        name: digest
        for name, digest in chosen.items()
        if not all((kept / f"{digest}{ending}").is_file() for ending in ENDINGS)
    }
    if missing:
        _compress(project, {digest: content[name] for name, digest in missing.items()}, kept, step)
    for path in kept.iterdir():
        if path.stem not in chosen.values():
            path.unlink()
    both: dict[str, Path] = {}
    for name, path in content.items():
        both[name] = path
        if name in chosen:
            both |= {f"{name}{ending}": kept / f"{chosen[name]}{ending}" for ending in ENDINGS}
    return both


def _compress(project: Project, originals: dict[str, Path], kept: Path, step: Step) -> None:
    names = {digest: path.name for digest, path in originals.items()}
    todo = sorted(names.values())
    step.show(f"compressing {', '.join(todo)}")
    inputs = kept / "inputs"
    inputs.mkdir(exist_ok=True)
    for digest, path in originals.items():
        shutil.copyfile(path, inputs / digest)

    def tell(digest: str) -> None:
        todo.remove(names[digest])
        step.show(f"compressing {', '.join(todo)}")

    program = Path(__file__).with_name("compress.mjs")
    try:
        run(
            [find_node().node, program, kept, *(inputs / digest for digest in originals)],
            cwd=project.root,
            log=project.log("compression"),
            on_line=tell,
        )
    except ProgramFailed as failure:
        raise BuildProblem("The site's files could not be compressed.", failure.output) from None
    finally:
        shutil.rmtree(inputs)


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
