"""The parts of a release: archives without times, what registries read, and the program of the npm package."""

from __future__ import annotations

import http.client
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
import zlib
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from builder.notices import Component
from builder.npm import find_node
from builder.problems import BuildProblem
from builder.project import Project
from builder.release import archives, bundle, npm_package, parts, sbom
from builder.release.described import Described, described

from .conftest import ROOT

ABOUT = Described("demo", "1.2.3", "A demo", "Apache-2.0", ("agents",), "io.github.someone", 1_700_000_000)
FOLDER = "surface-0123456789abcdef"


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    found = {name: tmp_path / name for name in ("b.txt", "a.sh")}
    for path in found.values():
        path.write_text(path.name)
    return found


def test_the_same_files_are_the_same_archive(files: dict[str, Path], tmp_path: Path) -> None:
    made: list[bytes] = []
    for day, each in enumerate([files, dict(reversed(files.items()))]):
        for path in each.values():
            os.utime(path, (day * 86_400, day * 86_400))
        archives.write_zip(each, tmp_path / "made.zip", ABOUT.epoch)
        archives.write_tgz(each, tmp_path / "made.tgz", ABOUT.epoch, ["a.sh"])
        made.append((tmp_path / "made.zip").read_bytes() + (tmp_path / "made.tgz").read_bytes())
    assert made[0] == made[1]
    with zipfile.ZipFile(tmp_path / "made.zip") as packed:
        assert [item.date_time for item in packed.infolist()] == [(2023, 11, 14, 22, 13, 20)] * 2
    with tarfile.open(tmp_path / "made.tgz") as packed:
        assert {item.name: item.mode for item in packed} == {"a.sh": 0o755, "b.txt": 0o644}


def test_a_release_has_the_time_of_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    # No repository is above it.
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with pytest.raises(BuildProblem, match="SOURCE_DATE_EPOCH"):
        described(Project(tmp_path))
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert described(Project(tmp_path)).epoch == ABOUT.epoch


def test_the_registrys_entry_has_the_bundle_with_its_hash(tmp_path: Path) -> None:
    (tmp_path / "demo.mcpb").write_text("bundle")
    entry = bundle.server(ABOUT, tmp_path / "demo.mcpb")
    # The limits of the registry's schema.
    assert re.fullmatch(r"[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+", entry["name"])
    assert len(described(Project(ROOT)).summary) <= 100
    pypi, packed = entry["packages"]
    assert (pypi["identifier"], pypi["version"]) == ("demo", "1.2.3")
    assert re.fullmatch("[a-f0-9]{64}", packed["fileSha256"])
    assert packed["identifier"].endswith("/someone/demo/releases/download/v1.2.3/demo.mcpb")


