"""The artifacts of `build.py release`, each installed in an empty place and used."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from builder import uv
from builder.npm import find_node
from builder.project import Project
from builder.release import CHECKSUMS
from gemini_testing import Surface
from tests.extension import opened_extension

ROOT = Path(__file__).parents[2]

pytestmark = [
    pytest.mark.extended("release"),
    pytest.mark.skipif(sys.platform == "win32", reason="programs of environments are elsewhere there"),
]


def make(tree: Path = ROOT) -> Path:
    made = subprocess.run(
        [sys.executable, "build.py", "release", "--quick"],
        cwd=tree,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 0, made.stderr
    return tree / made.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def release() -> Path:
    return make()


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    """Variables of a new home, without this tree."""
    ours = {"PYTHONPATH", "VIRTUAL_ENV"}
    return {name: value for name, value in os.environ.items() if name not in ours} | {
        "HOME": str(tmp_path / "home"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }


@pytest.fixture(scope="module")
def environment(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the unpacked MCP bundle, and an environment with its wheel and the companion's packages."""
    folder = tmp_path_factory.mktemp("installed")
    [packed] = release.glob("*.mcpb")
    with zipfile.ZipFile(packed) as bundle:
        bundle.extractall(folder / "bundle")
    [wheel] = (folder / "bundle").glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    python = folder / "venv/bin/python"
    uv.install_into(Project(ROOT), "companion", python)
    command = [sys.executable, "-m", "uv", "pip", "install", "--python", python, "--no-deps", "--no-index"]
    subprocess.run([*command, wheel], check=True, capture_output=True)
    return folder


