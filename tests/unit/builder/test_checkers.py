"""The checkers of other projects, as `build.py check` configures them, find mistakes."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

from builder import unused
from builder.npm import find_node
from builder.project import Project

PROJECT = Project(Path(__file__).parents[3])


def _function(lines: int) -> str:
    """Return a function of JavaScript with that number of lines."""
    body = "  f();\n" * lines
    return f"export function f() {{\n{body}}}\n"


def test_biome_finds_what_is_wrong(tmp_path: Path) -> None:
    shutil.copy(PROJECT.root / "biome.jsonc", tmp_path)
    sources = {
        "same.js": ("export const f = (a) => a === a;\n", "suspicious/noSelfCompare"),
        "needless.ts": ("export const f = (a: number) => 1;\n", "correctness/noUnusedFunctionParameters"),
        "function.ts": (_function(41), "complexity/noExcessiveLinesPerFunction"),
        "module.js": ("f();\n" * 401, "style/noExcessiveLinesPerFile"),
        "misspelled.css": ("a {\n  colour: red;\n}\n", "correctness/noUnknownProperty"),
        "limits.ts": (_function(40), None),
    }
    folder = tmp_path / "web/ui"
    folder.mkdir(parents=True)
    for name, (source, _) in sources.items():
        (folder / name).write_text(source)
    command = [find_node().node, PROJECT.modules / "@biomejs/biome/bin/biome", "lint", "--error-on-warnings"]
    run = subprocess.run([*command, "web"], check=False, cwd=tmp_path, capture_output=True, text=True)
    found = re.findall(r"^web/ui/(\S+?):\S+ lint/(\S+)", run.stdout + run.stderr, re.MULTILINE)
    assert run.returncode == 1
    assert dict(found) == {name: rule for name, (_, rule) in sources.items() if rule is not None}


def test_knip_finds_what_nothing_uses(tmp_path: Path) -> None:
    project = Project(tmp_path)
    (project.web / "ui/app").mkdir(parents=True)
    project.modules.symlink_to(PROJECT.modules)
    project.npm_lock.with_name("package.json").write_text(json.dumps({"dependencies": {"diff": "1.0.0"}}))
    (project.web / "ui/app/main.ts").write_text('import { used } from "./other.ts";\nused();\n')
    other = (
        "export const used = () => {};\nexport const needless = 1;\n/** @test */\nexport const tested = 2;\n"
    )
    (project.web / "ui/app/other.ts").write_text(other)
    (project.web / "ui/app/nowhere.ts").write_text("")
    run = subprocess.run(unused.command(project), check=False, cwd=tmp_path, capture_output=True, text=True)
    assert run.returncode == 1, run.stderr
    assert [word in run.stdout for word in ("needless", "nowhere.ts", "diff", "tested")] == [
        True,
        True,
        True,
        False,
    ]


def test_import_linter_finds_circles_in_each_package(tmp_path: Path) -> None:
    packages = sorted(path.parent.name for path in (PROJECT.root / "py").glob("*/__init__.py"))
    settings = tomllib.loads((PROJECT.root / "pyproject.toml").read_text())["tool"]["importlinter"]
    (contract,) = (each for each in settings["contracts"] if each["type"] == "acyclic_siblings")
    assert (sorted(settings["root_packages"]), sorted(contract["ancestors"])) == (packages, packages)
    room = tmp_path / "sample/room"
    room.mkdir(parents=True)
    for path, text in (("../__init__", ""), ("__init__", ""), ("a", "from sample.room import b"), ("b", "")):
        (room / f"{path}.py").write_text(text)
    assert "0 broken" in _import_linter(tmp_path)
    (room / "b.py").write_text("def late():\n    import sample.room.a\n")
    assert "No cycles are allowed in sample.room." in _import_linter(tmp_path)


def _import_linter(folder: Path) -> str:
    """Return what import-linter says about circles in the package `sample`."""
    contract = "[importlinter:contract:1]\nname = None\ntype = acyclic_siblings\nancestors = sample\n"
    (folder / "linter.ini").write_text(f"[importlinter]\nroot_package = sample\n{contract}")
    code = "from importlinter.cli import lint_imports_command as c; c()"
    command = [sys.executable, "-c", code, "--config", "linter.ini", "--no-cache"]
    env = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, check=False, cwd=folder, env=env, capture_output=True, text=True).stdout
