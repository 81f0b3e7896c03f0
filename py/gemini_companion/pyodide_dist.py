"""A folder with Pyodide and the surface's packages, as pytest-pyodide and other hosts of Pyodide take it."""

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from gemini_companion.errors import FolderUnusable
from gemini_companion.site import find_site
from gemini_companion.storage.parts import Parts

LOCK = "pyodide-lock.json"
# The paths of the site's files, below the folders with hashes in their names.
CHOSEN = re.compile(
    rf"pyodide-[^/]+/[^/]+\.(mjs|js|wasm|zip)|surface-[^/]+/packages/([^/]+\.whl|{re.escape(LOCK)})"
)


def chosen(names: Iterable[str]) -> list[str]:
    """Return those paths of a site that the folder has, the lock file first."""
    return sorted(filter(CHOSEN.fullmatch, names), key=lambda name: not name.endswith(f"/{LOCK}"))


def make(folder: Path, site: Path | None = None) -> int:
    """Copy the runtime, the packages and their lock file of a built surface into a folder.

    A release's wheel doesn't have all of them: those are fetched, as parts of the page.

    Args:
        folder: The folder; it is created. One that an earlier version made is emptied.
        site: The built surface, if not the installed one.

    Returns:
        The number of files.

    Raises:
        SurfaceMissing: There is no built surface.
        FolderUnusable: The folder has other files, or can't be written.
        PartUnavailable: A part can't be fetched; the folder is as it was.
    """
    found = find_site(site)
    parts = Parts(found)
    present = [path.relative_to(found).as_posix() for path in sorted(found.rglob("*")) if path.is_file()]
    names = chosen(dict.fromkeys([*present, *parts]))
    files = {Path(name).name: parts.get(name) if name in parts else found / name for name in names}
    try:
        _empty(folder)
        # With the lock file, an interrupted folder is one that may be emptied.
        for name, path in files.items():
            shutil.copyfile(path, folder / name)
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
