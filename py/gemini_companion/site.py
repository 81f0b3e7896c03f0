"""The built surface that the companion serves."""

from pathlib import Path

from gemini_companion.errors import SurfaceMissing

# What `python3 build.py wheel` puts beside this module; a source tree has none there.
INSTALLED = Path(__file__).parent / "dist"
INDEX, CATALOGUE = "index.html", "tools.json"


def find_site(named: Path | None = None) -> Path:
    """The folder that was named, or else the one of the installed wheel, or else ./dist.

    Raises:
        SurfaceMissing: No surface is built there.
    """
    folder = named or (INSTALLED if INSTALLED.is_dir() else Path("dist"))
    for name in (INDEX, CATALOGUE):
        if not (folder / name).is_file():
            raise SurfaceMissing(
                f"There is no built surface in {folder}: {name} is missing.",
                hint="Run python3 build.py build, or name one by --dist.",
            )
    return folder
