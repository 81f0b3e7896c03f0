"""Makes the npm package: the site with a program that serves it, and what other projects' pages load."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from builder.npm import find_node
from builder.problems import BuildProblem
from builder.programs import ProgramFailed, run
from builder.project import Project
from builder.release import archives
from builder.release.described import Described

TEMPLATE = Path(__file__).parent / "npm"
SITE = "site"
PROGRAM = "serve.mjs"
# For the program only, which checks it, too; a build needs a newer one.
OLDEST_NODE = "18.3.0"
# What pages load from the package itself, all at the root of the site.
MODULES = ("webmcp_bridge.js", "webmcp_adapter.js")
SCRIPTS = ("gemini-embed.js", "gemini-page.js", "webmcp-polyfill.js")


def make(project: Project, about: Described, site: Mapping[str, Path], folder: Path) -> Path:
    """Write `NAME-VERSION.tgz`, as `npm pack` would, and return its path.

    Args:
        project: The source tree.
        about: The release.
        site: The source of each file of the site, by its name.
        folder: Where it is written.

    Raises:
        BuildProblem: The declarations of types can't be made.
    """
    work = project.work / "npm-package"
    work.mkdir(parents=True, exist_ok=True)
    (work / "package.json").write_text(json.dumps(manifest(about), indent=2) + "\n", encoding="utf-8")
    files = {
        "package.json": work / "package.json",
        "README.md": TEMPLATE / "README.md",
        "LICENSE": project.root / "LICENSE",
        PROGRAM: TEMPLATE / PROGRAM,
        **_types(project, work / "types"),
        **{f"{SITE}/{name}": path for name, path in site.items()},
    }
    target = folder / f"{about.name}-{about.version}.tgz"
    packed = {f"package/{name}": path for name, path in files.items()}
    archives.write_tgz(packed, target, about.epoch, [f"package/{PROGRAM}"])
    return target


def manifest(about: Described) -> dict[str, Any]:
    """Return the content of package.json."""
    modules = {
        f"./{name}": {"types": f"./types/{Path(name).stem}.d.ts", "default": f"./{SITE}/{name}"}
        for name in MODULES
    }
    return {
        "name": about.name,
        "version": about.version,
        "description": about.summary,
        "license": about.licence,
        "keywords": [*about.keywords],
        "type": "module",
        "bin": {about.name: PROGRAM},
        "engines": {"node": f">={OLDEST_NODE}"},
        "exports": {
            **modules,
            **{f"./{name}": f"./{SITE}/{name}" for name in SCRIPTS},
            f"./{SITE}/*": f"./{SITE}/*",
            "./package.json": "./package.json",
        },
    }


def _types(project: Project, folder: Path) -> dict[str, Path]:
    """Return the declarations of the modules, which tsc makes of their comments, by their paths in the package."""
    command = [
        find_node().node,
        project.modules / "typescript/bin/tsc",
        *(project.root / name for name in MODULES),
    ]
    options = [
        *("--ignoreConfig", "--allowJs"),
        "--declaration",
        "--emitDeclarationOnly",
        "--target",
        "es2022",
        "--module",
        "esnext",
    ]
    try:
        run(
            [*command, *options, "--lib", "es2024,dom", "--types", "", "--outDir", folder],
            cwd=project.web,
            log=project.log("npm-types"),
        )
    except ProgramFailed as failure:
        raise BuildProblem("tsc could not declare the types of the bridge.", failure.output) from None
    return {f"types/{path.name}": path for path in sorted(folder.glob("*.d.ts"))}
