"""Imports of modules that arrive after the start of the page."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gemini.core.late_modules import LateModules, install

NAMES = "arriving\narriving.part\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder in which Python searches modules."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "meta_path", [*sys.meta_path])
    (tmp_path / "names.txt").write_text(NAMES)
    yield tmp_path
    for name in NAMES.split():
        sys.modules.pop(name, None)


def test_an_import_loads_a_module_that_has_not_arrived(place: Path) -> None:
    loads: list[str] = []

    def load() -> None:
        loads.append("loaded")
        (place / "arriving").mkdir(exist_ok=True)
        (place / "arriving" / "__init__.py").write_text("")
        (place / "arriving" / "part.py").write_text("VALUE = 3")

    sys.meta_path.append(LateModules(place / "names.txt", load))

    assert importlib.import_module("arriving.part").VALUE == 3
    assert loads == ["loaded"]


def test_other_modules_that_are_missing_load_nothing(place: Path) -> None:
    sys.meta_path.append(LateModules(place / "names.txt", lambda: pytest.fail("loaded")))
    with pytest.raises(ModuleNotFoundError, match="No module named 'absent'"):
        importlib.import_module("absent")


def test_a_failed_load_is_an_import_error_with_its_reason(place: Path) -> None:
    def load() -> None:
        raise OSError("programs.tar could not be downloaded")

    sys.meta_path.append(LateModules(place / "names.txt", load))
    with pytest.raises(ImportError, match="arriving can't be imported: programs.tar could not be downloaded"):
        importlib.import_module("arriving")


def test_nothing_is_installed_where_all_modules_are_there() -> None:
    before = list(sys.meta_path)
    install(lambda: pytest.fail("loaded"))
    assert sys.meta_path == before
