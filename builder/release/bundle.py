"""Makes the MCP bundle, which clients install by one press, and the entry of MCP's registry."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from builder import icon
from builder.project import Project
from builder.release import archives
from builder.release.described import Described

# https://github.com/modelcontextprotocol/mcpb, MANIFEST.md: the first with servers that uv starts.
MANIFEST_VERSION = "0.4"
SCHEMA = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
ENTRY = "server/main.py"
ICON = 512
PROGRAM = '''\
"""Starts the control surface as an MCP server with its own page."""

import sys

from gemini_companion.cli import main

sys.exit(main(["mcp", "--headless"]))
'''
# uv installs the wheel of the bundle, and its packages from the index.
PROJECT = """\
[project]
name = "{name}-bundle"
version = "{version}"
requires-python = ">=3.11"
dependencies = ["{name}[companion]=={version}"]

[tool.uv]
package = false

[tool.uv.sources]
{name} = {{ path = "{wheel}" }}
"""


def make(project: Project, about: Described, wheel: Path, folder: Path) -> Path:
    """Write `NAME-VERSION.mcpb`, a ZIP archive, and return its path."""
    work = project.work / "mcp-bundle"
    work.mkdir(parents=True, exist_ok=True)
    texts = {
        "manifest.json": json.dumps(manifest(about), indent=2) + "\n",
        "main.py": PROGRAM,
        "pyproject.toml": PROJECT.format(name=about.name, version=about.version, wheel=wheel.name),
    }
    for name, text in texts.items():
        (work / name).write_text(text, encoding="utf-8")
    (work / "icon.png").write_bytes(icon.draw(ICON))
    files = {name: work / name for name in ("manifest.json", "pyproject.toml", "icon.png")}
    files |= {ENTRY: work / "main.py", wheel.name: wheel, "LICENSE": project.root / "LICENSE"}
    target = folder / f"{about.name}-{about.version}.mcpb"
    archives.write_zip(files, target, about.epoch)
    return target


def manifest(about: Described) -> dict[str, Any]:
    """Return the bundle's manifest."""
    return {
        "manifest_version": MANIFEST_VERSION,
        "name": about.name,
        "display_name": "Control Surface",
        "version": about.version,
        "description": about.summary,
        "author": {"name": f"the authors of {about.name}"},
        "license": about.licence,
        "keywords": [*about.keywords],
        "icon": "icon.png",
        "server": {
            "type": "uv",
            "entry_point": ENTRY,
            "mcp_config": {"command": "uv", "args": ["run", "--directory", "${__dirname}", ENTRY]},
        },
        "tools_generated": True,
        "prompts_generated": True,
        "compatibility": {"platforms": ["darwin", "linux", "win32"], "runtimes": {"python": ">=3.11"}},
    }


def server(about: Described, packed: Path) -> dict[str, Any]:
    """Return the content of server.json, with which the registry lists the packages of this release."""
    arguments = [
        {"type": "positional", "value": "mcp"},
        {"type": "named", "name": "--headless"},
    ]
    shared = {"version": about.version, "transport": {"type": "stdio"}}
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    address = f"https://github.com/{about.namespace.rpartition('.')[2]}/{about.name}/releases/download"
    return {
        "$schema": SCHEMA,
        "name": f"{about.namespace}/{about.name}",
        "title": "Control Surface",
        "description": about.summary,
        "version": about.version,
        "packages": [
            {
                "registryType": "pypi",
                "identifier": about.name,
                "runtimeHint": "uvx",
                "runtimeArguments": [
                    {"type": "named", "name": "--from", "value": f"{about.name}[companion]=={about.version}"}
                ],
                "packageArguments": arguments,
                **shared,
            },
            {
                "registryType": "mcpb",
                "identifier": f"{address}/v{about.version}/{packed.name}",
                "fileSha256": digest,
                **shared,
            },
        ],
    }
