"""What `doctor` finds, on this machine and on one that lacks things."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from gemini_companion import doctor
from gemini_testing.chromium import find_browser


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
    """Somebody who answers everything with the same, and the port."""

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
def test_where_all_is_well_the_exit_code_is_0(
    dist: Path, free_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor.run(doctor.Options(free_port, dist, json=True)) == 0
    found = {finding["what"]: finding for finding in json.loads(capsys.readouterr().out)}
    assert {"Python", "packages", "page", "browser", "WebMCP", "keyring", "models of openai"} <= set(found)
    assert found["WebMCP"]["ok"]
    assert f"version {doctor.CHROMIUM}" in found["browser"]["told"] or found["browser"]["ok"]
    assert found[f"port {free_port}"]["told"] == "free"


@pytest.mark.usefixtures("no_browser")
def test_what_is_missing_is_told_with_what_to_do(
    tmp_path: Path, free_port: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert doctor.run(doctor.Options(free_port, tmp_path)) == 1
    lines = capsys.readouterr().out.splitlines()
    page = lines.index(f"MISSING  page: {tmp_path / 'index.html'} is missing")
    assert lines[page + 1].strip() == "Run python3 build.py build."
    browser = next(line for line in lines if line.startswith("MISSING  browser"))
    assert "CHROME_BIN names" in browser


@pytest.mark.parametrize(
    ("script", "told"), [("exit 1", "showed no page"), ("exec /missing", "showed no page")]
)
def test_a_browser_that_does_not_work_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, told: str
) -> None:
    monkeypatch.setenv("CHROME_BIN", str(program(tmp_path / "chromium", script)))
    (finding,) = doctor.check_browser()
    assert not finding.ok
    assert told in finding.told


def test_a_browser_that_is_no_program_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "chromium").write_text("")
    monkeypatch.setenv("CHROME_BIN", str(tmp_path / "chromium"))
    (finding,) = doctor.check_browser()
    assert not finding.ok
    assert "can't be started: PermissionError" in finding.told


def test_an_old_browser_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said = """echo '<body>{"agent":"Chrome/140.0.0.0","webmcp":false}</body>'"""
    monkeypatch.setenv("CHROME_BIN", str(program(tmp_path / "chromium", said)))
    browser, webmcp = doctor.check_browser()
    assert (browser.ok, webmcp.ok) == (False, False)
    assert browser.hint == "Update it: WebMCP needs 156 or later."


def test_a_port_that_another_program_has_is_told() -> None:
    for content, status in ((b"hello", 200), (b"{}", 404), (b"[]", 200)):
        with answering(content, status) as port:
            finding = doctor.check_port(port)
        assert not finding.ok
        assert finding.told == "taken by another program"


def test_a_port_whose_owner_says_nothing_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ANSWER_WITHIN_S", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        assert doctor.check_port(listening.getsockname()[1]).told == "taken by another program"


def test_a_companion_that_runs_is_no_problem() -> None:
    with answering(b'{"version": "0.1.0", "pid": 7, "more": "\\u001b[2J"}') as port:
        finding = doctor.check_port(port)
    assert finding.ok
    assert finding.told == "a companion runs here already (version '0.1.0', pid 7)"


def test_no_port_at_all_is_told() -> None:
    assert not doctor.check_port(70000).ok


def test_a_broken_file_of_providers_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in ("XDG_CONFIG_HOME", "APPDATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    folder = tmp_path / "control-surface"
    folder.mkdir()
    (folder / "providers.toml").write_text("[providers")
    _, models = doctor.check_models()
    assert not models.ok
    assert "is not TOML" in models.told


def test_keys_are_told_by_where_they_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-secret-of-openai")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "no key")
    found = {finding.what: finding for finding in doctor.check_models()}
    assert found["models of openai"].told == "key from the environment"
    assert "ANTHROPIC_API_KEY can't be one" in found["models of anthropic"].told
    assert "secret" not in str(found)
