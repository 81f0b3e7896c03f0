"""The folders of the user's data, by the conventions of each system."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gemini_companion import cli
from gemini_companion.storage import folders

VARIABLES = ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR", "LOCALAPPDATA", "APPDATA")


@pytest.fixture(autouse=True)
def no_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    ("system", "data", "configuration"),
    [
        ("linux", "XDG_DATA_HOME", "XDG_CONFIG_HOME"),
        ("darwin", "XDG_DATA_HOME", "XDG_CONFIG_HOME"),
        ("win32", "LOCALAPPDATA", "APPDATA"),
    ],
)
def test_each_system_has_its_variables(
    system: str, data: str, configuration: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # The other system's are set, too.
    for name in VARIABLES[:2] + VARIABLES[3:]:
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr(sys, "platform", system)
    assert folders.data_folder() == tmp_path / data / folders.NAME
    assert folders.configuration_folder() == tmp_path / configuration / folders.NAME
    assert folders.runtime_folder() == folders.data_folder() / "runtime"


def test_a_relative_path_in_a_variable_is_ignored(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", "data")
    assert folders.data_folder() == tmp_path / ".local/share" / folders.NAME


def test_a_user_without_a_home_folder_learns_which_variable_to_set(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def missing() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", missing)
    assert cli.main(["url"]) == 1
    error = capsys.readouterr().err
    assert error.startswith("This user has no home folder. Set HOME, or XDG_")
