"""Errors are reported in one sentence, without a traceback."""

from __future__ import annotations

import ast
import base64
import hashlib
import io
import json
import os
import shutil
import socket
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from .conftest import NOWHERE, ROOT, Start, make_wheel, pin

posix_only = pytest.mark.skipif(os.name == "nt", reason="replaces a program with a shell script")


def sentence(ended: subprocess.CompletedProcess[str]) -> str:
    """Return the one sentence that a failed build writes to stderr."""
    assert ended.returncode == 1, ended.stdout
    lines = ended.stderr.strip().splitlines()
    assert len(lines) == 1, ended.stderr
    assert lines[0].endswith(".")
    return lines[0]


def test_build_py_parses_on_pythons_that_are_too_old() -> None:
    ast.parse((ROOT / "build.py").read_text(), feature_version=(3, 4))


def test_an_unknown_command_is_refused_with_the_known_ones(start: Start) -> None:
    ended = start("sevre")
    assert ended.returncode == 2
    assert "serve" in ended.stderr


def test_options_without_a_benchmark_are_refused(start: Start) -> None:
    assert "Name one benchmark for --kills=5" in sentence(start("bench", "--kills=5"))


@pytest.mark.parametrize("command", ["build", "serve", "test", "check", "bench", "lock"])
def test_every_command_has_help(start: Start, command: str) -> None:
    ended = start(command, "--help")
    assert ended.returncode == 0
    assert ended.stdout.startswith(f"usage: build.py {command}")


def test_missing_node_stops_before_anything_is_created(start: Start, bare_tree: Path) -> None:
    assert "Node.js is not on the PATH" in sentence(start("build", PATH=str(bare_tree)))
    assert not (bare_tree / ".venv").exists()


@posix_only
def test_missing_npm_is_distinguished_from_missing_node(start: Start, bare_tree: Path) -> None:
    programs = bare_tree / "bin"
    programs.mkdir()
    (programs / "node").symlink_to(str(shutil.which("node")))
    assert "npm is not on the PATH" in sentence(start("build", PATH=str(programs)))


@posix_only
def test_an_old_node_is_reported_with_its_version(start: Start, bare_tree: Path) -> None:
    programs = bare_tree / "bin"
    programs.mkdir()
    for name, output in {"node": "v18.20.4", "npm": "10.8.1"}.items():
        (programs / name).write_text(f"#!/bin/sh\necho {output}\n")
        (programs / name).chmod(0o755)
    assert "v18.20.4" in sentence(start("build", PATH=f"{programs}:/usr/bin:/bin"))


def test_a_python_without_ensurepip_gets_an_install_command(start: Start, bare_tree: Path) -> None:
    # Debian's python3 without python3-venv has the module `venv` but not `ensurepip`.
    (bare_tree / "site").mkdir()
    (bare_tree / "site/sitecustomize.py").write_text("import sys\nsys.modules['ensurepip'] = None\n")
    assert "-venv`" in sentence(start("build", PYTHONPATH=str(bare_tree / "site")))
    assert not (bare_tree / ".venv").exists()


