"""Linux programs read from a server with TLS: by its proxy, the network door and the companion."""

from __future__ import annotations

import subprocess
from collections.abc import Generator
from pathlib import Path

import pytest

from gemini_testing import Surface
from gemini_testing.pool import BrowserPool
from tests.file_server import serving_files
from tests.tls import server_context
from tests.web.linux_page import NAME, page_reaching, require_disk
from tests.web.person import Background, Person

pytestmark = pytest.mark.extended(together="linux")
CALL_S = 100
GIT = ["git", "-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "init.defaultBranch=main"]


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
    with serving_files(folder, context) as port:
        yield f"https://{NAME}:{port}"


@pytest.fixture
def surface(surface_dist: Path, browsers: BrowserPool, origin: str) -> Generator[Surface]:
    require_disk(surface_dist)
    with page_reaching(int(origin.rpartition(":")[2]), surface_dist, browsers) as surface:
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
