"""What a browser gets from `build.py serve`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path
from threading import Thread

import pytest

from builder.problems import BuildProblem
from builder.server import Server


@dataclass
class Answer:
    status: int
    headers: Message
    body: bytes


Ask = Callable[..., Answer]


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
    with Server(site, 0) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        connection = HTTPConnection("127.0.0.1", server.server_address[1])

        def request(path: str, method: str = "GET", **headers: str) -> Answer:
            connection.request(method, path, headers={k.replace("_", "-"): v for k, v in headers.items()})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())

        yield request
        connection.close()
        server.shutdown()
        thread.join()


def test_the_root_is_the_page_and_every_answer_isolates(ask: Ask) -> None:
    for path in ("/", "/x.js", "/missing"):
        headers = ask(path).headers
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert headers["Cross-Origin-Embedder-Policy"] == "require-corp"
        assert headers["Origin-Agent-Cluster"] == "?1"
    assert ask("/").body == b"<!doctype html>"


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


def test_what_a_browser_has_is_not_sent_again_until_it_changes(ask: Ask, site: Path) -> None:
    first = ask("/x.js?v=1")
    assert first.headers["Cache-Control"] == "no-cache"
    again = ask("/x.js", If_None_Match=f'"other", {first.headers["ETag"]}')
    assert (again.status, again.body) == (304, b"")
    (site / "x.js").write_bytes(b"changed")
    assert ask("/x.js", If_None_Match=first.headers["ETag"]).body == b"changed"


def test_head_tells_the_length_and_sends_nothing(ask: Ask) -> None:
    answer = ask("/a%20b.txt", "HEAD")
    assert (answer.headers["Content-Length"], answer.body) == ("7", b"")


@pytest.mark.parametrize(
    "path", ["/../secret.txt", "/%2e%2e/secret.txt", "/x.js/", "/nul%00l", "//etc/passwd"]
)
def test_nothing_outside_the_folder_is_served(ask: Ask, path: str) -> None:
    assert ask(path).status == 404


def test_a_folder_gets_its_slash_and_then_its_index(ask: Ask) -> None:
    assert ask("/examples").headers["Location"] == "/examples/"
    assert ask("/examples/").body == b"examples"


def test_what_is_not_reading_is_refused(ask: Ask) -> None:
    assert ask("/x.js", "PUT").status == 501


def test_a_second_server_on_the_port_is_told_so(site: Path) -> None:
    with Server(site, 0) as server, pytest.raises(BuildProblem, match="is in use"):
        Server(site, server.server_address[1])
