"""Hatchling's hook that puts what is built into the wheel; pyproject.toml names it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ENGINE = ".build/bundles/shell_engine.mjs"
# Names the folder of a page, for the wheel that people install (builder/wheels.py); the one in the page has none.
PAGE = "GEMINI_SURFACE_PAGE"


class WhatIsBuilt(BuildHookInterface):  # pyright: ignore[reportMissingTypeArgument]
    """Adds the bundle under the name that `gemini.shell` reads, and the page where `gemini_companion` looks."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        engine = Path(self.root, ENGINE)
        if not engine.is_file():
            raise FileNotFoundError(
                f"{ENGINE} is missing; `python3 build.py build` makes it, and the wheel with it."
            )
        build_data["force_include"][str(engine)] = "gemini/shell/shell_engine.mjs"
        if page := os.environ.get(PAGE):
            for file in Path(page).rglob("*"):
                # Whoever takes gzip from the companion takes brotli, too; maps are for who has the sources.
                if file.is_file() and file.suffix != ".gz" and ".map" not in file.suffixes:
                    place = file.relative_to(page).as_posix()
                    build_data["force_include"][str(file)] = f"gemini_companion/dist/{place}"
