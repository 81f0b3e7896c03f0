"""The Hatchling hook that adds build output to the wheel; pyproject.toml refers to it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, cast

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

BUNDLES = ".build/bundles"
MODULES = (
    *("shell_engine.mjs", "git_command.mjs", "node_command.mjs", "node_worker.mjs", "jq_worker.mjs"),
    *("pdf_worker.mjs", "pdf_cmaps.mjs"),
)
# What other commands put next to the page.
NOT_OF_THE_PAGE = {"docs", "extension.zip", "release"}
# The environment variable with the page's folder; it is set only for the wheel that users install (builder/wheels.py).
PAGE = "GEMINI_SURFACE_PAGE"
# Set for the wheel without these modules, of which the packages for a start are made (builder/preinstalled.py).
BARE = "GEMINI_SURFACE_BARE"
# Set for the published wheel, without what only Python in the page imports: the page has a wheel with it.
HOST = "GEMINI_SURFACE_HOST"
ONLY_IN_THE_PAGE = (
    "gemini_userland",
    *(
        f"gemini/{room}"
        for room in ("agents", "automations", "code_mode", "computer", "pages", "personal", "storage")
    ),
)


class BuildOutputHook(BuildHookInterface):  # pyright: ignore[reportMissingTypeArgument]
    """Adds the shell's modules for `gemini.computer.shell`, and the page for `gemini_companion`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files, except to an editable install and to the bare wheel.

        Raises:
            FileNotFoundError: A module hasn't been built.
        """
        if version == "editable" or os.environ.get(BARE):
            return
        if os.environ.get(HOST):
            options = cast("dict[str, list[str]]", self.build_config.target_config)  # pyright: ignore[reportUnknownMemberType]
            options.setdefault("exclude", []).extend(f"/py/{package}" for package in ONLY_IN_THE_PAGE)
        if page := os.environ.get(PAGE):
            # It has the modules, too.
            _include_page(Path(page), build_data["force_include"])
            return
        for name in MODULES:
            module = Path(self.root, BUNDLES, name)
            if not module.is_file():
                raise FileNotFoundError(
                    f"{BUNDLES}/{name} is missing; run `python3 build.py build`, which builds it and the wheel."
                )
            build_data["force_include"][str(module)] = f"gemini/computer/shell/{name}"


def _include_page(page: Path, included: dict[str, str]) -> None:
    for file in sorted(page.rglob("*")):
        place = file.relative_to(page)
        # Clients that accept gzip accept brotli, too; source maps are useless without the sources.
        if (
            file.is_file()
            and not {".gz", ".map"} & set(file.suffixes)
            and place.parts[0] not in NOT_OF_THE_PAGE
        ):
            included[str(file)] = f"gemini_companion/dist/{place.as_posix()}"
