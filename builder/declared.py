"""Generates what is declared in Python: the list of tools, and web/generated/."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from builder import actions, content, lookalikes, types
from builder.problems import BuildProblem
from builder.project import Project
from builder.stamps import Steps


def list_tools(project: Project, steps: Steps) -> None:
    """Write the tools and the panels' actions. One start of Python lists both.

    Raises:
        BuildProblem: The package can't list them; `details` has the traceback.
    """
    steps.run(
        "listing the tools",
        project.stamp("tools"),
        lambda: [project.root / "py", project.requirements("build"), Path(__file__)],
        [content.catalogue(project), _shown(project)],
        lambda step: _list(project),
    )


def generate(project: Project, steps: Steps) -> None:
    """Generate web/generated/, which the page imports.

    Raises:
        BuildProblem: The package can't list its actions; `details` has the traceback.
    """
    list_tools(project, steps)
    steps.run(
        "generating the panel actions",
        project.stamp("actions"),
        lambda: [
            *(Path(module) for module in (__file__, actions.__file__, lookalikes.__file__, types.__file__)),
            *(_shown(project), project.modules / lookalikes.DATA),
        ],
        [project.generated],
        lambda step: _write_actions(project),
    )


def _shown(project: Project) -> Path:
    """Return the file of the panels' actions, and of the types of the state that they show."""
    return project.work / "actions.json"


def _list(project: Project) -> None:
    listed = subprocess.run(
        [project.python, "-m", "gemini.kernel.catalogue"],
        cwd=project.root,
        env={**os.environ, "PYTHONPATH": str(project.root / "py"), "PYTHONUTF8": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if listed.returncode:
        raise BuildProblem("gemini.kernel.catalogue could not list the tools.", listed.stderr)
    found: dict[str, Any] = json.loads(listed.stdout)
    # The page loads the tools alone.
    _write(content.catalogue(project), {"tools": found.pop("tools")})
    _write(_shown(project), found)


def _write(path: Path, listed: dict[str, Any]) -> None:
    text = json.dumps(listed, ensure_ascii=False, separators=(",", ":"))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"{text}\n", encoding="utf-8")


def _write_actions(project: Project) -> None:
    listed = json.loads(_shown(project).read_text(encoding="utf-8"))
    shared = types.Types()
    types.declare_state(shared, listed["types"]["snapshot"], listed["types"]["events"])
    files = {
        "actions.ts": actions.render(listed["actions"], shared),
        "calls.ts": actions.render_calls(listed["actions"]),
        "lookalikes.ts": lookalikes.render(
            json.loads((project.modules / lookalikes.DATA).read_text(encoding="utf-8"))
        ),
        # Last, when all types are known.
        "types.ts": shared.render(),
    }
    project.generated.mkdir(exist_ok=True)
    for name, text in files.items():
        (project.generated / name).write_text(text, encoding="utf-8")
