"""Helpers for tests of the browser extension: a browser that has it, with the permission for sites or without."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from gemini_companion.extension import ORIGIN
from gemini_testing import Surface
from gemini_testing.browser import launch

FOLDER = Path(__file__).parents[1] / ".build/extension"
PAGE = f"{ORIGIN}/index.html"


@contextmanager
def opened_extension(folder: Path = FOLDER) -> Generator[Surface]:
    """Open the surface's page in a new browser with the extension."""
    driver = launch(extension=folder)
    try:
        surface = Surface(driver, PAGE)
        surface.load()
        yield surface
    finally:
        driver.quit()


def with_sites(folder: Path) -> Path:
    """Copy the extension to a folder, with the permission that a user would grant; no test can press in that prompt."""
    shutil.copytree(FOLDER, folder, copy_function=os.link)
    manifest = folder / "manifest.json"
    listed = json.loads(manifest.read_text(encoding="utf-8"))
    listed["host_permissions"] = listed.pop("optional_host_permissions")
    # The copy is a link to the original.
    manifest.unlink()
    manifest.write_text(json.dumps(listed), encoding="utf-8")
    return folder