@pytest.fixture
def index(release: Path, tmp_path: Path, env: dict[str, str]) -> Iterator[dict[str, str]]:
    """Serve the wheel of the parts as a package index does, and yield variables that name it."""
    [wheel] = release.glob("control_surface_parts-*.whl")
    folder = tmp_path / "simple/control-surface-parts"
    folder.mkdir(parents=True)
    (folder / wheel.name).symlink_to(wheel)
    (folder / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/simple"
        yield env | {"UV_DEFAULT_INDEX": address, "no_proxy": "127.0.0.1"}
        server.shutdown()


def test_every_file_has_its_checksum_and_a_second_release_is_the_same(release: Path) -> None:
    listed = (release / CHECKSUMS).read_text()
    checked = subprocess.run(["sha256sum", "-c", "--quiet", CHECKSUMS], cwd=release, check=False)
    assert checked.returncode == 0
    names = {line.split("  ")[1].partition("/")[0] for line in listed.splitlines()}
    assert {path.name for path in release.iterdir()} == names | {CHECKSUMS}
    assert (make() / CHECKSUMS).read_text() == listed


@pytest.fixture(scope="module")
def checksums_of_clones() -> dict[str, str]:
    """The checksums of each clone that a test has made."""
    return {}


# Each has the time of a test, since a clone shares the downloaded packages of none.
@pytest.mark.parametrize("name", ["first", "second"])
def test_two_clones_make_the_same_release(
    name: str, checksums_of_clones: dict[str, str], tmp_path: Path
) -> None:
    # A clone has the last commit only.
    subprocess.run(["git", "clone", "--quiet", ROOT, tmp_path / name], check=True)
    checksums_of_clones[name] = (make(tmp_path / name) / CHECKSUMS).read_text()
    assert len(set(checksums_of_clones.values())) == 1


async def test_the_mcp_bundle_starts_a_server(environment: Path, env: dict[str, str]) -> None:
    manifest = json.loads((environment / "bundle/manifest.json").read_text())
    program = environment / "bundle" / manifest["server"]["entry_point"]
    server = StdioServerParameters(command=str(environment / "venv/bin/python"), args=[str(program)], env=env)
    async with Client(stdio_client(server)) as client:
        answer = await client.call_tool("python_run", {"code": "6 * 7"})
    assert "42" in str(answer.structured_content)


def command(environment: Path, env: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    program = [environment / "venv/bin/control-surface", *arguments]
    return subprocess.run(program, env=env, capture_output=True, text=True, check=False)


def installed(environment: Path) -> dict[Path, tuple[int, int]]:
    """Return the size and the time of each installed file, without those that Python itself writes."""
    found = (path for path in (environment / "venv").rglob("*") if path.is_file())
    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in found if path.suffix != ".pyc"}


def test_the_wheel_has_what_a_start_needs_and_fetches_the_rest(
    environment: Path, index: dict[str, str]
) -> None:
    files = installed(environment)
    assert re.fullmatch(r"control-surface \d+\.\d+\.\d+\n", command(environment, index, "--version").stdout)
    before = command(environment, index, "doctor", "--port", "0").stdout
    assert "will be fetched on first use" in before
    assert command(environment, index, "offline").returncode == 0
    assert "parts of the page: all" in command(environment, index, "doctor", "--port", "0").stdout
    # The folder of installed packages may be read-only.
    assert installed(environment) == files


def test_the_wheel_makes_the_folder_for_pytest_pyodide(
    environment: Path, index: dict[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "pyodide"
    made = command(environment, index, "pyodide-dist", str(folder))
    assert made.returncode == 0, made.stderr
    names = {path.name for path in folder.iterdir()}
    assert {"pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"} <= names
    listed = json.loads((folder / "pyodide-lock.json").read_text())["packages"].values()
    assert {package["file_name"] for package in listed} <= names


def test_the_plugin_opens_the_page_of_the_wheel(release: Path, index: dict[str, str], tmp_path: Path) -> None:
    [wheel] = release.glob("control_surface-*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    python = tmp_path / "venv/bin/python"
    install = [sys.executable, "-m", "uv", "pip", "install", "--python", python, "--no-deps", "--no-index"]
    subprocess.run([*install, wheel], check=True, capture_output=True)
    asked = [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    purelib = Path(subprocess.check_output(asked, text=True).strip())
    # This tree's packages, without the tree.
    (purelib / "ours.pth").write_text(sysconfig.get_path("purelib"))
    (tmp_path / "test_it.py").write_text("def test_it(surface): assert surface.python('6 * 7') == 42\n")
    ran = subprocess.run(
        [python, "-m", "pytest", "-q", "test_it.py"],
        cwd=tmp_path,
        env=index,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr


def test_the_wheel_is_light(release: Path) -> None:
    [wheel] = release.glob("control_surface-*.whl")
    assert wheel.stat().st_size < 20_000_000


def test_the_parts_have_the_model_of_search_by_meaning(release: Path) -> None:
    [wheel] = release.glob("control_surface_parts-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = {name.rpartition("/")[2] for name in packed.namelist() if "/meaning-" in name}
    assert names == {"engine.wasm", "minilm.onnx", "vocab.txt", "worker.mjs"}
    # PyPI's limit of a file.
    assert wheel.stat().st_size < 100_000_000


def test_the_sdist_makes_the_wheel_without_the_page(release: Path, tmp_path: Path) -> None:
    [sdist] = release.glob("control_surface-*.tar.gz")
    with tarfile.open(sdist) as packed:
        packed.extractall(tmp_path, filter="data")
    [source] = tmp_path.iterdir()
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=source, check=True
    )
    [wheel] = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as built:
        assert "gemini/computer/shell/shell_engine.mjs" in built.namelist()


@pytest.fixture
def served(release: Path, tmp_path: Path, env: dict[str, str]) -> Iterator[str]:
    """Install the npm package in an empty folder without a network, and run its program."""
    [package] = release.glob("*.tgz")
    (tmp_path / "package.json").write_text("{}")
    npm = [find_node().npm, "install", "--offline", "--no-audit", "--no-fund", package]
    subprocess.run(npm, cwd=tmp_path, env=env, check=True, capture_output=True)
    program = [tmp_path / "node_modules/.bin/control-surface", "--port", "0", "--no-open"]
    with subprocess.Popen(program, cwd=tmp_path, env=env, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        yield server.stdout.readline().split()[1]
        server.terminate()


def test_the_npm_package_serves_a_page_that_works(served: str, browsers: Any) -> None:
    surface = Surface(browsers.take(None), served)
    try:
        surface.load()
        assert surface.javascript("return crossOriginIsolated") is True
        assert surface.python("6 * 7") == 42
    finally:
        browsers.give_back(surface.driver)


def test_the_npm_packages_program_has_its_version(release: Path, tmp_path: Path) -> None:
    [package] = release.glob("*.tgz")
    with tarfile.open(package) as packed:
        packed.extractall(tmp_path, filter="data")
    program = [find_node().node, tmp_path / "package/serve.mjs", "--version"]
    assert subprocess.check_output(program, text=True).strip() in package.name


def test_the_npm_package_has_types_of_its_modules(release: Path) -> None:
    [package] = release.glob("*.tgz")
    with tarfile.open(package) as packed:
        names = set(packed.getnames())
    assert {"package/types/webmcp_bridge.d.ts", "package/types/webmcp_adapter.d.ts"} <= names


def test_the_pages_work_on_a_static_host_and_have_the_documents(release: Path, open_surface: Any) -> None:
    surface = open_surface(dist=release / "pages", isolated=False, sites=False, kernel=False)
    assert surface.python("6 * 7") == 42
    assert (release / "pages/docs/index.html").is_file()
    assert (release / "pages/.nojekyll").is_file()
    assert (release / "pages/_headers").read_text() == (ROOT / "examples/hosts/_headers").read_text()


def test_the_extensions_archive_opens_the_surface(release: Path, tmp_path: Path) -> None:
    [archive] = release.glob("*-extension-*.zip")
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(tmp_path)
    with opened_extension(tmp_path) as surface:
        assert surface.python("6 * 7") == 42


def test_the_container_file_and_the_bill_name_what_is_there(release: Path) -> None:
    [wheel] = release.glob("control_surface-*.whl")
    text = (release / "Containerfile").read_text()
    assert re.findall(r"COPY (\S+)", text) == [wheel.name]
    bill = json.loads((release / "sbom.cdx.json").read_text())
    assert {"pyodide", "pydantic", "lit"} <= {each["name"] for each in bill["components"]}
    # Each component has its licence's text.
    notices = (release / "NOTICES.txt").read_text()
    assert all(f"{each['name']} {each['version']}\n" in notices for each in bill["components"])
