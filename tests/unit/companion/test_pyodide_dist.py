"""`control-surface pyodide-dist`."""

from __future__ import annotations

from pathlib import Path

import pytest

from gemini_companion import cli


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
