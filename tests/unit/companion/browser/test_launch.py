"""The browser that is opened, and the instructions if there is none."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gemini_companion.browser.launch import how_to_open, open_page
from gemini_companion.browser.profile import PREFERENCES


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CHROME_BIN", "SE_CHROMEDRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))


def program(path: Path, text: str = "") -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a screen")
@pytest.mark.usefixtures("nothing_installed")
def test_without_a_screen_nothing_is_opened(tmp_path: Path) -> None:
    program(tmp_path / "chromium", f"touch {tmp_path}/opened")
    assert open_page("http://127.0.0.1:1/", tmp_path / "profile") is None
    assert "--enable-features=WebMCP" in how_to_open("http://127.0.0.1:1/")
    assert not (tmp_path / "opened").exists()


@pytest.mark.skipif(sys.platform != "linux", reason="the browser here is a shell script on the PATH")
@pytest.mark.usefixtures("nothing_installed")
def test_the_page_opens_with_webmcp_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISPLAY", ":0")
    started = tmp_path / "started"
    program(tmp_path / "chromium", f'echo "$@" > {started}')
    opened = open_page("http://127.0.0.1:1/", tmp_path / "profile")
    assert opened is not None
    opened.wait()
    arguments = started.read_text().split()
    assert "--enable-features=WebMCP" in arguments
    assert f"--user-data-dir={tmp_path / 'profile'}" in arguments
    assert arguments[-1] == "http://127.0.0.1:1/"
    # Sites can store data there.
    assert "[*.]localhost,http://127.0.0.1" in (tmp_path / "profile" / PREFERENCES).read_text()
