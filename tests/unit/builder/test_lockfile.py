"""The lock file that Pyodide boots from."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from builder.lockfile import lock
from builder.problems import BuildProblem
from builder.project import Project
from builder.wheels import fetched, verify

from .conftest import make_wheel, pin

INFO = {"abi_version": "2026_0", "arch": "wasm32", "platform": "emscripten_5_0_3", "python": "3.14.2"}


def test_an_entry_has_the_fields_that_load_package_reads(tmp_path: Path) -> None:
    wheels = [make_wheel(tmp_path, "top", needs=("Base_Part>=1",)), make_wheel(tmp_path, "base_part")]
    content = lock(INFO, wheels)
    assert content["info"] == INFO
    assert content["packages"]["top"] == {
        "name": "top",
        "version": "1.0",
        "file_name": "top-1.0-py3-none-any.whl",
        "install_dir": "site",
        "sha256": hashlib.sha256(wheels[0].read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": ["top"],
        "depends": ["base-part"],
        "unvendored_tests": False,
    }


def test_markers_are_evaluated_for_the_browser(tmp_path: Path) -> None:
    needs = (
        "here; sys_platform == 'emscripten'",
        "windows; sys_platform == 'win32'",
        "old; python_version < '3.14'",
        "tests; extra == 'testing'",
    )
    content = lock(INFO, [make_wheel(tmp_path, "top", needs=needs), make_wheel(tmp_path, "here")])
    assert content["packages"]["top"]["depends"] == ["here"]


def test_a_missing_requirement_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="top-1.0-py3-none-any.whl needs absent"):
        lock(INFO, [make_wheel(tmp_path, "top", needs=("absent",))])


def test_a_missing_requirement_may_be_left_out(tmp_path: Path) -> None:
    wheels = [make_wheel(tmp_path, "top", needs=("absent", "here")), make_wheel(tmp_path, "here")]
    assert lock(INFO, wheels, partial=True)["packages"]["top"]["depends"] == ["here"]


@pytest.mark.parametrize(
    "tag",
    ["cp314-cp314-pyemscripten_2026_0_wasm32", "cp312-abi3-pyemscripten_2026_0_wasm32", "py2.py3-none-any"],
)
def test_wheels_of_this_pyodide_fit(tmp_path: Path, tag: str) -> None:
    wheel = make_wheel(tmp_path, "part")
    lock(INFO, [wheel.rename(wheel.with_name(f"part-1.0-{tag}.whl"))])


@pytest.mark.parametrize(
    "tag", ["cp314-cp314-manylinux_2_28_x86_64", "cp313-cp313-pyemscripten_2026_0_wasm32", "py2-none-any"]
)
def test_wheels_of_other_platforms_are_refused(tmp_path: Path, tag: str) -> None:
    wheel = make_wheel(tmp_path, "part")
    with pytest.raises(ValueError, match="is not for Python"):
        lock(INFO, [wheel.rename(wheel.with_name(f"part-1.0-{tag}.whl"))])


def test_a_wheel_that_was_changed_after_its_download_is_not_shipped(tmp_path: Path) -> None:
    project = Project(tmp_path)
    project.requirements("browser").parent.mkdir()
    wheel = make_wheel(fetched(project, "browser"), "demo")
    pin(project.requirements("browser"), wheel)
    verify(project, "browser")
    make_wheel(wheel.parent, "demo", content="import os")
    with pytest.raises(BuildProblem, match=r"demo-1\.0-py3-none-any\.whl does not match its hash"):
        verify(project, "browser")
