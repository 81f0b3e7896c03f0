"""The directory of installed packages that outlive the page, as Python's user site does (PEP 370).

It is the last entry of `sys.path`, so nothing in it replaces a module of the surface or of the standard library.
"""

from __future__ import annotations

import os
import site
import sys
from pathlib import Path

from gemini.computer.python import interpreter
from gemini.core import ffi

TARGETS = {"site": "user_site", "dynlib": "user_libraries"}
"""The `install_dir` of entries in Pyodide's lock file, and the one that has them saved."""
_LIBRARY_PATH = "LD_LIBRARY_PATH"


def directory(base: Path) -> Path:
    """Return the directory of packages below a base such as `~/.local`."""
    return base / f"lib/python{sys.version_info.major}.{sys.version_info.minor}/site-packages"


def enable(base: Path) -> list[str]:
    """Import packages from the user site, have installers put them there, and return the new entries of `sys.path`.

    Does nothing in a Pyodide that saves no files below `base`.
    """
    if not any(root in base.parents for root in ffi.persistent_roots()):
        return []
    packages = directory(base)
    interpreter.share_directory(packages)
    entries = [str(packages), *_link(packages)]
    path: list[str] = interpreter.KERNEL.value("sys.path")
    path += entries
    given = site.getsitepackages
    # micropip installs into the first one.
    site.getsitepackages = lambda prefixes=None: [str(packages), *given(prefixes)]
    ffi.set_install_directory(TARGETS["site"], packages)
    ffi.set_install_directory(TARGETS["dynlib"], base / "lib")
    # The dynamic linker looks here for the libraries that a module needs.
    os.environ[_LIBRARY_PATH] = f"{os.environ.get(_LIBRARY_PATH, '/usr/lib')}:{base / 'lib'}"
    return entries


def link() -> None:
    """Add the directories that newly installed `.pth` files name to the `sys.path` of later programs."""
    path: list[str] = interpreter.KERNEL.value("sys.path")
    path += [entry for entry in _link(Path(site.getsitepackages()[0])) if entry not in path]


def _link(packages: Path) -> list[str]:
    """Return the directories that `.pth` files name. Their lines of code aren't run, as they could end every start."""
    if not packages.is_dir():
        return []
    lines = [line.strip() for file in sorted(packages.glob("*.pth")) for line in _lines(file)]
    return [line for line in lines if line.startswith("/") and os.path.isdir(line)]


def _lines(file: Path) -> list[str]:
    try:
        return file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
