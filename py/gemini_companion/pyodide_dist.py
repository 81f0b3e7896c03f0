"""A folder with Pyodide and the surface's packages, as pytest-pyodide and other hosts of Pyodide take it."""

import shutil
from pathlib import Path

from gemini_companion.errors import FolderUnusable
from gemini_companion.site import find_site

LOCK = "pyodide-lock.json"
# The patterns of the site's files, below the folders with hashes in their names.
RUNTIME = ("pyodide-*/*.mjs", "pyodide-*/*.js", "pyodide-*/*.wasm", "pyodide-*/*.zip")
PACKAGES = ("surface-*/packages/*.whl", f"surface-*/packages/{LOCK}")


def make(folder: Path, site: Path | None = None) -> int:
    """Copy the runtime, the packages and their lock file of a built surface into a folder.

    Args:
        folder: The folder; it is created. One that an earlier version made is emptied.
        site: The built surface, if not the installed one.

    Returns:
        The number of files.

    Raises:
        SurfaceMissing: There is no built surface.
        FolderUnusable: The folder has other files, or can't be written.
    """
    found = find_site(site)
    files = [path for pattern in (*RUNTIME, *PACKAGES) for path in sorted(found.glob(pattern))]
    try:
        _empty(folder)
        for path in files:
            shutil.copyfile(path, folder / path.name)
    except OSError as error:
        raise FolderUnusable(f"{folder} can't be written: {error.strerror or error}.") from None
    return len(files)


def _empty(folder: Path) -> None:
    """Create the folder, or delete what an earlier version has copied."""
    folder.mkdir(parents=True, exist_ok=True)
    present = list(folder.iterdir())
    if present and not (folder / LOCK).is_file():
        raise FolderUnusable(
            f"{folder} has other files, and no {LOCK}.", hint="Name a new or an empty folder."
        )
    # The lock file last: after an interruption, the folder is still one that may be emptied.
    for path in sorted(present, key=lambda path: path.name == LOCK):
        if path.is_file() and path.suffix in {".whl", ".mjs", ".js", ".wasm", ".zip", ".json"}:
            path.unlink()
