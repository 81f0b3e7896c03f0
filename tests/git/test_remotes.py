"""git clones, pulls and pushes over HTTP; each origin is asked for."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini_testing import Surface
from tests.git.server import git_server
from tests.web.person import Background, Person

pytestmark = [
    pytest.mark.skipif(shutil.which("git") is None, reason="needs git for the server"),
    # The journey in tests/web clones and pushes, too.
    pytest.mark.extended,
]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    for name in ("public", "private"):
        subprocess.run(["git", "init", "-q", "--bare", "-b", "main", f"{name}.git"], cwd=tmp_path, check=True)
    with git_server(tmp_path) as url:
        yield url


@pytest.fixture
def folder(surface: Surface) -> str:
    return str(surface.python("import tempfile; tempfile.mkdtemp()"))


def run(surface: Surface, command: str) -> tuple[int, str]:
    """Run a command in a terminal, and allow each request that it makes."""
    call = Background(surface, "terminal_execute", {"command": command})
    Person(surface).answer_questions(call, "once")
    result = call.result()
    return result["exit_code"], result["output"] + result["output"]


def test_a_commit_is_pushed_and_cloned(surface: Surface, server: str, tmp_path: Path, folder: str) -> None:
    made = run(
        surface,
        f"cd {folder} && git init -q -b main one && cd one && git config user.name Ada && git config user.email"
        f" ada@example.org && echo hello >file && git add . && git commit -q -m First"
        f" && git remote add origin {server}/public.git && git push -u origin main",
    )
    assert made[0] == 0, made
    log = subprocess.run(
        ["git", "log", "--format=%an %s", "main"],
        cwd=tmp_path / "public.git",
        capture_output=True,
        text=True,
        check=True,
    )
    assert log.stdout == "Ada First\n"
    cloned = run(surface, f"cd {folder} && git clone {server}/public.git two && cat two/file")
    assert cloned[0] == 0 and "hello" in cloned[1], cloned


def test_a_server_that_wants_credentials_gets_them_from_the_environment(
    surface: Surface, server: str, folder: str
) -> None:
    code, text = run(surface, f"cd {folder} && git clone {server}/private.git")
    assert code == 128
    assert f"Authentication failed for '{server}/private.git'" in text and "GIT_HTTP_BEARER_TOKEN" in text
    code, text = run(surface, f"cd {folder} && GIT_HTTP_BEARER_TOKEN=secret git clone {server}/private.git")
    assert code == 0, text


def test_without_ssh_the_address_to_use_is_named(surface: Surface, folder: str) -> None:
    code, text = run(surface, f"cd {folder} && git clone git@example.org:a/b.git")
    assert code == 128 and "use https://example.org/a/b.git" in text
