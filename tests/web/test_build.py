"""The built site, and incremental builds."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tarfile
from collections.abc import Generator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.tiers import sampled

ROOT = Path(__file__).parents[2]


def build(tree: Path, *arguments: str, **variables: str) -> list[str]:
    """Build, and return the steps that ran."""
    output = subprocess.run(
        [sys.executable, "build.py", "build", "--quick", *arguments],
        cwd=tree,
        env={**os.environ, **variables},
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    ).stdout
    return [line.partition(": done in ")[0] for line in output.splitlines() if ": done in " in line]


@pytest.fixture(scope="module")
def dist() -> Path:
    build(ROOT)
    return ROOT / "dist"


# Of no use to the build, and large.
LEFT_OUT = (".git", ".venv", "node_modules", "browser-profile", "__pycache__", "debian-*")


def _left_out(folder: str, names: list[str]) -> set[str]:
    # `bench scripts` has the files of Debian's packages there.
    scripts = {"scripts"} if Path(folder) == ROOT / ".build" else set[str]()
    return shutil.ignore_patterns(*LEFT_OUT)(folder, names) | scripts


@pytest.fixture
def copied_tree(dist: Path, tmp_path: Path) -> Path:
    """Copy the built tree, sharing the downloaded packages."""
    tree = tmp_path / "tree"
    shutil.copytree(ROOT, tree, ignore=_left_out)
    (tree / ".venv").symlink_to(ROOT / ".venv")
    for packages in ("web/node_modules", "builder/runtime/node_modules"):
        (tree / packages).symlink_to(ROOT / packages)
    return tree


@contextmanager
def served(tree: Path, environment: dict[str, str]) -> Generator[tuple[list[str], str]]:
    """Serve a tree; yield the lines before its address, and the address."""
    with subprocess.Popen(
        [sys.executable, "build.py", "serve", "--port", "0", "--no-open"],
        cwd=tree,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout is not None
        lines: list[str] = []
        while not (line := server.stdout.readline()).startswith("Serving"):
            assert line, lines
            lines.append(line)
        yield lines, line.split()[1]
        # Not SIGINT: a test run in the background passes it on as ignored.
        server.send_signal(signal.SIGTERM)
        assert server.stdout.read().endswith("Stopped.\n")
    assert server.returncode == 0


# Not in this tree: what is served differs from what other tests have opened.
@pytest.mark.extended
def test_a_second_start_needs_no_node_no_network_and_no_build(tmp_path: Path, copied_tree: Path) -> None:
    nothing = {"PATH": str(tmp_path), "PIP_INDEX_URL": "http://127.0.0.1:9/"}
    with served(copied_tree, nothing):
        pass
    with served(copied_tree, nothing) as (lines, url):
        assert lines == ["dist/ is up to date\n"]
        with urlopen(url) as page:
            assert page.headers["Cross-Origin-Embedder-Policy"] == "require-corp"
            assert page.read() == (copied_tree / "dist/index.html").read_bytes()


@pytest.mark.extended
@pytest.mark.parametrize(
    ("changed", "steps"),
    sampled(
        [
            ("web/ui/app/main.ts", ["bundling ui.js", "collecting the notices", "assembling dist/"]),
            ("web/kernel/worker.ts", ["bundling kernel.js", "collecting the notices", "assembling dist/"]),
            (
                "web/service_worker.ts",
                ["bundling service_worker.js", "collecting the notices", "assembling dist/"],
            ),
            ("index.html", ["assembling dist/"]),
            (
                "py/gemini/errors.py",
                [
                    "building the bare wheel of gemini",
                    "building the wheel of gemini",
                    "installing the startup packages",
                    "listing the tools",
                    "assembling dist/",
                ],
            ),
            ("docs/new.md", []),
        ],
        every=6,
    ),
)
def test_a_change_rebuilds_only_its_dependents(copied_tree: Path, changed: str, steps: list[str]) -> None:
    file = copied_tree / changed
    file.parent.mkdir(exist_ok=True)
    ending = {".py": "\nNEW = 1\n", ".ts": "\nconsole.debug('new');\n"}.get(file.suffix, "\n")
    with file.open("a", encoding="utf-8") as opened:
        opened.write(ending)
    # Some run side by side.
    assert sorted(build(copied_tree)) == sorted(steps)
    assert build(copied_tree) == []


@pytest.mark.extended
def test_builds_are_reproducible(dist: Path, copied_tree: Path) -> None:
    for made in (".build/bundles", "dist"):
        shutil.rmtree(copied_tree / made)
    # A build never makes a Linux, and has one only with its stamps.
    for stamp in (copied_tree / ".build/stamps").iterdir():
        if not stamp.name.startswith("linux"):
            stamp.unlink()
    build(copied_tree)
    assert contents(copied_tree / "dist") == contents(dist)


def contents(folder: Path) -> dict[str, str]:
    # Source maps contain the path of the npm packages, which the copy shares by a link. A build makes no extension.
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".map"]
    files = [path for path in files if path.name != "extension.zip"]
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.mark.extended
def test_changed_folders_get_new_names_and_unchanged_ones_do_not(copied_tree: Path) -> None:
    dist = copied_tree / "dist"
    [before] = dist.glob("surface-*")
    [runtime] = dist.glob("pyodide-*")
    binary = (runtime / "pyodide.asm.wasm").stat()
    with (copied_tree / "index.html").open("a") as page:
        page.write("\n")
    build(copied_tree)
    [after] = dist.glob("surface-*")
    assert before != after
    assert f'<base href="{after.name}/">' in (dist / "index.html").read_text()
    assert f"../{after.name}/packages/" in (dist / "examples/plain-pyodide.html").read_text()
    assert runtime.name in (after / "kernel.js").read_text()
    assert (runtime / "pyodide.asm.wasm").stat().st_mtime_ns == binary.st_mtime_ns


@pytest.mark.extended
def test_compressed_copies_match_their_files(dist: Path) -> None:
    copied = {path.with_suffix("") for path in dist.rglob("*.br")}
    kinds = {".css", ".html", ".js", ".json", ".mjs", ".so", ".tar", ".txt", ".wasm", ".zip"}
    assert {path.suffix for path in copied} == kinds
    for path in copied:
        packed = path.with_name(f"{path.name}.gz")
        assert gzip.decompress(packed.read_bytes()) == path.read_bytes()
        assert path.stat().st_mtime_ns <= path.with_name(f"{path.name}.br").stat().st_mtime_ns
    script = (
        "const [one, other] = process.argv.slice(1).map((path) => require('fs').readFileSync(path));"
        "process.exit(require('zlib').brotliDecompressSync(other).equals(one) ? 0 : 1);"
    )
    for path in copied:
        subprocess.run(["node", "-e", script, path, f"{path}.br"], check=True)


@pytest.mark.extended
def test_outdated_files_are_removed(copied_tree: Path) -> None:
    (copied_tree / "dist/old").mkdir()
    (copied_tree / "dist/old/stray.js").write_text("stray")
    (copied_tree / "index.html").write_text("<!doctype html>")
    build(copied_tree)
    assert not (copied_tree / "dist/old").exists()


def test_a_syntax_error_is_shown_with_its_location(copied_tree: Path) -> None:
    (copied_tree / "web/ui/app/main.ts").write_text("const broken = ;")
    ended = subprocess.run(
        [sys.executable, "build.py", "build"], cwd=copied_tree, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 1
    assert "web/ui/app/main.ts:1:15" in ended.stderr
    assert ended.stderr.endswith("esbuild could not bundle the scripts.\n")


def test_every_wheel_of_the_lock_file_exists_with_its_hash(dist: Path) -> None:
    lock = next(dist.glob("surface-*/packages/pyodide-lock.json"))
    packages = json.loads(lock.read_text())["packages"]
    assert {"control-surface", "pydantic", "pydantic-core", "micropip", "pyte"} <= packages.keys()
    for package in packages.values():
        assert "/" not in package["file_name"]
        wheel = lock.with_name(package["file_name"])
        assert hashlib.sha256(wheel.read_bytes()).hexdigest() == package["sha256"]


def test_every_file_of_a_start_exists_with_its_hash(dist: Path) -> None:
    listed = next(dist.glob("surface-*/packages/start.json"))
    start = json.loads(listed.read_text())
    for entry in [*start["archives"], *start["libraries"], *chain(*start["deferred"].values())]:
        digest = hashlib.sha256(listed.with_name(entry["file"]).read_bytes()).digest()
        assert entry["integrity"] == f"sha256-{base64.b64encode(digest).decode()}"
    for name in start["modules"]:
        assert listed.with_name(name).is_file()


def test_modules_that_a_start_imports_come_with_bytecode_and_the_others_later(dist: Path) -> None:
    packages = next(dist.glob("surface-*/packages"))
    names: dict[str, set[str]] = {}
    for name in ("gemini_surface", "stdlib", "programs", "library", "sources"):
        with tarfile.open(packages / f"{name}.tar") as archive:
            names[name] = {
                item.removeprefix("site-packages/").removeprefix("lib-dynload/")
                for item in archive.getnames()
            }
    with tarfile.open(packages / "gemini_surface.tar") as archive:
        listed = archive.extractfile("site-packages/gemini/core/late_modules.txt")
        assert listed is not None
        late = set(listed.read().decode().split())
    kernel = {"gemini/kernel/kernel.py", "gemini/kernel/__pycache__/kernel.cpython-314.pyc"}
    assert kernel <= names["gemini_surface"]
    assert "json/decoder.pyc" in names["stdlib"]
    assert {"gemini/kernel/kernel.py", "json/decoder.py"} <= names["sources"]
    assert "gemini/agents/loop/turns.py" in names["programs"]
    assert {"unittest/case.py", "csv.py"} <= names["library"]
    assert {"gemini.agents.loop.turns", "unittest.case", "csv"} <= late
    assert not {"json.decoder", "gemini.kernel.kernel"} & late


def test_the_page_requests_no_other_host(dist: Path) -> None:
    for page in (dist / "index.html", next(dist.glob("surface-*/ui.css"))):
        text = page.read_text()
        assert "https://" not in text
        assert "http://" not in text


def test_the_notices_name_every_shipped_package(dist: Path) -> None:
    notices = (dist / "NOTICES.txt").read_text()
    packages = json.loads(next(dist.glob("surface-*/packages/pyodide-lock.json")).read_text())["packages"]
    shipped = {wheel["file_name"].split("-")[0] for wheel in packages.values()} - {"control_surface"}
    bundled = {
        "@xterm/xterm",
        "@mcp-b/webmcp-polyfill",
        "fflate",
        "pyodide",
    }
    titles = {plain(line.rpartition(" ")[0]) for line in notices.splitlines()}
    assert {plain(name) for name in shipped | bundled} <= titles


def plain(name: str) -> str:
    """Return a package's name as wheels spell it, in lower case."""
    return re.sub(r"[-.]", "_", name).lower()
