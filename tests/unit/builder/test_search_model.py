"""The model for search by meaning in a site that was built without it."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest

from builder.meaning import model
from builder.problems import BuildProblem
from builder.programs import ProgramFailed
from builder.progress import Progress
from builder.project import Project
from builder.stamps import Steps
from gemini_companion.serving.static_files import HASHED, KERNEL_FILES

from .conftest import ROOT


@pytest.fixture
def project(tmp_path: Path) -> Project:
    for name in ("web/meaning", "requirements"):
        shutil.copytree(ROOT / name, tmp_path / name)
    return Project(tmp_path)


def test_the_expected_folder_is_served_and_follows_its_sources(project: Project) -> None:
    folder = model.expected(project)
    assert HASHED.fullmatch(folder) and KERNEL_FILES.fullmatch(f"{folder}/worker.mjs")
    assert model.expected(project) == folder
    (project.web / "meaning/main.ts").write_text("// Another one.\n", encoding="utf-8")
    assert model.expected(project) != folder


def test_a_model_that_was_never_made_is_not_made_by_the_way(project: Project) -> None:
    shown = io.StringIO()
    model.refresh(project, Steps(Progress(shown)))
    assert shown.getvalue() == "" and not project.work.exists()


def test_a_package_that_cannot_be_fetched_is_named_with_the_reason(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(project: Project, group: str, python: Path) -> None:
        # uv 0.13.
        output = (
            "error: Request failed after 3 retries in 4.2s\n"
            "  cause: Failed to fetch: http://127.0.0.1:9/simple/numpy/\n"
            "  cause: tcp connect error\n"
            "  cause: Connection refused (os error 111)\n"
        )
        raise ProgramFailed("uv", 2, output, project.log("uv-meaning"))

    def nothing(*arguments: object, **options: object) -> None:
        pass

    for part, name in ((model.npm, "install"), (model, "prepare"), (model.bundles, "build")):
        monkeypatch.setattr(part, name, nothing)
    monkeypatch.setattr(model.uv, "install_into", unreachable)
    with pytest.raises(BuildProblem, match=r"fetch: http://127.0.0.1:9/simple/numpy/; Connection refused"):
        model.build(project, Steps(Progress(io.StringIO())))


def test_without_a_network_an_older_model_is_left_out_and_offered_again(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(project: Project, steps: Steps) -> None:
        raise BuildProblem("The packages of the model can't be installed.")

    monkeypatch.setattr(model, "build", unreachable)
    project.stamp(model.GROUP).parent.mkdir(parents=True)
    project.stamp(model.GROUP).write_text("of another version", encoding="utf-8")
    shown = io.StringIO()
    model.refresh(project, Steps(Progress(shown)))
    assert "offers to make the model for search by meaning again" in shown.getvalue()


def test_the_model_is_added_where_its_pages_expect_it(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def made(project: Project, steps: Steps) -> None:
        model.folder(project).mkdir(parents=True)
        (model.folder(project) / "minilm.onnx").write_text("model", encoding="utf-8")

    monkeypatch.setattr(model, "build", made)
    (project.dist / "surface-0123456789abcdef").mkdir(parents=True)
    model.add(project, Steps(Progress(io.StringIO())))
    found = [path.relative_to(project.dist).as_posix() for path in project.dist.rglob("*")]
    assert sorted(found) == [
        model.expected(project),
        f"{model.expected(project)}/minilm.onnx",
        "surface-0123456789abcdef",
    ]
