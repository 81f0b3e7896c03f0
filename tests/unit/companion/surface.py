"""A surface small enough for tests without a browser."""

import json
from pathlib import Path

TOOL = {"name": "look", "description": "Look at it.", "inputSchema": {"type": "object", "properties": {}}}


def small_surface(folder: Path) -> Path:
    """Turn `folder` into a built surface with a small page and a catalogue of one tool, `look`."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "index.html").write_text("<!doctype html><title>A surface</title>", encoding="utf-8")
    (folder / "tools.json").write_text(json.dumps({"tools": [TOOL]}), encoding="utf-8")
    return folder
