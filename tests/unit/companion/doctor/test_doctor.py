"""Findings of `doctor`, on this machine and on one that lacks things."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gemini_companion import doctor
from gemini_companion.admission import identity
from gemini_companion.admission.known_browsers import FILE, Browsers
from gemini_companion.doctor import known
from gemini_companion.doctor.browser import CHROMIUM, check_browser
from gemini_companion.doctor.folder import check_folder
from gemini_companion.doctor.known import check_browsers
from gemini_companion.doctor.models import check_models
from gemini_companion.doctor.port import check_port
from gemini_companion.doctor.tokens import check_tokens
from gemini_companion.serving.app import Companion
from gemini_companion.serving.server import Server, running
from gemini_testing.chromium import find_browser
from tests.unit.companion.surface import small_surface

ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Look at no servers and tokens that this machine's user has added."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data-home"))


@pytest.fixture
def dist(tmp_path: Path) -> Path:
    folder = tmp_path / "dist"
    folder.mkdir()
    for name in ("index.html", "tools.json"):
        (folder / name).write_text("")
    return folder


@pytest.fixture
def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return listening.getsockname()[1]


@pytest.fixture
def no_browser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CHROME_BIN", str(tmp_path / "missing"))


@contextlib.contextmanager
def answering(content: bytes, status: int = 200) -> Generator[int]:
    """Run a server that answers everything with `content`, and yield its port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # noqa: N802 - the base class's name
            self.send_response(status)
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(find_browser() is None, reason="there is no Chromium")
def test_the_exit_code_is_0_if_nothing_is_missing(
    dist: Path, free_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor.run(doctor.Options(free_port, dist, json=True)) == 0
    found = {finding["what"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert {"Python", "packages", "page", "browser", "WebMCP", "keyring", "models of openai"} <= set(found)
    assert found["WebMCP"]["ok"]
    assert f"version {CHROMIUM}" in found["browser"]["result"] or found["browser"]["ok"]
    assert found[f"port {free_port}"]["result"] == "free"
    assert found["folder"]["ok"] and found["browsers"]["ok"]


@pytest.mark.usefixtures("no_browser")
def test_missing_requirements_are_reported_with_what_to_do(
    tmp_path: Path, free_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor.run(doctor.Options(free_port, tmp_path)) == 1
    lines = capsys.readouterr().out.splitlines()
    page = lines.index(f"MISSING  page: There is no built surface in {tmp_path}: index.html is missing.")
    assert lines[page + 1].strip() == "Run python3 build.py build, or name another folder with --dist."
    browser = next(line for line in lines if line.startswith("MISSING  browser"))
    assert "CHROME_BIN names" in browser


@pytest.mark.parametrize(
    ("script", "result"), [("exit 1", "showed no page"), ("exec /missing", "showed no page")]
)
def test_a_broken_browser_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, result: str
) -> None:
    monkeypatch.setenv("CHROME_BIN", str(program(tmp_path / "chromium", script)))
    (finding,) = check_browser()
    assert not finding.ok
    assert result in finding.result


def test_a_browser_that_can_not_be_executed_is_reported(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "chromium").write_text("")
    monkeypatch.setenv("CHROME_BIN", str(tmp_path / "chromium"))
    (finding,) = check_browser()
    assert not finding.ok
    assert "can't be started: PermissionError" in finding.result


def test_an_old_browser_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    output = """echo '<body>{"agent":"Chrome/140.0.0.0","webmcp":false}</body>'"""
    monkeypatch.setenv("CHROME_BIN", str(program(tmp_path / "chromium", output)))
    browser, webmcp = check_browser()
    assert (browser.ok, webmcp.ok) == (False, False)
    assert browser.hint == "Update it: WebMCP needs 156 or later."


def test_a_port_of_another_program_is_reported() -> None:
    for content, status in ((b"hello", 200), (b"{}", 404), (b"[]", 200)):
        with answering(content, status) as port:
            finding = check_port(port)
        assert not finding.ok
        assert finding.result.startswith("taken by ")


def test_a_port_of_a_silent_program_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "ANSWERS_WITHIN_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert check_port(listening.getsockname()[1]).result.startswith("taken by ")


def test_a_running_companion_is_no_problem() -> None:
    info = b'{"name": "control-surface", "version": "0.1.0", "pid": 7, "started": 1, "more": "\\u001b[2J"}'
    with answering(info) as port:
        finding = check_port(port)
    assert finding.ok
    assert re.fullmatch(
        r"another control-surface \(process 7, since \d\d:\d\d\) is already running here", finding.result
    )


def test_an_invalid_port_is_reported() -> None:
    assert not check_port(70000).ok


def test_a_broken_providers_file_is_reported(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    folder = tmp_path / "control-surface"
    folder.mkdir()
    (folder / "providers.toml").write_text("[providers")
    _, models = check_models()
    assert not models.ok
    assert "is not TOML" in models.result


def test_keys_are_reported_by_their_source(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-secret-of-openai")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "no key")
    found = {finding.what: finding for finding in check_models()}
    assert found["models of openai"].result == "key from the environment"
    assert "ANTHROPIC_API_KEY is invalid" in found["models of anthropic"].result
    assert "secret" not in str(found)


@pytest.fixture
def companion(tmp_path: Path) -> Iterator[Companion]:
    server = Server(0)
    companion = Companion(small_surface(tmp_path / "surface"), server)
    with running(server, companion.app()):
        yield companion


def configure(folder: Path, url: str, header: str) -> None:
    """Write what a user has pasted for VS Code."""
    (folder / ".vscode").mkdir(exist_ok=True)
    entry = {"type": "http", "url": url, "headers": {"Authorization": header}}
    (folder / ".vscode/mcp.json").write_text(json.dumps({"servers": {"surface": entry}}))


def test_a_token_of_an_earlier_run_is_reported(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    port = int(companion.mcp_url.split(":")[2].split("/")[0])
    [own] = check_tokens(port)
    assert (own.what, own.ok, own.result) == ("token", True, "required")
    configure(tmp_path, companion.mcp_url, f"Bearer {companion.token}")
    assert [finding.result for finding in check_tokens(port)] == ["required", "valid"]
    for header in ("Bearer of-an-earlier-start", "", "Bearer \N{SNOWMAN}"):
        configure(tmp_path, companion.mcp_url, header)
        _, stale = check_tokens(port)
        assert (stale.ok, stale.result, stale.needed) == (False, "from another start", False)
        assert "VS Code" in stale.what and stale.hint and "Copy the configuration again" in stale.hint


def test_other_servers_and_broken_files_are_ignored(
    companion: Companion, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    port = int(companion.mcp_url.split(":")[2].split("/")[0])
    for url, header in (
        ("https://mcp.example/", "Bearer x"),
        ("http://127.0.0.1:1/mcp", "Bearer x"),
        (companion.mcp_url, "Bearer ${input:token}"),
    ):
        configure(tmp_path, url, header)
        assert len(list(check_tokens(port))) == 1
    (tmp_path / ".vscode/mcp.json").write_text("// a comment")
    (tmp_path / ".mcp.json").write_text("[[]]")
    assert len(list(check_tokens(port))) == 1


def test_a_server_that_admits_everybody_is_reported() -> None:
    info = b'{"name": "control-surface", "version": "0.1.0", "pid": 7, "started": 1}'
    with answering(info) as port:
        [own] = check_tokens(port)
    assert not own.ok and own.hint == "Stop the process on that port."


def test_browsers_are_counted_and_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known, "data_folder", lambda: tmp_path)
    point = b"\x04" + bytes.fromhex(
        "6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"
        "4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"
    )
    key = base64.urlsafe_b64encode(point).decode().rstrip("=")
    Browsers(tmp_path / FILE).add(key, "http://127.0.0.1:8765", attended=True)
    assert check_browsers(forget=False).result == "1 known"
    assert check_browsers(forget=True).result == "1 forgotten"
    assert check_browsers(forget=False).result == "0 known"


def test_a_folder_that_can_not_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    finding = check_folder(tmp_path / "file" / "data")
    assert not finding.ok and not finding.needed and "can't be used" in finding.result


@pytest.mark.parametrize("program", [["-m", "gemini_companion"], ["build.py"]])
def test_a_reader_that_has_enough_ends_it_without_a_traceback(program: list[str], tmp_path: Path) -> None:
    command = [sys.executable, *program, "doctor", "--port", "1"]
    env = {**os.environ, "PYTHONPATH": str(ROOT / "py"), "XDG_DATA_HOME": str(tmp_path), "CHROME_BIN": "none"}
    read, write = os.pipe()
    # Nobody reads what it prints.
    os.close(read)
    with open(write, "wb") as closed:
        ended = subprocess.run(command, cwd=ROOT, env=env, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert (ended.returncode, ended.stderr) == (141, b"")
