"""The built surface that the companion serves."""

from pathlib import Path

from gemini_companion.errors import SurfaceMissing

# `python3 build.py wheel` puts it next to this module; a source tree has none.
INSTALLED = Path(__file__).parent / "dist"
INDEX, CATALOGUE = "index.html", "tools.json"


def find_site(named: Path | None = None) -> Path:
    """Return the named folder, or else the installed wheel's, or else ./dist.

    Raises:
        SurfaceMissing: The folder has no built surface.
    """
    folder = named or (INSTALLED if INSTALLED.is_dir() else Path("dist"))
    for name in (INDEX, CATALOGUE):
        if not (folder / name).is_file():
            raise SurfaceMissing(
                f"There is no built surface in {folder}: {name} is missing.",
                hint="Run python3 build.py build, or name another folder with --dist.",
            )
    return folder
