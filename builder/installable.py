"""Makes the manifest and the icons with which browsers install the page as an application."""

from __future__ import annotations

import json
from pathlib import Path

from builder import icon
from builder.project import Project

MANIFEST = "manifest.webmanifest"
SIZES = (192, 512)


def files(project: Project) -> dict[str, Path]:
    """Write the manifest (https://www.w3.org/TR/appmanifest/) and the icons, and return them by name."""
    folder = project.work / "installable"
    folder.mkdir(parents=True, exist_ok=True)
    icons = {f"icon-{size}.png": size for size in SIZES}
    for name, size in icons.items():
        if not (folder / name).is_file():
            (folder / name).write_bytes(icon.draw(size))
    manifest = {
        "name": "Control Surface",
        "short_name": "Surface",
        "description": "Terminals, files and Python for people and AI agents together.",
        "id": "./",
        "start_url": "./",
        "scope": "./",
        "display": "standalone",
        "background_color": "#ffffff",
        "theme_color": "#0b5fc0",
        "icons": [
            {"src": name, "sizes": f"{size}x{size}", "type": "image/png"} for name, size in icons.items()
        ],
    }
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n", encoding="utf-8")
    return {name: folder / name for name in (MANIFEST, *icons)}