def test_a_port_in_use_is_reported_before_anything_is_built(start: Start, bare_tree: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        message = sentence(start("serve", "--no-open", "--port", str(port)))
    assert f"Port {port} is in use" in message
    if sys.platform == "linux":
        assert f"(process {os.getpid()})" in message
    assert not (bare_tree / ".venv").exists()


def test_an_invalid_port_number_is_reported(start: Start) -> None:
    assert "99999 is not a port number" in sentence(start("serve", "--no-open", "--port", "99999"))


@pytest.mark.extended
def test_an_unreachable_package_index_is_reported(start: Start, tree: Path) -> None:
    pin(tree / "requirements/build.txt", make_wheel(tree / "elsewhere", "absent"))
    ended = start("build", PIP_NO_INDEX="", PIP_FIND_LINKS="", PIP_INDEX_URL=NOWHERE, PIP_RETRIES="1")
    assert "pip could not reach its package index" in sentence(ended)


@pytest.mark.fortnightly
def test_a_package_that_the_index_does_not_have_is_named(start: Start, tree: Path) -> None:
    pin(tree / "requirements/build.txt", make_wheel(tree / "elsewhere", "absent"))
    assert "absent==1.0" in sentence(start("build"))


def test_a_tampered_package_is_refused_and_named(start: Start, tree: Path) -> None:
    make_wheel(tree / "wheels", "demo", content="print('something else')")
    message = sentence(start("build"))
    assert "demo==1.0" in message
    assert "requirements/build.txt" in message
    assert not list(tree.glob(".venv/**/demo.py"))


@pytest.mark.extended
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no file that is always full")
def test_a_full_disk_is_reported(start: Start, tree: Path) -> None:
    (tree / ".build/logs").mkdir(parents=True)
    (tree / ".build/logs/npm-web.log").symlink_to("/dev/full")
    assert f"The disk with {tree} is full" in sentence(start("build"))


@pytest.mark.extended
def test_an_environment_without_pip_is_reported(start: Start, tree: Path) -> None:
    for package in tree.glob(".venv/**/site-packages/pip"):
        shutil.rmtree(package)
    assert "has no pip" in sentence(start("build"))


@pytest.fixture
def registry() -> Iterator[str]:
    """An npm registry that has demo 1.0.0."""
    packed = io.BytesIO()
    manifest = json.dumps({"name": "demo", "version": "1.0.0"}).encode()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        member = tarfile.TarInfo("package/package.json")
        member.size = len(manifest)
        archive.addfile(member, io.BytesIO(manifest))
    tarball = packed.getvalue()

    class Registry(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            served = {"tarball": f"{url}demo.tgz", "integrity": integrity(tarball)}
            version = {"name": "demo", "version": "1.0.0", "dist": served}
            document = json.dumps({"name": "demo", "versions": {"1.0.0": version}}).encode()
            body = tarball if self.path.endswith(".tgz") else document
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Registry) as server:
        url = f"http://127.0.0.1:{server.server_address[1]}/"
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield url
        server.shutdown()
        thread.join()


def integrity(content: bytes) -> str:
    return "sha512-" + base64.b64encode(hashlib.sha512(content).digest()).decode()


def write_npm_lock(tree: Path, pinned: str) -> None:
    root = {"name": "tree", "version": "1.0.0", "dependencies": {"demo": "1.0.0"}}
    packages = {"": root, "node_modules/demo": {"version": "1.0.0", "integrity": pinned}}
    lock = {"name": "tree", "version": "1.0.0", "lockfileVersion": 3, "requires": True, "packages": packages}
    (tree / "web/package-lock.json").write_text(json.dumps(lock))


@pytest.mark.extended
def test_an_unreachable_npm_registry_is_reported(start: Start, tree: Path) -> None:
    write_npm_lock(tree, integrity(b""))
    assert "npm could not reach its registry" in sentence(start("build"))


@pytest.mark.extended
def test_a_tampered_npm_package_is_refused_and_named(start: Start, tree: Path, registry: str) -> None:
    write_npm_lock(tree, integrity(b"what was pinned"))
    message = sentence(start("build", npm_config_registry=registry))
    assert "demo 1.0.0" in message
    assert "web/package-lock.json" in message
    assert not (tree / "web/node_modules/demo").exists()


@pytest.mark.extended
def test_an_npm_package_that_the_registry_does_not_have_is_reported_with_npms_code(
    start: Start, tree: Path, registry: str
) -> None:
    package = {"name": "tree", "version": "1.0.0", "dependencies": {"demo": "2.0.0"}}
    write_npm_lock(tree, integrity(b""))
    (tree / "web/package.json").write_text(json.dumps(package))
    assert "ETARGET" in sentence(start("build", npm_config_registry=registry))
