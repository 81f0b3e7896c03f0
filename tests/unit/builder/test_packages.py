"""A build fetches what the lock files of npm and pip pin: each file by its name, and nothing else."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import os
import tarfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread

import pytest

from builder import environment, npm
from builder.pip import pip
from builder.progress import Progress, Step
from builder.project import Project
from builder.stamps import Steps

from .conftest import make_wheel, pin

pytestmark = pytest.mark.skipif(os.name == "nt", reason="npm installs packages on Windows")


class Server:
    """A server with files, some of which wait.

    Attributes:
        url: Its address, without a slash at the end.
        files: The content of each path, and its type.
        held: Paths that are answered once `release` is set.
        asked: The paths that were asked for, in order.
    """

    def __init__(self) -> None:
        self.files: dict[str, tuple[bytes, str]] = {}
        self.held: set[str] = set()
        self.release = Event()
        self.asked: list[str] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                owner.asked.append(self.path)
                if self.path in owner.held:
                    owner.release.wait(60)
                content, kind = owner.files.get(self.path, (b"", ""))
                self.send_response(200 if kind else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"


@pytest.fixture
def server() -> Iterator[Server]:
    serving = Server()
    thread = Thread(target=serving.server.serve_forever)
    thread.start()
    yield serving
    serving.release.set()
    serving.server.shutdown()
    thread.join()
    serving.server.server_close()


@pytest.fixture
def project(tmp_path: Path, server: Server, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A tree whose configuration of npm and pip names the server."""
    for name in list(os.environ):
        if name.lower().startswith(("npm_", "pip_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    monkeypatch.setenv("npm_config_userconfig", os.devnull)
    monkeypatch.setenv("npm_config_registry", f"{server.url}/npm/")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm-cache"))
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_INDEX_URL", f"{server.url}/simple")
    (tmp_path / "web").mkdir()
    (tmp_path / "requirements").mkdir()
    return Project(tmp_path)


def add_package(server: Server, name: str, files: dict[str, str], program: str = "") -> dict[str, object]:
    """Add a package to the registry, and return its entry in a lock file."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path, text in files.items():
            member = tarfile.TarInfo(f"package/{path}")
            member.size = len(text)
            member.mode = 0o644
            archive.addfile(member, io.BytesIO(text.encode()))
        link = tarfile.TarInfo("package/link")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        archive.addfile(link)
    content = packed.getvalue()
    server.files[f"/npm/{name}/-/{name.rpartition('/')[2]}-1.0.0.tgz"] = content, "application/octet-stream"
    digest = base64.b64encode(hashlib.sha512(content).digest()).decode()
    programs = {"bin": {program: "program.js"}} if program else {}
    return {"version": "1.0.0", "integrity": f"sha512-{digest}", **programs}


def write_lock(
    project: Project, packages: dict[str, dict[str, object]], **dependencies: dict[str, str]
) -> None:
    root = {"name": "tree", "version": "1.0.0", **dependencies}
    (project.web / "package.json").write_text(json.dumps(root))
    listed = {"": root, **{f"node_modules/{path}": entry for path, entry in packages.items()}}
    lock = {"name": "tree", "version": "1.0.0", "lockfileVersion": 3, "requires": True, "packages": listed}
    project.npm_lock.write_text(json.dumps(lock))


def test_npm_packages_are_those_of_the_lock_file(project: Project, server: Server) -> None:
    demo = add_package(server, "demo", {"program.js": "#!/usr/bin/env node"}, program="demo")
    elsewhere = {**add_package(server, "elsewhere", {}), "optional": True, "os": ["none"]}
    packages = {
        "demo": {
            **demo,
            "dependencies": {"@scope/part": "^1.0.0"},
            "optionalDependencies": {"elsewhere": "*"},
        },
        "demo/node_modules/@scope/part": add_package(server, "@scope/part", {"a/b.js": "part"}),
        "elsewhere": {**elsewhere, "dependencies": {"unneeded": "*"}},
        "unneeded": {**add_package(server, "unneeded", {}), "optional": True},
        "another-name": {**add_package(server, "original", {"x.js": "x"}), "name": "original"},
        "checker": {**add_package(server, "checker", {"y.js": "y"}), "dev": True},
    }
    write_lock(
        project,
        packages,
        dependencies={"demo": "1.0.0", "another-name": "npm:original@1.0.0"},
        devDependencies={"checker": "1.0.0"},
    )
    steps = Steps(Progress(io.StringIO()))
    (project.modules / "old").mkdir(parents=True)
    npm.install(project, steps)
    found = {
        path.relative_to(project.modules).as_posix()
        for path in project.modules.rglob("*")
        if path.is_file() and path.suffix != ".stamp"
    }
    shipped = {"demo/program.js", "demo/node_modules/@scope/part/a/b.js", "another-name/x.js"}
    assert found - {".stamp"} == {*shipped, ".bin/demo"}
    assert os.access(project.modules / ".bin/demo", os.X_OK)
    # npm would also read the descriptions of packages.
    assert all(path.endswith("-1.0.0.tgz") for path in server.asked)
    # Development dependencies are added when they are asked for.
    npm.install(project, steps, development=True)
    assert (project.modules / "checker/y.js").read_text() == "y"
    count = len(server.asked)
    npm.install(project, steps)
    assert len(server.asked) == count


def test_pyodide_can_be_used_before_other_packages_have_arrived(project: Project, server: Server) -> None:
    packages = {
        "demo": add_package(server, "demo", {"index.js": "1"}),
        "pyodide": {**add_package(server, "pyodide", {"index.js": "2"}), "dependencies": {"ws": "*"}},
        "ws": add_package(server, "ws", {"index.js": "3"}),
    }
    write_lock(project, packages, dependencies={"demo": "1.0.0", "pyodide": "1.0.0"})
    server.held = {"/npm/demo/-/demo-1.0.0.tgz"}
    installation = npm.Installation(project)
    installation.wait_for_first()
    assert (project.modules / "pyodide/index.js").exists()
    assert (project.modules / "ws/index.js").exists()
    assert not (project.modules / "demo").exists()
    server.release.set()
    installation.finish(Steps(Progress(io.StringIO())))
    assert (project.modules / "demo/index.js").exists()


def test_pip_considers_only_the_pinned_files(project: Project, server: Server, tmp_path: Path) -> None:
    wheels = [make_wheel(tmp_path / "made", "demo", version) for version in ("1.0", "2.0")]
    pin(project.requirements("build"), wheels[0])
    files: list[dict[str, object]] = []
    for wheel in wheels:
        content = wheel.read_bytes()
        server.files[f"/files/{wheel.name}"] = content, "application/octet-stream"
        hashes = {"sha256": hashlib.sha256(content).hexdigest()}
        files.append({"filename": wheel.name, "url": f"../../files/{wheel.name}", "hashes": hashes})
    page = json.dumps({"meta": {"api-version": "1.0"}, "name": "demo", "files": files})
    server.files["/simple/demo/"] = page.encode(), "application/vnd.pypi.simple.v1+json"
    environment.create(project, Steps(Progress(io.StringIO())))
    pip(project, "download", "build", ["--dest", tmp_path / "got"], Step("downloading"))
    assert [path.name for path in (tmp_path / "got").iterdir()] == [wheels[0].name]
    assert server.asked == ["/simple/demo/", f"/files/{wheels[0].name}"]
    listed = (project.work / "links/build.html").read_text()
    assert wheels[0].name in listed
    assert wheels[1].name not in listed


def test_pip_asks_an_index_without_the_simple_api_itself(
    project: Project, server: Server, tmp_path: Path
) -> None:
    wheel = make_wheel(tmp_path / "made", "demo")
    pin(project.requirements("build"), wheel)
    server.files[f"/files/{wheel.name}"] = wheel.read_bytes(), "application/octet-stream"
    server.files["/simple/demo/"] = (
        f'<a href="../../files/{wheel.name}">{wheel.name}</a>'.encode(),
        "text/html",
    )
    environment.create(project, Steps(Progress(io.StringIO())))
    pip(project, "download", "build", ["--dest", tmp_path / "got"], Step("downloading"))
    assert [path.name for path in (tmp_path / "got").iterdir()] == [wheel.name]
