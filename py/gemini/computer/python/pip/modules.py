"""Finds the package that has a module which could not be imported."""

from __future__ import annotations

import json
import re
import sys
from contextlib import suppress
from importlib.util import find_spec

from gemini.computer.python.pip.distribution import imports_of
from gemini.core import ffi

_MISSING = re.compile(r"No module named '([\w.]+)'")
# What `python -m` ends with.
_ENDED = re.compile(r": (?:No module named ([\w.]+)|.*No module named '([\w.]+)'\))$")
# Common modules outside of Pyodide's distribution whose package has a different name.
_PACKAGES = {
    "Bio": "biopython",
    "PIL": "pillow",
    "bs4": "beautifulsoup4",
    "cv2": "opencv-python",
    "dateutil": "python-dateutil",
    "docx": "python-docx",
    "dotenv": "python-dotenv",
    "fitz": "pymupdf",
    "git": "gitpython",
    "google.protobuf": "protobuf",
    "igraph": "python-igraph",
    "jose": "python-jose",
    "jwt": "pyjwt",
    "magic": "python-magic",
    "multipart": "python-multipart",
    "pkg_resources": "setuptools",
    "pptx": "python-pptx",
    "serial": "pyserial",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "slugify": "python-slugify",
    "yaml": "pyyaml",
}

# Several packages share these, and the one of that name is a different one.
_SHARED = {"azure", "google", "zope"}


async def package_of(error: BaseException) -> str | None:
    """Return the package to install after a failed import; None if none would help.

    Args:
        error: The error of the code. It may have been raised because of the failed import.
    """
    module = missing_module(error)
    return None if module is None else await package_with(module)


def missing_module(error: BaseException) -> str | None:
    """Return the module that a failed import lacks and a package may have; None if no package would help.

    Call it where the import failed, because the program's own modules count.

    Args:
        error: As for `package_of`, or the end of `python -m` with a module that isn't there.
    """
    module = _named_module(error)
    if module is None or module in _PACKAGES:
        return module
    top = module.partition(".")[0]
    elsewhere = top in _SHARED or top in sys.stdlib_module_names or top.startswith("_")
    return None if elsewhere or not top.isascii() or find_spec(top) is not None else module


async def package_with(module: str) -> str:
    """Return the package that has a module: as Pyodide's distribution says, or else the most likely name."""
    top = module.partition(".")[0]
    if module in _PACKAGES:
        return _PACKAGES[module]
    return (await _distribution()).get(top) or _PACKAGES.get(top) or top.replace("_", "-")


def _named_module(error: BaseException) -> str | None:
    if isinstance(error, SystemExit):
        match = _ENDED.search(error.code) if isinstance(error.code, str) else None
        return None if match is None else match[1] or match[2]
    cause: BaseException | None = error
    while isinstance(cause, ImportError):
        if isinstance(cause, ModuleNotFoundError):
            # Pyodide's own error has no name.
            match = _MISSING.search(str(cause))
            return cause.name or (None if match is None else match[1])
        cause = cause.__cause__ or cause.__context__
    return None


_known: dict[str, str] = {}


async def _distribution() -> dict[str, str]:
    """Return the packages of Pyodide's distribution by module; empty if the list can't be read."""
    if not _known and ffi.IN_BROWSER:
        # Without the list, the table above and the module's own name remain.
        with suppress(OSError, ValueError, LookupError):
            text, _ = await ffi.distribution_lock(None)
            _known.update(imports_of(json.loads(text)))
    return _known
