"""Finding the browser and the driver."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gemini_testing.chromium import find_browser, find_driver


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("CHROME_BIN", "SE_CHROMEDRIVER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))


def program(path: Path) -> Path:
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere browsers are installed outside the PATH")
@pytest.mark.usefixtures("nothing_installed")
def test_programs_are_found_on_the_path(tmp_path: Path) -> None:
    assert (find_browser(), find_driver()) == (None, None)
    chrome, driver = program(tmp_path / "google-chrome"), program(tmp_path / "chromedriver")
    assert (find_browser(), find_driver()) == (chrome, driver)
    chromium = program(tmp_path / "chromium")
    assert find_browser() == chromium


@pytest.mark.parametrize(
    ("system", "variable", "place"),
    [
        ("darwin", "HOME", "Applications/Google Chrome.app/Contents/MacOS/Google Chrome"),
        ("darwin", "HOME", "Applications/Chromium.app/Contents/MacOS/Chromium"),
        ("win32", "PROGRAMFILES", "Google/Chrome/Application/chrome.exe"),
        ("win32", "PROGRAMFILES(X86)", "Google/Chrome/Application/chrome.exe"),
        ("win32", "LOCALAPPDATA", "Chromium/Application/chrome.exe"),
    ],
)
@pytest.mark.skipif(sys.platform != "linux", reason="the others have a browser of their own there")
@pytest.mark.usefixtures("nothing_installed")
def test_the_browser_is_found_where_each_system_installs_it(
    system: str, variable: str, place: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    folder = tmp_path / "a folder"
    browser = folder / place
    browser.parent.mkdir(parents=True)
    program(browser)
    assert find_browser() is None
    monkeypatch.setenv(variable, str(folder))
    assert find_browser() == browser


@pytest.mark.usefixtures("nothing_installed")
def test_environment_variables_override_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    mine, driver = program(tmp_path / "mine"), program(tmp_path / "driver")
    monkeypatch.setenv("CHROME_BIN", str(mine))
    monkeypatch.setenv("SE_CHROMEDRIVER", str(driver))
    assert (find_browser(), find_driver()) == (mine, driver)
    mine.unlink()
    assert find_browser() is None
