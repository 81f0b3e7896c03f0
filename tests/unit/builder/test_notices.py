"""The licences of what ships."""

from pathlib import Path

import pytest

from builder import notices
from builder.notices import Component
from builder.problems import BuildProblem
from builder.project import Project


def test_a_model_file_without_a_licence_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Component("pypi", "small-model", "1.0", "see below", "", texts=())
    monkeypatch.setattr(notices, "components", lambda _: [model])
    with pytest.raises(BuildProblem, match="small-model 1.0 ships no licence text"):
        notices.write(Project(tmp_path), tmp_path / "NOTICES.txt")
    assert not (tmp_path / "NOTICES.txt").exists()
