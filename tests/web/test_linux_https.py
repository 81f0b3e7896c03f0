"""Programs of the Linux read from a server with TLS: by its proxy, the network door and the companion."""

from __future__ import annotations

import ipaddress
import subprocess
import threading
from collections.abc import Generator, Sequence
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from gemini_companion.network import Fetcher, Reach
from gemini_companion.network.targets import Address
from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.companions import companion_of, opened_by
from tests.tls import server_context
from tests.web.linux_image import require_disk
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended(together="linux")
NAME, HOST = "files.example", "127.0.0.1"
CALL_S = 100
GIT = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing."""


async def resolve(host: str, port: int) -> Sequence[Address]:
    return [ipaddress.ip_address(HOST)] if host == NAME else []


def make_repository(folder: Path) -> None:
    """Make a repository that a server of files can offer, with one commit."""
    work = folder / "work"
    work.mkdir()
    (work / "a.txt").write_text("from a server\n")
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "One"]):
        subprocess.run([*GIT, *command], cwd=work, check=True)
    subprocess.run(["git", "clone", "-q", "--bare", str(work), str(folder / "a.git")], check=True)
    subprocess.run(["git", "update-server-info"], cwd=folder / "a.git", check=True)


@pytest.fixture
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Generator[str]:
    """Serve a repository with TLS, and have the companion trust the server's certificate."""
    context, trusted = server_context(NAME, tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    folder = tmp_path / "served"
    folder.mkdir()
    make_repository(folder)
    server = ThreadingHTTPServer((HOST, 0), partial(Quiet, directory=str(folder)))
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"https://{NAME}:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture
def surface(surface_dist: Path, browsers: BrowserPool, origin: str) -> Generator[Surface]:
    require_disk(surface_dist)
    fetcher = Fetcher(Reach(resolve, also={(HOST, int(origin.rpartition(":")[2]))}))
    with (
        companion_of(surface_dist, network=fetcher) as companion,
        opened_by(companion, browsers) as surface,
    ):
        yield surface


def test_programs_read_by_https_what_the_person_allows(surface: Surface, origin: str) -> None:
    person = Person(surface)
    terminal = surface.call("terminal_create", backend="linux")["terminal_id"]

    def ran(command: str, answer: str) -> tuple[str, list[str]]:
        given = {"command": command, "terminal_id": terminal, "timeout_s": CALL_S}
        call = Background(surface, "terminal_execute", given)
        questions = person.answer_questions(call, answer)
        return call.result()["output"], questions

    printed, [question] = ran(f"curl -sS {origin}/a.git/HEAD", "once")
    assert printed == "ref: refs/heads/main\n" and f"{origin}/a.git/HEAD" in question, (printed, question)
    program = f"import urllib.request as u; print(u.urlopen('{origin}/work/a.txt').read())"
    assert ran(f'python3 -c "{program}"', "once")[0] == "b'from a server\\n'\n"
    printed, questions = ran(f"git clone -q {origin}/a.git /tmp/a && git -C /tmp/a log --format=%s", "always")
    # One to send the query of git's first request, and one to read.
    assert printed == "One\n" and len(questions) == 2, (printed, questions)
    printed, _ = ran("git -C /tmp/a fsck --strict && cat /tmp/a/a.txt; rm -r /tmp/a", "refuse")
    assert printed == "from a server\n"
