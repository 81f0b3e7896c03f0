"""The responses of the surface's server."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gemini_testing.server import PortUnavailable, Server, running, server_of_kernel, server_of_sites, serving

PACKAGES = Path(__file__).parents[3] / "py"


@dataclass
class Response:
    status: int
    headers: Message
    body: bytes


Ask = Callable[..., Response]


@pytest.fixture
def site(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    (folder / "examples").mkdir(parents=True)
    (folder / "index.html").write_text("<!doctype html>")
    (folder / "examples/index.html").write_text("examples")
    (folder / "a b.txt").write_text("grüße")
    (tmp_path / "secret.txt").write_text("secret")
    for name in ("x.mjs", "x.js", "x.wasm", "x.whl", "x.json", "x.css", "x.strange"):
        (folder / name).write_bytes(b"x")
    return folder


@pytest.fixture
def ask(site: Path) -> Iterator[Ask]:
    with asking(site) as ask:
        yield ask


@contextlib.contextmanager
def asking(site: Path, *, isolated: bool = True) -> Generator[Ask]:
    with serving(site, isolated=isolated) as url:
        connection = HTTPConnection(urlsplit(url).netloc)

        def request(path: str, method: str = "GET", **headers: str) -> Response:
            connection.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
            response = connection.getresponse()
            return Response(response.status, response.headers, response.read())

        with contextlib.closing(connection):
            yield request


@pytest.fixture
def compressed(site: Path) -> Path:
    """A file with compressed copies, whose content names the coding."""
    (site / "x.wasm.br").write_bytes(b"brotli")
    (site / "x.wasm.gz").write_bytes(b"gzip")
    return site / "x.wasm"


def test_the_root_is_the_page_and_every_response_isolates(ask: Ask) -> None:
    for path in ("/", "/x.js", "/missing"):
        headers = ask(path).headers
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
    assert ask("/").body == b"<!doctype html>"


def test_isolation_can_be_left_to_the_page(site: Path) -> None:
    with asking(site, isolated=False) as ask:
        headers = ask("/").headers
    assert "Cross-Origin-Opener-Policy" not in headers
    assert "Cross-Origin-Embedder-Policy" not in headers


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("x.mjs", "text/javascript; charset=utf-8"),
        ("x.js", "text/javascript; charset=utf-8"),
        ("x.wasm", "application/wasm"),
        ("x.whl", "application/zip"),
        ("x.json", "application/json"),
        ("x.css", "text/css; charset=utf-8"),
        ("x.strange", "application/octet-stream"),
    ],
)
def test_types_do_not_depend_on_the_machine(ask: Ask, name: str, kind: str) -> None:
    assert ask(f"/{name}").headers["Content-Type"] == kind


def test_a_cached_file_is_not_sent_again_until_it_changes(ask: Ask, site: Path) -> None:
    first = ask("/x.js?v=1")
    assert first.headers["Cache-Control"] == "no-cache"
    again = ask("/x.js", If_None_Match=f'"other", {first.headers["ETag"]}')
    assert (again.status, again.body) == (304, b"")
    (site / "x.js").write_bytes(b"changed")
    assert ask("/x.js", If_None_Match=first.headers["ETag"]).body == b"changed"


def test_head_sends_the_length_without_a_body(ask: Ask) -> None:
    answer = ask("/a%20b.txt", "HEAD")
    assert (answer.headers["Content-Length"], answer.body) == ("7", b"")


def test_files_under_a_hashed_name_are_immutable(ask: Ask, site: Path) -> None:
    for name in ("surface-0123456789abcdef", "surface-new"):
        (site / name).mkdir()
        (site / name / "ui.js").write_bytes(b"x")
    assert (
        ask("/surface-0123456789abcdef/ui.js").headers["Cache-Control"]
        == "public, max-age=31536000, immutable"
    )
    for path in ("/", "/x.json", "/surface-new/ui.js", "/examples"):
        assert ask(path).headers["Cache-Control"] == "no-cache"
    assert "Cache-Control" not in ask("/surface-0123456789abcdef/none.js").headers


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("gzip, deflate, br, zstd", "br"),
        ("gzip;q=1.0, br ; q=0.5", "br"),
        ("br;q=0, gzip", "gzip"),
        ("gzip;q=0.0", None),
        ("zstd", None),
        ("", None),
    ],
)
def test_a_compressed_copy_is_sent_if_the_browser_accepts_it(
    ask: Ask, compressed: Path, accepted: str, coding: str | None
) -> None:
    answer = ask("/x.wasm", Accept_Encoding=accepted)
    assert answer.headers["Content-Encoding"] == coding
    assert answer.body == {"br": b"brotli", "gzip": b"gzip", None: b"x"}[coding]
    assert answer.headers["Content-Type"] == "application/wasm"
    assert answer.headers["Vary"] == "Accept-Encoding"
    again = ask("/x.wasm", Accept_Encoding=accepted, If_None_Match=answer.headers["ETag"])
    assert (again.status, again.body, again.headers["Vary"]) == (304, b"", "Accept-Encoding")


def test_every_coding_has_its_own_tag(ask: Ask, compressed: Path) -> None:
    tags = {ask("/x.wasm", Accept_Encoding=each).headers["ETag"] for each in ("br", "gzip", "identity")}
    assert len(tags) == 3


def test_a_copy_of_a_changed_file_is_not_sent(ask: Ask, compressed: Path) -> None:
    compressed.write_bytes(b"changed")
    os.utime(compressed.with_name("x.wasm.br"), (0, 0))
    os.utime(compressed.with_name("x.wasm.gz"), (0, 0))
    assert ask("/x.wasm", Accept_Encoding="br").body == b"changed"


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/x.js/", "/nul%00l", "//etc/passwd"]
)
def test_nothing_outside_the_folder_is_served(ask: Ask, path: str) -> None:
    assert ask(path).status == 404


def test_a_folder_redirects_to_its_slash_and_serves_its_index(ask: Ask) -> None:
    assert ask("/examples").headers["Location"] == "/examples/"
    assert ask("/examples/").body == b"examples"


def test_writing_methods_are_refused(ask: Ask) -> None:
    assert ask("/x.js", "PUT").status == 501


def test_an_unavailable_port_is_reported(site: Path) -> None:
    with Server(site) as server, pytest.raises(PortUnavailable, match="is in use"):
        Server(site, server.server_address[1])
    with pytest.raises(PortUnavailable, match="99999 is not a port number"):
        Server(site, 99999)


def test_sites_have_a_separate_origin(site: Path) -> None:
    (site / "site").mkdir()
    (site / "site/host.html").write_text("host")
    (site / "serving.json").write_text('{"sites": null}')
    with Server(site) as surface, running(surface), running(server_of_sites(surface)):
        assert surface.sites is not None and surface.sites.startswith("http://*.localhost:")
        connection = HTTPConnection("127.0.0.1", urlsplit(surface.sites).port)
        with contextlib.closing(connection):
            connection.request("GET", "/host.html")
            response = connection.getresponse()
            assert response.read() == b"host"
        # Frames of an isolated page must allow embedding.
        assert response.headers["Cross-Origin-Embedder-Policy"] == "credentialless"
        assert response.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
        assert response.headers["Origin-Agent-Cluster"] == "?1"
        # A site's scripts can reach this document.
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "sandbox allow-scripts allow-same-origin;" in policy
        assert f"frame-ancestors {surface.url.rstrip('/')} " in policy
        assert response.headers["Connection-Allowlist"] == "(response-origin)"
        connection = HTTPConnection(urlsplit(surface.url).netloc)
        with contextlib.closing(connection):
            connection.request("GET", "/serving.json")
            response = connection.getresponse()
            assert json.loads(response.read()) == {
                "sites": surface.sites,
                "kernel": None,
                "network": False,
                "program": None,
            }
            assert response.headers["Cache-Control"] == "no-store"


def test_the_kernels_origin_serves_only_its_files_and_allows_requests_to_no_other(
    site: Path,
) -> None:
    build = site / "surface-0123456789abcdef"
    build.mkdir()
    for name in ("kernel.html", "kernel.js", "other.html"):
        (build / name).write_text(name)
    (site / "service_worker.js").write_text("")
    with Server(site) as surface, running(surface), running(server_of_kernel(surface)):
        assert surface.folder.kernel is not None
        found: dict[str, int] = {}
        folder = f"/{build.name}"
        paths = [f"{folder}/kernel.html", f"{folder}/kernel.js", f"{folder}/other.html", "/", "/index.html"]
        paths += ["/service_worker.js", f"{folder}/..%2fservice_worker.js", f"{folder}/../service_worker.js"]
        for path in paths:
            connection = HTTPConnection(urlsplit(surface.folder.kernel).netloc)
            with contextlib.closing(connection):
                connection.request("GET", path)
                response = connection.getresponse()
                response.read()
                found[path] = response.status
                policy = response.headers["Content-Security-Policy"]
                assert "connect-src 'self'; worker-src 'self'" in policy
                assert f"frame-ancestors {surface.url.rstrip('/')}" in policy
    assert [path for path, status in found.items() if status == 200] == paths[:2]


def test_a_plain_host_has_no_origins_for_sites(site: Path) -> None:
    (site / "serving.json").write_text('{"sites": null}')
    with serving(site, sites=False, kernel=False) as url:
        connection = HTTPConnection(urlsplit(url).netloc)
        with contextlib.closing(connection):
            connection.request("GET", "/serving.json")
            assert json.loads(connection.getresponse().read()) == {"sites": None}


def test_the_server_needs_only_the_standard_library() -> None:
    code = "import gemini_testing.chromium, gemini_testing.server, gemini_testing.errors"
    alone = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {str(PACKAGES)!r}); {code}"]
    subprocess.run(alone, check=True)
