"""The examples of examples/hosts: nginx and Caddy serve a page that lacks nothing, the others have the right format."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import tomllib
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from ruamel.yaml import YAML

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool

HOSTS = Path(__file__).parents[2] / "examples/hosts"
NGINX, CADDY = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin"), shutil.which("caddy")
# Chromium, and the system's resolver through a request's header, know names below localhost as this machine.
NAMES = ("surface", "kernel", "*.sites")


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as found:
        return found.getsockname()[1]


def local(text: str, port: int, dist: Path) -> str:
    """Return an example for this machine: without TLS, at names below localhost, with the folder of the build."""
    for name in NAMES:
        text = text.replace(f"https://{name}.example.net", f"http://{name}.localhost:{port}")
    text = text.replace("example.net", "localhost").replace("/srv/surface", str(dist))
    text = re.sub(r"\n +ssl_certificate.*", "", text)
    return text.replace("listen 443 ssl", f"listen 127.0.0.1:{port}")


def nginx(folder: Path, dist: Path, port: int) -> list[str]:
    (folder / "site.conf").write_text(local((HOSTS / "nginx.conf").read_text(), port, dist))
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (folder / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {folder}/pid; error_log {folder}/errors;\n"
        f"events {{}}\nhttp {{ access_log off;\n{paths}include {folder}/site.conf;\n}}\n"
    )
    return [str(NGINX), "-e", f"{folder}/errors", "-c", f"{folder}/nginx.conf"]


def caddy(folder: Path, dist: Path, port: int) -> list[str]:
    text = local((HOSTS / "Caddyfile").read_text(), port, dist)
    (folder / "Caddyfile").write_text("{\n\tadmin off\n\tauto_https off\n}\n\n" + text)
    return [str(CADDY), "run", "--config", f"{folder}/Caddyfile"]


SERVERS = [
    pytest.param(nginx, id="nginx", marks=pytest.mark.skipif(not NGINX, reason="nginx isn't installed")),
    pytest.param(caddy, id="caddy", marks=pytest.mark.skipif(not CADDY, reason="Caddy isn't installed")),
]


@contextmanager
def running(command: list[str], port: int, folder: Path) -> Generator[None]:
    """Run a server until the block ends; begin when its port accepts connections."""
    log = folder / "log"
    with (
        log.open("w") as errors,
        subprocess.Popen(command, stderr=errors, env={"HOME": str(folder)}) as server,
    ):
        try:
            while server.poll() is None:
                try:
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                except ConnectionRefusedError:
                    continue
            assert server.poll() is None, log.read_text()
            yield
        finally:
            server.terminate()


def headers_of(port: int, host: str, path: str) -> dict[str, str]:
    request = Request(f"http://127.0.0.1:{port}{path}", headers={"Host": f"{host}.localhost:{port}"})
    with urlopen(request) as answer:
        return {name.lower(): value for name, value in answer.headers.items()}


@pytest.mark.extended("hosts")
@pytest.mark.parametrize("command", SERVERS)
def test_the_page_lacks_nothing_on_a_server(
    command: Callable[[Path, Path, int], list[str]], surface_dist: Path, browsers: BrowserPool, tmp_path: Path
) -> None:
    port = free_port()
    with running(command(tmp_path, surface_dist, port), port, tmp_path):
        [module] = surface_dist.glob("pyodide-*/pyodide.mjs")
        path = f"/{module.relative_to(surface_dist).as_posix()}"
        module_headers = headers_of(port, "kernel", path)
        assert module_headers["content-type"].startswith(("text/javascript", "application/javascript"))
        assert "immutable" in module_headers["cache-control"]
        assert (
            headers_of(port, "kernel", path.replace(".mjs", ".asm.wasm"))["content-type"]
            == "application/wasm"
        )
        assert headers_of(port, "surface", "/")["cache-control"] == "no-cache"
        with pytest.raises(HTTPError, match="404"):
            headers_of(port, "kernel", "/index.html")

        surface = Surface(browsers.take(None), f"http://surface.localhost:{port}/")
        try:
            surface.load()
            assert surface.javascript("return crossOriginIsolated")
            assert surface.javascript("return document.querySelector('.kernel-frame').src").startswith(
                f"http://kernel.localhost:{port}/"
            )
            assert surface.javascript("return document.querySelector('#missing-button').hidden")
            surface.call("file_write", path="/project/tea/index.html", content="<h1>Tea</h1>")
            surface.call("browser_navigate", url="/project/tea/index.html")
            assert "Tea" in surface.call("browser_get_text")["text"]
        finally:
            browsers.give_back(surface.driver)


def rules(name: str) -> dict[str, dict[str, str]]:
    """Read a file `_headers` as Cloudflare and Netlify do: a path at the margin, its headers indented."""
    found: dict[str, dict[str, str]] = {}
    path = ""
    for line in (HOSTS / name).read_text().splitlines():
        if line.startswith("#") or not line.strip():
            continue
        if not line.startswith(" "):
            path = line
            # Cloudflare refuses more than one, and paths without a slash.
            assert path.startswith("/") and path.count("*") <= 1
            found[path] = {}
        else:
            header, colon, value = line.strip().partition(": ")
            assert colon and value
            # Cloudflare's limit of a line.
            assert len(line) <= 2000
            found[path][header] = value
    return found


def test_files_of_headers_isolate_and_cache() -> None:
    page, kernel = rules("_headers"), rules("_headers.kernel")
    for each in (page, kernel):
        assert each["/*"]["Cross-Origin-Opener-Policy"] == "same-origin"
        assert each["/*"]["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert "immutable" in each["/surface-*"]["Cache-Control"]
        assert "immutable" in each["/pyodide-*"]["Cache-Control"]
    assert "frame-ancestors https://surface.example.net" in kernel["/*"]["Content-Security-Policy"]


def test_netlifys_file_has_the_same_rules() -> None:
    settings = tomllib.loads((HOSTS / "netlify.toml").read_text())
    assert {each["for"]: each["values"] for each in settings["headers"]} == rules("_headers")


def test_wranglers_file_names_the_folder() -> None:
    settings = tomllib.loads((HOSTS / "wrangler.toml").read_text())
    assert settings["pages_build_output_dir"] == "dist"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", settings["compatibility_date"])


def test_githubs_workflow_publishes_the_folder_of_the_release() -> None:
    workflow = YAML(typ="safe").load((HOSTS / "github-pages.yml").read_text())
    steps = workflow["jobs"]["publish"]["steps"]
    assert "python3 build.py release" in [step.get("run") for step in steps]
    [upload] = [step for step in steps if "upload-pages-artifact" in step.get("uses", "")]
    assert upload["with"]["path"] == "dist/release/pages"
    assert {"pages", "id-token"} <= set(workflow["permissions"])
