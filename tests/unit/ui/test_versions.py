"""The notice of a page and a companion of different releases."""

from __future__ import annotations

import json
import subprocess
import tomllib
from pathlib import Path
from typing import Any

from builder.npm import find_node
from tests.compiling import compiled

ROOT = Path(__file__).parents[3]
MODULES = ("shared/version.ts", "ui/status/versions.ts")


def compared(*given: tuple[str, str | None, bool]) -> dict[str, Any]:
    options = [{"page": page, "companion": other, "inExtension": inside} for page, other, inside in given]
    script = Path(__file__).with_name("versions.mjs")
    command = [find_node().node, script, compiled(*MODULES).as_uri(), json.dumps(options)]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def test_the_page_has_the_release_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert compared()["version"] == project["version"]


def test_nothing_is_said_about_one_release_or_a_companion_of_a_source_tree() -> None:
    assert compared(("0.2.0", "0.2.0", False), ("0.2.0", "0", False))["answers"] == [None, None]


def test_the_older_one_is_to_be_updated() -> None:
    older = [("0.9.0", "0.10.0", False), ("1.0.0rc1", "1.0.0", True)]
    newer = [("0.10.0", "0.9.0", False), ("1.0.0", "1.0.0rc1", True), ("0.1.0", None, False)]
    answers = compared(*older, *newer)["answers"]
    assert all("Files and settings stay" in each["how"] for each in answers)
    [page, extension, *companions] = [each["how"].partition(";")[0].partition(".")[0] for each in answers]
    assert page == "Reload this page"
    assert extension.startswith("Update the extension")
    assert all(each.startswith("Update the companion") for each in companions)
    assert "an older one" in answers[-1]["why"]