def test_a_bill_of_materials_lists_each_component_by_its_address() -> None:
    components = [
        Component("npm", "@a/b", "1.0.0", "MIT", "", ()),
        Component("pypi", "c", "2.0", "BSD License", "", ()),
    ]
    made = sbom.bill(ABOUT, components)
    assert made == sbom.bill(ABOUT, reversed(components))
    assert [each["purl"] for each in made["components"]] == ["pkg:npm/%40a/b@1.0.0", "pkg:pypi/c@2.0"]
    assert made["components"][1]["licenses"] == [{"license": {"name": "BSD License"}}]
    assert made["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """The npm package with a small site."""
    shutil.copy(npm_package.TEMPLATE / npm_package.PROGRAM, tmp_path)
    (tmp_path / "package.json").write_text(json.dumps(npm_package.manifest(ABOUT)))
    (tmp_path / "site" / FOLDER).mkdir(parents=True)
    (tmp_path / "site/index.html").write_text("<title>page</title>")
    (tmp_path / "site" / FOLDER / "kernel.mjs").write_text("export {};")
    return tmp_path


@contextmanager
def served(package: Path) -> Generator[int]:
    command = [find_node().node, str(package / npm_package.PROGRAM), "--port", "0", "--no-open"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        found = re.match(r"Serving http://127\.0\.0\.1:(\d+)/ ", server.stdout.readline())
        assert found
        try:
            yield int(found[1])
        finally:
            server.terminate()


def ask(
    port: int, path: str, method: str = "GET", host: str | None = None
) -> tuple[int, dict[str, str], bytes]:
    """Return the status, the headers and the body of an answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
        connection.request(method, path, headers={"Host": host or f"127.0.0.1:{port}"})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()


def test_the_npm_package_serves_the_page_isolated_and_to_this_machine_only(package: Path) -> None:
    with served(package) as port:
        status, headers, page = ask(port, "/?x=1")
        assert (status, page) == (200, b"<title>page</title>")
        assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cache-Control"] == "no-cache"
        _, headers, body = ask(port, f"/{FOLDER}/kernel.mjs", "HEAD")
        assert (headers["Content-Type"], body) == ("text/javascript; charset=utf-8", b"")
        assert "immutable" in headers["Cache-Control"]
        outside = [
            "/../package.json",
            "/%2e%2e/package.json",
            "/..%5cpackage.json",
            "//etc/passwd",
            f"/{FOLDER}",
        ]
        assert [ask(port, path)[0] for path in outside] == [404] * len(outside)
        assert ask(port, "/", "POST")[0] == 405
        assert ask(port, "/", host=f"evil.example:{port}")[0] == 421


def test_the_npm_packages_program_says_what_is_wrong(package: Path) -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [find_node().node, str(package / npm_package.PROGRAM), *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    assert run("--version").stdout == "1.2.3\n"
    assert run("--port", "99999").stderr == "99999 is not a port number.\n"
    assert "Usage:" in run("--what").stderr
    with served(package) as port:
        taken = run("--port", str(port), "--no-open")
        assert (taken.returncode, taken.stderr) == (
            2,
            f"Port {port} is in use; choose another port with --port.\n",
        )


@pytest.mark.parametrize("version", ["16.20.2", "18.2.0"])
def test_the_npm_packages_program_names_the_node_that_it_needs(
    package: Path, tmp_path: Path, version: str
) -> None:
    # An old Node.js has no `parseArgs`.
    (tmp_path / "old.cjs").write_text(
        f"Object.defineProperty(process.versions, 'node', {{ value: '{version}' }});\n"
        "delete require('node:util').parseArgs; require('node:module').syncBuiltinESMExports();\n"
    )
    command = [find_node().node, "-r", tmp_path / "old.cjs", package / npm_package.PROGRAM, "--version"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    said = f"control-surface needs Node.js 18.3 or newer, but this is {version}.\n"
    assert (ran.returncode, ran.stderr) == (2, said)
    assert npm_package.manifest(ABOUT)["engines"] == {"node": ">=18.3.0"}


def test_the_extra_for_machines_without_a_network_has_this_version() -> None:
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [parts] = about["optional-dependencies"]["offline"]
    assert parts == f"{about['name']}-parts=={about['version']}"


def test_the_wheel_of_the_parts_can_be_installed_and_lists_the_place_of_each(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.work.mkdir()
    (project.work / "NOTICES.txt").write_text("notices")
    (tmp_path / "LICENSE").write_text("licence")
    source = tmp_path / "ruff.wasm"
    source.write_bytes(bytes(range(256)) * 99)
    made = parts.make(project, ABOUT, {f"{FOLDER}/ruff.wasm": source}, tmp_path)
    [(name, place)] = parts.described(made)["parts"].items()
    packed = made.read_bytes()[place["offset"] : place["offset"] + place["length"]]
    assert (name, zlib.decompress(packed, -zlib.MAX_WBITS)) == (f"{FOLDER}/ruff.wasm", source.read_bytes())
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--target"]
    subprocess.run([*command, tmp_path / "installed", made], check=True)
    assert (tmp_path / f"installed/demo_parts/dist/{FOLDER}/ruff.wasm").read_bytes() == source.read_bytes()
