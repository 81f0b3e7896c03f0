"""Hatchling's hook that puts the shell engine into the wheel; pyproject.toml names it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ENGINE = ".build/bundles/shell_engine.mjs"


class ShellEngineHook(BuildHookInterface):  # pyright: ignore[reportMissingTypeArgument]
    """Adds the bundle under the name that `gemini.terminals` reads."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        engine = Path(self.root, ENGINE)
        if not engine.is_file():
            raise FileNotFoundError(
                f"{ENGINE} is missing; `python3 build.py build` makes it, and the wheel with it."
            )
        build_data["force_include"][str(engine)] = "gemini/terminals/shell_engine.mjs"
