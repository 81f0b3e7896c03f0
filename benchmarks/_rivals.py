"""Other pages with Python, made from their packages on PyPI and npm by their own tools, each in a folder to serve."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from builder import compression, pyodide  # noqa: E402 - found by the line above
from builder.lockfile import lock  # noqa: E402
from builder.progress import Step  # noqa: E402
from builder.project import Project  # noqa: E402
from builder.stamps import fingerprint  # noqa: E402

LISTS = Path(__file__).parent / "rivals"
PROJECT = Project(ROOT)
# The same tags as of the page's wheels (builder/wheels.py), as Pyodide 314.0.0 to 314.0.7 read them.
WHEELS = (
    *("--only-binary", ":all:", "--no-deps", "--require-hashes", "--quiet"),
    *("--platform", "pyemscripten_2026_0_wasm32", "--platform", "any"),
    *("--implementation", "cp", "--python-version", "3.14", "--abi", "cp314", "--abi", "none"),
)
NOTEBOOK = """import marimo

app = marimo.App()


@app.cell
def _():
    1 + 1
    return
"""
# What the console of the npm package does (console.html), without the terminal that it loads from elsewhere.
CONSOLE = """<!doctype html>
<title>Console</title>
<p>Python starts…</p>
<pre></pre>
<script type="module">
import { loadPyodide } from "./pyodide/pyodide.mjs";
const pyodide = await loadPyodide();
const { repr_shorten, PyodideConsole } = pyodide.pyimport("pyodide.console");
const entered = PyodideConsole(pyodide.globals).push("1 + 1");
document.querySelector("pre").textContent = repr_shorten(await entered);
</script>
"""
PYSCRIPT = """<!doctype html>
<title>PyScript</title>
<link rel="stylesheet" href="./core/core.css">
<script type="module" src="./core/core.js"></script>
<p>Python starts…</p>
<pre id="result"></pre>
<py-config>interpreter = "./pyodide/pyodide.mjs"</py-config>
<script type="py">
from pyscript import display
display(1 + 1, target="result")
</script>
"""


def make() -> Path:
    """Make the folders `console`, `pyscript`, `jupyterlite` and `marimo`, unless they are; return where they are.

    Raises:
        CalledProcessError: A package can't be had, or a tool failed; its output says why.
        BuildProblem: The files can't be compressed.
    """
    wanted = fingerprint(
        [*sorted(LISTS.glob("*.*")), Path(__file__), PROJECT.modules / "pyodide/package.json"]
    )
    folder = PROJECT.work / "rivals" / wanted[:16]
    if folder.exists():
        return folder
    made = folder.with_suffix(".part")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    programs, wheels = _environment(made.parent), _wheels(made.parent)
    wheels.append(_yaml(programs, made.parent / "wheels"))
    _console(made / "console")
    _pyscript(made / "pyscript")
    _jupyterlite(made / "jupyterlite", programs, wheels)
    _marimo(made / "marimo", programs, wheels)
    _compress(made)
    return made.rename(folder)


def _environment(folder: Path) -> Path:
    """Install the tools that make pages; return the folder of their programs."""
    place = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--clear", "--without-pip", place], check=True)
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]
    subprocess.run([*install, "--python", place / "bin/python", "-r", LISTS / "tools.txt"], check=True)
    return place / "bin"


def _wheels(folder: Path) -> list[Path]:
    """Download the wheels that the pages load."""
    place = folder / "wheels"
    shutil.rmtree(place, ignore_errors=True)
    download = [sys.executable, "-m", "pip", "download", *WHEELS, "--dest", place]
    subprocess.run([*download, "-r", LISTS / "wheels.txt"], check=True)
    return sorted(place.glob("*.whl"))


def _yaml(programs: Path, folder: Path) -> Path:
    """Make a wheel of the installed PyYAML without its part in C, as there is none for Pyodide; return it.

    marimo doesn't start without it.
    """
    [source] = programs.parent.glob("lib/python*/site-packages/yaml")
    [described] = source.parent.glob("pyyaml-*.dist-info")
    version = described.name.removeprefix("pyyaml-").removesuffix(".dist-info")
    wheel = folder / f"pyyaml-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(source.glob("*.py")):
            archive.write(path, f"yaml/{path.name}")
        archive.write(described / "METADATA", f"{described.name}/METADATA")
        about = "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        archive.writestr(f"{described.name}/WHEEL", about)
        archive.writestr(f"{described.name}/RECORD", "")
    return wheel


def _runtime(source: Path, folder: Path, wheels: Iterable[Path] = ()) -> Path:
    """Fill a folder with a Pyodide, the wheels and the lock file that lists them; return the lock file."""
    folder.mkdir(parents=True)
    for name in pyodide.RUNTIME:
        shutil.copy(source / name, folder)
    for wheel in wheels:
        shutil.copy(wheel, folder)
    listed = folder / pyodide.LOCK
    info = json.loads((source / pyodide.LOCK).read_text(encoding="utf-8"))["info"]
    listed.write_text(json.dumps(lock(info, list(wheels), partial=True)), encoding="utf-8")
    return listed


def _console(folder: Path) -> None:
    _runtime(PROJECT.pyodide, folder / "pyodide")
    (folder / "index.html").write_text(CONSOLE, encoding="utf-8")


def _pyscript(folder: Path) -> None:
    _runtime(PROJECT.pyodide, folder / "pyodide")
    shutil.copytree(LISTS / "node_modules/@pyscript/core/dist", folder / "core")
    (folder / "index.html").write_text(PYSCRIPT, encoding="utf-8")


def _jupyterlite(folder: Path, programs: Path, wheels: list[Path]) -> None:
    source = folder.with_name("jupyterlite-source")
    # The kernel's extension takes Pyodide from this place.
    _runtime(PROJECT.pyodide, source / "static/pyodide", wheels)
    build = [programs / "jupyter", "lite", "build", "--lite-dir", source, "--output-dir", folder]
    _run([*build, "--apps", "repl", "--no-sourcemaps"], programs, source)
    shutil.rmtree(source)


def _marimo(folder: Path, programs: Path, wheels: list[Path]) -> None:
    notebook = folder.with_name("notebook.py")
    notebook.write_text(NOTEBOOK, encoding="utf-8")
    _run(
        [programs / "marimo", "export", "html-wasm", notebook, "-o", folder, "--mode", "run", "--force"],
        programs,
        notebook.parent,
    )
    notebook.unlink()
    _runtime(LISTS / "node_modules/pyodide-314.0.0", folder / "pyodide", wheels)
    page = folder / "index.html"
    places = 'data-pyodide-index-url="./pyodide/" data-pyodide-lockfile-url="./pyodide/pyodide-lock.json"'
    text = page.read_text(encoding="utf-8")
    assert text.count("<marimo-wasm ") == 1, "marimo's page has no element that names its Pyodide"
    page.write_text(text.replace("<marimo-wasm ", f"<marimo-wasm {places} "), encoding="utf-8")


def _run(command: list[str | Path], programs: Path, folder: Path) -> None:
    """Run a tool in a folder, where it may leave files. It finds its other programs, and uv."""
    folders = (str(programs), str(Path(sys.executable).parent), os.environ["PATH"])
    env = {**os.environ, "PATH": os.pathsep.join(folders)}
    subprocess.run(command, check=True, cwd=folder, env=env, stdout=subprocess.DEVNULL)


def _compress(folder: Path) -> None:
    """Put compressed copies next to all files, as the surface has."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    project = Project(folder.parent)
    both = compression.with_copies(project, files, Step("rivals"))
    for name in both.keys() - files.keys():
        shutil.copy(both[name], folder / name)
